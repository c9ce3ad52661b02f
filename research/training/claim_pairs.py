"""Pairs made from the written claims: the evidence of a claim at several premises, and without it.

Each sentence of a claim is laid beside the sentences that decide, beside the sentence that is most
similar, beside a composed premise and beside a passage, as it is judged later; beside the deciding
sentences among sentences of other sets, and beside its references without what decides.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from corpora.rows import read_rows
from corpora.written_claims import Claim, ClaimSet
from groundtypes import References
from groundtypes.entailment.evidence.passage_index import select_passages, sentence_index
from groundtypes.entailment.evidence.premises import compose_premise
from groundtypes.text.hypotheses import hypotheses
from groundtypes.text.sentences import sentence_spans
from training.rows import ENTAILMENT, NEUTRAL, NOT_ENTAILED, Row, Target

__all__ = ["claim_pairs", "softened", "start_sets"]

#: What a claim that does not follow is to its references, by its kind; of the others it is not
#: known whether they are contradicted.
_CONTRADICTED: Final[Target] = (0.0, 0.15, 0.85)
_NOT_STATED: Final[Target] = (0.0, 0.85, 0.15)
_KINDS: Final = {
    "negation": _CONTRADICTED,
    "number": _CONTRADICTED,
    "wrong_entity": _CONTRADICTED,
    "role_swap": _CONTRADICTED,
    "comparison": _CONTRADICTED,
    "time_order": _CONTRADICTED,
    "added_detail": _NOT_STATED,
    "cause_not_stated": _NOT_STATED,
    "world_knowledge": _NOT_STATED,
    "attribution": _NOT_STATED,
    "hedge_removed": _NOT_STATED,
}
#: Domains of the start sets whose genre is kept for tests among the written claims.
_KEPT_FOR_TESTS: Final = frozenset(
    {
        "local news",
        "sports and culture reports",
        "customer e-mails and support chats",
        "command-line tool and device manuals",
        "database and library documentation",
    }
)
#: Sentences of other sets are added until a premise has about so many words.
_DISTRACTED_WORDS: Final = (50, 130)
_MIN_ANSWER_SENTENCES: Final = 2


@dataclass(frozen=True, slots=True)
class _Statement:
    """One sentence of a claim, or a claim as a whole, and the sentences that decide."""

    text: str
    supported: bool
    kind: str
    decides: tuple[str, ...]
    knows_evidence: bool

    @property
    def target(self) -> Target:
        return ENTAILMENT if self.supported else _KINDS.get(self.kind, NOT_ENTAILED)


def start_sets(folder: Path) -> list[ClaimSet]:
    """Return the sets that were written first, which the folder of public sets holds."""
    rows = [
        row
        for path in sorted((folder / "written").glob("*.jsonl.gz"))
        for row in read_rows(path)
        if row["domain"] not in _KEPT_FOR_TESTS
    ]
    by_references: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for row in rows:
        by_references.setdefault(tuple(row["references"]), []).append(row)
    return [
        ClaimSet(
            group[0]["id"],
            group[0]["domain"],
            references,
            group[0]["question"] or "",
            tuple(
                Claim(
                    row["text"],
                    row["label"] == "supported",
                    row["kind"],
                    "statement" if len(sentence_spans(row["text"])) == 1 else "answer",
                    0,
                    is_minimal=False,
                    decides=tuple(row["decides"] or ()),
                )
                for row in group
            ),
        )
        for references, group in by_references.items()
    ]


def claim_pairs(
    rng: random.Random, sets: Sequence[ClaimSet], most: int, words: int
) -> Iterator[Row]:
    """Yield the pairs of all claims, at most `most` of each sentence that is judged.

    Premises of more than so many `words` are left out.
    """
    sentences: dict[str, list[str]] = {}
    for claim_set in sets:
        sentences.setdefault(claim_set.domain, []).extend(_sentences(claim_set))
    for claim_set in sets:
        references = References.of(list(claim_set.references))
        for statement in _statements(claim_set):
            rows = list(_grains(statement, claim_set, references))
            if statement.knows_evidence and statement.decides:
                rows.append(_distracted(rng, statement, sentences[claim_set.domain]))
                rows += _without_evidence(statement, claim_set)
            rows = [row for row in rows if len(row.premise.split()) <= words]
            if len(rows) > most:
                rows = [rows[0], *rng.sample(rows[1:], most - 1)]
            yield from rows


def _sentences(claim_set: ClaimSet) -> list[str]:
    return [
        " ".join(text[start:end].split())
        for text in claim_set.references
        for start, end in sentence_spans(text)
    ]


def _statements(claim_set: ClaimSet) -> Iterator[_Statement]:
    """Yield what is judged of each claim: its sentences, as far as their labels are known.

    The sentences of a supported answer are supported. Of an answer that is not, the wrong sentence
    is the only one that does not stand in the supported answer of the set, if it is one.
    """
    supported = {
        " ".join(sentence.text.split())
        for claim in claim_set.claims
        if claim.supported
        for sentence in hypotheses(claim.text)
    }
    for claim in claim_set.claims:
        parts = [part.text for part in hypotheses(claim.text) if part.is_claim]
        if len(parts) < _MIN_ANSWER_SENTENCES:
            text = parts[0] if parts else claim.text
            yield _Statement(text, claim.supported, claim.kind, claim.decides, True)
            continue
        wrong = [part for part in parts if " ".join(part.split()) not in supported]
        if claim.supported or len(wrong) == 1:
            for part in parts:
                is_right = claim.supported or part not in wrong
                kind = "synthesis" if is_right else claim.kind
                yield _Statement(part, is_right, kind, claim.decides, knows_evidence=False)
        whole = " ".join(claim.text.split())
        yield _Statement(whole, claim.supported, claim.kind, claim.decides, knows_evidence=True)


def _grains(statement: _Statement, claim_set: ClaimSet, references: References) -> Iterator[Row]:
    composed = compose_premise(references, statement.text)
    closest = sentence_index(references).most_similar(statement.text, 1)
    premises = [
        (" ".join(statement.decides), "decides"),
        (closest[0].text if closest else "", "closest"),
        (composed.text if composed else "", "composed"),
        *((passage.text, "passage") for passage in select_passages(references, statement.text, 1)),
    ]
    whole = " ".join(claim_set.references)
    seen = set()
    for premise, premise in premises:
        text = " ".join(premise.split())
        if not text or text in seen or (premise == "decides" and not statement.knows_evidence):
            continue
        seen.add(text)
        target = _target(statement, text, is_whole=len(text) >= len(" ".join(whole.split())))
        if target is not None:
            yield Row(premise.strip(), statement.text, target, f"claims: {premise}")


def _target(statement: _Statement, premise: str, *, is_whole: bool) -> Target | None:
    """Return what the premise is to the statement; `None` if that is not known."""
    if not statement.supported or is_whole:
        return statement.target
    holds = [" ".join(sentence.split()) in premise for sentence in statement.decides]
    if all(holds) and statement.decides:
        return ENTAILMENT
    if not statement.knows_evidence or not statement.decides:
        return None
    # A part of the evidence may be enough for a statement whose other evidence says the same.
    return None if any(holds) else NEUTRAL


def _distracted(rng: random.Random, statement: _Statement, others: Sequence[str]) -> Row:
    chosen = [" ".join(sentence.split()) for sentence in statement.decides]
    words = rng.randint(*_DISTRACTED_WORDS)
    while sum(len(sentence.split()) for sentence in chosen) < words:
        chosen.insert(rng.randint(0, len(chosen)), rng.choice(others))
    return Row(" ".join(chosen), statement.text, statement.target, "claims: distracted")


def _without_evidence(statement: _Statement, claim_set: ClaimSet) -> Iterator[Row]:
    decides = {" ".join(sentence.split()) for sentence in statement.decides}
    rest = [sentence for sentence in _sentences(claim_set) if sentence not in decides]
    if rest and statement.supported:
        yield Row(" ".join(rest), statement.text, NEUTRAL, "claims: evidence removed")


def softened(rows: Sequence[Row], guesses: Sequence[Target], share: float) -> list[Row]:
    """Return the rows with a share of what another model says in their targets."""

    def mixed(known: Target, guess: Target) -> Target:
        first, second, third = (
            (1 - share) * one + share * other for one, other in zip(known, guess, strict=True)
        )
        return first, second, third

    return [
        replace(row, target=mixed(row.target, guess))
        for row, guess in zip(rows, guesses, strict=True)
    ]
