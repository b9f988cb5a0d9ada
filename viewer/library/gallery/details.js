// The details of one entry.

const LISTS = [
  ["Animations", "clip_names", "clip"],
  ["Bones", "bone_names", "bone"],
  ["Materials", "material_names", "material"],
  ["Textures", "texture_names", "texture"],
  ["Displays", "display_ids", "display"],
];
const MOST = 400; // the largest number of shown names of a list

/** Fill `element` with the facts of an entry.
 * `search` receives a condition, `step` receives -1 or 1 for the previous or next entry; `close` closes the details. */
function details(element, entry, folder, { search, step, close }) {
  const facts = table(entry).flatMap(([label, text]) => [h("dt", {}, label), h("dd", {}, text)]);
  const content = h("div", { className: "facts" }, h("h2", {}, entry.title));
  if (entry.folder) content.append(h("p", { className: "folder" }, ...breakable(entry.folder)));
  content.append(h("dl", {}, ...facts));
  const missing = entry.missing.map(([kind, name]) => `${kind}: ${name}`);
  content.append(
    ...box("No picture", entry.thumbnail_error ? [entry.thumbnail_error] : [], "error"),
    ...box("Errors", entry.errors, "error"),
    ...box("Missing", missing, ""),
    ...box("Warnings", entry.warnings, ""),
    ...LISTS.flatMap(([title, field, word]) => list(title, entry[field], word, search)),
    location_(entry),
  );
  const button = (sign, label, act) => h("button", { type: "button", title: label, "aria-label": label, onclick: act }, sign);
  const top = h(
    "div",
    { className: "top" },
    button("‹", "Previous", () => step(-1)),
    button("›", "Next", () => step(1)),
    button("✕", "Close", close),
  );
  element.replaceChildren(top, plate(entry, folder, false), content);
  element.scrollTop = 0;
}

function box(title, lines, kind) {
  if (!lines.length) return [];
  const items = lines.map(line => h("li", {}, line));
  return [h("section", { className: `box ${kind}` }, h("h3", {}, title), h("ul", {}, ...items))];
}

/** Make a list of names; a click on a name searches for files with the same name in them. */
function list(title, names, word, search) {
  if (!names.length) return [];
  const items = names.slice(0, MOST).map(name => {
    const value = quoted(name);
    const act = () => search(`${word}:${value}`);
    const inside = value ? h("button", { type: "button", className: "name", onclick: act }, name) : name;
    return h("li", {}, inside);
  });
  if (names.length > MOST) items.push(h("li", {}, `and ${plural(names.length - MOST, "more", "more")}`));
  const head = h("summary", {}, title, h("b", {}, counted.format(names.length)));
  return [h("details", { open: names.length <= 12 }, head, h("ul", {}, ...items))];
}

/** Make the path of an entry, and a button that copies it. */
function location_(entry) {
  const button = h("button", { type: "button", className: "plain" }, "Copy path");
  button.onclick = async () => {
    await copy(entry.path);
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy path"; }, 1200);
  };
  return h("div", { className: "path" }, h("code", {}, ...breakable(entry.path)), button);
}

/** Make a path that may break into lines behind each `/`. */
function breakable(path) {
  return path.split("/").flatMap((part, at) => (at ? ["/", h("wbr"), part] : [part]));
}

/** Copy a text. A page from the disk may not use the clipboard interface, so that a text field replaces it. */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = h("textarea", { value: text, "aria-hidden": "true" });
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
}
