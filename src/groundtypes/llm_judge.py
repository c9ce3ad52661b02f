"""What an LLM judge is asked about a whole text: a rule, faithfulness, alignment with citations.

The functions `*_question` build the questions that the markers `Judged`, `Faithful` and `Aligned`
ask through their ledger; `hallucination` asks immediately. The instructions are files in
`groundtypes.prompts`; references and text are shown as data.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from groundtypes.concurrency.threads import run_in_thread
from groundtypes.entailment.evidence.prompt_passages import relevant_references
from groundtypes.judges import llm_engine
from groundtypes.ledger import Ledger
from groundtypes.prompts.prompt import ALIGN, FAITHFUL, JUDGE_RULE
from groundtypes.prompts.prompt_texts import question_text
from groundtypes.prompts.response_models import Judgement
from groundtypes.references import References
from groundtypes.scoring import Question

__all__ = [
    "Hallucination",
    "ahallucination",
    "alignment_question",
    "faithful_question",
    "hallucination",
    "rule_question",
]

#: How many characters of the text, and of the user's question, a prompt shows.
_MAX_TEXT: Final = 20_000
_MAX_QUESTION: Final = 2_000
_WORD: Final = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Hallucination:
    """Whether an answer states anything that its references do not: if so, `score` is 1, else 0."""

    score: int
    reasons: tuple[str, ...]
    tokens: int = 0


def rule_question(
    rule: str, text: str, references: References | None, user_question: str | None
) -> Question:
    """Return the question that asks an LLM whether a text follows a rule.

    `references` are those that the rule needs, if any.
    """
    prompt_references = [] if references is None else relevant_references(references, text)
    return JUDGE_RULE.question(
        # The rule is the developer's own: it goes into the data part only so that its position is
        # fixed.
        ("rule", rule),
        *prompt_references,
        question_text(user_question, _MAX_QUESTION),
        ("text", text[:_MAX_TEXT]),
    )


def faithful_question(text: str, references: References, user_question: str | None) -> Question:
    """Return the question that asks an LLM whether a text is faithful to the references."""
    return FAITHFUL.question(
        *relevant_references(references, text, name="context"),
        question_text(user_question, _MAX_QUESTION),
        ("answer", text[:_MAX_TEXT]),
    )


def alignment_question(
    answer: str, citations: Sequence[str], references: References, user_question: str | None
) -> Question:
    """Return the question that asks an LLM whether an answer is aligned.

    It is if it answers the user's question and its citations support it.
    """
    return ALIGN.question(
        *relevant_references(references, answer),
        question_text(user_question, _MAX_QUESTION),
        *((f"citation {number}", text) for number, text in enumerate(citations, 1)),
        ("answer", answer[:_MAX_TEXT]),
    )


def own_reasons(question: Question, reasons: Iterable[str]) -> list[str]:
    """Return reasons without the lines that an LLM has copied from the instructions."""
    instructions = _words(question.instructions)
    kept = (
        "\n".join(line for line in reason.splitlines() if _words(line) not in instructions)
        for reason in reasons
    )
    return [reason for reason in kept if reason]


def _words(text: str) -> str:
    return f" {' '.join(_WORD.findall(text.casefold()))} "


def hallucination(question: str, answer: str, references: Any, *, llm: Any) -> Hallucination:
    """Return whether an answer states anything that the references do not, with reasons.

    The result is that of Opik's metric of the same name; the prompt is our own.

    Args:
        question: The question that is answered; it may be empty.
        answer: The text that is judged.
        references: A text, a list of texts, a mapping from id to text, or documents.
        llm: What `Judges(llm=...)` takes.

    Raises:
        Mistake: The references cannot be read, or the LLM is missing or fails.
    """
    judge_question = faithful_question(answer, References.of(references), question or None)
    [reply] = Ledger().ask_now(llm_engine(llm), [judge_question])
    judgement = reply.answer
    assert isinstance(judgement, Judgement)  # noqa: S101 # the engine answers with the model asked for
    return Hallucination(
        int(not judgement.holds),
        tuple(own_reasons(judge_question, judgement.reasons)),
        reply.tokens_in + reply.tokens_out,
    )


async def ahallucination(question: str, answer: str, references: Any, *, llm: Any) -> Hallucination:
    """Return what `hallucination` returns, without blocking the event loop."""
    return await run_in_thread(hallucination, question, answer, references, llm=llm)
