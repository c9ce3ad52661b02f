"""What is counted of stored judgements: right rows that pass, wrong ones that are refused."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean
from typing import Any

from benchmarks.judges.sets import SETS, JudgedSet
from benchmarks.judges.store import Store
from benchmarks.label_scores import area_under_curve, guessed_label, is_correct
from groundtypes.calibration.cascades import CascadeCurve, curve_of
from groundtypes.calibration.scored_rows import ScoredRow
from groundtypes.errors import CalibrationError
from groundtypes.scoring import NLIScores

__all__ = ["Cost", "Counted", "Line", "cascade_of", "cost_of", "lines_of"]

#: A score is divided by this much where a figure is absent, so that it ranks below the others.
_ABSENT_FIGURE = 10


@dataclass(frozen=True, slots=True)
class Counted:
    """What one judge did with some rows; shares are `None` where there are no such rows.

    `passed` is the share of right rows that pass, `refused` that of wrong rows that are refused.
    `unread` rows are in a language that the judge does not read, and count as neither.
    """

    right: int
    wrong: int
    passed: float | None
    refused: float | None
    area: float | None
    unread: int = 0

    @property
    def balanced(self) -> float | None:
        """The mean of both shares."""
        if self.passed is None or self.refused is None:
            return None
        return (self.passed + self.refused) / 2

    @property
    def half_width(self) -> float | None:
        """Half of the 95 % interval of `balanced`, with the variances of Agresti and Coull."""
        if self.passed is None or self.refused is None:
            return None
        variance = _variance(self.passed, self.right) + _variance(self.refused, self.wrong)
        return 1.96 * sqrt(variance) / 2


def _variance(share: float, count: int) -> float:
    """Return the variance of a share, which is not 0 where all of a few rows agree."""
    adjusted = (share * count + 2) / (count + 4)
    return adjusted * (1 - adjusted) / (count + 4)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the page: a set, or a part of it, by each judge.

    `alone` is by `Entailed`, or by the engine for pairs; `with_figures` is by `Entailed` and
    `Figures` together, empty for pairs. `accuracy` is that of the labels of pairs, and
    `entailed_or_not` that of the two-way question. `both_right` is the number of minimal pairs and
    the share of which both sides are judged right, with `Figures`.
    """

    judged: JudgedSet
    title: str
    alone: Mapping[str, Counted]
    with_figures: Mapping[str, Counted]
    accuracy: Mapping[str, float]
    entailed_or_not: Mapping[str, float]
    both_right: Mapping[str, tuple[int, float]]


@dataclass(frozen=True, slots=True)
class Cost:
    """What a judge needed: seconds and tokens for 1,000 statements, and memory in MiB.

    `processor_seconds` are those that processors computed, all threads together, so that other work
    of the machine does not count. What some run has not counted is `None`.
    """

    statements: int
    seconds: float
    processor_seconds: float | None
    tokens: float | None
    peak_mib: int | None
    machines: tuple[Mapping[str, str], ...]


@dataclass(frozen=True, slots=True)
class _Guess:
    """Whether a row is right, whether it passes, and its score; `passes` is `None` if unread."""

    right: bool
    passes: bool | None
    score: float


def lines_of(store: Store, judges: Sequence[str]) -> list[Line]:
    """Return the lines of the sets that a judge has judged, in the order of `SETS`.

    Each judge is counted on all rows that it has judged: of two samples of a set, the larger one
    contains the other.
    """
    lines: list[Line] = []
    for judged in SETS:
        said = {judge: rows for judge in judges if (rows := store.read(judge, judged.name))}
        if not said:
            continue
        by_judge = {judge: [rows[row] for row in sorted(rows)] for judge, rows in said.items()}
        if judged.kind == "pair":
            lines.append(_line_of_pairs(judged, by_judge))
        elif judged.kind == "answer":
            lines += _lines_of_answers(judged, by_judge)
        else:
            alone = {judge: _texts(rows, figures=False) for judge, rows in by_judge.items()}
            both = {judge: _texts(rows, figures=True) for judge, rows in by_judge.items()}
            pairs = {judge: _both_right(rows) for judge, rows in by_judge.items()}
            found = {judge: pair for judge, pair in pairs.items() if pair is not None}
            lines.append(_line(judged, judged.title, alone, both, both_right=found))
    return lines


