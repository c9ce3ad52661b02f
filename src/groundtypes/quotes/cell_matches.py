"""Quotes of JSON values and tables: a value that a quote is or names.

The module `cells` is imported where a reference has such a structure: prose needs none of it.
"""

from groundtypes.quotes.matches import MatchKind, QuoteMatch
from groundtypes.references import References

__all__ = ["find_value", "named_cell_match"]


def find_value(quote: str, references: References, within: str | None) -> QuoteMatch | None:
    """Return the whole value of a JSON value or table that a quote is, or `None`.

    The words may stand earlier in a longer text, where they prove less.
    """
    if not references.structures:
        return None
    from groundtypes.quotes.cells import whole_value  # noqa: PLC0415 # not needed for prose

    place = whole_value(quote, references, None if within is None else references.number(within))
    if place is None:
        return None
    text = references.texts[place.number][place.start : place.end]
    how = MatchKind.EXACT if text == quote else MatchKind.NORMALISED
    return QuoteMatch(text, references.span_at(*place), how)


def named_cell_match(quote: str, references: References, within: str | None) -> QuoteMatch | None:
    """Return the value of a JSON value or table that a quote names, or `None`."""
    if not references.structures:
        return None
    from groundtypes.quotes.cells import named_cell  # noqa: PLC0415 # not needed for prose

    place = named_cell(quote, references, None if within is None else references.number(within))
    if place is None:
        return None
    text = references.texts[place.number][place.start : place.end]
    how = MatchKind.EXACT if text == quote else MatchKind.NORMALISED
    return QuoteMatch(text, references.span_at(*place), how)
