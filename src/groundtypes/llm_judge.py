"""What a judge is asked about a whole text: a rule, faithfulness, alignment."""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from groundtypes.evidence.passages import Shown
from groundtypes.evidence.premises import Premise, select_premises
from groundtypes.judges import llm_engine
from groundtypes.ledger import Ledger
from groundtypes.prompts.prompt import ALIGN, FAITHFUL, JUDGE_RULE
from groundtypes.prompts.response_models import Judgement
from groundtypes.references import References
from groundtypes.scoring import Question
from groundtypes.text.hypotheses import hypotheses

__all__ = [
    "Hallucination",
    "ahallucination",
    "alignment_question",
    "faithful_question",
    "hallucination",
    "rule_question",
    "shown_texts",
]

#: A judge reads references of so many characters in all; of longer ones the passages that bear on
#: the text.
_CONTEXT: Final = 24_000
_EACH: Final = 3
#: So much of a text is judged in one question.
_TEXT: Final = 20_000
_QUESTION: Final = 2_000


@dataclass(frozen=True, slots=True)
class Hallucination:
    """Whether an output says what its context does not: `score` is 1 if it does, else 0."""

    score: int
    reasons: tuple[str, ...]
    tokens: int = 0


def rule_question(
    rule: str, text: str, references: References | None, question: str | None
) -> Question:
    """Return the question whether a text keeps a rule; with references if the rule needs them."""
    shown = [] if references is None else shown_texts(references, text)
    asked = [("question", (question or "")[-_QUESTION:]), ("text", text[:_TEXT])]
    # The rule is the developer's own, and stands in a fence only so that it has a place.
    return JUDGE_RULE.question(("rule", rule), *shown, *asked)


def faithful_question(text: str, references: References, question: str | None) -> Question:
    """Return the question whether a text is faithful to the references."""
    return FAITHFUL.question(
        *shown_texts(references, text, name="context"),
        ("question", (question or "")[-_QUESTION:]),
        ("answer", text[:_TEXT]),
    )


def alignment_question(
    answer: str, citations: Sequence[str], references: References, question: str | None
) -> Question:
    """Return the question whether answer, citations and question fit together."""
    cited = [(f"citation {number}", text) for number, text in enumerate(citations, 1)]
    return ALIGN.question(
        *shown_texts(references, answer),
        ("question", (question or "")[-_QUESTION:]),
        *cited,
        ("answer", answer[:_TEXT]),
    )


def shown_texts(
    references: References, text: str, name: str = "reference"
) -> list[tuple[str, str]]:
    """Return the references under their names: all, or of long ones what bears on the text."""
    whole = sum(map(len, references.texts)) <= _CONTEXT
    texts = references.texts if whole else Shown.of(_bearing(references, text), references).texts
    return [(f"{name} {number}", shown) for number, shown in enumerate(texts, 1)]


def _bearing(references: References, text: str) -> Iterator[Premise]:
    """Yield the passages that bear on the sentences of a text, up to what a judge reads."""
    left = _CONTEXT
    seen = set()
    for sentence in hypotheses(text[:_TEXT]):
        for premise in select_premises(references, sentence.text, _EACH):
            if premise.span not in seen and len(premise.text) <= left:
                seen.add(premise.span)
                left -= len(premise.text)
                yield premise


def hallucination(input: str, output: str, context: Any, *, llm: Any) -> Hallucination:  # noqa: A002 # as in the metric it is named after
    """Return whether an output says anything that its context does not, with reasons.

    `input` is the question, `context` references of any shape, `llm` what `Judges(llm=...)` takes.
    The verdict is that of Opik's metric of this name, with a prompt of our own.

    Raises:
        Mistake: The context cannot be read, or the LLM is missing or fails.
    """
    question = faithful_question(output, References.of(context), input or None)
    [reply] = Ledger().settled(llm_engine(llm), [question])
    found = reply.answer
    assert isinstance(found, Judgement)  # noqa: S101 # the engine answers with the model asked for
    return Hallucination(
        int(not found.holds), tuple(found.reasons), reply.tokens_in + reply.tokens_out
    )


async def ahallucination(input: str, output: str, context: Any, *, llm: Any) -> Hallucination:  # noqa: A002 # the same
    """Return what `hallucination` returns, without blocking the event loop."""
    return await asyncio.to_thread(hallucination, input, output, context, llm=llm)
