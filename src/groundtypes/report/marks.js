// Marks on the parts of a text that verdicts point at. A part is [start, end, verdict number]. Parts
// may overlap, so the text is cut wherever one of them starts or ends.

function cutAt(length, parts) {
  const edges = new Set([0, length]);
  for (const [start, end] of parts) {
    edges.add(Math.min(start, length));
    edges.add(Math.min(end, length));
  }
  return [...edges].sort((first, second) => first - second);
}

// Returns the pieces of the text, each with the parts that cover it.
function pieces(text, parts) {
  const edges = cutAt(text.length, parts);
  const cut = [];
  for (let at = 0; at + 1 < edges.length; at++) {
    const [start, end] = [edges[at], edges[at + 1]];
    const covering = parts.filter((part) => part[0] <= start && end <= part[1]);
    cut.push({ text: text.slice(start, end), covering });
  }
  return cut;
}

// A text with its evidence marked; a mark has the numbers of the verdicts that point at it.
function evidenceText(text, parts, verdicts) {
  return pieces(text, parts).map(({ text: piece, covering }) => {
    if (!covering.length) return shown(piece);
    const kinds = new Set(covering.map((part) => kindOf(verdicts[part[2]])));
    const kind = ["faulty", "review", "dropped", "ok"].find((name) => kinds.has(name));
    const numbers = covering.map((part) => part[2]).join(" ");
    return element("mark", { class: "evidence " + kind, "data-verdicts": numbers, tabindex: "-1" }, shown(piece));
  });
}

// A text of the answer: each part that a verdict is about links to the evidence. `incoming` are the
// parts that are evidence for other fields.
function claimText(text, parts, incoming, verdicts) {
  return pieces(text, [...parts, ...incoming]).map(({ text: piece, covering }) => {
    const about = covering.filter((part) => parts.includes(part));
    const from = covering.filter((part) => incoming.includes(part));
    let nodes = shown(piece);
    if (about.length) nodes = [claimLink(nodes, about, verdicts)];
    if (!from.length) return nodes;
    const numbers = from.map((part) => part[2]).join(" ");
    return element("mark", { class: "evidence beside", "data-verdicts": numbers, tabindex: "-1" }, nodes);
  });
}

function claimLink(nodes, about, verdicts) {
  // The shortest part comes first, and of two equally short ones the fault.
  const ranked = [...about].sort(
    (first, second) => first[1] - first[0] - (second[1] - second[0]) || kindRank(verdicts[first[2]]) - kindRank(verdicts[second[2]]),
  );
  const best = ranked.find((part) => verdicts[part[2]].evidence) || ranked[0];
  const kind = kindOf(verdicts[ranked[0][2]]);
  const verdict = verdicts[best[2]];
  if (!verdict.evidence) return element("mark", { class: "claim " + kind }, nodes);
  return element("a", { class: "claim " + kind, href: "#evidence", "data-goto": best[2] }, nodes);
}

const kindRank = (verdict) => ["faulty", "review", "dropped", "ok"].indexOf(kindOf(verdict));

// A text with the words marked that the other text lacks, by an element and not only by colour.
function differing(parts, name) {
  return (parts || []).map(([text, changed]) => (changed && text.trim() ? element(name, {}, shown(text)) : shown(text)));
}
