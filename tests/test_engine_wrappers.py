"""A wrapper of an engine judges as the engine does."""

import copy
import pickle
from collections.abc import Callable, Iterator, Sequence
from typing import Annotated, Any

import pytest

from benchmarks.nli_quality import CountingNLI
from groundtypes import Cited, Entailed, Grounded, Judges, NLIScorer, NLIScores, Pair, audit
from groundtypes.backends.languages import DeclaredLanguages
from groundtypes.backends.nli_onnx import OnnxNLI
from groundtypes.backends.operating_point import engine_id
from groundtypes.entailment import entail
from groundtypes.judges import nli_engine
from groundtypes.scoring import EngineWrapper, asked_engine
from groundtypes.testing import NEUTRAL, ScriptedNLI, check_scorer, contained

REFERENCES = {
    "bridge": "The bridge was opened in 1932. It is painted every seven years by forty workers.",
    "tower": "The tower is 300 metres high. Dogs are not allowed in it. It closes at six.",
}
#: The engine with the evidence weights and the rules of the bundled model says of some of these
#: something else than the same scores under the merge rule.
STATEMENTS = [
    "The bridge was opened in 1932.",
    "The bridge was opened in 1931.",
    "Forty workers paint the bridge every seven years.",
    "Dogs may enter the tower until six.",
    "The tower is as high as the bridge is long.",
]


class Answer(Grounded):
    text: Annotated[str, Entailed()]


class CitedAnswer(Grounded):
    text: Annotated[str, Cited()]


class Reading:
    """An engine that reads much at once and says a lot about itself."""

    languages = ("en",)
    window = 4096
    identity = "reading 1"
    calls_at_once = 3
    questions_at_once = 7
    queue_timeout = 90.0

    def __init__(self) -> None:
        #: With these, a score of 0.9 entails a statement alone, and none of a longer text.
        self.evidence_weights = {
            "statement": [1.0, 0.0],
            "text": [1.0, -4.0],
            "sentence": [1.0, -4.0],
        }

    def count_tokens(self, text: str) -> int:
        return len(text.split())

    def score(self, pairs: Sequence[Pair], /) -> list[NLIScores]:
        return [contained(pair) if len(pair.premise) % 2 else NEUTRAL for pair in pairs]

    def load(self) -> str:
        return "loaded"


class Tracing(EngineWrapper):
    """A wrapper that does something beside scoring, as a cache or a trace does."""

    def __init__(self, engine: NLIScorer) -> None:
        super().__init__(engine)
        self.calls = 0

    def score(self, pairs: Sequence[Pair], /) -> Sequence[NLIScores]:
        self.calls += 1
        return super().score(pairs)


ENGINES: dict[str, Callable[[], Any]] = {
    "bundled": OnnxNLI,
    "scripted": ScriptedNLI,
    "reading": Reading,
}
WRAPPERS: dict[str, Callable[[Any], Any]] = {
    "plain": EngineWrapper,
    "languages": lambda engine: DeclaredLanguages(engine, "any"),
    "languages of Judges": lambda engine: nli_engine(Judges(nli=engine, languages="en")),
    "counting": CountingNLI,
    "tracing": Tracing,
    "two": lambda engine: Tracing(DeclaredLanguages(engine, "en")),
    "copied": lambda engine: copy.copy(DeclaredLanguages(engine, "en")),
}
SAID = (
    *("languages", "window", "identity", "evidence_weights", "queue_timeout"),
    *("calls_at_once", "questions_at_once", "count_tokens", "load"),
)


def test_every_wrapper_is_tested() -> None:
    def below(kind: type[Any]) -> Iterator[type[Any]]:
        for wrapper in kind.__subclasses__():
            yield wrapper
            yield from below(wrapper)

    tested = {DeclaredLanguages, CountingNLI, Tracing}
    others = {kind for kind in below(EngineWrapper) if kind.__module__.startswith("groundtypes")}
    assert others <= tested


