"""What an engine returns is one result of the right kind for each question, or its own mistake."""

import gc
import subprocess
import sys
from collections.abc import Callable, Sequence
from typing import Annotated, Any

import pytest

from groundtypes import (
    Entailed,
    Faithful,
    Grounded,
    Judged,
    Judges,
    Pair,
    Supported,
    audit,
)
from groundtypes.backends.engine_calls import call_engine
from groundtypes.errors import BackendError
from groundtypes.prompts.response_models import Judgement
from groundtypes.scoring import CalibratedScores, NLIScores, Question, Reply
from groundtypes.testing import ENTAILED


class Entailing(Grounded):
    text: Annotated[str, Entailed()]


class Unchecked(NLIScores):
    def __post_init__(self) -> None: ...


class Engine:
    """Returns what a function makes of the questions, by either method."""

    def __init__(self, rule: Callable[[Sequence[Any]], Any]) -> None:
        self.score = rule


class LLMEngine:
    def __init__(self, rule: Callable[[Sequence[Any]], Any]) -> None:
        self.answer = rule


NLI_FAULTS: dict[str, tuple[Callable[[Sequence[Any]], Any], str]] = {
    "tuples": (lambda pairs: [(0.9, 0.1, 0.0) for _ in pairs], "type tuple for a pair"),
    "None in the list": (lambda pairs: [None for _ in pairs], "None for a pair, not NLIScores"),
    "texts": (lambda pairs: ["entailment" for _ in pairs], "type str for a pair"),
    "numbers": (lambda pairs: [0.9 for _ in pairs], "type float for a pair"),
    "a text": (lambda pairs: "x" * len(pairs), "type str for a pair"),
    "a mapping": (lambda pairs: dict.fromkeys(pairs, ENTAILED), "type Pair for a pair"),
    "one good and one not": (lambda pairs: [*[ENTAILED] * (len(pairs) - 1), 1], "type int"),
    "NaN": (
        lambda pairs: [Unchecked(float("nan"), 0.0, 1.0) for _ in pairs],
        "Unchecked that are not three probabilities",
    ),
    "no probabilities": (
        lambda pairs: [Unchecked(2.0, -1.0, 0.0) for _ in pairs],
        "Unchecked that are not three probabilities",
    ),
    "None": (lambda pairs: None, "NoneType, not a sequence"),
    "a generator": (lambda pairs: (ENTAILED for _ in pairs), "generator, not a sequence"),
    "too few": (lambda pairs: [ENTAILED] * (len(pairs) - 1), "results for"),
    "too many": (lambda pairs: [ENTAILED] * (len(pairs) + 1), "results for"),
}


@pytest.mark.parametrize(("rule", "message"), NLI_FAULTS.values(), ids=NLI_FAULTS)
def test_scores_of_another_kind_are_a_mistake_of_the_engine(
    rule: Callable[[Sequence[Any]], Any], message: str
) -> None:
    text = "It is tall. It is old."
    context = {"references": "It is tall. It is very old.", "judges": Judges(nli=Engine(rule))}
    with pytest.raises(BackendError, match=f"^Engine returned .*{message}"):
        audit(Entailing, {"text": text}, context=context)


def test_scores_of_a_subclass_are_scores() -> None:
    pair = Pair("It is tall.", "It is tall.")
    returned = [ENTAILED, CalibratedScores(0.9, 0.08, 0.02, ENTAILED), Unchecked(1, 0, 0)]
    outcome = call_engine(Engine(lambda _: returned), [pair] * 3)
    assert (outcome.mistake, list(outcome.results)) == (None, returned)


LLM_FAULTS: dict[str, tuple[Callable[[Sequence[Any]], Any], str]] = {
    "None in the list": (lambda asked: [None for _ in asked], "None for a question, not a Reply"),
    "texts": (lambda asked: ["yes" for _ in asked], "type str for a question"),
    "an answer that is None": (
        lambda asked: [Reply(None) for _ in asked],  # type: ignore[arg-type] # what is tested
        "a Reply whose answer is None, not",
    ),
    "an answer of another model": (
        lambda asked: [Reply(Entailing.model_construct(text="x")) for _ in asked],
        "whose answer is an object of type Entailing, not",
    ),
    "None": (lambda asked: None, "NoneType, not a sequence"),
    "nothing": (lambda asked: [], "0 results for"),
}


@pytest.mark.parametrize("check", [Judged("It is kind."), Faithful(), Supported()], ids=repr)
@pytest.mark.parametrize(("rule", "message"), LLM_FAULTS.values(), ids=LLM_FAULTS)
def test_replies_of_another_kind_are_a_mistake_of_the_engine(
    rule: Callable[[Sequence[Any]], Any], message: str, check: Any
) -> None:
    class Answer(Grounded):
        text: Annotated[str, check]

    context = {"references": "It is tall.", "judges": Judges(llm=LLMEngine(rule))}
    with pytest.raises(BackendError, match=f"^LLMEngine returned .*{message}"):
        audit(Answer, {"text": "It is tall."}, context=context)


def test_a_reply_may_be_of_a_subclass_of_the_model() -> None:
    class Stricter(Judgement):
        pass

    answer = Stricter(reasons=[], holds=True)
    question = Question("rule.v1", "", "", Judgement)
    outcome = call_engine(LLMEngine(lambda _: [Reply(answer)]), [question])
    assert (outcome.mistake, outcome.results[0].answer) == (None, answer)


def test_a_coroutine_is_a_mistake_that_is_not_left_unawaited() -> None:
    async def score(pairs: Any) -> Any:
        return [ENTAILED for _ in pairs]

    outcome = call_engine(Engine(score), [Pair("a", "b")])
    assert "must not be async" in str(outcome.mistake)
    gc.collect()  # warnings are errors here


CANCELLED = """
import asyncio, gc, logging, threading
from typing import Annotated
from groundtypes import Entailed, Grounded, Judges, aaudit, aaudit_many, nonblocking
from groundtypes.testing import ENTAILED

class Answer(Grounded):
    text: Annotated[str, Entailed()]

class Slow:
    def score(self, pairs):
        threading.Event().wait(0.5)
        return [ENTAILED for _ in pairs]

def context():
    return {"references": "It is very tall.", "judges": Judges(nli=Slow())}

DATA = {"text": "It is tall."}

async def validate():
    return Answer.model_validate(DATA, context=context())

async def several():
    await asyncio.gather(*(aaudit(Answer, DATA, context=context()) for _ in range(3)))

async def refused():
    try:
        await nonblocking(asyncio.gather(asyncio.sleep(3600)))
    except TypeError:
        await asyncio.sleep(3600)

logging.getLogger("asyncio").setLevel(logging.ERROR)  # not that a machine is slow
for make in (
    lambda: aaudit(Answer, DATA, context=context()),
    lambda: aaudit_many(Answer, [DATA], context=context()),
    lambda: nonblocking(validate()),
    several,
    refused,
):
    try:
        asyncio.run(asyncio.wait_for(make(), 0.1))
    except TimeoutError:
        print("cancelled")
    gc.collect()
"""


def test_an_audit_that_is_cancelled_leaves_no_warning() -> None:
    done = subprocess.run(
        [sys.executable, "-X", "dev", "-W", "error", "-c", CANCELLED],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert done.stdout.split() == ["cancelled"] * 5
    assert done.stderr == ""
