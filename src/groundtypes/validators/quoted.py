"""`Quoted` and `Quote`: the value occurs in a reference."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, Self

from pydantic import GetJsonSchemaHandler, ValidationInfo
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from groundtypes.errors import CheckError, MarkerError, fault_message
from groundtypes.references import Reference, References, Span
from groundtypes.text.message_excerpts import in_quotation_marks, shown_id
from groundtypes.validators.case import Case, held_value
from groundtypes.validators.check import Check
from groundtypes.validators.claim_check import ClaimCheck
from groundtypes.validators.option_values import check_choices
from groundtypes.verdicts import Verdict

if TYPE_CHECKING:
    from groundtypes.quotes import MatchKind, NearMiss, QuoteMatch
    from groundtypes.quotes.word_limits import WordLimits

#: The template of each message that shows a passage, and of the same without one.
_WITHOUT_PASSAGE: Final = {
    "quote_altered": "quote_altered_alone",
    "quote_cut": "quote_cut_alone",
    "quote_not_found_nearest": "quote_not_found_near",
}


class QuotedText(str):
    """The exact words of a reference: a string with its span.

    Attributes:
        span: Where the words are; of a quote across two chunks, where it begins.
        spans: The spans of a quote that begins in one chunk of a source and ends in the next one.
        how: How the quote matched them: exactly, up to typography, up to typos, or repaired.
    """

    __slots__ = ("how", "span", "spans")

    span: Span
    spans: tuple[Span, ...]
    how: "MatchKind"

    def __new__(cls, text: str, span: Span, how: "MatchKind", spans: tuple[Span, ...] = ()) -> Self:
        """Return the text of a match with its span."""
        self = super().__new__(cls, text)
        self.span = span
        self.spans = spans
        self.how = how
        return self

    def __reduce__(self) -> "tuple[type[Self], tuple[str, Span, MatchKind, tuple[Span, ...]]]":
        """Copy and pickle the text with its span, in every protocol."""
        return type(self), (str(self), self.span, self.how, self.spans)


@dataclass(frozen=True, slots=True, kw_only=True)
class Quoted(ClaimCheck):
    """Holds when the value occurs in a reference, word for word up to typography.

    The value becomes the reference's own words, a `QuotedText` with its `span`.

    Args:
        of: The sibling field that names the reference to search. If that field is `None`, all
            references are searched.
        min_words: A quote of fewer words proves nothing (`quote_too_short`). A word is a run
            of letters and digits ("B12" and "1,200.50" are one, "well-known" is two); in scripts
            without spaces two characters count as a word. A whole value of a JSON value or table
            counts as two words.
        max_words: A quote of more words, or of a whole reference of more than 40 words, proves
            nothing in particular (`quote_too_long`). The words of the reference count, including
            those that an ellipsis leaves out. `None` means no limit.
        fuzzy: Tolerate typos (a dropped, doubled or swapped letter in at most one word of four) and
            added, missing or different punctuation marks (not inside a number); never another
            word, number or name.
        ellipsis: What an ellipsis between two parts of the quote may hide. `"strict"`: whole
            sentences, or words inside one sentence that neither reverse nor restrict it.
            `"lenient"`: anything but words that are known to do so. `"refuse"`: nothing.
        on_fault: `"drop"` removes the list item that contains the quote instead of raising. A
            quote outside of any list is a fault all the same.
        spans: Write a validated quote with its span wherever Pydantic serializes it, as an object
            with `text`, `reference`, `start` and `end`; read such objects as well as text. A span
            that is read counts only if the reference has the text there; otherwise the text is
            searched for. The JSON schema for the LLM stays that of a text. The serialization
            context `{"spans": False}` writes text.
        cut: What is done with a quote that leaves out the words of its sentence that turn or
            restrict it: those right before it ("never", "under no circumstances", "fewer than") or
            right behind it ("unless"). `"refuse"`: it is a fault. `"accept"`: it holds, as long as
            it has whole words and numbers.
        damaged: Search for a quote that occurs nowhere in repaired texts, too: without wrong
            encodings, split ligatures, vowel signs and the like. Its `how` is then `damaged`.
        claim: The words that a value stands for which is no text: "Status: {value}". They must
            occur, and the value stays as it is.
        describe: Add the rule to the description in the JSON schema, where the LLM reads it.
    """

    of: str | None = None
    min_words: int = 2
    max_words: int | None = 80
    fuzzy: bool = False
    ellipsis: Literal["strict", "lenient", "refuse"] = "strict"
    on_fault: Literal["raise", "drop"] = "raise"
    spans: bool = False
    cut: Literal["refuse", "accept"] = "refuse"
    damaged: bool = False
    claim: str | None = None

    def __post_init__(self) -> None:
        self.check_claim()
        if self.min_words < 0 or (self.max_words is not None and self.max_words < self.min_words):
            raise MarkerError(
                f"min_words={self.min_words} and max_words={self.max_words} allow no quote; "
                "min_words must be from 0 to max_words"
            )
        check_choices(
            self,
            ellipsis=("strict", "lenient", "refuse"),
            cut=("refuse", "accept"),
            on_fault=("raise", "drop"),
        )

    @property
    def sentence_by_sentence(self) -> bool:
        """Whether each sentence is a quote: the whole value is one."""
        return False

    @property
    def rule(self) -> str:
        """The sentence for the JSON schema."""
        where = f"the reference named in {self.of}" if self.of else "one of the references"
        rule = f"Copy this word for word from {where}."
        return f"{rule} Leave nothing out." if self.ellipsis == "refuse" else rule

    @property
    def siblings(self) -> Sequence[str]:
        """The field that names the reference."""
        return (self.of,) if self.of else ()

    @property
    def drops(self) -> bool:
        """Whether a failing item of a list is left out."""
        return self.on_fault == "drop"

    def __setstate__(self, state: Sequence[Any]) -> None:
        """Restore a pickle, also one of a version without `spans`."""
        options = fields(self)
        added = [option.default for option in options[len(state) :]]
        for option, value in zip(options, [*state, *added], strict=True):
            object.__setattr__(self, option.name, value)

    def judge(self, value: Any, case: Case) -> Verdict:
        """Search the references for the quote, or for the words that the value stands for."""
        from groundtypes.quotes import QuoteMatch  # noqa: PLC0415 # compiles large patterns
        from groundtypes.quotes.search import search, search_across_chunks  # noqa: PLC0415 # the same

        references, quote = case.references, self.claim_of(value, case)
        if isinstance(quote, Verdict):
            return quote
        named = held_value(case.sibling(self.of)) if self.of else None
        if isinstance(named, Collection) and not isinstance(named, str):
            raise MarkerError(
                f"Quoted reads the field {self.of!r}, which holds a {type(named).__name__}: it "
                "must be the id of one reference, or None."
            )
        within = None if named is None else str(named)
        if within is not None and within not in references:
            known = ", ".join(shown_id(id_) for id_ in references.ids[:10]) or "there are none"
            if (more := len(references) - 10) > 0:
                known += f" and {more} more"
            return self._fault("reference_unknown", named=shown_id(str(named)), known=known)
        match: QuoteMatch | NearMiss | None = None
        if self.spans:
            from groundtypes.validators.quote_spans import match_at_stated_span  # noqa: PLC0415 # rare

            match = match_at_stated_span(value, references, within)
        if match is None:
            match = search(
                quote,
                references,
                fuzzy=self.fuzzy,
                ellipsis=self.ellipsis,
                within=within,
                limits=self._limits(),
                damaged=self.damaged,
            )
        if not isinstance(match, QuoteMatch):
            across = search_across_chunks(
                quote, references, within, fuzzy=self.fuzzy, ellipsis=self.ellipsis
            )
            match = across or match
        if isinstance(match, QuoteMatch):
            verdict = self._judge_match(match, references)
            if verdict.slug == "quote_too_short" and references.structures:
                from groundtypes.quotes.cells import whole_value  # noqa: PLC0415 # not for prose

                if cell := whole_value(quote, references, within):
                    return self._judge_match(cell, references)
            return verdict
        if within is not None and len(references) > 1:
            elsewhere = search(quote, references, fuzzy=self.fuzzy, ellipsis=self.ellipsis)
            if isinstance(elsewhere, QuoteMatch) and not elsewhere.cut:
                return self._fault(
                    "quote_in_other_reference",
                    elsewhere.span,
                    named=shown_id(within),
                    reference=shown_id(elsewhere.span.reference),
                )
        return self._judge_miss(match)

    def __call__(self, value: Any, info: ValidationInfo) -> Any:
        """Judge a value when the marker is used as `field_validator("name")(marker)`.

        Raises:
            MarkerError: `spans` is set, but a validator has no say in how a field is serialized.
        """
        if self.spans:
            raise MarkerError(
                "Quoted(spans=True) is used as a validator function, which cannot change how the "
                "field is written. Put it into the annotation: Annotated[str, Quoted(spans=True)]."
            )
        return Check.__call__(self, value, info)

    def _schema_of_value(self, schema: CoreSchema, kinds: frozenset[str]) -> CoreSchema:  # noqa: ARG002 # of its base
        if not self.spans:
            return schema
        from groundtypes.validators.quote_spans import with_spans  # noqa: PLC0415 # rare

        return with_spans(schema)

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        json_schema = Check.__get_pydantic_json_schema__(self, schema, handler)
        if not self.spans or handler.mode != "serialization":
            return json_schema
        from groundtypes.validators.quote_spans import object_schema  # noqa: PLC0415 # rare

        return object_schema(json_schema, schema)

    def replace(self, value: Any, verdicts: Sequence[Verdict], case: Case) -> Any:
        """Return the reference's own words, or the value if it only stands for them."""
        if self.claim is not None:
            return value
        from groundtypes.quotes import MatchKind  # noqa: PLC0415 # as in `judge`

        (verdict,) = verdicts
        span = verdict.span
        if span is None or verdict.label is None:  # pragma: no cover # `_judge_match` sets both
            raise CheckError("a quote that holds has no span")
        text = case.references[span.reference].text[span.start : span.end]
        if verdict.spans:
            from groundtypes.quotes.chunks import text_of_spans  # noqa: PLC0415 # rare

            text = text_of_spans(case.references, verdict.spans)
        return QuotedText(text, span, MatchKind(verdict.label), verdict.spans)

    def _limits(self) -> "WordLimits":
        from groundtypes.quotes.word_limits import WordLimits  # noqa: PLC0415 # as in `judge`

        return WordLimits(self.min_words, self.max_words)

    def _judge_match(self, match: "QuoteMatch", references: References) -> Verdict:
        """Judge a quote that occurs: is it whole words, neither too few nor too many?"""
        from groundtypes.quotes.word_limits import number_of_words  # noqa: PLC0415 # as in `judge`

        limits = self._limits()
        if match.cut and not (self.cut == "accept" and self._has_whole_words(match, references)):
            return self._judge_cut(match, references, limits)
        reference, span = references[match.span.reference], match.span
        if match.spans:  # its words are those of both chunks
            reference = Reference(reference.id, f"{match.text} ...")
            span = Span(reference.id, 0, len(match.text))
        fault = limits.fault(span, reference)
        if fault is None:
            label = match.how.value
            return self.holds(label=label, score=1.0, span=match.span, spans=match.spans)
        limit = f"{self.max_words} {'is' if self.max_words == 1 else 'are'}"
        if fault.template == "quote_too_short":
            limit = number_of_words(self.min_words)
        count, name = number_of_words(fault.words), shown_id(reference.id)
        return self._fault(fault.template, match.span, limit=limit, count=count, reference=name)

    def _has_whole_words(self, match: "QuoteMatch", references: References) -> bool:
        """Whether a quote is cut only because its sentence says more."""
        from groundtypes.quotes.boundaries import is_cut  # noqa: PLC0415 # the same
        from groundtypes.quotes.exact_search import cuts_code  # noqa: PLC0415 # as in `judge`

        for at, span in enumerate(match.spans or (match.span,)):
            number, start = references.number(span.reference), 0 if at else span.start
            text = references.texts[number]
            # At the seam of two chunks no word is cut.
            end = len(text) if match.spans and not at else span.end
            if is_cut(text, start, end) or cuts_code(
                references, number, start, end, text[start:end]
            ):
                return False
        return True

    def _judge_cut(
        self, match: "QuoteMatch", references: References, limits: "WordLimits"
    ) -> Verdict:
        """Return the verdict on a quote that cuts a word or leaves out what turns it."""
        from groundtypes.quotes.boundaries import is_cut  # noqa: PLC0415 # as in `judge`
        from groundtypes.quotes.negations import left_out  # noqa: PLC0415 # the same
        from groundtypes.quotes.search import whole_passage  # noqa: PLC0415 # the same

        span = match.span
        text = references[span.reference].text
        template = "quote_cut"
        missing = left_out(text, span.start, span.end)
        if missing is None and match.spans:  # it may stand behind the quote, in the next chunk
            behind = match.spans[-1]
            other = references[behind.reference].text
            missing = left_out(other, behind.start, behind.end)
            if missing is not None:
                span, text = behind, other
        values = {"reference": shown_id(span.reference)}
        if missing is not None and not is_cut(text, span.start, span.end):
            template = "quote_altered"
            values["difference"] = f"{in_quotation_marks(text[slice(*missing)])} is missing"
        passage = whole_passage(references, span, limits, self.ellipsis)
        return self._with_passage(template, passage, limits, span, None, values)

    def _judge_miss(self, near_miss: "NearMiss | None") -> Verdict:
        if near_miss is None:
            return self._fault("quote_not_found")
        values = {"reference": shown_id(near_miss.span.reference)}
        template = "quote_not_found_nearest"
        if near_miss.altered:
            template = "quote_altered"
            values["difference"] = near_miss.explain()
        return self._with_passage(
            template,
            near_miss.excerpt,
            self._limits(),
            near_miss.span,
            near_miss.similarity,
            values,
        )

    def _with_passage(
        self,
        template: str,
        passage: str | None,
        limits: "WordLimits",
        span: Span,
        score: float | None,
        values: dict[str, str],
    ) -> Verdict:
        """Return a fault with the passage to copy; where none holds, it says so."""
        if passage:
            values["passage"] = in_quotation_marks(passage)
        else:
            template = _WITHOUT_PASSAGE[template]
            values["length"] = str(limits)
        return self._fault(template, span, score, **values)

    def _fault(
        self, template: str, span: Span | None = None, score: float | None = None, **values: Any
    ) -> Verdict:
        slug, message = fault_message(template, **values)
        return self.fails(slug, message, span=span, score=score)


if TYPE_CHECKING:
    # A type checker sees the type of the validated value: a string with a span.
    Quote = Annotated[QuotedText, Quoted()]
else:
    Quote = Annotated[str, Quoted()]
