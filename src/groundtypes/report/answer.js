// One answer: its fields with their verdicts, beside its references.

function outcomeText(verdict) {
  if (verdict.ok) return labelOf(verdict);
  return verdict.label && verdict.label !== verdict.slug ? slugOf(verdict) + " (" + verdict.label + ")" : slugOf(verdict);
}

function scoreText(verdict) {
  if (verdict.score === undefined || (verdict.ok && verdict.threshold === undefined)) return "";
  const score = verdict.score.toFixed(2);
  if (verdict.threshold === undefined) return score;
  return score + (verdict.score >= verdict.threshold ? " ≥ " : " < ") + verdict.threshold;
}

function chip(verdict, number) {
  const content = [mark(kindOf(verdict)), element("b", {}, shown(verdict.check)), " ", shown(outcomeText(verdict))];
  const score = scoreText(verdict);
  if (score) content.push(element("small", { title: "score and threshold" }, " " + score));
  if (!verdict.evidence) return element("span", { class: "chip " + kindOf(verdict), "data-verdict": number }, content);
  return element("a", { class: "chip " + kindOf(verdict), href: "#evidence", "data-goto": number, "data-verdict": number }, content);
}

function verdictBox(verdict, number, path) {
  const box = element("div", { class: "verdict " + kindOf(verdict) }, element("p", { class: "head" }, chip(verdict, number)));
  if (verdict.dropped) box.append(element("p", { class: "small" }, "This item was left out; the answer stands without it."));
  if (verdict.loc && verdict.loc !== path) box.append(element("p", { class: "small" }, "At ", element("code", {}, shown(verdict.loc))));
  const facts = element("dl", { class: "compared" });
  if (verdict.claimed) facts.append(fact(verdict.ok ? "Given" : "Claimed", "claimed", differing(verdict.claimed, "del")));
  if (verdict.passage) facts.append(fact(verdict.ok ? "Stored" : "Reference", "passage", differing(verdict.passage, "ins")));
  if (verdict.message) facts.append(fact("Told the LLM", "message", shown(verdict.message)));
  if (verdict.reason) facts.append(fact("Reason", "reason", shown(verdict.reason)));
  if (facts.childElementCount) box.append(facts);
  return box;
}

function fact(name, kind, content) {
  return element("div", { class: kind }, element("dt", {}, name), element("dd", { dir: "auto" }, content));
}

// All places of evidence, each with the number of its verdict.
function placesOf(verdicts) {
  return verdicts.flatMap((verdict, at) => (verdict.evidence ? [verdict.evidence, ...(verdict.further || [])].map((place) => [place, at]) : []));
}

function fieldBox(field, number, answer) {
  const verdicts = answer.verdicts || [];
  const mine = verdicts.map((verdict, at) => [verdict, at]).filter(([verdict]) => verdict.field === number);
  const box = element("div", { class: "field", "data-field": number });
  box.append(element("h4", {}, shown(field.path || "(answer)")));
  if (field.text !== undefined) {
    const about = mine.map(([verdict, at]) => [...(verdict.part || [0, field.text.length]), at]);
    const incoming = placesOf(verdicts)
      .filter(([place]) => place[0] === "field" && place[1] === number)
      .map(([place, at]) => [place[3], place[4], at]);
    const text = claimText(field.text, about, incoming, verdicts);
    box.append(element("p", { class: field.plain ? "text plain" : "text", dir: "auto" }, text));
  }
  if (field.cut) box.append(element("p", { class: "small" }, many(field.cut, "more character") + " not shown"));
  const simple = mine.filter(([verdict]) => verdict.ok && !verdict.claimed && !verdict.reason);
  if (simple.length) box.append(element("p", { class: "chips" }, simple.map(([verdict, at]) => [chip(verdict, at), " "])));
  for (const pair of mine) if (!simple.includes(pair)) box.append(verdictBox(pair[0], pair[1], field.path || ""));
  return box;
}

function fieldsOf(answer) {
  const content = [];
  let group = null;
  let box = null;
  (answer.fields || []).forEach((field, number) => {
    const made = fieldBox(field, number, answer);
    if (!field.group) {
      content.push(made);
      group = box = null;
      return;
    }
    if (field.group !== group) {
      group = field.group;
      box = element("div", { class: "group" });
      content.push(box);
    }
    box.append(made);
  });
  if (!content.length) content.push(element("p", { class: "note" }, "The answer itself was not kept with its verdicts."));
  if (answer.cut) content.push(element("p", { class: "note" }, "The answer has further fields, which are not shown."));
  if (answer.unshown) content.push(element("p", { class: "note" }, many(answer.unshown, "more verdict") + " not shown."));
  return content;
}

function referencesOf(row, texts) {
  const verdicts = row.answer.verdicts || [];
  // Where an id is a number, markers are read as ids; else they are positions, counted from 1.
  const numbered = !row.left_out && !(row.references || []).some(([id]) => /^\d+$/.test(id));
  const content = (row.references || []).map((entry, number) => {
    const [id, ...rest] = entry;
    const size = rest.pop();
    const box = element("section", { class: "reference", "data-reference": number });
    box.append(element("h4", { tabindex: "-1" }, numbered ? "[" + (number + 1) + "] " : "", shown(id), element("small", {}, " " + many(size, "character"))));
    const text = element("p", { class: "text", dir: "auto" });
    let reached = 0;
    rest.forEach(([start, end, place], piece) => {
      if (start > reached) text.append(element("span", { class: "gap" }, "… " + many(start - reached, "character") + " left out …"));
      const stretches = placesOf(verdicts)
        .filter(([evidence]) => evidence[0] === "reference" && evidence[1] === number && evidence[2] === piece)
        .map(([evidence, at]) => [evidence[3], evidence[4], at]);
      text.append(...evidenceText(texts.get(place), stretches, verdicts).flat(3));
      reached = end;
    });
    if (size > reached) text.append(element("span", { class: "gap" }, "… " + many(size - reached, "character") + " left out"));
    box.append(text);
    return box;
  });
  if (row.left_out) content.push(element("p", { class: "note" }, many(row.left_out, "more reference") + " not shown"));
  if (!content.length) content.push(element("p", { class: "note" }, "No references were kept with this answer."));
  return content;
}

// An answer in two columns: its fields, and the references beside them.
function columns(row, texts) {
  const answer = element("div", { class: "column answer", tabindex: "0", role: "region", "aria-label": "Answer" });
  answer.append(element("h3", {}, "Answer"));
  answer.append(...fieldsOf(row.answer));
  const references = element("div", { class: "column references", tabindex: "0", role: "region", "aria-label": "References" });
  references.append(element("h3", {}, "References"), ...referencesOf(row, texts));
  return element("div", { class: "columns" }, answer, references);
}

function answerHead(row, number, level) {
  const title = element(level, {}, mark(row.state), " Answer " + number);
  if (row.id) title.append(" ", element("span", { class: "id" }, shown(row.id)));
  title.append(" ", element("span", { class: "state " + row.state }, row.state));
  const head = element("header", { class: "head" }, title);
  if (row.question) head.append(element("p", { class: "question", dir: "auto" }, element("b", {}, "Question "), shown(row.question)));
  if (row.error) head.append(element("p", { class: "error", dir: "auto" }, element("b", {}, "Error "), shown(row.error)));
  if (row.seconds) head.append(element("p", { class: "small" }, row.seconds.toFixed(2) + " s"));
  return head;
}
