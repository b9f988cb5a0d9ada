// The choices of the page, and their storage.

const ORDERS = {
  name: ["Name", entry => entry.title],
  folder: ["Folder", entry => entry.name],
  kind: ["Kind", entry => `${entry.format} ${entry.version}`],
  size: ["Size", entry => entry.size],
  modified: ["Date", entry => entry.modified],
  bones: ["Bones", entry => entry.bones],
  triangles: ["Triangles", entry => entry.triangles],
  rating: ["Rating", entry => entry.rating],
};
const LARGEST_FIRST = ["size", "modified", "bones", "triangles", "rating"];
const THEMES = { auto: ["◐", "System theme"], light: ["☀", "Light theme"], dark: ["☾", "Dark theme"] };

/** Store the search and the order in the address, so that it can be shared, and theme and scale in the browser. */
function remember(state) {
  const values = new URLSearchParams();
  if (state.query) values.set("q", state.query);
  if (state.order !== "name") values.set("sort", state.order);
  if (state.down) values.set("down", "1");
  const hash = values.size ? `#${values}` : " ";
  try {
    history.replaceState(null, "", hash.trim() || location.pathname + location.search);
    localStorage.setItem("rigscope-gallery", JSON.stringify({ theme: state.theme, scale: state.scale }));
  } catch {
    // a page from the disk may have neither history nor storage
  }
}

/** Return the valid values that `remember` stored. */
function remembered() {
  const values = new URLSearchParams(location.hash.slice(1));
  const found = { query: values.get("q") ?? "", down: values.has("down") };
  if (Object.hasOwn(ORDERS, values.get("sort"))) found.order = values.get("sort");
  try {
    const kept = JSON.parse(localStorage.getItem("rigscope-gallery")) ?? {};
    if (Object.hasOwn(THEMES, kept.theme)) found.theme = kept.theme;
    if (kept.scale > 0) found.scale = kept.scale;
  } catch {
    // nothing is stored
  }
  return found;
}
