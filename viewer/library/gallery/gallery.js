// The page: search, sorting and selection.

const { folder: FOLDER } = window.rigscopeGallery;
const LANGUAGE = bare(window.rigscopeGallery.language);
const ENTRIES = decode(window.rigscopeGallery);
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

/** Run the search, and show the result. */
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
  remember(state);
}

/** Sort all entries once, so that a search only filters them. */
function sort() {
  const key = ORDERS[state.order][1];
  const order = (a, b) => {
    const [x, y] = [key(a), key(b)];
    return (typeof x === "string" ? collator.compare(x, y) : x - y) || collator.compare(a.name, b.name);
  };
  ordered.sort(order);
  if (state.down) ordered.reverse();
}

/** Show the error of a query and its position below the field. The last valid result stays. */
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

/** Make the filters: kinds, formats and problems of the files in the gallery. */
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
  for (const [label, query] of [["Missing files", "missing"], ["Errors", "error"], ["Particles", "has:particles"]]) {
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

/** Show the current sorting and theme on their buttons. */
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
  remember(state);
}

function changeScale(scale) {
  state.scale = Math.min(Math.max(scale, Number(parts.scale.min)), Number(parts.scale.max));
  parts.scale.value = state.scale;
  wall.resize(state.scale);
  remember(state);
}

/** Handle the keys of the page. While the user types into a field, its keys go to the field. */
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
  } else if (key === "?") showHelp(parts.keys);
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
parts.help.onclick = () => showHelp(parts.keys);
document.addEventListener("keydown", press);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", dress);
addEventListener("hashchange", () => {
  Object.assign(state, { order: "name" }, remembered());
  parts.search.value = state.query;
  dress();
  sort();
  update();
});

/** Return the paths of the files that a query finds, for scripts. */
window.rigscopeGallery.find = query => ENTRIES.filter(parse(query)).map(entry => entry.path);

dress();
sort();
filters();
changeScale(state.scale ?? (innerWidth < 760 ? 104 : 176));
update();
