"""Quotes from JSON values and tables: whole values, alone or behind a key, header or row name.

A value such as `41.2` is quoted as a whole, and no quote ends with a key without its value.
"Status: shipped", `"status": "shipped"` and "Berlin, 2023: 41.2" name a value as an answer would,
in other words and signs than the lines of the text.
"""

import csv
import re
from collections.abc import Iterator
from typing import Final

from groundtypes.quotes.advice import EXCERPT_CHARACTERS
from groundtypes.quotes.matches import MatchKind, QuoteMatch
from groundtypes.quotes.patterns import compiled
from groundtypes.references import PerReferences, References
from groundtypes.references.names import clipped, is_naming, plain_words
from groundtypes.references.structure import Cell, Row, Structure
from groundtypes.text.characters import fold

#: A quote of more characters is no key with its value.
_LONGEST: Final = 400
#: At most so many ways to divide a quote, and so many equal values, are tried.
_MOST_SPLITS: Final = 16
_MOST_CELLS: Final = 2_000
_SPLIT: Final = re.compile(r"\s*(?::|=>?|->|\u2192|\||\t)\s*|,\s+|\s+[\u2013\u2014-]\s+|\s+")
#: What parts the cells of a row, and a comma that may rather be in a number.
_DELIMITERS: Final = "|\t;,"
_IN_NUMBER: Final = r"\d,\d"
_BETWEEN_KEYS: Final = re.compile(r"\s*\|\s*")
_MARKS: Final = "\"'`\u201c\u201d\u2018\u2019*,;{}"
_WORD: Final = re.compile(r"[^\W_]+(?:[.,][^\W_]+)*|[%\u20ac$\u00a3]")
#: Words of a label that name nothing.
_EMPTY: Final = frozenset("the a an of in for is was row column".split())


#: The number of a text, and a row and value in it.
_Place = tuple[int, Row, Cell]


def _places_of_values(references: References) -> dict[str, list[_Place]]:
    """Return the values of all JSON values and tables of a collection, by their folded text."""
    places: dict[str, list[_Place]] = {}
    for number, structure in enumerate(references.structures):
        for row in structure.rows if structure else ():
            for cell in row.cells:
                if cell.end - cell.start <= _LONGEST:
                    key = _key(references.texts[number][cell.start : cell.end])
                    places.setdefault(key, []).append((number, row, cell))
    return places


_index: Final = PerReferences(_places_of_values)


def _places(value: str, references: References, within: str | None) -> Iterator[_Place]:
    """Yield where a value is in all references or in one of them."""
    only = None if within is None else references.number(within)
    for number, row, cell in _index(references).get(_key(value), [])[:_MOST_CELLS]:
        written = references.texts[number][cell.start : cell.end]
        if only in (None, number) and _same_case(written, value.strip(_MARKS)):
            yield number, row, cell


def cuts_cell(text: str, structure: Structure, start: int, end: int, quote: str) -> bool:
    """Whether a span has a part of a code, or a key without its value."""
    return _is_part_of_code(text, structure, start, end, quote) or _ends_with_key(
        text, structure, start, end
    )


def _is_part_of_code(text: str, structure: Structure, start: int, end: int, quote: str) -> bool:
    """Whether a span cuts a value of one word with a digit or sign, or changes case in a code.

    An id, a date or an address means something only as a whole: 2024-05 is no quote of 2024-05-03.
    """
    for cell in structure.cells_at(start, end):
        low, high = max(start, cell.start), min(end, cell.end)
        value = text[cell.start : cell.end]
        if value.isalpha() or len(value) > _LONGEST:
            continue
        is_code = not any(map(str.isspace, value))
        if is_code and value.strip(_MARKS) != text[low:high].strip(_MARKS):
            return True
        # "HD 209458 b" is a planet, "HD 209458 B" a star.
        if any(map(str.isdigit, value)) and len(value.split()) <= 4:  # no sentence
            part = text[low:high].strip(_MARKS)
            if part not in quote and fold(part) in fold(quote):
                return True
    return False


def _ends_with_key(text: str, structure: Structure, start: int, end: int) -> bool:
    """Whether a span ends with a key or header, or a part of one, whose value it leaves out."""
    while end > start and not text[end - 1].isalnum():
        end -= 1
    row = structure.row_at(end - 1, end) if end > start else None
    if row is None:
        return False
    for number, cell in enumerate(row.cells):
        if end <= cell.start:
            # A key whose value is empty is all that there is to quote.
            return end > _start_of_name(row, number) and cell.end > cell.start
        if end <= cell.end:
            return False
    return False


def _start_of_name(row: Row, number: int) -> int:
    """Return where the separator, heading and name before a value begin."""
    return row.cells[number - 1].end if number else row.start


