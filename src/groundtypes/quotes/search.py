"""The search for quotes: an exact one is found at once, another one by the tolerant search.

The modules of the tolerant search are loaded for the first quote that stands nowhere exactly.
"""

from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from groundtypes.concurrency.bounded_cache import BoundedCache
from groundtypes.quotes.boundaries import is_cut
from groundtypes.quotes.exact_search import exact_match
from groundtypes.quotes.matches import EllipsisRule, MatchKind, NearMiss, QuoteMatch
from groundtypes.quotes.negations import negation_before
from groundtypes.quotes.restrictions_behind import restriction_behind
from groundtypes.quotes.word_limits import ANY_LENGTH, WordLimits
from groundtypes.references import PerReferences, References, Span

if TYPE_CHECKING:
    from groundtypes.quotes.tolerant_search import TolerantSearch

#: Results are cached for quotes of at most this many characters.
_CACHED_CHARACTERS: Final = 4_000
#: The most results that are cached for one collection of references.
_CACHED_RESULTS: Final = 4_096
#: What a search depends on, beside its references: the quote, `fuzzy`, `ellipsis`, `within` and the
#: limits of what is advised.
_SearchKey: TypeAlias = tuple[str, bool, str, str | None, WordLimits, bool]
#: Earlier results, each in a tuple, because a result may be `None`.
_earlier_results: Final[
    PerReferences[BoundedCache[_SearchKey, tuple["QuoteMatch | NearMiss | None"]]]
] = PerReferences(lambda _: BoundedCache(_CACHED_RESULTS))


def find_quote(
    quote: str,
    references: object,
    fuzzy: bool = False,  # noqa: FBT001, FBT002 # a fixed name of the public interface
    *,
    ellipsis: Literal["strict", "lenient", "refuse"] = "strict",
    damaged: bool = False,
) -> QuoteMatch | None:
    """Return where a quote occurs in the references, or `None`.

    The quote must have the reference's words up to typography; an ellipsis in it joins parts that
    occur in this order in one reference. With `fuzzy`, a few typos are tolerated, too. `references`
    is anything that `References.of` reads.

    `ellipsis` says what an ellipsis between two parts may hide. `"strict"`: whole sentences, or
    words inside one sentence that neither reverse nor restrict it. `"lenient"`: anything but words
    that are known to do so. `"refuse"`: nothing.

    With `damaged`, a quote that occurs nowhere is searched for in repaired texts: without wrong
    encodings, split ligatures, vowel signs and the like. The match says so in `how`.

    Raises:
        TypeError: The quote is not a text.
        ValueError: `ellipsis` is none of the three.
        ReferencesError: The references cannot be read.
    """
    if not isinstance(quote, str):
        raise TypeError(f"a quote is a str, not {type(quote).__name__}")
    rule = EllipsisRule(ellipsis)
    read = References.of(references)
    if not read.texts or not quote or quote.isspace():
        return None
    if damaged:
        repaired = search(quote, read, fuzzy=fuzzy, ellipsis=ellipsis, damaged=True)
        return repaired if isinstance(repaired, QuoteMatch) else None
    match = _found(quote, read, None, fuzzy=fuzzy, rule=rule)[0]
    return match or search_across_chunks(quote, read, None, fuzzy=fuzzy, ellipsis=ellipsis)


def search_across_chunks(
    quote: str,
    references: References,
    within: str | None,
    *,
    fuzzy: bool,
    ellipsis: Literal["strict", "lenient", "refuse"],
) -> QuoteMatch | None:
    """Return where a quote runs from one chunk of a source into the next one.

    It is not remembered with the references: of equal ones the metadata may differ.
    """
    if not references.metadata:
        return None
    from groundtypes.quotes.chunks import match_across_chunks  # noqa: PLC0415 # rare

    def find(joined: References) -> QuoteMatch | None:
        return _found(quote, joined, None, fuzzy=fuzzy, rule=EllipsisRule(ellipsis))[0]

    return match_across_chunks(quote, references, within, find)


