"""Train the linear models that detect refusals and write their files.

    python -m training.refusals --data DATA [--parts train tune] [--out FOLDER]

Needs scikit-learn and scipy, which the package does not. `DATA` is the folder of public sets;
`research/notes/refusal-model.md` names them and says which rows are trained, tuned and reported on.
What is shipped learned the tune parts, too, after all had been chosen with models of the train
parts.
"""

import argparse
import hashlib
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

from corpora.detokenise import detokenise
from corpora.refusal_replies import written_replies
from corpora.refusal_sets import SETS, Reply, part, replies
from corpora.rows import read_rows
from corpora.written_claims import claim_sets
from groundtypes.refusals.english_features import (
    may_decline,
    ngrams,
    normalise,
    shape_features,
    split_words,
    to_tokens,
    words_outside_quotations,
)
from groundtypes.refusals.linear_model import KINDS, SHORT_TEXT
from groundtypes.refusals.opening import opening_spans
from groundtypes.text.sentences import sentence_spans
from training.refusal_files import bytes_of_linear
from training.refusal_templates import examples

__all__ = ["CLAIMS", "MODELS", "ORDINARY", "PARTS", "PASSAGES", "main", "train", "train_rows"]

OUT: Final = Path(__file__).parents[2] / "src/groundtypes/refusals/data"
#: Ordinary texts, of sets of which no such text is reported: set -> folder, split and key.
ORDINARY: Final = {
    "begin": ("grounded", "dev", "response"),
    "wice_claims": ("grounded", "dev", "response"),
    "quotesum_dev": ("citation", "dev", "answer_marked"),
    "semiauto_wiki": ("nli", "train", "premise"),
    "fever_rte": ("nli", "train", "premise"),
    "cg2c_doc": ("grounded", "train", "claim"),
}
#: So many texts of a set, those first that the guard does not pass over.
_ORDINARY: Final = 1_500
#: So many runs of neighbouring sentences of the references of a set.
_PASSAGES: Final = 4_000
#: The claims written for the project, the texts that they are about, and the sentences of these,
#: alone and two or three together, are ordinary texts with many negations.
CLAIMS: Final = ("claims", "references", "sentences of references", "neighbouring sentences")
#: Neighbouring sentences of the references of the sets of ordinary texts, in the same way.
PASSAGES: Final = "passages"
#: So many characters neighbouring sentences have together: the longer half of short texts.
_RUN_LENGTHS: Final = range(SHORT_TEXT // 2, SHORT_TEXT)
#: What is shipped learned both.
PARTS: Final = ("train", "tune")
#: Said by a person to answer, and saying that it cannot: such a row teaches nothing.
_DOUBTFUL: Final = re.compile(
    r"(?:not|n't) (?:provide|mention|specif|contain)|no information|"
    r"not (?:specified|mentioned|provided|clear)|sorry",
    re.IGNORECASE,
)
#: QuoteSum marks quoted words: "[ 1 words ]".
_MARKS: Final = re.compile(r"\[ \d (.*?) \]")
_EACH: Final = 12
_STRENGTH: Final = 10.0
_MIN_COUNT: Final = 3
#: A longer reply (in characters) that occurs in two parts is a copy, not a common phrase.
_COPY: Final = 120

#: File -> how much a row of each set weighs there; others weigh 1. What weighs 0 is left out: the
#: written texts are short, and only the model for short texts learns them.
MODELS: Final[Mapping[str, Mapping[str, float]]] = {
    "refusals.bin": {
        "templates": 0.5,
        "nomiracl_en": 0.2,
        "written": 0.0,
        **dict.fromkeys((*CLAIMS, PASSAGES), 0.0),
        **dict.fromkeys(ORDINARY, 0.2),
        "cg2c_doc": 0.0,
        **dict.fromkeys(SETS, 5.0),
    },
    "short_refusals.bin": {
        "written": 1.5,
        "nomiracl_en": 0.2,
        **dict.fromkeys((*CLAIMS, PASSAGES), 0.25),
    },
}

#: Subtracted from the logit of declining: of ordinary texts fewer decline than of those trained on.
_FEWER_ALARMS: Final = 0.25

Array = np.ndarray[Any, Any]
NGrams = frozenset[tuple[str, ...]]


def train_rows(
    folder: Path, without: Iterable[str] = (), parts: Collection[str] = ("train",)
) -> list[Reply]:
    """Return the rows of some parts, perhaps without some of the sets."""
    left_out = set(without)
    labelled = [row for name in SETS for row in replies(folder, name)]
    held_out_texts = {row.text.strip() for row in labelled if row.part not in parts}
    training_rows = [
        row
        for row in (*labelled, *_closed(folder))
        if row.part in parts
        and not (len(row.text) > _COPY and row.text.strip() in held_out_texts)
        and not (row.origin == "delucionqa_abstention" and _is_doubtful(row))
        and row.label != "disclaimed"
    ]
    training_rows += [row for name in ORDINARY for row in _ordinary(folder, name)]
    training_rows += [row for name in ORDINARY for row in _passages(folder, name)]
    training_rows += [Reply(text, kind, "templates", "train") for text, kind in examples(_EACH)]
    training_rows += [
        Reply(row.text, row.kind, "written", row.part, row.kind)
        for row in written_replies()
        if row.language == "en" and row.part in parts
    ]
    training_rows += _claims(parts)
    return [row for row in training_rows if row.origin not in left_out]


def _is_doubtful(row: Reply) -> bool:
    return row.kind == "answer" and _DOUBTFUL.search(row.text[:300]) is not None


def _closed(folder: Path) -> Iterator[Reply]:
    """Yield replies to a closed prompt, whose first words say what they do."""
    for row in read_rows(folder / "refusal" / "nomiracl_en.jsonl.gz"):
        begin = row["response"].strip().lower()
        if begin.startswith(("i don't know", "unable", "no, answer")):
            yield Reply(row["response"], "abstention", "nomiracl_en", part(row["id"]))
        elif begin.startswith("yes, answer is present") and "don't know" not in begin:
            yield Reply(row["response"], "answer", "nomiracl_en", part(row["id"]))


def _ordinary(folder: Path, name: str) -> Iterator[Reply]:
    place, split, key = ORDINARY[name]
    rows = read_rows(folder / place / f"{name}.jsonl.gz")
    texts = {
        _MARKS.sub(r"\1", detokenise(row[key])) for row in rows if row.get("split", split) == split
    }
    rows_in_random_order = [
        Reply(text, "answer", name, "train") for text in sorted(texts, key=_random_key)
    ]
    # Texts that the model reads come first; sorting is stable, so their order stays random.
    rows_in_random_order.sort(key=lambda row: features(row) is None)
    yield from rows_in_random_order[:_ORDINARY]


def _claims(parts: Collection[str]) -> Iterator[Reply]:
    """Yield the texts of the written claims that the model reads, but for doubtful ones."""
    for part_of_claims in PARTS:
        if part_of_claims not in parts:
            continue
        for claim_set in claim_sets(part_of_claims):
            texts = [("claims", claim.text) for claim in claim_set.claims]
            for text in claim_set.references:
                texts.append(("references", text))
                texts += [
                    ("sentences of references", text[start:end])
                    for start, end in sentence_spans(text)
                ]
                texts += [("neighbouring sentences", run) for run in _neighbouring_sentences(text)]
            for origin, text in texts:
                row = Reply(text, "answer", origin, part_of_claims)
                if not _is_doubtful(row) and features(row) is not None:
                    yield row


def _passages(folder: Path, name: str) -> Iterator[Reply]:
    """Yield neighbouring sentences of the references of a set of ordinary texts, if it has any."""
    place, split, _ = ORDINARY[name]
    rows = read_rows(folder / place / f"{name}.jsonl.gz")
    references = {row.get("context", "") for row in rows if row.get("split", split) == split}
    runs = {run for text in references for run in _neighbouring_sentences(detokenise(text))}
    replies_of_runs = (
        Reply(run, "answer", PASSAGES, "train") for run in sorted(runs, key=_random_key)
    )
    read = (row for row in replies_of_runs if not _is_doubtful(row) and features(row) is not None)
    yield from islice(read, _PASSAGES)


def _neighbouring_sentences(text: str) -> Iterator[str]:
    """Yield runs of two and of three sentences whose length is in `_RUN_LENGTHS`."""
    spans = sentence_spans(text)
    for count in (2, 3):
        for (start, _), (_, end) in zip(spans, spans[count - 1 :], strict=False):
            if end - start in _RUN_LENGTHS:
                yield text[start:end]


def _random_key(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def features(row: Reply) -> NGrams | None:
    """Return the n-grams of a reply; `None` if the model does not read it."""
    spans = opening_spans(row.text)
    opening = normalise(row.text, spans)
    words = split_words(opening)
    if not may_decline(words, opening):
        return None
    is_whole = bool(spans) and spans[-1][1] >= len(row.text.rstrip())
    # The length of the written examples is not realistic.
    outer = [] if row.origin == "templates" else shape_features(row.text)
    inner = ngrams(to_tokens(words_outside_quotations(opening, words), is_whole=is_whole))
    return frozenset([*inner, *((feature,) for feature in outer)])


def train(rows: Sequence[Reply], name: str) -> bytes:
    """Return the file of the model of a file, fitted to these rows."""
    weight_of_set = MODELS[name]
    rows_and_ngrams = [
        (row, row_ngrams)
        for row in rows
        if weight_of_set.get(row.origin, 1.0) and (row_ngrams := features(row)) is not None
    ]
    # Ordinary texts only adjust the weights of n-grams that occur in the other sets.
    counts = Counter(
        ngram
        for row, row_ngrams in rows_and_ngrams
        if row.origin not in {*ORDINARY, *CLAIMS, PASSAGES}
        for ngram in row_ngrams
    )
    frequent = sorted(ngram for ngram, count in counts.items() if count >= _MIN_COUNT)
    columns = {ngram: column for column, ngram in enumerate(frequent)}
    declines = np.array([row.kind != "answer" for row, _ in rows_and_ngrams])
    weights = np.array([weight_of_set.get(row.origin, 1.0) for row, _ in rows_and_ngrams])
    # Sets differ in the share of replies that decline, which the model should not learn.
    answers = np.array(
        [
            row.kind == "answer" and row.origin not in {*ORDINARY, *CLAIMS, PASSAGES}
            for row, _ in rows_and_ngrams
        ]
    )
    weights[declines] *= weights[answers].sum() / weights[declines].sum()
    inputs = _matrix([row_ngrams for _, row_ngrams in rows_and_ngrams], columns)
    declining = LogisticRegression(C=_STRENGTH, solver="liblinear")
    declining.fit(inputs, declines, sample_weight=weights)
    kinds = np.array([row.kind for row, _ in rows_and_ngrams])
    outputs = [(declining.coef_[0], float(declining.intercept_[0]) - _FEWER_ALARMS)]
    for kind in KINDS:
        of_kind = LogisticRegression(C=_STRENGTH, solver="liblinear", class_weight="balanced")
        of_kind.fit(inputs[declines], kinds[declines] == kind, sample_weight=weights[declines])
        outputs.append((of_kind.coef_[0], float(of_kind.intercept_[0])))
    return _quantised(list(columns), outputs)


def _matrix(ngrams_of_rows: Sequence[NGrams], columns: Mapping[tuple[str, ...], int]) -> Any:
    column_indices: list[int] = []
    values: list[float] = []
    row_ends = [0]
    for row_ngrams in ngrams_of_rows:
        known = sorted(columns[ngram] for ngram in row_ngrams if ngram in columns)
        column_indices += known
        values += [1 / np.sqrt(len(known) or 1)] * len(known)
        row_ends.append(len(column_indices))
    shape = (len(ngrams_of_rows), len(columns))
    return csr_matrix((values, column_indices, row_ends), shape=shape)


def _quantised(
    ngrams_of_columns: Sequence[tuple[str, ...]], outputs: Sequence[tuple[Array, float]]
) -> bytes:
    steps = [float(np.abs(weights).max()) / 127 for weights, _ in outputs]
    rounded = [
        np.rint(weights / step).astype(int)
        for (weights, _), step in zip(outputs, steps, strict=True)
    ]
    # An n-gram of weight 0 still counts in the root, so none is left out.
    weights_of_ngrams = {
        ngram: tuple(int(weights[column]) for weights in rounded)
        for column, ngram in enumerate(ngrams_of_columns)
    }
    return bytes_of_linear(weights_of_ngrams, tuple(steps), tuple(bias for _, bias in outputs))


def main(argv: Sequence[str] | None = None) -> None:
    """Train each model and write it with its checksum."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument("--out", type=Path, default=OUT, help="the folder of the files")
    args = parser.parse_args(argv)
    args.out.mkdir(parents=True, exist_ok=True)
    rows = train_rows(args.data, parts=args.parts)
    print(Counter((row.origin, row.kind) for row in rows))
    for name in MODELS:
        data = train(rows, name)
        checksum = hashlib.sha256(data).hexdigest()
        (args.out / name).write_bytes(data)
        (args.out / f"{name}.sha256").write_text(f"{checksum}  {name}\n")
        print(f"{name}: {len(data):,} bytes, SHA-256 {checksum}")


if __name__ == "__main__":
    main()
