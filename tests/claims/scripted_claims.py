"""An LLM that extracts and labels claims by a script, and models whose claims it checks."""

from collections.abc import Sequence
from typing import Annotated, Any

from groundtypes import Grounded, Judges, Label, Supported, audit
from groundtypes.claims import ClaimTriplet
from groundtypes.prompts.response_models import (
    LABELS,
    Claim,
    ClaimLabel,
    ClaimLabels,
    Claims,
    LabelWord,
    NumberedLabel,
    StatementLabel,
    Statements,
)
from groundtypes.scoring import Question
from groundtypes.testing import ScriptedLLM

TOWER = "The tower was finished in 1889. It is 330 metres tall."
REFERENCES = {"tower": TOWER, "other": "The moon orbits the earth."}
FINISHED = ClaimTriplet("The tower", "was finished in", "1889")
TALL = ClaimTriplet("The tower", "is", "330 metres tall")
FIRST, SECOND = "The tower was finished in 1889.", "The tower is 330 metres tall."
BOTH = f"{FIRST} {SECOND}"


class Answer(Grounded):
    text: Annotated[str, Supported()]


class Extracting(Grounded):
    text: Annotated[str, Supported(calls="two")]


def scripted(
    claims: list[tuple[int, ClaimTriplet]], labels: dict[str, Label], **more: Any
) -> ScriptedLLM:
    """Return an LLM that extracts these claims, and labels texts by a part of their words."""

    word_of_label = {label: word for word, label in LABELS.items()}

    def label(text: str) -> LabelWord:
        matching = (name for part, name in labels.items() if part in text)
        return word_of_label[next(matching, Label.NEUTRAL)]

    def rule(question: Question) -> Any:
        if question.response_model is Claims:
            return Claims(
                claims=[
                    Claim(sentence=n, subject=c.subject, predicate=c.predicate, object=c.object)
                    for n, c in claims
                ]
            )
        if question.response_model is Statements:
            return Statements(
                labels=[
                    StatementLabel(sentence=n, passage=1, label=label(line))
                    for n, line in enumerate(lines_of(question, "sentences"), 1)
                ]
            )
        if question.response_model is ClaimLabels:
            numbered = [
                NumberedLabel(claim=n, passage=1, label=label(line))
                for n, line in enumerate(lines_of(question, "claims"), 1)
            ]
            return ClaimLabels(labels=more.get("edit_labels", lambda labels: labels)(numbered))
        return ClaimLabel(label=label(question.content.split("[claim ")[1]), passage=1)

    return ScriptedLLM(rule)


def lines_of(question: Question, name: str) -> list[str]:
    """Return the numbered lines of a text of a question."""
    return question.content.split(f"[{name} ")[1].split("[end ")[0].splitlines()[1:]


def context(llm: Any, **more: Any) -> dict[str, Any]:
    return {"references": REFERENCES, "judges": Judges(llm=llm, **more)}


def stating(
    statements: Sequence[tuple[int, str | None, LabelWord]], labels: dict[str, Label] | None = None
) -> ScriptedLLM:
    """Return an LLM that extracts and labels these in one call, and labels others as `scripted`."""
    plain = scripted([], labels or {})

    def rule(question: Question) -> Any:
        if question.response_model is not Statements:
            return plain.rule(question)
        return Statements(
            labels=[
                StatementLabel(sentence=sentence, statement=text, label=label, passage=1)
                for sentence, text, label in statements
            ]
        )

    return ScriptedLLM(rule)


def labels_and_reasons(llm: ScriptedLLM, text: str = BOTH) -> list[tuple[str, str | None]]:
    result = audit(Answer, {"text": text}, context=context(llm))
    return [((v.reason or "").strip('"'), v.label) for v in result.verdicts]
