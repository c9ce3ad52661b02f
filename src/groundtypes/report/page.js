// The page: connects the list, the filters and the selected answer, and claims with their evidence.

const answers = JSON.parse(byId("rows").textContent);
const texts = new Texts(byId("texts").textContent);
const single = answers.length === 1;
let current = -1;
let cameFrom = null;
const narrow = matchMedia("(max-width: 900px)");

function describe(number) {
  const row = answers[number];
  const answer = row.answer;
  const faults = (answer.verdicts || []).filter((verdict) => !verdict.ok);
  const first = (answer.fields || []).find((field) => field.text && !field.plain);
  const title = row.question || (first && first.text) || row.error || "";
  const slugs = [...new Set(faults.map(slugOf))].join(", ");
  const outcome = row.state === "broken" ? row.error || "broken" : row.state === "unjudged" ? "no verdicts" : row.state === "review" ? "in doubt" : faults.length ? slugs : many((answer.verdicts || []).length, "verdict");
  return [
    element("span", { class: "top-line" }, mark(row.state), element("b", {}, " " + (number + 1) + " "), element("bdi", {}, shown(title.slice(0, 160)))),
    element("span", { class: "low-line" }, element("span", { class: "state " + row.state }, row.state), " ", element("bdi", {}, shown(outcome.slice(0, 160)))),
  ];
}

function showSummary() {
  current = -1;
  byId("answer").hidden = true;
  byId("summary").hidden = false;
  byId("to-summary").setAttribute("aria-pressed", "true");
}

function showAnswer(number, focus) {
  current = number;
  byId("summary").hidden = true;
  byId("answer").hidden = false;
  byId("to-summary").setAttribute("aria-pressed", "false");
  drawAnswer();
  if (!focus) return;
  byId("answer-title").focus({ preventScroll: true });
  // Below the list, the answer may be out of sight.
  const fault = byId("answer").querySelector(".claim.faulty, .verdict.faulty");
  if (narrow.matches) (fault || byId("answer-title")).scrollIntoView({ block: fault ? "center" : "start" });
}

function drawAnswer() {
  const row = answers[current];
  const head = answerHead(row, current + 1, "h2");
  const title = head.querySelector("h2");
  title.id = "answer-title";
  title.tabIndex = -1;
  byId("answer").replaceChildren(head, columns(row, texts));
  review.draw(byId("answer"));
  cameFrom = null;
}

// Scrolls to the evidence of a verdict and marks it.
function goTo(link) {
  const number = link.dataset.goto;
  const scope = link.closest(".columns");
  const marks = [...scope.querySelectorAll("[data-verdicts]")].filter((element) => element.dataset.verdicts.split(" ").includes(number));
  for (const one of scope.querySelectorAll(".active")) one.classList.remove("active");
  if (!marks.length) return;
  for (const one of marks) one.classList.add("active");
  for (const one of scope.querySelectorAll('[data-goto="' + number + '"]')) one.classList.add("active");
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  marks[0].scrollIntoView({ block: "center", behavior: calm ? "auto" : "smooth" });
  marks[0].focus({ preventScroll: true });
  cameFrom = link;
}

byId("answer").addEventListener("click", (event) => {
  const link = event.target.closest("[data-goto]");
  if (link) {
    event.preventDefault();
    goTo(link);
  }
});

// Escape goes back: from the evidence to the claim, and from the claim to the list.
byId("answer").addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  if (cameFrom && event.target.closest("[data-verdicts]")) {
    cameFrom.focus();
    cameFrom.scrollIntoView({ block: "nearest" });
    cameFrom = null;
  } else if (!single) byId("list").focus();
});

byId("to-summary").addEventListener("click", () => {
  list.leave();
  showSummary();
});

const list = new List(byId("list"), byId("sheet"), describe, showAnswer);
const filters = new Filters(answers, texts, (found) => {
  list.show(found);
  const whole = answers.length;
  byId("found").textContent = found.length === whole ? many(whole, "answer") : found.length.toLocaleString("en") + " of " + many(whole, "answer");
});

// The answers of the list, from the one after the answer that is shown.
function following() {
  const rows = single ? [] : list.rows;
  const at = rows.indexOf(current) + 1;
  return [...rows.slice(at), ...rows.slice(0, at)].filter((number) => number !== current);
}

const review = new Review(answers, texts, {
  place: () => (current < 0 ? null : current),
  listed: () => single || list.rows.includes(current),
  redraw: () => current < 0 || drawAnswer(),
  following,
  open: (number) => list.go(list.rows.indexOf(number), false),
});

byId("summary").addEventListener("click", (event) => {
  const button = event.target.closest("button.pick");
  if (!button) return;
  filters.pick({ ...button.dataset });
  byId("list").focus();
});

const THEMES = ["system", "light", "dark"];

function setTheme(name) {
  if (name === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = name;
  byId("theme").textContent = "Theme: " + name;
}

// A sandboxed page has no storage, and a stored value may be anything.
function storedTheme() {
  try {
    const name = localStorage.getItem("groundtypes-theme");
    return THEMES.includes(name) ? name : "system";
  } catch {
    return "system";
  }
}

byId("theme").addEventListener("click", () => {
  const name = THEMES[(THEMES.indexOf(document.documentElement.dataset.theme || "system") + 1) % THEMES.length];
  setTheme(name);
  try {
    localStorage.setItem("groundtypes-theme", name);
  } catch {
    // Without storage the theme is not remembered.
  }
});

// Printed are the answers that pass the filters, one after the other.
const MOST_PRINTED = 500;

addEventListener("beforeprint", () => {
  const rows = single ? [0] : list.rows;
  const content = rows.slice(0, MOST_PRINTED).map((number) => {
    const row = answers[number];
    const box = element("article", {}, answerHead(row, number + 1, "h2"));
    box.append(columns(row, texts));
    return box;
  });
  if (rows.length > MOST_PRINTED) {
    content.push(element("p", { class: "note" }, "The first " + MOST_PRINTED + " of " + many(rows.length, "answer") + "; filter to print the others."));
  }
  byId("print").replaceChildren(...content);
});
addEventListener("afterprint", () => byId("print").replaceChildren());

setTheme(storedTheme());
byId("side").hidden = single || !answers.length;
document.body.classList.toggle("single", single);
filters.apply();
if (single) {
  byId("to-summary").hidden = true;
  showAnswer(0, false);
}
