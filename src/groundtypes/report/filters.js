// The filters of the list of answers. All conditions on verdicts must be met by the same
// verdict.

const STATES = ["faulty", "broken", "review", "unjudged", "ok"];

class Filters {
  constructor(rows, texts, changed) {
    this.rows = rows;
    this.texts = texts;
    this.changed = changed;
    this.form = byId("filters");
    this.boxes = {};
    for (const name of ["text", "state", "check", "label", "slug", "place"]) this.boxes[name] = byId("filter-" + name);
    this.offer();
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.apply();
    });
    // The search box is read while typing. Its change event is ignored: it fires when a click leaves
    // the box, and would rebuild the line that is being clicked.
    this.form.addEventListener("change", (event) => event.target === this.boxes.text || this.apply());
    this.form.addEventListener("reset", () => setTimeout(() => this.apply()));
    this.boxes.text.addEventListener("input", () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.apply(), 120);
    });
  }

  offer() {
    const found = { check: new Map(), label: new Map(), slug: new Map(), place: new Map() };
    const states = new Map();
    const count = (names, name) => name && names.set(name, (names.get(name) || 0) + 1);
    for (const row of this.rows) {
      count(states, row.state);
      const seen = { check: new Set(), label: new Set(), slug: new Set(), place: new Set() };
      for (const verdict of row.answer.verdicts || []) {
        seen.check.add(verdict.check);
        seen.label.add(labelOf(verdict));
        seen.slug.add(slugOf(verdict));
        seen.place.add(verdict.place);
      }
      for (const name of Object.keys(seen)) for (const value of seen[name]) count(found[name], value);
    }
    const state = ["ok", "faulty", "review", "unjudged", "broken"].filter((name) => states.has(name)).map((name) => [name, states.get(name)]);
    this.fill(this.boxes.state, state);
    for (const name of Object.keys(found)) this.fill(this.boxes[name], [...found[name]].sort((first, second) => second[1] - first[1]));
  }

  fill(box, names) {
    box.append(element("option", { value: "" }, "any"));
    for (const [name, count] of names.slice(0, 500)) {
      box.append(element("option", { value: name }, plain(name) + " (" + count.toLocaleString("en") + ")"));
    }
  }

  // Sets the filters in `wanted`, and clears all others.
  pick(wanted) {
    for (const box of Object.values(this.boxes)) box.value = "";
    for (const [name, value] of Object.entries(wanted)) this.boxes[name].value = value;
    this.apply();
  }

  apply() {
    clearTimeout(this.timer);
    const want = {};
    for (const [name, box] of Object.entries(this.boxes)) want[name] = box.value;
    const words = want.text.trim().toLowerCase();
    const texts = words ? this.texts.holding(words) : null;
    const found = [];
    this.rows.forEach((row, number) => {
      if (this.fits(row, want) && (!words || this.holds(row, words, texts))) found.push(number);
    });
    if (!byId("order").value) found.sort((one, other) => STATES.indexOf(this.rows[one].state) - STATES.indexOf(this.rows[other].state));
    this.changed(found);
  }

  fits(row, want) {
    if (want.state && row.state !== want.state) return false;
    if (!want.check && !want.label && !want.slug && !want.place) return true;
    return (row.answer.verdicts || []).some(
      (verdict) =>
        (!want.check || verdict.check === want.check) &&
        (!want.label || labelOf(verdict) === want.label) &&
        (!want.slug || slugOf(verdict) === want.slug) &&
        (!want.place || verdict.place === want.place),
    );
  }

  holds(row, words, texts) {
    if (row.words === undefined) {
      const fields = (row.answer.fields || []).map((field) => field.text || "");
      const messages = (row.answer.verdicts || []).map((verdict) => verdict.message || "");
      row.words = [row.id || "", row.question || "", row.error || "", ...fields, ...messages].join("\n").toLowerCase();
    }
    if (row.words.includes(words)) return true;
    return (row.references || []).some((entry) => entry.slice(1, -1).some(([, , place]) => texts[place]));
  }
}
