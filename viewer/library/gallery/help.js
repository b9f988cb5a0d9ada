// The help: the query language and the keys.

const HELP = [
  ["knight", "files with this word in their name or folder"],
  ["bones>60   triangles:..5000", "numbers and ranges"],
  ["size>1M   length>2s   modified<7d", "numbers with units"],
  ["format:ogre   version:264", "fields that contain a text"],
  ['clip:walk   bone:"Bip01 Head"   texture:*.tga', "names inside the file"],
  ["missing:texture   error   warning", "missing files, errors, warnings"],
  ["rating>3   favourite", "your stars and favourites, as they were when the page was made"],
  ["has:particles", "files with particles"],
  ["not a   a or b   (a or b) c", "combined conditions"],
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

/** Show the help in a dialog. */
function showHelp(dialog) {
  const list = rows => h("dl", {}, ...rows.flatMap(([term_, text]) => [h("dt", {}, term_), h("dd", {}, text)]));
  const shut = h("button", { type: "button", className: "plain", onclick: () => dialog.close() }, "Close");
  dialog.replaceChildren(h("h2", {}, "Search"), list(HELP), h("h2", {}, "Keys"), list(KEYS), shut);
  dialog.showModal();
}
