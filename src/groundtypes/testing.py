"""For tests: scripted engines, an assertion, and the contract that every NLI engine must pass."""

import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Final

from groundtypes.scoring import NLIScorer, NLIScores, Pair, Question, Reply
from groundtypes.validation.assertions import assert_grounded

__all__ = [
    "ENTAILED",
    "NEUTRAL",
    "REFUTED",
    "ScriptedLLM",
    "ScriptedNLI",
    "assert_grounded",
    "check_scorer",
    "contained",
]

ENTAILED: Final = NLIScores(entailment=0.9, neutral=0.08, contradiction=0.02)
NEUTRAL: Final = NLIScores(entailment=0.05, neutral=0.9, contradiction=0.05)
REFUTED: Final = NLIScores(entailment=0.02, neutral=0.08, contradiction=0.9)


def contained(pair: Pair) -> NLIScores:
    """Return `ENTAILED` if the premise contains the hypothesis verbatim, else `REFUTED`."""
    return ENTAILED if pair.hypothesis in pair.premise else REFUTED


@dataclass(eq=False)
class ScriptedNLI:
    """An NLI engine for tests: a function scores each pair, and every batch is recorded.

    Examples:
        >>> from groundtypes import Pair
        >>> engine = ScriptedNLI()
        >>> engine.score([Pair("It is tall.", "It is tall."), Pair("It is tall.", "It is low.")])
        [NLIScores(entailment=0.9, neutral=0.08, contradiction=0.02), \
NLIScores(entailment=0.02, neutral=0.08, contradiction=0.9)]
        >>> engine.calls
        1
    """

    rule: Callable[[Pair], Any] = contained
    batches: list[list[Pair]] = field(default_factory=list)
    #: How many tokens it reads at once, if it stands for an engine that reads whole texts.
    window: int | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def score(self, pairs: Sequence[Pair], /) -> Sequence[NLIScores]:
        """Return the scores of each pair according to the rule."""
        with self._lock:
            self.batches.append(list(pairs))
        return [self.rule(pair) for pair in pairs]

    @property
    def calls(self) -> int:
        """How often the engine was called."""
        return len(self.batches)


@dataclass(eq=False)
class ScriptedLLM:
    """An LLM engine for tests: a function answers each question, and every batch is recorded.

    The function takes a `Question` and returns an instance of its `response_model`; each reply
    counts ten tokens read and five written.

    Examples:
        >>> from groundtypes import Faithful, Grounded, Judges, audit
        >>> from typing import Annotated
        >>> class Answer(Grounded):
        ...     text: Annotated[str, Faithful()]
        >>> llm = ScriptedLLM(lambda question: question.response_model(holds=True, reasons=[]))
        >>> context = {"references": "It is tall.", "judges": Judges(llm=llm)}
        >>> audit(Answer, {"text": "It is tall."}, context=context).ok, llm.calls
        (True, 1)
    """

    rule: Callable[[Question], Any]
    batches: list[list[Question]] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def answer(self, questions: Sequence[Question], /) -> Sequence[Reply]:
        """Return the reply to each question according to the rule."""
        with self._lock:
            self.batches.append(list(questions))
        return [Reply(self.rule(question), 10, 5) for question in questions]

    @property
    def calls(self) -> int:
        """How many questions were asked."""
        return sum(map(len, self.batches))


_PLAIN: Final = (
    Pair("The bridge was opened in 1932 and is painted every seven years.", "The bridge is old."),
    Pair("A dog runs on the beach.", "An animal is outdoors."),
    Pair("A dog runs on the beach.", "Nobody is there."),
    Pair("It rains.", "It rains."),
)
#: Pairs of many lengths, so that batches are padded.
_OTHERS: Final = [
    Pair("The rain fell on the hill. " * (number % 20 + 1), f"It rained {number} times.")
    for number in range(100)
]
_ODD: Final = {
    "an empty hypothesis": Pair("It rains.", ""),
    "an empty premise": Pair("", "It rains."),
    "two empty texts": Pair("", ""),
    "white space": Pair(" \n\t\u00a0", "\u3000"),
    "emoji": Pair("👩‍👩‍👧‍👦 went home 🏠.", "They are 🏠."),
    "other scripts": Pair("Москва — столица России. 東京は日本の首都です。", "القاهرة مدينة"),
    "a null character": Pair("It\x00 rains.", "It\x00 rains."),
    "lone surrogates": Pair("It \ud83d rains.", "It \udc00\ud800 rains."),
    "combining marks": Pair("e" + "\u0301" * 500, "é"),
    "special tokens": Pair("[CLS] a [SEP] b </s> <pad>", "[SEP] [MASK] [PAD]"),
    "one word of 50,000 letters": Pair("a" * 50_000, "b" * 50_000),
    "a premise of 100,000 words": Pair("The rain fell on the hill. " * 16_667, "It rained."),
    "a hypothesis of 100,000 words": Pair("It rained.", "The rain fell on the hill. " * 16_667),
}