def _line(
    judged: JudgedSet,
    title: str,
    alone: Mapping[str, Sequence[_Guess]],
    with_figures: Mapping[str, Sequence[_Guess]],
    *,
    accuracy: Mapping[str, float] | None = None,
    entailed_or_not: Mapping[str, float] | None = None,
    both_right: Mapping[str, tuple[int, float]] | None = None,
) -> Line:
    return Line(
        judged,
        title,
        {judge: _counted(guesses) for judge, guesses in alone.items()},
        {judge: _counted(guesses) for judge, guesses in with_figures.items()},
        accuracy or {},
        entailed_or_not or {},
        both_right or {},
    )


def _counted(guesses: Iterable[_Guess]) -> Counted:
    every = list(guesses)
    read = [(guess.right, guess.passes, guess.score) for guess in every if guess.passes is not None]
    right = [passes for is_right, passes, _ in read if is_right]
    wrong = [not passes for is_right, passes, _ in read if not is_right]
    area = None
    if right and wrong:
        area = area_under_curve([score for _, _, score in read], [truth for truth, _, _ in read])
    return Counted(
        len(right),
        len(wrong),
        fmean(right) if right else None,
        fmean(wrong) if wrong else None,
        area,
        len(every) - len(read),
    )


# --- texts and answers ----------------------------------------------------------------------


def _texts(rows: Iterable[dict[str, Any]], *, figures: bool) -> list[_Guess]:
    return [_text(row, row["label"] == "supported", figures=figures) for row in rows]


def _text(said: Mapping[str, Any], right: bool, *, figures: bool) -> _Guess:  # noqa: FBT001 # a label
    if "refused" in said:
        return _Guess(right, None, 0.0)
    if not figures or said["figures"]:
        return _Guess(right, said["entailed"] is not False, said["score"])
    return _Guess(right, passes=False, score=said["score"] / _ABSENT_FIGURE)


def _both_right(rows: Iterable[dict[str, Any]]) -> tuple[int, float] | None:
    """Return how many minimal pairs there are, and the share of which both sides are right."""
    pairs: dict[str, list[bool]] = {}
    for row in rows:
        guess = _text(row, row["label"] == "supported", figures=True)
        if "pair" in row and guess.passes is not None:
            pairs.setdefault(row["pair"], []).append(guess.passes == guess.right)
    whole = [all(right) for right in pairs.values() if len(right) == 2]  # a pair
    return (len(whole), fmean(whole)) if whole else None


def _lines_of_answers(
    judged: JudgedSet, by_judge: Mapping[str, Sequence[dict[str, Any]]]
) -> list[Line]:
    """Return the lines of whole answers, of all that the check says of them, and of sentences."""
    parts = {
        "whole": _whole_answers,
        "with what claims nothing": _texts,
        "sentences": _sentences,
    }
    return [
        _line(
            judged,
            f"{judged.title}, {name}",
            {judge: guesses(rows, figures=False) for judge, rows in by_judge.items()},
            {judge: guesses(rows, figures=True) for judge, rows in by_judge.items()},
        )
        for name, guesses in parts.items()
    ]


def _whole_answers(rows: Iterable[dict[str, Any]], *, figures: bool) -> list[_Guess]:
    """Return what is said of each answer; its talk and abstentions do not count."""
    answers = []
    for row in rows:
        right = row["label"] == "supported"
        if "refused" in row:
            answers.append(_Guess(right, None, 0.0))
            continue
        guesses = _sentences([row], figures=figures)
        if guesses:
            passes = all(guess.passes for guess in guesses)
            answers.append(_Guess(right, passes, min(guess.score for guess in guesses)))
    return answers


