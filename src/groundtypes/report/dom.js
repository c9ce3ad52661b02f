// Elements are created one by one and texts become text nodes, so that nothing is parsed as HTML.

const byId = (id) => document.getElementById(id);

function element(name, properties, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key === "class") made.className = value;
    else made.setAttribute(key, value === true ? "" : String(value));
  }
  for (const child of children.flat(3)) {
    if (child !== null && child !== undefined && child !== "") made.append(child);
  }
  return made;
}

// Controls, marks of direction and lone surrogates: invisible characters, and characters that change
// the order of the text around them. The page shows their names instead.
const SHOWN_AS_CODE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

function codeName(character) {
  return "U+" + character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
}

function shown(text) {
  const nodes = [];
  let at = 0;
  for (const match of text.matchAll(SHOWN_AS_CODE)) {
    if (match.index > at) nodes.push(text.slice(at, match.index));
    nodes.push(element("span", { class: "unseen" }, codeName(match[0])));
    at = match.index + match[0].length;
  }
  if (at < text.length) nodes.push(text.slice(at));
  return nodes;
}

const plain = (text) => text.replace(SHOWN_AS_CODE, (character) => "[" + codeName(character) + "]");

const many = (count, one, more) => count.toLocaleString("en") + " " + (count === 1 ? one : more || one + "s");

const MARKS = { ok: "✓", faulty: "✗", unjudged: "?", review: "~", broken: "!", dropped: "–" };

function mark(kind) {
  return element("span", { class: "mark " + kind, "aria-hidden": "true" }, MARKS[kind]);
}

// A verdict in doubt has a score that a person should look at, whether it holds or not.
const kindOf = (verdict) => (verdict.doubt ? "review" : verdict.ok ? "ok" : verdict.dropped ? "dropped" : "faulty");
const labelOf = (verdict) => verdict.label || (verdict.ok ? "holds" : "");
const slugOf = (verdict) => (verdict.ok ? "" : verdict.slug || "fails");

// The reference texts, one JSON string a line. Each is parsed when it is first shown, because there
// may be thousands.
class Texts {
  constructor(source) {
    this.lines = source ? source.split("\n") : [];
    this.read = [];
  }

  get(number) {
    if (this.read[number] === undefined) {
      this.read[number] = JSON.parse(this.lines[number]);
      this.lines[number] = "";
    }
    return this.read[number];
  }

  // Returns for each text whether it contains the words, which are given in lower case.
  holding(words) {
    this.lowered = this.lowered || this.lines.map((_, number) => this.get(number).toLowerCase());
    return this.lowered.map((text) => text.includes(words));
  }
}
