// The query language of `rigscope find`: the same grammar as `viewer/library/index/query.py`.

const DEEPEST = 40; // the largest depth of brackets and negations
const MOST_WORDS = 200;
const TOKEN = new RegExp(
  String.raw`(?<space>\s+)|(?<bracket>[()])|(?<term>(?:(?<field>[\p{L}_][\p{L}\p{N}_]*)(?<operator>!=|>=|<=|[:=<>]))?` +
    String.raw`(?<value>"(?<quoted>[^"]*)(?<closing>"?)|[^\s()"]*))`,
  "uy",
);

/** An invalid query: `message` describes the error at character `at`, counted from 0. */
class QueryError extends Error {
  constructor(why, at) {
    super(why);
    this.at = at;
  }
}

/** Parse a query to a function that returns whether an entry matches. Throws QueryError for an invalid query. */
function parse(text, now = Date.now()) {
  const tokens = tokenize(text);
  if (tokens.length > MOST_WORDS) {
    throw new QueryError(`a query has at most ${MOST_WORDS} words`, tokens[MOST_WORDS].at);
  }
  return tokens.length ? new Parser(tokens, text.length, now).whole() : () => true;
}

function tokenize(text) {
  const tokens = [];
  let at = 0;
  while (at < text.length) {
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(text);
    const { bracket, term, field = "", operator = "", value, quoted: inside, closing } = found.groups;
    const end = at + found[0].length;
    const valueAt = term ? end - value.length : at;
    if (inside !== undefined && !closing) throw new QueryError("the quote is not closed", valueAt);
    if (bracket) tokens.push({ at, text: bracket, keyword: bracket });
    else if (term) {
      const isQuoted = inside !== undefined;
      const word = isQuoted && !field ? "" : term;
      const keyword = ["and", "or", "not"].find(each => each === word.toLowerCase()) ?? "";
      const plain = isQuoted ? inside : value;
      tokens.push({ at, text: word, keyword, field: field.toLowerCase(), operator, value: plain, valueAt, isQuoted });
    }
    at = end;
  }
  return tokens;
}

const not = part => entry => !part(entry);

class Parser {
  constructor(tokens, end, now) {
    Object.assign(this, { tokens, end, now, next: 0, depth: 0 });
  }

  whole() {
    const found = this.any();
    if (this.next < this.tokens.length) throw new QueryError("no bracket is open here", this.tokens[this.next].at);
    return found;
  }

  get keyword() {
    return this.next < this.tokens.length ? this.tokens[this.next].keyword : "end";
  }

  any() {
    const parts = [this.all()];
    while (this.keyword === "or") {
      this.next += 1;
      parts.push(this.all());
    }
    return entry => parts.some(part => part(entry));
  }

  all() {
    const parts = [this.condition()];
    while (!["or", ")", "end"].includes(this.keyword)) {
      if (this.keyword === "and") this.next += 1;
      parts.push(this.condition());
    }
    return entry => parts.every(part => part(entry));
  }

  condition() {
    const { keyword } = this;
    const token = this.tokens[this.next];
    if (["end", "or", "and", ")"].includes(keyword)) {
      throw new QueryError("a word or a condition is missing here", token ? token.at : this.end);
    }
    this.next += 1;
    if (!keyword) return term(token, this.now);
    this.depth += 1;
    if (this.depth > DEEPEST) {
      throw new QueryError(`more than ${DEEPEST} brackets and negations inside each other`, token.at);
    }
    const found = keyword === "not" ? not(this.condition()) : this.bracket(token);
    this.depth -= 1;
    return found;
  }

  bracket(opening) {
    const found = this.any();
    if (this.keyword !== ")") throw new QueryError("the bracket is not closed", opening.at);
    this.next += 1;
    return found;
  }
}
