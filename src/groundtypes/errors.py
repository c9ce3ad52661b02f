"""Every slug, every message and every exception, in one place.

Two kinds of failure never mix. A *fault* is the answer's: it reaches the LLM as a line of a
`pydantic.ValidationError`, under a stable slug. A *mistake* is the developer's or the world's: it
is an exception that Pydantic does not turn into a fault, so that no LLM is asked to repair an
outage.
"""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

__all__ = [
    "FAULTS",
    "SLUGS",
    "BackendError",
    "BudgetError",
    "CheckError",
    "ContextError",
    "DatasetError",
    "MarkerError",
    "MissingJudgeError",
    "MissingReferencesError",
    "Mistake",
    "RecordingError",
    "ReferencesError",
    "clip",
    "excerpt",
    "fault_message",
]


class Mistake(Exception):
    """A mistake of the developer or the world: never a fault of the answer, never re-asked.

    It is deliberately no `ValueError` and no `AssertionError`, because Pydantic turns those into
    validation errors.
    """


class MissingReferencesError(Mistake):
    """The validation context holds no references."""

    def __init__(self, found: Iterable[object] | None = None) -> None:
        """Take the keys that the context does hold; their values are never shown."""
        keys = None if found is None else sorted(clip(str(key), 40) for key in found)[:10]
        seen = "There is no context." if keys is None else f"The context holds {keys or 'nothing'}."
        super().__init__(
            f"The validation context has no 'references'. {seen} "
            "Pass context={'references': ...}: a text, a list of texts, a mapping from id to "
            "text, or documents. An empty list says that there are none."
        )


class ReferencesError(Mistake):
    """The references have a shape, an id or a content that cannot be read."""


class ContextError(Mistake):
    """The validation context, apart from its references, is not what a check can use."""


class MissingJudgeError(Mistake):
    """A check needs an engine that nobody has configured."""


class BackendError(Mistake):
    """An engine failed or answered rubbish; its own error is the cause."""


class BudgetError(Mistake):
    """What an engine may spend is spent."""


class CheckError(Mistake):
    """A check itself broke: a bug, with the original error as the cause."""


class DatasetError(Mistake):
    """A data set cannot be read, checked or written as asked: its files, options or model."""


class RecordingError(Mistake):
    """The calls of an LLM client cannot be recorded, or a recording cannot be written or read."""


class MarkerError(Mistake, TypeError):
    """A marker stands where it can judge nothing, or names a field that is not there."""


_COPY: Final = "Copy the quote word for word from one of the references, or remove this item."

