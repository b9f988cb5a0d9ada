// The terms of a query. LANGUAGE lists their fields and units; the program writes it into the gallery.

const NUMBERED = new Set(["display"]); // texts that are numbers: a value matches a whole number
const LISTS_OF_NAMES = new Set(["bone", "clip", "material", "texture", "display", "missing", "error", "warning"]);
const SHORTEST = 3; // shorter texts are searched only at the beginnings of names
const NUMBER = /^(\d+(?:\.\d*)?|\.\d+)([a-z]*)$/i;
const DATE = /^(\d{4})-(\d\d?)-(\d\d?)$/;

/** Remove the prototype of an object and of the objects in it, so that `constructor` is no field. */
function bare(table) {
  if (typeof table !== "object" || Array.isArray(table)) return table;
  for (const value of Object.values(table)) bare(value);
  return Object.setPrototypeOf(table, null);
}

/** Return the condition of a word, or of a field with its value. */
function term(token, now) {
  const { field, operator, value, valueAt, at } = token;
  if (!field) return word(token);
  if (field === "has") {
    const wanted = LANGUAGE.has[value.toLowerCase()];
    if (![":", "="].includes(operator) || !wanted) {
      throw new QueryError(`has: takes one of ${Object.keys(LANGUAGE.has).join(", ")}`, valueAt);
    }
    return range(wanted, { low: 1 });
  }
  if (LANGUAGE.texts.includes(field)) return textTerm(token);
  if (LANGUAGE.numbers[field]) return rangeTerm(token, now);
  throw new QueryError(`no field ${field} (text with one of : = < > in it needs quotes)`, at);
}

function word({ text, value, isQuoted, at }) {
  const alone = isQuoted ? undefined : LANGUAGE.alone[text.toLowerCase()];
  if (alone) return range(alone, { low: 1 });
  if (!isQuoted && ":<>=".includes(text[0])) {
    throw new QueryError("a field, such as bones, is missing before this", at);
  }
  const pattern = /[*?]/.test(value);
  return contains(pattern && !value.includes("/") ? "name" : "path", value, false);
}

function textTerm({ field, operator, value, valueAt }) {
  if (![":", "=", "!="].includes(operator)) {
    const hint = LANGUAGE.numbers[`${field}s`] ? `; ${field}s${operator}… counts` : "";
    throw new QueryError(`${field} takes a text after : or =${hint}`, valueAt - operator.length);
  }
  if (!value) throw new QueryError(`a text is missing after ${field}${operator}`, valueAt);
  const found = contains(field, value, operator !== ":" || NUMBERED.has(field));
  return operator === "!=" ? not(found) : found;
}

function rangeTerm(token, now) {
  const { field, operator, value, valueAt } = token;
  const dots = value.indexOf("..");
  if (operator === ":" && dots >= 0) {
    const low = dots ? number(token, value.slice(0, dots), now) : null;
    const high = dots + 2 < value.length ? number(token, value.slice(dots + 2), now) : null;
    if (!low && !high) throw new QueryError("a number is missing beside ..", valueAt);
    if (low && high && low.field !== high.field) {
      throw new QueryError("one end of the range is a date, the other is an age", valueAt);
    }
    return range((low ?? high).field, { low: low?.low, high: high?.high }, now);
  }
  const found = number(token, value, now);
  const same = range(found.field, found, now);
  switch (operator) {
    case ">": return range(found.field, { low: found.high, closed: false }, now);
    case ">=": return range(found.field, { low: found.low }, now);
    case "<": return range(found.field, { high: found.low, closed: false }, now);
    case "<=": return range(found.field, { high: found.high }, now);
    case "!=": return not(same);
    default: return same;
  }
}

/** Read a number, a date or an age; return its field, and the range of values that it stands for. */
function number({ field, valueAt }, text) {
  const { units, example } = LANGUAGE.numbers[field];
  const date = field === "modified" && DATE.exec(text);
  if (date) {
    const [year, month, day] = date.slice(1).map(Number);
    const [start, end] = [new Date(year, month - 1, day), new Date(year, month - 1, day + 1)];
    if (start.getMonth() === month - 1) return { field, low: start.getTime(), high: end.getTime() - 0.001 };
  }
  const found = NUMBER.exec(text);
  const unit = found && units[found[2].toLowerCase()];
  if (date || !unit) {
    const one = field.slice(0, -1);
    const hint = text && LANGUAGE.texts.includes(one) ? `; ${one}:${text} looks for names` : "";
    throw new QueryError(`${field} takes numbers, such as ${example}${hint}`, valueAt);
  }
  const value = Number(found[1]) * unit;
  return { field: field === "modified" ? "age" : field, low: value, high: value };
}

function range(field, { low = -Infinity, high = Infinity, closed = true }, now) {
  const value = reader(field, now);
  if (closed) return entry => low <= value(entry) && value(entry) <= high;
  return entry => low < value(entry) && value(entry) < high;
}

/** Return a function from an entry to the number of a field. */
function reader(field, now) {
  if (field === "age") return entry => (now - entry.modified) / 1000;
  if (["errors", "warnings", "missing"].includes(field)) return entry => entry[field].length;
  return entry => entry[field];
}

/** Return the condition that a field contains a text, ignoring case. A pattern or a `whole` text matches all of it. */
function contains(field, text, whole) {
  const wanted = folded(text);
  if (field === "missing" && LANGUAGE.missing.includes(wanted)) {
    return entry => entry.missing.some(([kind]) => kind === wanted);
  }
  const values = entry => texts(entry, field);
  if (/[*?]/.test(wanted)) {
    const pattern = wildcard(wanted);
    return entry => values(entry).some(each => pattern.test(folded(each)));
  }
  if (whole) return entry => values(entry).some(each => folded(each) === wanted);
  const begins = LISTS_OF_NAMES.has(field) && [...wanted].length < SHORTEST;
  if (begins) return entry => values(entry).some(each => folded(each).startsWith(wanted));
  return entry => values(entry).some(each => folded(each).includes(wanted));
}

const FOLDED = new Map();

/** Return a text in lower case. Results are cached, because the same names occur often. */
function folded(text) {
  let found = FOLDED.get(text);
  if (found === undefined) FOLDED.set(text, (found = text.toLowerCase()));
  return found;
}

/** Convert a pattern: `*` stands for any characters, `?` for one. */
function wildcard(text) {
  const escaped = text.replace(/[.+^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(`^${escaped.replaceAll("*", ".*").replaceAll("?", ".")}$`, "su");
}

/** Return the texts of an entry that a field searches. */
function texts(entry, field) {
  switch (field) {
    case "name": return [entry.title];
    case "path": return [entry.name];
    case "missing": return entry.missing.map(([, name]) => name || "?");
    case "error": return entry.errors;
    case "warning": return entry.warnings;
    case "display": return entry.display_ids;
    case "bone": case "clip": case "material": case "texture": return entry[`${field}_names`];
    default: return [entry[field]];
  }
}
