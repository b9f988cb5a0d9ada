// The entries of the gallery, and their facts as texts.

/** Convert the rows of the data file to entries; numbers of names become names. */
function decode({ fields, names, named, entries }) {
  const columns = fields.map((field, at) => [field, at, named.includes(field)]);
  return entries.map((row, number) => {
    const entry = { number };
    for (const [field, at, isNamed] of columns) {
      entry[field] = isNamed ? row[at].map(each => names[each]) : row[at];
    }
    entry.missing = row[fields.indexOf("missing")].map(([kind, name]) => [names[kind], names[name]]);
    const cut = entry.name.lastIndexOf("/") + 1;
    entry.title = entry.name.slice(cut);
    entry.folder = entry.name.slice(0, Math.max(cut - 1, 0));
    return entry;
  });
}

const counted = new Intl.NumberFormat("en", { useGrouping: true });

/** Format a number with its noun. */
function plural(number, noun, more = `${noun}s`) {
  return `${counted.format(number)} ${number === 1 ? noun : more}`;
}

/** Format a number of bytes as file managers do. */
function bytes(number) {
  const units = ["bytes", "KB", "MB", "GB", "TB"];
  let unit = 0;
  while (number >= 1024 && unit < units.length - 1) {
    number /= 1024;
    unit += 1;
  }
  return `${number < 10 && unit ? number.toFixed(1) : counted.format(Math.round(number))} ${units[unit]}`;
}

/** Format a time in milliseconds as a local date. */
function day(time) {
  return new Date(time).toLocaleDateString(undefined, { year: "numeric", month: "short", day: "numeric" });
}

/** Return a rating as stars. */
function stars(rating) {
  return "★".repeat(rating);
}

/** Return the second line of a tile: the value by which the entries are sorted. */
function note(entry, order) {
  if (order === "size") return bytes(entry.size);
  if (order === "modified") return day(entry.modified);
  if (order === "folder") return entry.folder || "·";
  if (order === "rating" && entry.rating) return stars(entry.rating);
  if (order === "bones") return plural(entry.bones, "bone");
  if (entry.triangles) return plural(entry.triangles, "triangle");
  return entry.format || entry.thumbnail_error || bytes(entry.size);
}

/** Return pairs of a label and a text for the table of the details. */
function table(entry) {
  const number = (label, value) => [label, value ? counted.format(value) : ""];
  const size = entry.bounds && [0, 1, 2].map(axis => entry.bounds[axis + 3] - entry.bounds[axis]);
  return [
    ["Format", entry.format],
    ["Version", entry.version],
    ["Kind", entry.kind],
    ["In the game", entry.called],
    ["Rating", stars(entry.rating)],
    ["Favourite", entry.favourite ? "♥" : ""],
    number("Triangles", entry.triangles),
    number("Vertices", entry.vertices),
    number("Geometries", entry.geometries),
    number("Bones", entry.bones),
    number("Animations", entry.clips),
    ["Longest", entry.length ? `${Number(entry.length.toFixed(2))} s` : ""],
    number("Morphs", entry.morphs),
    number("Emitters", entry.emitters),
    number("Ribbons", entry.ribbons),
    number("Materials", entry.materials),
    number("Textures", entry.textures),
    ["Extent", size ? size.map(each => Number(each.toPrecision(3))).join(" × ") : ""],
    ["Size", bytes(entry.size)],
    ["Modified", new Date(entry.modified).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" })],
  ].filter(([, text]) => text);
}

/** Return a text as a word of a query, in quotes if necessary; null if a query cannot contain it. */
function quoted(text) {
  if (/^[\w.-]+$/.test(text)) return text;
  return /["*?]/.test(text) ? null : `"${text}"`;
}

/** Make an element with properties, attributes (`data-…`, `aria-…`, `role`) and children; texts are not parsed as HTML. */
function h(tag, values = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(values)) {
    if (name.includes("-") || name === "role") element.setAttribute(name, value);
    else element[name] = value;
  }
  element.append(...children);
  return element;
}

/** Make the picture of an entry, or a text if it has none. */
function plate(entry, folder, lazy) {
  const side = h("div", { className: "plate" });
  if (!entry.picture) {
    side.append(h("span", {}, entry.thumbnail_error || entry.format || "no picture"));
    return side;
  }
  const picture = h("img", { alt: "", decoding: lazy ? "async" : "auto", draggable: false });
  picture.src = `${folder}/${entry.picture}.png`;
  side.append(picture);
  return side;
}
