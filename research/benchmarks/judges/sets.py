"""The sets on which judges are compared, as rows with labels.

A sample of a set is the same for every judge, and a larger sample contains a smaller one: rows are
ordered by a hash of their texts.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final, Literal

from benchmarks.minimal_pairs import load_minimal_pairs
from benchmarks.written_claims import copied_and_denied
from corpora.nli_sets import (
    REPORTED_PAIRS,
    REPORTED_TEXTS,
    TUNING_TEXTS,
    LabelledText,
    labelled_pairs,
    labelled_texts,
)
from corpora.rag_answers import Part, rag_answers
from corpora.written_claims import claim_sets

__all__ = ["SETS", "AnswerSentence", "JudgedRow", "JudgedSet", "sample"]

#: Changed, it draws other samples.
_SEED: Final = 20


@dataclass(frozen=True, slots=True)
class AnswerSentence:
    """A sentence and where it is in its answer: half open, in code points.

    `right` says whether the references support it; it is `None` for talk and abstentions, which
    claim nothing about the subject. `kind` is the kind of the fault, or `talk` or `abstention`.
    """

    start: int
    end: int
    right: bool | None
    kind: str


@dataclass(frozen=True, slots=True)
class JudgedRow:
    """A text to judge by references, or, of a set of pairs, a hypothesis to judge by one premise.

    `label` is `supported` or `unsupported`, or of a pair its NLI label. Rows of one `group` are
    sampled together; those of a minimal pair have a `pair` in common. `sentences` are those of an
    answer whose sentences have labels of their own.
    """

    references: tuple[str, ...]
    text: str
    label: str
    question: str | None = None
    sentences: tuple[AnswerSentence, ...] = ()
    pair: str | None = None
    group: str | None = None

    @property
    def id(self) -> str:
        """A hash of all that a judge reads."""
        content = json.dumps([self.references, self.text, self.question])
        return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()[:12]

    @property
    def is_right(self) -> bool:
        """Whether a judge should let the row pass."""
        return self.label in ("supported", "entailment")


@dataclass(frozen=True, slots=True)
class JudgedSet:
    """A set of rows.

    `kind` says how a row is judged: a pair by the engine alone, a text and an answer by the checks
    that users declare. `load` takes the folder of the public data. `seen_by` says of judges what
    they have seen of the set before.
    """

    name: str
    title: str
    kind: Literal["text", "answer", "pair"]
    load: Callable[[Path], Iterable[JudgedRow]]
    seen_by: Mapping[str, str] = field(default_factory=dict)


def sample(judged: JudgedSet, data: Path, most: int | None) -> list[JudgedRow]:
    """Return the first groups with `most` rows in all, or all of them, each text once."""
    groups: dict[str, dict[str, JudgedRow]] = {}
    for row in judged.load(data):
        groups.setdefault(row.group or row.id, {})[row.id] = row
    ordered = sorted(groups, key=lambda group: _place(judged.name, group))
    rows: list[JudgedRow] = []
    for group in ordered:
        if most is not None and len(rows) >= most:
            break
        rows += groups[group].values()
    return rows


def _place(name: str, group: str) -> str:
    return hashlib.sha256(f"{_SEED} {name} {group}".encode()).hexdigest()


def _written(form: str, _: Path) -> Iterable[JudgedRow]:
    for claims in claim_sets("test"):
        for claim in claims.claims:
            if claim.form == form:
                group = f"{claims.id}-{claim.pair}"
                yield JudgedRow(
                    claims.references,
                    claim.text,
                    "supported" if claim.supported else "unsupported",
                    claims.question,
                    pair=group if claim.is_minimal else None,
                    group=group,
                )


def _copied(_: Path) -> Iterable[JudgedRow]:
    for rows in copied_and_denied(claim_sets("test")):
        yield from map(_row, rows)


def _minimal(_: Path) -> Iterable[JudgedRow]:
    for pair in load_minimal_pairs():
        sides = (("supported", pair.supported), ("unsupported", pair.unsupported))
        for label, text in sides:
            yield JudgedRow((pair.reference,), text, label, pair=pair.id, group=pair.id)


def _answers(name: str, part: Part | None, data: Path) -> Iterable[JudgedRow]:
    for answer in rag_answers(data, part, [name]):
        yield JudgedRow(
            answer.references,
            answer.text,
            "supported" if answer.is_faultless else "unsupported",
            answer.question,
            tuple(
                AnswerSentence(start, end, right, kind)
                for (start, end), right, kind in zip(
                    answer.spans, answer.are_right, answer.kinds, strict=True
                )
            ),
        )


def _texts(name: str, split: str, data: Path) -> Iterable[JudgedRow]:
    return map(_row, labelled_texts(data, name, split, None))


def _row(row: LabelledText) -> JudgedRow:
    label = "supported" if row.supported else "unsupported"
    return JudgedRow(row.references, row.text, label, row.question)


def _pairs(name: str, split: str, data: Path) -> Iterable[JudgedRow]:
    for row in labelled_pairs(data, name, split, None):
        yield JudgedRow((row.premise,), row.hypothesis, row.label)


_TUNED: Final = {"bundled": "tuned on", "large": "tuned on"}
_TITLES: Final = {
    "bump": "BUMP: summaries with one error",
    "factcheckgpt_stance": "Factcheck-GPT: claims and web snippets",
    "factscore_claims": "FActScore: claims of biographies",
    "ragtruth_qa_test": "RAGTruth: answers to questions",
    "summedits": "SummEdits: edited summaries",
    "qags": "QAGS: sentences of summaries",
    "attributionbench": "AttributionBench",
    "begin": "BEGIN: replies in dialogues",
    "wice_claims": "WiCE: sentences of Wikipedia",
    "snli_devtest": "SNLI",
    "mnli_subset": "MultiNLI",
    "fever_rte": "FEVER, two labels",
    "semiauto_wiki": "pairs from Wikipedia",
    "breaking_nli": "Breaking-NLI: one word changed",
    "negation": "pairs with negations",
}


def _named(name: str) -> str:
    return name.replace("_", "-")


#: Every set, in the order of the page.
SETS: Final[tuple[JudgedSet, ...]] = (
    JudgedSet("written-statements", "written statements", "text", partial(_written, "statement")),
    JudgedSet("written-answers", "written answers", "text", partial(_written, "answer")),
    JudgedSet("minimal-pairs", "minimal pairs by hand", "text", _minimal),
    JudgedSet("copied", "copied sentences, and their negations", "text", _copied),
    JudgedSet(
        "rag", "RAG answers", "answer", partial(_answers, "rag", "test"), {"judge": "trained on"}
    ),
    JudgedSet(
        "rag-more",
        "harder RAG answers",
        "answer",
        partial(_answers, "more", "test"),
    ),
    JudgedSet(
        "languages", "answers in 16 languages", "answer", partial(_answers, "languages", None)
    ),
    *(
        JudgedSet(_named(name), _TITLES[name], "text", partial(_texts, name, split))
        for name, split in REPORTED_TEXTS.items()
    ),
    *(
        JudgedSet(_named(name), _TITLES[name], "text", partial(_texts, name, split), _TUNED)
        for name, split in TUNING_TEXTS.items()
    ),
    *(
        JudgedSet(_named(name), _TITLES[name], "pair", partial(_pairs, name, split))
        for name, split in REPORTED_PAIRS.items()
    ),
)