#: Slug -> message. A message says what is wrong, then what to do. Placeholders are filled in one
#: pass by `fault_message`, so that braces in a quote or a reference stay what they are.
FAULTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "quote_not_found": "These words stand in no reference. " + _COPY,
        "quote_not_found_nearest": (
            "These words stand in no reference. The closest passage is in reference {reference}: "
            "{passage} Copy a quote from there word for word, or remove this item."
        ),
        "quote_altered": (
            "WRONG: {difference}. RIGHT: {passage} Use the RIGHT words of reference {reference}, "
            "exactly as they are."
        ),
        "quote_cut": (
            "The quote starts or ends inside a word or a number. Reference {reference} reads: "
            "{passage} Copy whole words and numbers."
        ),
        "quote_in_other_reference": (
            "These words do not stand in reference {named}, but in reference {reference}. "
            "Name reference {reference}, or quote from {named}."
        ),
        "reference_unknown": (
            "There is no reference {named}. Name the reference that the quote is copied from, "
            "one of: {known}."
        ),
        "quote_too_short": (
            "The quote is too short to prove anything: it has fewer than {limit} words. "
            "Copy the whole phrase or sentence from the reference."
        ),
        "quote_too_long": (
            "The quote is too long: it has {count} words, and at most {limit} are allowed. "
            "Copy only the part that proves the point."
        ),
        "quote_whole_reference": (
            "The quote is the whole of reference {reference}, which proves nothing in particular. "
            "Copy only the part that proves the point."
        ),
        "not_entailed": (
            "This does not follow from {grounds}: {sentence}. The closest passage, in {where}, "
            "says: {passage}. Say only what it says, or remove this sentence."
        ),
        "not_entailed_nothing": (
            "This does not follow from {grounds}, for there is no text in them: {sentence}. "
            "Remove this sentence."
        ),
        "not_entailed_empty": (
            "There is no statement here that could follow from a reference. Write one that does."
        ),
        "contradicted": (
            "This contradicts {grounds}: {sentence}. The passage, in {where}, says: {passage}. "
            "Correct the sentence so that it says the same."
        ),
        "refused_refusal": (
            "This refuses to answer: {sentence} Answer the question from the references."
        ),
        "refused_abstention": (
            "This says that the information is missing: {sentence} Look for it in the references "
            "once more, and answer from them."
        ),
        "refused_answerable": (
            "This says that the information is missing: {sentence} But {where} seems to hold it: "
            "{passage} Answer from there."
        ),
        "refused_partial": (
            "This refuses in part: {sentence} Leave that out, and answer the question in full."
        ),
        "refused_empty": "There is no answer here. Answer the question from the references.",
        "figure_unsupported": (
            "{figure} does not stand in {place}. The nearest figures there: {nearest}. "
            "Use a figure that stands there, with its unit, or say it without a figure."
        ),
        "figure_unsupported_alone": (
            "{figure} does not stand in {place}, and no figure like it does. "
            "Say it without a figure, or remove it."
        ),
        "claim_contradicted": (
            "Reference {reference} contradicts the claim {claim}. It says: {passage}. "
            "Correct the claim so that it says the same."
        ),
        "claim_unsupported": (
            "No reference bears out the claim {claim}. The closest passage, in reference "
            "{reference}, says: {passage}. Say only what it says, or remove the claim."
        ),
        "claim_unsupported_nothing": (
            "No reference bears out the claim {claim}, for none says anything of it. Remove it."
        ),
        "claim_unsupported_none": (
            "There is no claim here that a reference could bear out. Write one that is."
        ),
        "judged_false": (
            "This breaks the rule: {rule} Reasons: {reasons} Change it so that the rule holds."
        ),
        "unfaithful": (
            "This says something that the references do not. Reasons: {reasons} "
            "Say only what the references say."
        ),
        "uncited": "The answer cites nothing. Add citations that bear out what it says.",
        "question_missed": (
            "This does not answer the question. Reasons: {reasons} Answer what is asked."
        ),
        "misaligned": (
            "The citations do not bear out the answer. Reasons: {reasons} "
            "Cite what bears it out, or say only what the citations bear out."
        ),
    }
)

#: The slug under which a wording is raised, where several wordings share one.
SLUGS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "quote_not_found_nearest": "quote_not_found",
        "quote_cut": "quote_altered",
        "quote_whole_reference": "quote_too_long",
        "not_entailed_nothing": "not_entailed",
        "not_entailed_empty": "not_entailed",
        "figure_unsupported_alone": "figure_unsupported",
        "refused_refusal": "refused",
        "refused_abstention": "refused",
        "refused_answerable": "refused",
        "refused_partial": "refused",
        "refused_empty": "refused",
        "claim_unsupported_nothing": "claim_unsupported",
        "claim_unsupported_none": "claim_unsupported",
    }
)

_MESSAGE_LIMIT: Final = 700


def fault_message(wording: str, /, **values: object) -> tuple[str, str]:
    """Return the slug and the finished message of a wording in `FAULTS`, at most 700 characters.

    Values are filled in once and never read as templates.
    """
    filled = FAULTS[wording].format(**values)
    return SLUGS.get(wording, wording), clip(filled, _MESSAGE_LIMIT)


def clip(text: str, limit: int) -> str:
    """Return the text, cut at a word boundary with an ellipsis when it is over `limit` long."""
    if len(text) <= limit:
        return text
    head = text[: limit - 1]
    space = head.rfind(" ", limit // 2)
    return (head[:space] if space > 0 else head).rstrip() + "…"


def excerpt(text: str, limit: int) -> str:
    """Return the text on one line between quotation marks, cut like `clip`."""
    return f'"{clip(" ".join(text.split()), limit)}"'
