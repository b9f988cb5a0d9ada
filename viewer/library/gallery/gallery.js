// The page: what is searched, sorted and selected.

const { title: TITLE, folder: FOLDER, language: LANGUAGE } = window.rigscopeGallery;
const ENTRIES = decode(window.rigscopeGallery);
const ORDERS = {
  name: ["Name", entry => entry.title],
  folder: ["Folder", entry => entry.name],
  kind: ["Kind", entry => `${entry.format} ${entry.version}`],
  size: ["Size", entry => entry.size],
  modified: ["Date", entry => entry.modified],
  bones: ["Bones", entry => entry.bones],
  triangles: ["Triangles", entry => entry.triangles],
};
const LARGEST_FIRST = ["size", "modified", "bones", "triangles"];
const THEMES = { auto: ["◐", "System theme"], light: ["☀", "Light theme"], dark: ["☾", "Dark theme"] };
const HELP = [
  ["knight", "files whose name or folder has this word"],
  ["bones>60   triangles:..5000", "numbers, and ranges of them"],
  ["size>1M   length>2s   modified<7d", "with units"],
  ["format:ogre   version:264", "texts that contain this"],
  ['clip:walk   bone:"Bip01 Head"   texture:*.tga', "names inside the file"],
  ["missing:texture   error   warning", "what went wrong"],
  ["has:particles", "what a file holds at all"],
  ["not a   a or b   (a or b) c", "combinations"],
];
const KEYS = [
  ["/", "search"],
  ["← ↑ → ↓", "select; Page Up, Page Down, Home and End too"],
  ["Enter", "open or close the details"],
  ["Esc", "close the details, then clear the search"],
  ["+  −", "size of the pictures"],
  ["t", "theme"],
  ["?", "this help"],
];

const find = id => document.getElementById(id);
const parts = Object.fromEntries(
  ["search", "mistake", "count", "sort", "direction", "scale", "theme", "help", "keys", "filters", "details", "wall"].map(
    id => [id, find(id)],
  ),
);
const ordered = [...ENTRIES];
const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });
const state = { query: "", order: "name", down: false, theme: "auto", ...remembered() };

const wall = new Wall(parts.wall, FOLDER, { open: openDetails, chosen: entry => isOpen() && fill(entry) });

/** Search again, and show the result. */
function update() {
  let found;
  try {
    found = ordered.filter(parse(state.query));
    mistake(null);
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    mistake(error);
    return;
  }
  wall.show(found, state.order);
  nothing(found.length === 0);
  if (isOpen() && !wall.entry) wall.select(0);
  const size = found.reduce((sum, entry) => sum + entry.size, 0);
  const of = found.length === ENTRIES.length ? "" : ` of ${counted.format(ENTRIES.length)}`;
  parts.count.textContent = `${counted.format(found.length)}${of} ${ENTRIES.length === 1 ? "file" : "files"} · ${bytes(size)}`;
  for (const chip of parts.filters.children) {
    chip.setAttribute("aria-pressed", chip.dataset.query === state.query.trim());
  }
  remember();
}

/** Sort all entries, so that typing into the search only has to choose among them. */
function sort() {
  const key = ORDERS[state.order][1];
  const order = (a, b) => {
    const [x, y] = [key(a), key(b)];
    return (typeof x === "string" ? collator.compare(x, y) : x - y) || collator.compare(a.name, b.name);
  };
  ordered.sort(order);
  if (state.down) ordered.reverse();
}

/** Show where a query is wrong, under the field; the files that were found last stay. */
function mistake(error) {
  parts.mistake.hidden = !error;
  parts.search.setAttribute("aria-invalid", Boolean(error));
  if (!error) return;
  const [before, letter, after] = [state.query.slice(0, error.at), state.query[error.at] ?? " ", state.query.slice(error.at + 1)];
  parts.mistake.replaceChildren(h("code", {}, before, h("mark", {}, letter), after), error.message);
}

function nothing(isEmpty) {
  parts.wall.querySelector(".nothing")?.remove();
  if (!isEmpty) return;
  const clear = h("button", { type: "button", className: "plain", onclick: () => search("") }, "Show all files");
  const said = ENTRIES.length ? ["No file matches.", h("br"), clear] : ["There are no files."];
  parts.wall.append(h("p", { className: "nothing" }, ...said));
}

function search(query) {
  state.query = parts.search.value = query;
  update();
}

function isOpen() {
  return !parts.details.hidden;
}

function openDetails() {
  if (!wall.entry) return;
  parts.details.hidden = false;
  fill(wall.entry);
  wall.lay();
  wall.reveal();
}

function closeDetails() {
  parts.details.hidden = true;
  wall.lay();
  parts.wall.focus({ preventScroll: true });
}

function fill(entry) {
  const narrow = matchMedia("(max-width: 760px)");
  const act = query => {
    if (narrow.matches) closeDetails();
    search(query);
  };
  details(parts.details, entry, FOLDER, { search: act, step: way => wall.select(wall.selected + way), close: closeDetails });
}