def _sentences(rows: Iterable[dict[str, Any]], *, figures: bool) -> list[_Guess]:
    """Return what is said of each sentence that claims something; one alone if none is read."""
    guesses = []
    for row in rows:
        if "refused" in row:
            guesses.append(_Guess(row["label"] == "supported", None, 0.0))
        guesses += [
            _text(sentence, sentence["right"], figures=figures)
            for sentence in row.get("sentences", ())
            if sentence["right"] is not None
        ]
    return guesses


# --- pairs ----------------------------------------------------------------------------------


def _line_of_pairs(judged: JudgedSet, by_judge: Mapping[str, Sequence[dict[str, Any]]]) -> Line:
    labels = {row["label"] for rows in by_judge.values() for row in rows}
    two_labels = not labels & {"neutral", "not_entailment"}
    alone: dict[str, list[_Guess]] = {}
    accuracy: dict[str, float] = {}
    entailed_or_not: dict[str, float] = {}
    for judge, rows in by_judge.items():
        scores = [NLIScores(*_summing_to_one(row["scores"])) for row in rows]
        named = [guessed_label(score, two_labels=two_labels) for score in scores]
        alone[judge] = [
            _Guess(row["label"] == "entailment", guess == "entailment", score.entailment)
            for row, guess, score in zip(rows, named, scores, strict=True)
        ]
        accuracy[judge] = fmean(
            is_correct(guess, row["label"]) for row, guess in zip(rows, named, strict=True)
        )
        entailed_or_not[judge] = fmean(guess.right == guess.passes for guess in alone[judge])
    return _line(
        judged, judged.title, alone, {}, accuracy=accuracy, entailed_or_not=entailed_or_not
    )


def _summing_to_one(scores: Sequence[float]) -> list[float]:
    """Return stored scores, which are rounded."""
    return [score / sum(scores) for score in scores]


# --- one after another ----------------------------------------------------------------------


def cascade_of(store: Store, first: str, then: str) -> CascadeCurve | None:
    """Return how right a cascade of two judges is by what it asks the second one.

    It is counted on the texts and answers that both have judged, of the sets that neither has seen
    before. Without enough of them it is `None`.
    """
    judged: list[tuple[ScoredRow, ScoredRow]] = []
    for of_set in SETS:
        if of_set.kind != "pair" and not {first, then} & of_set.seen_by.keys():
            known, others = store.read(first, of_set.name), store.read(then, of_set.name)
            both = [
                (known[row], others[row])
                for row in sorted(known.keys() & others)
                if not any("refused" in said[row] for said in (known, others))
            ]
            judged += [(_scored(one), _scored(other)) for one, other in both]
    try:
        return curve_of(judged)
    except CalibrationError:
        return None


def _scored(said: Mapping[str, Any]) -> ScoredRow:
    # Rows of one minimal pair stay together.
    return ScoredRow(said["score"], said["label"] == "supported", said.get("pair", said["id"]))


# --- cost -----------------------------------------------------------------------------------


def cost_of(store: Store, judge: str) -> Cost | None:
    """Return what all runs of a judge needed; `None` where nothing was timed."""
    runs = store.runs(judge)
    statements = sum(run["statements"] for run in runs)
    if not statements:
        return None
    machines = {str(sorted(run["machine"].items())): run["machine"] for run in runs}
    return Cost(
        statements,
        1_000 * sum(run["seconds"] for run in runs) / statements,
        _for_thousand(runs, "processor_seconds", statements),
        _for_thousand(runs, "tokens", statements),
        max((run["peak_mib"] for run in runs if run["peak_mib"] is not None), default=None),
        tuple(machines.values()),
    )


def _for_thousand(runs: Iterable[Mapping[str, Any]], counted: str, statements: int) -> float | None:
    """Return what all runs counted together, for 1,000 statements; `None` if one did not count."""
    counts = [run.get(counted) for run in runs]
    known = [count for count in counts if count is not None]
    return 1_000 * sum(known) / statements if len(known) == len(counts) else None