def check_scorer(scorer: NLIScorer, *, tolerance: float = 1e-3) -> None:
    """Check, in a few seconds, that an NLI engine fulfils the contract of `NLIScorer`.

    It returns the scores of each pair, in their order, whatever the texts are; the scores are
    probabilities; a pair has the same scores in every batch, up to `tolerance`, and in four threads
    at once; and the list of pairs is not changed.

    A model with dynamic quantisation scales its activations by the range in a batch, so that the
    scores of a pair depend a little on the other pairs; `tolerance=0.05` is right for it.

    Raises:
        AssertionError: The engine breaks the contract; the message says how.
    """
    _require(isinstance(scorer, NLIScorer), "The engine has no method score(pairs).")
    _rows(scorer, [], "an empty batch")
    alone = {pair: _rows(scorer, [pair], "a single pair")[0] for pair in _PLAIN}
    _check_batches(scorer, alone, tolerance)
    for description, pair in _ODD.items():
        _rows(scorer, [pair], description)
    mixed = _rows(scorer, [*_ODD.values(), *_PLAIN], "odd and plain pairs together")
    _require_same(mixed[len(_ODD) :], alone.values(), tolerance, "beside odd pairs")
    _check_threads(scorer, alone, tolerance)


def _check_batches(scorer: NLIScorer, alone: dict[Pair, NLIScores], tolerance: float) -> None:
    plain = list(alone)
    for batch, where in (
        (plain, "in a batch"),
        (plain[::-1], "in a batch in reverse order"),
        (plain * 3, "in a batch with duplicates"),
        (plain[:1] * 5, "in a batch of nothing but duplicates"),
        ([*_OTHERS[:50], *plain, *_OTHERS[50:]], "among 100 others"),
    ):
        given = list(batch)
        rows = _rows(scorer, given, where)
        _require(given == batch, f"The engine changes the list that it is given ({where}).")
        known = [(row, alone[pair]) for row, pair in zip(rows, batch, strict=True) if pair in alone]
        _require_same([row for row, _ in known], [row for _, row in known], tolerance, where)
    rows = _rows(scorer, tuple(plain), "a tuple of pairs")
    _require_same(rows, alone.values(), tolerance, "in a tuple")


def _check_threads(scorer: NLIScorer, alone: dict[Pair, NLIScores], tolerance: float) -> None:
    def work(number: int) -> tuple[list[Pair], list[NLIScores]]:
        batch = [*list(alone)[number:], *list(alone)[:number]]
        # Pairs that are in no cache yet, so that the model itself runs in four threads.
        new = [Pair(pair.premise, f"{pair.hypothesis} {number}") for pair in batch]
        _rows(scorer, new, "four threads")
        return batch, _rows(scorer, batch, "four threads")

    with ThreadPoolExecutor(4) as pool:
        for batch, rows in pool.map(work, range(4)):
            _require_same(rows, [alone[pair] for pair in batch], tolerance, "in four threads")


def _rows(scorer: NLIScorer, pairs: Sequence[Pair], description: str) -> list[NLIScores]:
    """Return the scores of the pairs, which must be as many as the pairs, and probabilities."""
    try:
        rows = list(scorer.score(pairs))
    except Exception as error:
        raise AssertionError(
            f"The engine fails on {description}: {type(error).__name__}."
        ) from error
    _require(
        len(rows) == len(pairs),
        f"{len(pairs)} pairs give {len(rows)} rows, not one each ({description}).",
    )
    for row in rows:
        _require(isinstance(row, NLIScores), f"A row is {type(row).__name__}, not NLIScores.")
        total = row.entailment + row.neutral + row.contradiction
        _require(abs(total - 1) <= 1e-3, f"The scores add up to {total}, not to 1 ({description}).")
    return rows


def _require_same(
    rows: Iterable[NLIScores], expected: Iterable[NLIScores], tolerance: float, where: str
) -> None:
    for row, alone in zip(rows, expected, strict=True):
        difference = max(
            abs(row.entailment - alone.entailment),
            abs(row.neutral - alone.neutral),
            abs(row.contradiction - alone.contradiction),
        )
        _require(
            difference <= tolerance,
            f"A pair's scores {where} differ by {difference:.2g} from its scores alone; "
            f"{tolerance:g} is allowed.",
        )


def _require(holds: bool, message: str) -> None:  # noqa: FBT001 # an assertion with its message
    if not holds:
        raise AssertionError(message)