@pytest.mark.parametrize("wrap", WRAPPERS.values(), ids=WRAPPERS)
@pytest.mark.parametrize("make", ENGINES.values(), ids=ENGINES)
def test_a_wrapper_changes_no_verdict(make: Callable[[], Any], wrap: Callable[[Any], Any]) -> None:
    engine = make()
    wrapped = wrap(engine)
    for statement in STATEMENTS:
        assert entail(REFERENCES, statement, nli=wrapped) == entail(
            REFERENCES, statement, nli=engine
        )
    for model, text in ((Answer, " ".join(STATEMENTS)), (CitedAnswer, f"{STATEMENTS[0]} [bridge]")):
        verdicts = [
            audit(
                model,
                {"text": text},
                context={"references": REFERENCES, "judges": Judges(nli=nli)},
            ).verdicts
            for nli in (engine, wrapped)
        ]
        assert verdicts[0] == verdicts[1]
        assert verdicts[0]


def test_the_evidence_weights_decide_something_here() -> None:
    """Else the test above would pass with a wrapper that hides them."""

    class Hiding:
        def __init__(self, engine: NLIScorer) -> None:
            self.score = engine.score

    engine = OnnxNLI()
    judged = [entail(REFERENCES, statement, nli=engine) for statement in STATEMENTS]
    merged = [entail(REFERENCES, statement, nli=Hiding(engine)) for statement in STATEMENTS]
    assert judged != merged


@pytest.mark.parametrize("wrap", WRAPPERS.values(), ids=WRAPPERS)
@pytest.mark.parametrize("make", ENGINES.values(), ids=ENGINES)
def test_a_wrapper_hands_on_what_the_engine_says(
    make: Callable[[], Any], wrap: Callable[[Any], Any]
) -> None:
    engine = make()
    wrapped = wrap(engine)
    declares = "languages" in vars(wrapped) or "languages" in vars(getattr(wrapped, "engine", None))
    for name in SAID:
        if name == "languages" and declares:
            continue
        missing = object()
        assert getattr(wrapped, name, missing) == getattr(engine, name, missing) or (
            not hasattr(wrapped, name) and not hasattr(engine, name)
        )
    assert not hasattr(wrapped, "no_such_attribute")
    assert isinstance(wrapped, NLIScorer)


@pytest.mark.parametrize("wrap", WRAPPERS.values(), ids=WRAPPERS)
@pytest.mark.parametrize("make", ENGINES.values(), ids=ENGINES)
def test_a_calibration_of_the_engine_is_one_of_its_wrapper(
    make: Callable[[], Any], wrap: Callable[[Any], Any]
) -> None:
    engine = make()
    assert engine_id(wrap(engine)) == engine_id(engine)


@pytest.mark.parametrize(
    "wrapped",
    [DeclaredLanguages(OnnxNLI(), "de"), Tracing(Reading()), EngineWrapper(ScriptedNLI(contained))],
    ids=["languages", "tracing", "plain"],
)
def test_a_wrapper_can_be_copied(wrapped: EngineWrapper) -> None:
    copied = copy.copy(wrapped)
    assert copied.engine is wrapped.engine
    assert vars(copied) == vars(wrapped)


@pytest.mark.parametrize("engine", [OnnxNLI(), Reading()], ids=["bundled", "reading"])
def test_a_wrapper_can_be_pickled(engine: Any) -> None:
    wrapped = DeclaredLanguages(engine, "en")
    for again in (pickle.loads(pickle.dumps(wrapped)), copy.deepcopy(wrapped)):  # noqa: S301 # our own
        assert again.languages == ("en",)
        assert type(again.engine) is type(engine)
        assert engine_id(again) == engine_id(engine)


def test_an_object_without_an_engine_has_no_attributes() -> None:
    empty = DeclaredLanguages.__new__(DeclaredLanguages)
    assert not hasattr(empty, "window")
    assert not hasattr(empty, "engine")


def test_only_a_wrapper_that_leaves_the_scores_to_the_engine_is_passed_over() -> None:
    engine = Reading()
    assert asked_engine(DeclaredLanguages(DeclaredLanguages(engine, "de"), "en")) is engine
    tracing = Tracing(engine)
    assert asked_engine(DeclaredLanguages(tracing, "en")) is tracing
    assert asked_engine(engine) is engine
    entail(REFERENCES, STATEMENTS[0], nli=DeclaredLanguages(tracing, "any"))
    assert tracing.calls == 1


def test_a_wrapper_keeps_the_contract_of_every_engine() -> None:
    check_scorer(EngineWrapper(ScriptedNLI(contained)))
