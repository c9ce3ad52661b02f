// Stretches of a text that verdicts point at. They may overlap, so that the text is cut where any
// of them begins or ends.

function cutAt(length, stretches) {
  const edges = new Set([0, length]);
  for (const [start, end] of stretches) {
    edges.add(Math.min(start, length));
    edges.add(Math.min(end, length));
  }
  return [...edges].sort((one, other) => one - other);
}

// Returns pieces of the text, each with the stretches that cover it; a stretch is
// [start, end, verdict number].
function pieces(text, stretches) {
  const edges = cutAt(text.length, stretches);
  const found = [];
  for (let at = 0; at + 1 < edges.length; at++) {
    const [start, end] = [edges[at], edges[at + 1]];
    const covering = stretches.filter((one) => one[0] <= start && end <= one[1]);
    found.push({ text: text.slice(start, end), covering });
  }
  return found;
}

// A text in which what is pointed at can be found again by the number of the verdict.
function evidenceText(text, stretches, verdicts) {
  return pieces(text, stretches).map(({ text: piece, covering }) => {
    if (!covering.length) return shown(piece);
    const kinds = new Set(covering.map((one) => kindOf(verdicts[one[2]])));
    const kind = ["faulty", "dropped", "ok"].find((one) => kinds.has(one));
    const numbers = covering.map((one) => one[2]).join(" ");
    return element("mark", { class: "evidence " + kind, "data-verdicts": numbers, tabindex: "-1" }, shown(piece));
  });
}

// A text of the answer: what a verdict is about is a link to its evidence.
function claimText(text, stretches, incoming, verdicts) {
  return pieces(text, [...stretches, ...incoming]).map(({ text: piece, covering }) => {
    const about = covering.filter((one) => stretches.includes(one));
    const from = covering.filter((one) => incoming.includes(one));
    let nodes = shown(piece);
    if (about.length) nodes = [claimLink(nodes, about, verdicts)];
    if (!from.length) return nodes;
    const numbers = from.map((one) => one[2]).join(" ");
    return element("mark", { class: "evidence beside", "data-verdicts": numbers, tabindex: "-1" }, nodes);
  });
}

function claimLink(nodes, about, verdicts) {
  // The narrowest stretch says most; of two alike the one that is at fault.
  const ranked = [...about].sort(
    (one, other) => one[1] - one[0] - (other[1] - other[0]) || kindRank(verdicts[one[2]]) - kindRank(verdicts[other[2]]),
  );
  const best = ranked.find((one) => verdicts[one[2]].evidence) || ranked[0];
  const kind = kindOf(verdicts[ranked[0][2]]);
  const verdict = verdicts[best[2]];
  if (!verdict.evidence) return element("mark", { class: "claim " + kind }, nodes);
  return element("a", { class: "claim " + kind, href: "#evidence", "data-goto": best[2] }, nodes);
}

const kindRank = (verdict) => ["faulty", "dropped", "ok"].indexOf(kindOf(verdict));

// Two texts that differ: what the other does not say is marked by its element, not by colour only.
function differing(stretches, name) {
  return (stretches || []).map(([text, changed]) => (changed && text.trim() ? element(name, {}, shown(text)) : shown(text)));
}
