// The review mode: a person marks verdicts as right or wrong, and saves the marks as labelled rows,
// which `groundtypes calibrate` reads. Nothing leaves the page but the file that is saved.

const NLI_LABELS = ["entailment", "neutral", "contradiction"];
const REVIEW_FILE = "labels.jsonl";

const verdictsOf = (row) => row.answer.verdicts || [];
const keyOf = (number, at) => number + " " + at;

// Texts that no file in UTF-8 can hold, halves of a pair of surrogates, are replaced.
const wellFormed = (key, value) => (typeof value === "string" && value.toWellFormed ? value.toWellFormed() : value);

// A short number that differs between texts (FNV-1a): it tells equal places of two pages apart.
function hashOf(text) {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}

// The references of a row as the page shows them; null unless it shows all of them whole.
function wholeReferences(row, texts) {
  const found = {};
  if (row.left_out) return null;
  for (const entry of row.references || []) {
    const size = entry[entry.length - 1];
    if (entry.length !== 3 || entry[1][0] !== 0 || entry[1][1] !== size) return null;
    Object.defineProperty(found, entry[0], { value: texts.get(entry[1][2]), enumerable: true });
  }
  return found;
}

// The labelled row of a marked verdict. References are written only where the verdict was given
// on them and the sentence is known, so that it can be judged anew.
function labelledRow(rows, texts, number, at, right) {
  const row = rows[number];
  const verdicts = verdictsOf(row);
  const verdict = verdicts[at];
  const field = row.answer.fields[verdict.field];
  const text = field.text === undefined ? "" : field.text;
  const statement = verdict.part ? text.slice(...verdict.part) : text;
  const alone = verdicts.filter((other) => other.field === verdict.field && other.check === verdict.check).length === 1;
  const known = statement && (verdict.part || (alone && !field.cut));
  const onReferences = verdict.evidence && verdict.evidence[0] === "reference";
  const holds = NLI_LABELS.includes(verdict.label) ? verdict.label === "entailment" : verdict.ok === true;
  const answer = "answer " + (number + 1) + (row.id ? ": " + row.id : "");
  const made = {
    id: answer + "#" + (at + 1) + " " + hashOf((row.question || "") + "\n" + text),
    field: field.path || "",
    question: row.question,
    statement,
    label: right === holds ? "supported" : "unsupported",
    right,
    score: verdict.score,
    verdict: { check: verdict.check, ok: verdict.ok === true, label: verdict.label, slug: verdict.slug, threshold: verdict.threshold },
  };
  const references = known && onReferences ? wholeReferences(row, texts) : null;
  if (references) made.references = references;
  return made;
}

class Review {
  // `page.place` returns the answer that is shown, `page.redraw` shows it anew,
  // `page.listed` says whether it passes the filters: keys mark no other answer,
  // `page.following` returns the answers after it, and `page.open` shows another one.
  constructor(rows, texts, page) {
    this.rows = rows;
    this.texts = texts;
    this.page = page;
    this.marks = new Map();
    this.unsaved = false;
    this.on = false;
    this.box = byId("review-text");
    byId("review").hidden = !rows.some((row) => row.answer.verdicts);
    // A frame may neither save files nor use the clipboard.
    this.framed = window !== window.top;
    byId("review-save").hidden = this.framed;
    byId("review").addEventListener("click", () => this.toggle());
    byId("review-save").addEventListener("click", () => this.save());
    byId("review-copy").addEventListener("click", () => this.copy());
    this.box.addEventListener("copy", () => (this.unsaved = false));
    document.addEventListener("keydown", (event) => this.key(event));
    addEventListener("beforeunload", (event) => {
      if (this.unsaved) event.preventDefault();
    });
  }

  toggle() {
    this.on = !this.on;
    byId("review").setAttribute("aria-pressed", String(this.on));
    byId("review-bar").hidden = !this.on;
    this.tell();
    this.page.redraw();
  }

  tell(more) {
    byId("review-status").textContent = many(this.marks.size, "verdict") + " marked" + (more ? ". " + more : "");
    byId("review-save").disabled = byId("review-copy").disabled = !this.marks.size;
  }