def search(
    quote: str,
    references: References,
    *,
    fuzzy: bool = False,
    ellipsis: Literal["strict", "lenient", "refuse"] = "strict",
    within: str | None = None,
    limits: WordLimits = ANY_LENGTH,
    damaged: bool = False,
) -> QuoteMatch | NearMiss | None:
    """Return where a quote occurs, else the passage most like it, else `None`.

    `within` is the id of the only reference to search, and `limits` are those of the passage that
    is advised. The result is remembered with the references.
    """
    results = _earlier_results(references)
    key = (quote, fuzzy, ellipsis, within, limits, damaged)
    if (earlier := results.get(key)) is not None:
        return earlier[0]
    if not references.texts or not quote or quote.isspace():
        return None
    rule = EllipsisRule(ellipsis)
    match, tolerant_search = _found(quote, references, within, fuzzy=fuzzy, rule=rule)
    result: QuoteMatch | NearMiss | None = match or (
        tolerant_search.near_miss(limits) if tolerant_search else None
    )
    if damaged and not (isinstance(result, QuoteMatch) and not result.cut):
        result = _damaged_match(quote, references, fuzzy, ellipsis, within) or result
    if len(quote) <= _CACHED_CHARACTERS:
        results.put(key, (result,))
    return result


def _found(
    quote: str, references: References, within: str | None, *, fuzzy: bool, rule: EllipsisRule
) -> tuple[QuoteMatch | None, "TolerantSearch | None"]:
    """Return where a quote occurs, and the tolerant search if an exact one was not enough."""
    match, may_be_exact = exact_match(quote, references, within)
    if match:
        return match, None
    from groundtypes.quotes.tolerant_search import TolerantSearch  # noqa: PLC0415 # see above

    tolerant = TolerantSearch(quote, references, within, fuzzy=fuzzy, ellipsis=rule)
    return tolerant.find_elsewhere(may_be_exact=may_be_exact), tolerant


def _damaged_match(
    quote: str,
    references: References,
    fuzzy: bool,  # noqa: FBT001 # handed on
    ellipsis: Literal["strict", "lenient", "refuse"],
    within: str | None,
) -> QuoteMatch | None:
    """Return where a quote occurs in the repaired texts, as a match in the original ones."""
    from groundtypes.quotes.damaged import repaired_quote, repaired_references  # noqa: PLC0415 # rare

    repaired, texts = repaired_references(references)
    found = search(repaired_quote(quote), repaired, fuzzy=fuzzy, ellipsis=ellipsis, within=within)
    if not isinstance(found, QuoteMatch):
        return None
    number = references.number(found.span.reference)
    text = references.texts[number]
    start, end = texts[number].original(text, found.span.start, found.span.end)
    span = references.span_at(number, start, end)
    return QuoteMatch(text[start:end], span, MatchKind.DAMAGED, found.cut)


def whole_passage(
    references: References,
    span: Span,
    limits: WordLimits,
    ellipsis: Literal["strict", "lenient", "refuse"],
) -> str | None:
    """Return a span with what it cuts, or the part of it that is cut, as a quote that holds.

    Of a JSON value or table, it has whole values.
    """
    reference = references[span.reference]
    text, structure = reference.text, reference.structure
    from groundtypes.quotes.advice import EXCERPT_CHARACTERS, Stretch  # noqa: PLC0415 # see above
    from groundtypes.quotes.tolerant_search import advice_for  # noqa: PLC0415 # the same

    advice = advice_for(references, span.reference, limits, EllipsisRule(ellipsis))
    if structure is not None:
        from groundtypes.quotes.cells import quotable_passage  # noqa: PLC0415 # not for prose

        passage = quotable_passage(text, structure, span.start, span.end)
        if passage is not None and advice.holds(passage):
            return passage
    start, focus = span.start, (span.start, span.start + 1)
    if negation := negation_before(text, start):
        line = text.rfind("\n", 0, negation[0]) + 1
        whole = " ".join(text[line : span.end].split())
        if "\n" in text[negation[1] : start] and len(whole) <= EXCERPT_CHARACTERS:
            return whole if advice.holds(whole) else None
        start = negation[0]
        focus = (start, span.start + 1)
    elif restriction := restriction_behind(text, start, span.end):
        stretch = Stretch(text, start, restriction[1], (max(start, span.end - 1), restriction[1]))
        return advice.passage(stretch, whole_sentence=True)
    elif not is_cut(text, start, len(text)):
        focus = (max(start, span.end - 1), span.end)
    return advice.passage(Stretch(text, start, span.end, focus))