/** The filters: the kinds and formats that there are, and what is wrong. */
function filters() {
  const chips = [["All", "", ENTRIES.length]];
  const count = test => ENTRIES.filter(test).length;
  const values = field => [...new Set(ENTRIES.map(entry => entry[field]))].filter(Boolean).sort(collator.compare);
  const add = field => {
    const found = values(field);
    if (found.length < 2) return;
    chips.push(...found.map(each => [each, `${field}:${quoted(each)}`, count(entry => entry[field] === each)]));
  };
  add("kind");
  for (const [label, query] of [["Something missing", "missing"], ["Errors", "error"], ["Particles", "has:particles"]]) {
    chips.push([label, query, count(parse(query))]);
  }
  add("format");
  const shown = chips.filter(([, , number]) => number);
  if (shown.length < 2) return;
  parts.filters.append(
    ...shown.map(([label, query, number]) =>
      h("button", { type: "button", className: "chip", "data-query": query, onclick: () => search(query) }, label, h("b", {}, counted.format(number))),
    ),
  );
}

/** Show the state of sorting and theme on their buttons. */
function dress() {
  const root = document.documentElement;
  const dark = state.theme === "dark" || (state.theme === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
  root.dataset.theme = dark ? "dark" : "light";
  const [sign, name] = THEMES[state.theme];
  label(parts.theme, sign, `${name} (t)`);
  label(parts.direction, state.down ? "↓" : "↑", state.down ? "Descending" : "Ascending");
  parts.sort.value = state.order;
}

function label(button, sign, text) {
  button.textContent = sign;
  button.title = text;
  button.setAttribute("aria-label", text);
}

function changeTheme() {
  const names = Object.keys(THEMES);
  state.theme = names[(names.indexOf(state.theme) + 1) % names.length];
  dress();
  remember();
}

function changeScale(scale) {
  state.scale = Math.min(Math.max(scale, Number(parts.scale.min)), Number(parts.scale.max));
  parts.scale.value = state.scale;
  wall.resize(state.scale);
  remember();
}

function showHelp() {
  const list = rows => h("dl", {}, ...rows.flatMap(([term_, text]) => [h("dt", {}, term_), h("dd", {}, text)]));
  const shut = h("button", { type: "button", className: "plain", onclick: () => parts.keys.close() }, "Close");
  parts.keys.replaceChildren(h("h2", {}, "Search"), list(HELP), h("h2", {}, "Keys"), list(KEYS), shut);
  parts.keys.showModal();
}

/** The search and the order are in the address, so that they can be sent; the theme is this reader's. */
function remember() {
  const values = new URLSearchParams();
  if (state.query) values.set("q", state.query);
  if (state.order !== "name") values.set("sort", state.order);
  if (state.down) values.set("down", "1");
  const hash = values.size ? `#${values}` : " ";
  try {
    history.replaceState(null, "", hash.trim() || location.pathname + location.search);
    localStorage.setItem("rigscope-gallery", JSON.stringify({ theme: state.theme, scale: state.scale }));
  } catch {
    // a page from the disk may have neither
  }
}

function remembered() {
  const values = new URLSearchParams(location.hash.slice(1));
  const found = { query: values.get("q") ?? "", down: values.has("down") };
  if (values.get("sort") in ORDERS) found.order = values.get("sort");
  try {
    const kept = JSON.parse(localStorage.getItem("rigscope-gallery")) ?? {};
    if (kept.theme in THEMES) found.theme = kept.theme;
    if (kept.scale > 0) found.scale = kept.scale;
  } catch {
    // the same
  }
  return found;
}

/** The keys of the page; those of a field that is typed into stay with the field. */
function press(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || parts.keys.open) return;
  const { key, target } = event;
  const typing = target === parts.search;
  if (key === "Escape") escape(typing);
  else if (typing) {
    if (key !== "Enter" && key !== "ArrowDown") return;
    parts.wall.focus({ preventScroll: true });
    if (wall.selected < 0) wall.select(0);
  } else if (target === parts.sort || target === parts.scale) return;
  else if (key === "/") {
    parts.search.focus();
    parts.search.select();
  } else if (key === "?") showHelp();
  else if (key === "t") changeTheme();
  else if (key === "+" || key === "=") changeScale(wall.scale + 24);
  else if (key === "-") changeScale(wall.scale - 24);
  else if (key === "Enter" && (target === parts.wall || target === document.body)) {
    if (isOpen()) closeDetails();
    else openDetails();
  } else if (!wall.move(key)) return;
  event.preventDefault();
}

function escape(typing) {
  if (isOpen() && !typing) closeDetails();
  else if (state.query) search("");
  else parts.search.blur();
}

parts.sort.append(...Object.entries(ORDERS).map(([value, [text]]) => h("option", { value }, text)));
parts.search.value = state.query;
parts.search.placeholder = matchMedia("(max-width: 760px)").matches
  ? "Search names, bones>60, clip:walk"
  : "Search: names, bones>60, format:ogre, clip:walk, missing:texture";
parts.search.oninput = () => {
  state.query = parts.search.value;
  update();
};
parts.sort.onchange = () => {
  state.order = parts.sort.value;
  state.down = LARGEST_FIRST.includes(state.order);
  dress();
  sort();
  update();
};
parts.direction.onclick = () => {
  state.down = !state.down;
  dress();
  sort();
  update();
};
parts.scale.oninput = () => changeScale(Number(parts.scale.value));
parts.theme.onclick = changeTheme;
parts.help.onclick = showHelp;
document.addEventListener("keydown", press);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", dress);
addEventListener("hashchange", () => {
  Object.assign(state, { order: "name" }, remembered());
  parts.search.value = state.query;
  dress();
  sort();
  update();
});

/** The paths of the files that a query finds, for scripts. */
window.rigscopeGallery.find = query => ENTRIES.filter(parse(query)).map(entry => entry.path);

dress();
sort();
filters();
changeScale(state.scale ?? (innerWidth < 760 ? 104 : 176));
update();