  // Puts the two buttons behind each verdict of the answer that is shown.
  draw(scope) {
    if (!this.on) return;
    const number = this.page.place();
    for (const chip of scope.querySelectorAll(".chip[data-verdict]")) {
      const at = Number(chip.dataset.verdict);
      const verdict = verdictsOf(this.rows[number])[at];
      const name = "Is this verdict right? " + plain(verdict.check + " " + outcomeText(verdict));
      const group = element("span", { class: "marking", role: "group", "aria-label": name, "data-verdict": at });
      for (const [right, word] of [[true, "Right"], [false, "Wrong"]]) {
        group.append(element("button", { type: "button", "data-right": String(right), "aria-pressed": "false" }, word));
      }
      group.addEventListener("click", (event) => {
        const button = event.target.closest("button");
        if (button) this.mark(at, button.dataset.right === "true");
      });
      chip.after(group);
    }
    this.press();
  }

  press() {
    const number = this.page.place();
    for (const button of document.querySelectorAll("#answer .marking button")) {
      const mark = this.marks.get(keyOf(number, button.parentNode.dataset.verdict));
      button.setAttribute("aria-pressed", String(mark !== undefined && String(mark.right) === button.dataset.right));
    }
  }

  // Marks a verdict of the answer that is shown; the same mark again takes it away.
  mark(at, right, keep) {
    const number = this.page.place();
    const key = keyOf(number, at);
    const earlier = this.marks.get(key);
    if (right === null || (earlier && earlier.right === right && !keep)) this.marks.delete(key);
    else this.marks.set(key, { number, at, right });
    this.unsaved = this.marks.size > 0;
    this.press();
    this.tell();
  }

  unmarked(number) {
    const all = verdictsOf(this.rows[number]).map((_, at) => at);
    return all.filter((at) => !this.marks.has(keyOf(number, at)));
  }

  // The verdict that has the focus, else the one whose evidence was looked up, else the first
  // without a mark.
  chosen(number) {
    const focused = document.activeElement && document.activeElement.closest("#answer [data-verdict], #answer [data-goto]");
    if (focused) return Number(focused.dataset.verdict === undefined ? focused.dataset.goto : focused.dataset.verdict);
    const active = document.querySelector("#answer .chip.active");
    if (active) return Number(active.dataset.verdict);
    return this.unmarked(number)[0];
  }

  key(event) {
    if (!this.on || event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, select, textarea")) return;
    const wanted = { r: true, w: false, u: null, n: undefined };
    const name = event.key.toLowerCase();
    if (!Object.hasOwn(wanted, name)) return;
    event.preventDefault();
    const place = this.page.listed() ? this.page.place() : null;
    const at = place === null ? undefined : this.chosen(place);
    if (name !== "n" && at !== undefined) this.mark(at, wanted[name], true);
    if (name === "u" && at !== undefined) this.focus(at);
    else this.goOn(at);
  }

  // Moves to the next verdict without a mark: of this answer, else of those that follow in the list.
  goOn(at) {
    const place = this.page.listed() ? this.page.place() : null;
    if (place !== null) {
      const left = this.unmarked(place).filter((other) => other !== at);
      const next = left.find((other) => at === undefined || other > at);
      if (left.length) return this.focus(next === undefined ? left[0] : next);
    }
    for (const number of this.page.following()) {
      const left = this.unmarked(number);
      if (left.length) {
        this.page.open(number);
        return this.focus(left[0]);
      }
    }
    this.tell("No verdict is left in the list.");
  }

  focus(at) {
    for (const one of document.querySelectorAll("#answer .active")) one.classList.remove("active");
    const button = document.querySelector('#answer .marking[data-verdict="' + at + '"] button');
    if (button) button.focus();
  }

  lines() {
    const marks = [...this.marks.values()];
    marks.sort((one, other) => one.number - other.number || one.at - other.at);
    const made = marks.map(({ number, at, right }) => labelledRow(this.rows, this.texts, number, at, right));
    return made.map((row) => JSON.stringify(row, wellFormed) + "\n").join("");
  }

  save() {
    const url = URL.createObjectURL(new Blob([this.lines()], { type: "application/jsonl" }));
    element("a", { href: url, download: REVIEW_FILE }).click();
    setTimeout(() => URL.revokeObjectURL(url), 60000);
    this.unsaved = false;
    this.tell("Saved as " + REVIEW_FILE + ".");
  }

  // The labels are shown as well, for a page that has no access to the clipboard.
  copy() {
    this.box.value = this.lines();
    byId("review-label").hidden = false;
    this.box.focus();
    this.box.select();
    const copied = navigator.clipboard && !this.framed ? navigator.clipboard.writeText(this.box.value) : Promise.reject();
    copied.then(
      () => {
        this.unsaved = false;
        this.tell("Copied.");
      },
      () => this.tell("The labels are selected: copy them."),
    );
  }
}
