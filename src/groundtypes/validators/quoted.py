"""`Quoted` and `Quote`: words that stand in a reference."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, Self

from groundtypes.errors import CheckError, MarkerError, clip, fault_message
from groundtypes.quotes import MatchKind, NearMiss, QuoteMatch
from groundtypes.quotes.scanner import count_words
from groundtypes.quotes.search import search
from groundtypes.references import Reference, Span
from groundtypes.validators.case import Case
from groundtypes.validators.check import Check
from groundtypes.verdicts import Verdict

__all__ = ["Quote", "Quoted", "QuotedText"]

#: A reference of at most this many words may be quoted as a whole: it is one statement.
_WHOLE_REFERENCE_WORDS: Final = 40
#: No word is without one of these runs, and no run is two words.
_RUN: Final = re.compile(r"[A-Za-z]+|[0-9]+")
#: Every one of these is a word.
_PLAIN_WORD: Final = re.compile(r"(?<!\S)[A-Za-z]{2,}(?!\S)")


class QuotedText(str):
    """The words of a reference, as they stand there; a string that knows where it is from."""

    __slots__ = ("how", "span")

    span: Span
    how: MatchKind

    def __new__(cls, text: str, span: Span, how: MatchKind) -> Self:
        """Return the text of a match with its place."""
        self = super().__new__(cls, text)
        self.span = span
        self.how = how
        return self

    def __getnewargs__(self) -> tuple[str, Span, MatchKind]:  # type: ignore[override] # copies and pickles keep the place, which str's own one-element tuple would lose
        return str(self), self.span, self.how


@dataclass(frozen=True, slots=True, kw_only=True)
class Quoted(Check):
    """Holds when the value stands in a reference, word for word up to typography.

    The value becomes the reference's own words, a `QuotedText` with its `span`.

    Options:
        of: The sibling field that names the reference which must hold the quote. Where that
            field is `None`, any reference may.
        min_words: A quote of fewer words proves nothing (`quote_too_short`). A word has at least
            two letters or digits; in scripts without spaces two characters count as a word.
        max_words: A quote of more words, or of a whole reference of more than 40 words, proves
            nothing in particular (`quote_too_long`). What counts is the stretch that is stored,
            with what an ellipsis leaves out. `None`: no limit.
        fuzzy: Tolerate typos: a dropped, doubled or swapped letter in a longer word,
            and a punctuation mark more or less; never another word, number or name.
        on_fault: `"drop"` leaves the list item out in which the quote stands. A quote that
            stands in no list is a fault all the same.
        describe: Add the rule to the description in the JSON schema, where the LLM reads it.
    """

    of: str | None = None
    min_words: int = 2
    max_words: int | None = 80
    fuzzy: bool = False
    on_fault: Literal["raise", "drop"] = "raise"

    def __post_init__(self) -> None:
        if self.min_words < 0 or (self.max_words is not None and self.max_words < self.min_words):
            raise MarkerError(
                f"min_words={self.min_words} and max_words={self.max_words} admit no quote"
            )
        if self.on_fault not in ("raise", "drop"):
            raise MarkerError(f"on_fault is 'raise' or 'drop', not {self.on_fault!r}")

    @property
    def rule(self) -> str:
        """The sentence for the JSON schema."""
        where = f"the reference named in {self.of}" if self.of else "one of the references"
        return f"Copy this word for word from {where}."

    @property
    def siblings(self) -> Sequence[str]:
        """The field that names the reference."""
        return (self.of,) if self.of else ()

    @property
    def drops(self) -> bool:
        """Whether a failing item of a list is left out."""
        return self.on_fault == "drop"

    def judge(self, value: str, case: Case) -> Verdict:
        """Find the quote in the references."""
        references = case.references
        named = case.sibling(self.of) if self.of else None
        within = None if named is None else str(named)
        if within is not None and within not in references:
            known = ", ".join(clip(id_, 40) for id_ in references.ids[:10]) or "there are none"
            return self._fault("reference_unknown", named=clip(str(named), 40), known=known)
        found = search(value, references, fuzzy=self.fuzzy, within=within)
        if isinstance(found, QuoteMatch):
            return self._weigh(found, references[found.span.reference])
        if within is not None and len(references) > 1:
            elsewhere = search(value, references, fuzzy=self.fuzzy)
            if isinstance(elsewhere, QuoteMatch) and not elsewhere.cut:
                return self._fault(
                    "quote_in_other_reference",
                    elsewhere.span,
                    named=clip(within, 40),
                    reference=clip(elsewhere.span.reference, 40),
                )
        return self._miss(found)

    def replace(self, value: str, verdicts: Sequence[Verdict], case: Case) -> QuotedText:  # noqa: ARG002 # the reference's words take its place
        """Return the reference's own words."""
        (verdict,) = verdicts
        span = verdict.span
        if span is None or verdict.label is None:  # pragma: no cover # `_weigh` gives both
            raise CheckError("a quote that holds has no span")
        text = case.references[span.reference].text[span.start : span.end]
        return QuotedText(text, span, MatchKind(verdict.label))

    def _weigh(self, match: QuoteMatch, reference: Reference) -> Verdict:
        """Judge a quote that stands in a reference: is it whole, and does it prove anything?"""
        if match.cut:
            return self._fault(
                "quote_cut",
                match.span,
                reference=clip(reference.id, 40),
                passage=_quoted(_around(reference.text, match.span)),
            )
        whole = self.max_words is not None and match.text.strip() == reference.text.strip()
        most = min(self.max_words or 0, _WHOLE_REFERENCE_WORDS) if whole else self.max_words
        if not _surely_within(match.text, self.min_words, most):
            count = count_words(match.text)
            if count < self.min_words:
                return self._fault("quote_too_short", match.span, limit=self.min_words)
            if self.max_words is not None and count > self.max_words:
                return self._fault("quote_too_long", match.span, count=count, limit=self.max_words)
            if whole and count > _WHOLE_REFERENCE_WORDS:
                return self._fault(
                    "quote_whole_reference", match.span, reference=clip(reference.id, 40)
                )
        return self.holds(label=match.how.value, score=1.0, span=match.span)

    def _miss(self, near: NearMiss | None) -> Verdict:
        if near is None:
            return self._fault("quote_not_found")
        values = {
            "reference": clip(near.span.reference, 40),
            "passage": _quoted(near.passage),
        }
        wording = "quote_not_found_nearest"
        if near.altered:
            wording = "quote_altered"
            values["difference"] = near.explain()
        return self._fault(wording, near.span, near.similarity, **values)

    def _fault(
        self, wording: str, span: Span | None = None, score: float | None = None, **values: Any
    ) -> Verdict:
        slug, message = fault_message(wording, **values)
        return self.fails(slug, message, span=span, score=score)


def _surely_within(text: str, least: int, most: int | None) -> bool:
    """Whether a glance at plain ASCII tells that it has `least` to `most` words.

    Most quotes have, and a glance costs a tenth of the count.
    """
    if not text.isascii() or any(mark in text for mark in "&<["):
        return False
    few_enough = most is None or len(_RUN.findall(text)) <= most
    return few_enough and len(_PLAIN_WORD.findall(text)) >= least


def _quoted(passage: str) -> str:
    return f'"{passage}".'


def _around(text: str, span: Span) -> str:
    """Return the match with the words that it cuts, at most 200 characters."""
    start, end = span.start, span.end
    floor, ceiling = max(0, start - 40), min(len(text), end + 40)
    while start > floor and not text[start - 1].isspace():
        start -= 1
    while end < ceiling and not text[end].isspace():
        end += 1
    return clip(" ".join(text[start:end].split()), 200)


if TYPE_CHECKING:
    # For a type checker the validated value is what it is at run time: a string with a span.
    Quote = Annotated[QuotedText, Quoted()]
else:
    Quote = Annotated[str, Quoted()]
