// The list of answers. Only the lines in view exist as elements.

class List {
  constructor(box, sheet, describe, choose) {
    this.box = box;
    this.sheet = sheet;
    this.describe = describe;
    this.choose = choose;
    this.rows = [];
    this.active = -1;
    this.height = 0;
    this.lines = new Map();
    box.addEventListener("scroll", () => this.later(), { passive: true });
    new ResizeObserver(() => this.later()).observe(box);
    box.addEventListener("keydown", (event) => this.key(event));
    box.addEventListener("click", (event) => {
      const line = event.target.closest("[role=option]");
      if (line) this.go(Number(line.dataset.at), true);
    });
  }

  // Shows the rows with these numbers; the active row stays active if it is among them.
  show(rows) {
    const held = this.rows[this.active];
    this.rows = rows;
    this.active = rows.indexOf(held);
    for (const line of this.lines.values()) line.remove();
    this.lines.clear();
    this.measure();
    this.sheet.style.height = rows.length * this.height + "px";
    if (this.active < 0) this.box.scrollTop = 0;
    else this.reveal();
    this.draw();
  }

  measure() {
    this.height = parseFloat(getComputedStyle(this.box).getPropertyValue("--line")) || 58;
  }

  later() {
    if (this.planned) return;
    this.planned = true;
    requestAnimationFrame(() => {
      this.planned = false;
      this.draw();
    });
  }

  draw() {
    const first = Math.max(0, Math.floor(this.box.scrollTop / this.height) - 8);
    const last = Math.min(this.rows.length, Math.ceil((this.box.scrollTop + this.box.clientHeight) / this.height) + 8);
    const wanted = new Set();
    for (let at = first; at < last; at++) wanted.add(at);
    if (this.active >= 0) wanted.add(this.active);
    for (const [at, line] of this.lines) {
      if (!wanted.has(at)) {
        line.remove();
        this.lines.delete(at);
      }
    }
    for (const at of wanted) {
      if (!this.lines.has(at)) {
        const line = this.line(at);
        this.lines.set(at, line);
        this.sheet.append(line);
      }
      const chosen = at === this.active;
      this.lines.get(at).setAttribute("aria-selected", String(chosen));
    }
    if (this.active >= 0) this.box.setAttribute("aria-activedescendant", "line-" + this.active);
    else this.box.removeAttribute("aria-activedescendant");
  }

  line(at) {
    const line = element(
      "div",
      { role: "option", id: "line-" + at, class: "line", "data-at": at, "aria-posinset": at + 1, "aria-setsize": this.rows.length },
      this.describe(this.rows[at]),
    );
    line.style.transform = "translateY(" + at * this.height + "px)";
    return line;
  }

  reveal() {
    const top = this.active * this.height;
    if (top < this.box.scrollTop) this.box.scrollTop = top;
    else if (top + this.height > this.box.scrollTop + this.box.clientHeight) {
      this.box.scrollTop = top + this.height - this.box.clientHeight;
    }
  }

  go(at, chosen) {
    if (!this.rows.length) return;
    this.active = Math.max(0, Math.min(at, this.rows.length - 1));
    this.reveal();
    this.draw();
    this.choose(this.rows[this.active], chosen);
  }

  leave() {
    this.active = -1;
    this.draw();
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const page = Math.max(1, Math.floor(this.box.clientHeight / this.height) - 1);
    const places = {
      ArrowDown: this.active + 1,
      ArrowUp: this.active < 0 ? 0 : this.active - 1,
      PageDown: this.active + page,
      PageUp: this.active - page,
      Home: 0,
      End: this.rows.length - 1,
    };
    if (event.key in places) this.go(places[event.key], false);
    else if (event.key === "Enter" || event.key === " ") this.go(Math.max(this.active, 0), true);
    else return;
    event.preventDefault();
  }
}