def quotable_passage(
    text: str, structure: Structure, start: int, end: int, *, whole_row: bool = False
) -> str | None:
    """Return the keys and values that a span has a part of, each as a whole: a quote that holds.

    With `whole_row`, those of its row, if they are short enough. The result is on one line and has
    at most 200 characters; it is `None` where a single value is longer. Of a span over several
    rows, it is the part in the first.
    """
    row = next((row for row in structure.rows_from(start) if row.cells), None)
    if row is None:
        return None
    end = max(min(end, row.end), row.start + 1)
    touched = [
        number
        for number, cell in enumerate(row.cells)
        if _start_of_name(row, number) < end and cell.end > start
    ] or [len(row.cells) - 1]
    first, last = touched[0], touched[-1]
    bounds = [(first, last), (last, last)]
    if whole_row:
        bounds.insert(0, (0, len(row.cells) - 1))
    for low, high in bounds:
        at = _start_of_name(row, low)
        passage = " ".join(text[at : row.cells[high].end].split()).lstrip("|, ")
        if len(passage) <= EXCERPT_CHARACTERS:
            return passage
    return None


def whole_value(quote: str, references: References, within: str | None) -> QuoteMatch | None:
    """Return the whole value that a quote is: elsewhere in the text the words prove less."""
    if len(quote) <= _LONGEST:
        for number, _, cell in _places(quote, references, within):
            return _match(quote, references, number, cell.start, cell.end)
    return None


def named_cell(quote: str, references: References, within: str | None) -> QuoteMatch | None:
    """Return where a quote names a value by its key, header or row, or `None`.

    The words in front of the value must be those of its key or header and of what names its row;
    the part reaches from the first of these in the text to the value.
    """
    for label, value in _splits(quote) if len(quote) <= _LONGEST else ():
        words = set(_words(label)) - _EMPTY
        place = _place_in(label)
        for number, row, cell in _places(value, references, within) if words else ():
            if place == _place_in(cell.place):
                start: int | None = _start_of_own_name(cell)
            else:
                start = _start_of_label(references.texts[number], row, cell, words)
            if start is not None:
                return _match(quote, references, number, start, cell.end)
    return None


def quoted_row(quote: str, references: References, within: str | None) -> QuoteMatch | None:
    """Return where cells beside each other in a row of a table are quoted as CSV or Markdown."""
    if len(quote) > _LONGEST or len(quote.splitlines()) != 1:
        return None
    for delimiter in _DELIMITERS:
        if delimiter not in quote or (delimiter == "," and compiled(_IN_NUMBER).search(quote)):
            continue
        line = quote.strip().strip(delimiter) if delimiter == "|" else quote
        [values] = csv.reader([line], delimiter=delimiter, skipinitialspace=True)
        for number, row, cell in _places(values[0], references, within) if values else ():
            first = row.cells.index(cell)
            cells = row.cells[first : first + len(values)]
            text = references.texts[number]
            written = [text[one.start : one.end] for one in cells]
            if (
                not _is_path(row)
                and list(map(_key, written)) == list(map(_key, values))
                and all(map(_same_case, written, (value.strip(_MARKS) for value in values)))
            ):
                return _match(quote, references, number, cell.start, cells[-1].end)
    return None


def _match(quote: str, references: References, number: int, start: int, end: int) -> QuoteMatch:
    text = references.texts[number][start:end]
    how = MatchKind.EXACT if text == quote else MatchKind.NORMALISED
    return QuoteMatch(text, references.span_at(number, start, end), how)


def _splits(quote: str) -> Iterator[tuple[str, str]]:
    """Yield a quote in two parts, with the clearest separators first."""
    quote = quote.strip().strip(_MARKS)
    matches = list(_SPLIT.finditer(quote))
    matches.sort(key=lambda match: (match[0].isspace(), "," in match[0]))
    for match in matches[:_MOST_SPLITS]:
        label, value = quote[: match.start()].strip(_MARKS), quote[match.end() :].strip(_MARKS)
        if label and value:
            yield label, value


def _place_in(label: str) -> str:
    """Return a label as places are compared: "orders[1] | total" is `orders[1].total`."""
    joined = _BETWEEN_KEYS.sub(".", " ".join(label.split()))
    return joined.removeprefix("$.").strip(_MARKS)


def _start_of_own_name(cell: Cell) -> int:
    return cell.start - len(clipped(cell.name)) - 2 if cell.name else cell.start


def _start_of_label(text: str, row: Row, cell: Cell, words: set[str]) -> int | None:
    """Return where the words that name a value begin, or `None` if others are among them."""
    own = set(_words(f"{plain_words(cell.name)} {cell.name}"))
    name_start = _start_of_own_name(cell)
    if words <= own:
        return name_start
    place = set(_words(plain_words(re.sub(r"\[\d+\]", " ", row.place)))) if _is_path(row) else set()
    if words <= own | place:
        return name_start
    rest = words - own - place
    for other in row.cells:
        if other is cell or not (other is row.cells[0] or is_naming(other.name)):
            continue
        value_words = set(_words(text[other.start : min(other.end, other.start + _LONGEST)]))
        # All words of the name count: "Cellini" is not "Cellini Minor".
        if rest <= value_words | set(_words(other.name)) and value_words <= words:
            return min(other.start, name_start) if other.start < cell.start else name_start
    return None


def _is_path(row: Row) -> bool:
    return not row.place.startswith("row ")


def _same_case(value: str, quoted: str) -> bool:
    """Whether a value that has a digit is written with the same capitals."""
    return not any(map(str.isdigit, value)) or " ".join(value.split()) == " ".join(quoted.split())


def _key(value: str) -> str:
    return " ".join(fold(value.strip(_MARKS)).split())


def _words(text: str) -> list[str]:
    return [fold(word) for word in _WORD.findall(text)]
