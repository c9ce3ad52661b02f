"""`check_scorer` passes engines that keep the contract, and says what others do wrong."""

import threading
from collections.abc import Sequence
from typing import Any

import pytest

from groundtypes import NLIScores, Pair
from groundtypes.testing import (
    ENTAILED,
    NEUTRAL,
    REFUTED,
    ScriptedNLI,
    check_scorer,
)


def test_the_scripted_engine_keeps_the_contract() -> None:
    check_scorer(ScriptedNLI())
    check_scorer(ScriptedNLI(lambda pair: NEUTRAL))


def test_the_scripted_engine_keeps_its_batches() -> None:
    engine = ScriptedNLI()
    pairs = [Pair("It is tall.", "is tall"), Pair("It is tall.", "is low")]
    assert engine.score(pairs) == [ENTAILED, REFUTED]
    assert (engine.batches, engine.calls) == ([pairs], 1)


class Broken(ScriptedNLI):
    def score(self, pairs: Sequence[Pair], /) -> Any:
        return self.spoil(pairs, list(super().score(pairs)))

    def spoil(self, pairs: Any, rows: Any) -> Any:
        raise NotImplementedError


class TooFew(Broken):
    def spoil(self, pairs: Any, rows: Any) -> Any:
        return rows[:-1] if len(rows) > 1 else rows


class OncePerPair(Broken):
    def spoil(self, pairs: Any, rows: Any) -> Any:
        return list(dict(zip(pairs, rows, strict=True)).values())


class Sorted(Broken):
    def spoil(self, pairs: Any, rows: Any) -> Any:
        order = sorted(range(len(rows)), key=lambda place: len(pairs[place].premise))
        return [rows[place] for place in order]


class Tuples(Broken):
    def spoil(self, pairs: Any, rows: Any) -> Any:
        return [(row.entailment, row.neutral, row.contradiction) for row in rows]


class NoEmptyBatch(Broken):
    def spoil(self, pairs: Any, rows: Any) -> Any:
        return [rows[0], *rows[1:]]


class NoEmptyText(Broken):
    def spoil(self, pairs: Any, rows: Any) -> Any:
        if any(not pair.hypothesis for pair in pairs):
            raise ValueError("empty")
        return rows


class NoSurrogates(Broken):
    def spoil(self, pairs: Any, rows: Any) -> Any:
        for pair in pairs:
            pair.premise.encode()
        return rows


class Emptying(Broken):
    def spoil(self, pairs: Any, rows: Any) -> Any:
        if isinstance(pairs, list):
            pairs.sort(key=lambda pair: pair.hypothesis)
        return rows


class ByCompany(Broken):
    def spoil(self, pairs: Any, rows: Any) -> Any:
        shift = min(0.05, len(set(pairs)) / 1000)
        return [NLIScores(shift, 1 - shift, 0.0) for _ in rows]


class OneThread(Broken):
    home = threading.get_ident()

    def spoil(self, pairs: Any, rows: Any) -> Any:
        if threading.get_ident() != self.home:
            raise RuntimeError("not thread-safe")
        return rows


@pytest.mark.parametrize(
    ("engine", "sentence"),
    [
        (object(), "no method score"),
        (NoEmptyBatch(), "empty batch"),
        (TooFew(), "not one each"),
        (OncePerPair(), "not one each"),
        (Sorted(), "differ by"),
        (Tuples(), "tuple, not NLIScores"),
        (NoEmptyText(), "an empty hypothesis: ValueError"),
        (NoSurrogates(), "lone surrogates"),
        (Emptying(), "changes the list"),
        (ByCompany(), "is allowed"),
        (OneThread(), "four threads"),
    ],
    ids=lambda thing: type(thing).__name__,
)
def test_a_breach_is_an_assertion_with_a_sentence(engine: Any, sentence: str) -> None:
    with pytest.raises(AssertionError, match=sentence):
        check_scorer(engine)


def test_a_tolerance_admits_scores_that_depend_on_their_company_a_little() -> None:
    check_scorer(ByCompany(), tolerance=0.1)
