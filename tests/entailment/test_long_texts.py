"""Texts and references of very many sentences: work grows with their number, and is bounded."""

import sys
import tracemalloc
from collections.abc import Callable, Sequence
from itertools import count
from typing import Annotated, Any

import pytest

from groundtypes import Entailed, Grounded, Judges, NLIScores, Pair, audit
from groundtypes.entailment import entail, questions
from groundtypes.errors import ContextError
from groundtypes.scoring import Label

NOUNS = ("lamp", "door", "river", "engine", "table", "garden", "bridge", "window")
#: Numbers of things that no other test or run has named, so that no cache knows a sentence.
_NUMBERS = count(1)


class Answer(Grounded):
    text: Annotated[str, Entailed()]


class NumberReader:
    """Entails a hypothesis if the number in it stands in the premise; counts what it is asked."""

    def __init__(self) -> None:
        self.pairs = self.characters = 0

    def score(self, pairs: Sequence[Pair]) -> list[NLIScores]:
        self.pairs += len(pairs)
        self.characters += sum(len(pair.premise) + len(pair.hypothesis) for pair in pairs)
        return [
            NLIScores(0.9, 0.1, 0.0)
            if pair.hypothesis.split()[2] in pair.premise.split()
            else NLIScores(0.1, 0.9, 0.0)
            for pair in pairs
        ]


def sentences(number: int) -> list[str]:
    """Return sentences that are all about different things."""
    return [
        f"The {NOUNS[at % len(NOUNS)]} item{next(_NUMBERS)} weighs {at % 97} grams."
        for at in range(number)
    ]


def _labels(references: Any, text: str, engine: NumberReader) -> list[Label]:
    return [each.label for each in entail(references, text, nli=engine)]


def _long_text(number: int, engine: NumberReader) -> None:
    """Judge many sentences, of which the references hold the first five."""
    stated = sentences(number)
    labels = _labels(" ".join(stated[:5]), " ".join(stated), engine)
    assert labels == [Label.ENTAILMENT] * 5 + [Label.NEUTRAL] * (number - 5)


def _long_reference(number: int, engine: NumberReader) -> None:
    """Judge five sentences by one reference of many, of which it holds four."""
    told = sentences(number)
    stated = [*told[:: number // 5][:4], *sentences(1)]
    labels = _labels(" ".join(told), " ".join(stated), engine)
    assert labels == [Label.ENTAILMENT] * 4 + [Label.NEUTRAL]


def _many_references(number: int, engine: NumberReader) -> None:
    """Judge five sentences by many references of one sentence."""
    told = sentences(number)
    stated = [*told[:: number // 5][:4], *sentences(1)]
    assert _labels(told, " ".join(stated), engine) == [Label.ENTAILMENT] * 4 + [Label.NEUTRAL]


def _audited(number: int, engine: NumberReader) -> None:
    """Audit an answer of many sentences against as many."""
    text = " ".join(sentences(number))
    context = {"references": text, "judges": Judges(nli=engine)}
    judged = audit(Answer, {"text": text}, context=context)
    assert judged.ok
    assert len(judged.verdicts) == number


Judging = Callable[[int, NumberReader], None]
CASES = {
    "a long text": _long_text,
    "a long reference": _long_reference,
    "many references": _many_references,
    "an audit": _audited,
}


def _work(judging: Judging, number: int) -> tuple[int, NumberReader]:
    """Return how many calls of functions and built-in functions it takes, and the engine."""
    engine = NumberReader()
    calls = 0

    def counted(_frame: object, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    earlier = sys.getprofile()
    sys.setprofile(counted)
    try:
        judging(number, engine)
    finally:
        sys.setprofile(earlier)
    return calls, engine


@pytest.mark.parametrize("judging", CASES.values(), ids=CASES)
def test_the_work_grows_no_faster_than_the_number_of_sentences(judging: Judging) -> None:
    _work(judging, 100)  # what is loaded with the first sentence
    few, first = _work(judging, 250)
    many, second = _work(judging, 1_000)
    assert few > 1_000
    assert many < 4.5 * few
    assert second.pairs <= 4.1 * first.pairs
    assert second.characters <= 4.5 * first.characters


def test_references_cost_the_engine_nothing_for_their_length() -> None:
    _, first = _work(_long_reference, 250)
    _, second = _work(_long_reference, 1_000)
    assert first.pairs == second.pairs
    assert second.characters <= 1.2 * first.characters


def test_memory_grows_no_faster_than_the_number_of_sentences() -> None:
    peaks = []
    _long_text(100, NumberReader())
    for number in (250, 1_000):
        tracemalloc.start()
        _long_text(number, NumberReader())
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 5 * peaks[0]


def test_more_sentences_than_are_judged_are_one_fault_or_a_mistake(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(questions, "MAX_SENTENCES", 1_000)  # 100,000 take half a minute
    reference, *_ = sentences(1)
    engine = NumberReader()
    context = {"references": reference, "judges": Judges(nli=engine)}
    text = " ".join(sentences(1_001))
    [verdict] = audit(Answer, {"text": text}, context=context).verdicts
    assert (verdict.slug, verdict.label, verdict.score) == ("not_entailed", Label.NEUTRAL, 0.0)
    assert "1,001 sentences" in str(verdict.message)
    with pytest.raises(ContextError, match="1,001 sentences"):
        entail(reference, text, nli=engine)
    assert engine.pairs == 0
    assert len(entail(reference, " ".join(sentences(1_000)), nli=engine)) == 1_000
