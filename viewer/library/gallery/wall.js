// The wall of pictures: the document has only the visible tiles.

const TEXT = 41; // the height in pixels of the two lines below a picture
const PADDING = 6;
const SIDE = 14; // the margin of the wall in pixels
const ALONE = 300; // below this size in pixels, a row has at least two pictures
const BEYOND = 2; // the number of rows above and below the visible rows

class Wall {
  /** `open` is called after a click on an entry, `chosen` receives the selected entry. */
  constructor(element, folder, { open, chosen }) {
    this.element = element;
    this.tiles = element.firstElementChild;
    this.folder = folder;
    this.chosen = chosen;
    this.entries = [];
    this.selected = -1;
    this.order = "name";
    this.scale = 176;
    this.shown = new Map();
    element.addEventListener("scroll", () => this.later(), { passive: true });
    this.tiles.addEventListener("click", event => {
      const tile = event.target.closest(".tile");
      if (!tile) return;
      this.select(Number(tile.dataset.at));
      open();
    });
    new ResizeObserver(() => this.lay()).observe(element);
  }

  /** Show these entries; the selected entry stays selected if it is among them. */
  show(entries, order) {
    const before = this.entries[this.selected];
    this.entries = entries;
    this.order = order;
    this.clear();
    this.selected = before ? entries.indexOf(before) : -1;
    this.element.scrollTop = 0;
    this.lay();
    if (this.selected >= 0) this.reveal();
  }

  clear() {
    this.tiles.replaceChildren();
    this.shown.clear();
  }

  resize(scale) {
    this.scale = scale;
    const first = this.at(this.element.scrollTop);
    this.clear();
    this.lay();
    this.element.scrollTop = Math.floor(first / this.columns) * this.height;
    this.draw();
  }

  /** Return the number of the first entry in the row at a height. */
  at(top) {
    return this.columns ? Math.floor(top / this.height) * this.columns : 0;
  }

  /** Divide the width into columns. */
  lay() {
    const width = this.element.clientWidth - 2 * SIDE;
    if (width <= 0) return;
    const least = this.scale < ALONE ? 2 : 1;
    const columns = Math.max(least, Math.floor(width / (this.scale + 2 * PADDING)));
    const tile = Math.floor(width / columns);
    if (columns !== this.columns || tile !== this.width) this.clear();
    this.columns = columns;
    this.width = tile;
    this.height = tile - 2 * PADDING + TEXT + 2 * PADDING + 4;
    this.tiles.style.height = `${Math.ceil(this.entries.length / columns) * this.height + 2 * SIDE}px`;
    this.draw();
  }

  later() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.draw();
    });
  }

  /** Make the tiles that are now visible, and remove the tiles that are no longer visible. */
  draw() {
    if (!this.columns) return;
    const { scrollTop, clientHeight } = this.element;
    const first = Math.max(0, this.at(scrollTop) - BEYOND * this.columns);
    const last = Math.min(this.entries.length, this.at(scrollTop + clientHeight) + (BEYOND + 1) * this.columns);
    for (const [at, tile] of this.shown) {
      if (at < first || at >= last) {
        tile.remove();
        this.shown.delete(at);
      }
    }
    for (let at = first; at < last; at += 1) {
      if (!this.shown.has(at)) this.shown.set(at, this.tiles.appendChild(this.tile(at)));
    }
    this.mark();
  }

  tile(at) {
    const entry = this.entries[at];
    const tile = h("div", {
      className: "tile",
      id: `tile-${at}`,
      role: "option",
      title: entry.name,
      "aria-setsize": this.entries.length,
      "aria-posinset": at + 1,
      "data-at": at,
    });
    const picture = plate(entry, this.folder, true);
    picture.style.height = `${this.width - 2 * PADDING}px`;
    const title = h("span", { className: "title" }, entry.title);
    if (entry.errors.length || entry.thumbnail_error) title.prepend(h("i", { className: "error", title: "errors" }));
    else if (entry.missing.length) title.prepend(h("i", { title: "something is missing" }));
    tile.append(picture, title, h("span", { className: "note" }, note(entry, this.order)));
    tile.style.width = `${this.width}px`;
    tile.style.height = `${this.height - 2}px`;
    const left = SIDE + (at % this.columns) * this.width;
    const top = SIDE + Math.floor(at / this.columns) * this.height;
    tile.style.transform = `translate(${left}px, ${top}px)`;
    return tile;
  }

  /** Mark the selected tile. */
  mark() {
    for (const [at, tile] of this.shown) tile.setAttribute("aria-selected", at === this.selected);
    if (this.shown.has(this.selected)) this.element.setAttribute("aria-activedescendant", `tile-${this.selected}`);
    else this.element.removeAttribute("aria-activedescendant");
  }

  get entry() {
    return this.entries[this.selected];
  }

  select(at) {
    if (!this.entries.length) return;
    this.selected = Math.min(Math.max(at, 0), this.entries.length - 1);
    this.reveal();
    this.mark();
    this.chosen(this.entry);
  }

  /** Scroll to the selected entry. */
  reveal() {
    const top = Math.floor(this.selected / this.columns) * this.height;
    const { scrollTop, clientHeight } = this.element;
    if (top < scrollTop) this.element.scrollTop = top;
    else if (top + this.height + 2 * SIDE > scrollTop + clientHeight) {
      this.element.scrollTop = top + this.height + 2 * SIDE - clientHeight;
    }
    this.draw();
  }

  /** Move the selection by a key; return whether it is a key for that. */
  move(key) {
    const page = Math.max(1, Math.floor(this.element.clientHeight / this.height)) * this.columns;
    const steps = {
      ArrowLeft: -1,
      ArrowRight: 1,
      ArrowUp: -this.columns,
      ArrowDown: this.columns,
      PageUp: -page,
      PageDown: page,
      Home: -Infinity,
      End: Infinity,
    };
    if (!Object.hasOwn(steps, key)) return false;
    if (this.selected < 0) {
      const first = this.at(this.element.scrollTop);
      this.select(key === "End" ? Infinity : key === "Home" ? 0 : first);
      return true;
    }
    const target = this.selected + steps[key];
    const sideways = Math.abs(steps[key]) === 1;
    const inside = target >= 0 && target < this.entries.length;
    const below = key === "ArrowDown" && Math.floor(this.selected / this.columns) < Math.floor((this.entries.length - 1) / this.columns);
    if (inside || below || !(sideways || key === "ArrowUp" || key === "ArrowDown")) this.select(target);
    return true;
  }
}
