"""Hypotheses: the sentences of an answer, each worded so that it can be judged alone.

From prose only markup is removed. A list item is preceded by the line that introduces its list, and
the cells of a table row by the headers of their columns. Text that makes no claim by itself gets
`is_claim=False`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Final

from groundtypes.text.layout import BlockKind
from groundtypes.text.sentences import Segment, segments

#: The most words of a title: of a marked heading, and of a bare line above others. A longer line,
#: or one with a number or one of the verbs below, may claim something.
_HEADING_WORDS: Final = 7
_BARE_TITLE_WORDS: Final = 3
_CLAIMING: Final = re.compile(
    r"\d|\b(?:is|are|was|were|has|have|had|can|could|will|would|does|did|do|may|must|should|not|"
    r"no|never|ist|sind|war|hat|est|sont|es|son|era)\b",
    re.IGNORECASE,
)
#: An introductory "Based on the given passages," makes no claim by itself and is removed.
_ATTRIBUTION: Final = re.compile(
    r"(?:based on|according to) (?:the|these|your)(?: (?:given|provided|above|retrieved|"
    r"reference|following))? (?:passages?|documents?|contexts?|references?|texts?|sources?|"
    r"information|excerpts?)(?: (?:provided|given|above))?, *(?P<rest>\w)",
    re.IGNORECASE,
)
#: An introduction with one of these words claims nothing, and only points to what follows.
_POINTING: Final = re.compile(
    r"\bhere(?:['\u2019]s| is| are)\b|\bfollow(?:s|ing)?\b|\bsteps\b", re.IGNORECASE
)
#: A list item of at least this many words that ends with a closing mark is a sentence.
_SENTENCE_WORDS: Final = 5
#: At most this many characters from the end of an introduction are put before each list item.
_INTRODUCTION_CHARACTERS: Final = 200
_DIGIT: Final = re.compile(r"\d")
_CELL_SEPARATOR: Final = re.compile(r"[|\t]")
#: Footnote marks, links in brackets of their own, and Markdown links, of which only the text stays.
_FOOTNOTE_OR_LINK: Final = re.compile(
    r"\[\^?\d{1,3}(?:[,;\u2013-] ?\d{1,3}){0,5}\](?:\([^()\s]{1,300}\))?"
    r"|\((?:\[[^\[\]]{1,200}\]\([^()\s]{1,300}\)[,;]? ?){1,9}\)"
    r"|!?\[(?P<text>[^\[\]]{1,200})\]\([^()\s]{1,300}\)"
)
_MARKUP: Final = re.compile(r"\*\*|__|`|(?<!\w)[*_](?=\w)|(?<=\w)[*_](?!\w)|^\s*(?:#{1,6}|>)[ \t]+")
_SPACE_BEFORE_MARK: Final = re.compile(r"\s+([.,;:!?])")
_LETTER_OR_DIGIT: Final = re.compile(r"[^\W_]")


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A sentence to judge, and where it is in the text: half open, in code points.

    `is_claim` is false for text that claims nothing by itself, such as a heading or "The symptoms
    are:".
    """

    text: str
    start: int
    end: int
    is_claim: bool = True


def hypotheses(text: str, apart: Sequence[int] = ()) -> list[Hypothesis]:
    """Return the sentences of a text, each worded so that it can be judged alone.

    Markdown, footnote marks and "Based on the given passages," are left out, and white space is one
    space. A list item is preceded by the lines that introduce the list, unless it is a sentence and
    they only say "Here are the steps:"; a table row has the headers of its columns.

    Args:
        text: The text.
        apart: Positions, in order, of sentences that are not joined with the next, though short.
    """
    return [hypothesis for _, hypothesis in worded_segments(text, apart)]


def worded_segments(text: str, apart: Sequence[int] = ()) -> list[tuple[Segment, Hypothesis]]:
    """Return the sentences of a text, each with its hypothesis: those of `hypotheses`."""
    wording = _Wording(text)
    all_segments = segments(text, apart)
    return [
        (segment, wording.hypothesis(segment, following))
        for segment, following in zip_longest(all_segments, all_segments[1:])
    ]


def triplet_hypothesis(subject: str, predicate: str, object: str) -> str:  # noqa: A002 # its name in a claim triplet
    """Return the sentence that a claim triplet makes: its parts, joined.

    An underscore is a space, as in the predicates of knowledge graphs.
    """
    parts = (" ".join(part.replace("_", " ").split()) for part in (subject, predicate, object))
    return " ".join(part for part in parts if part)


class _Wording:
    """The wording of one segment after another, with the introductions and headers above it."""

    def __init__(self, text: str) -> None:
        self._text = text
        #: The line that introduces the list, or `""`.
        self._introduction = ""
        #: The column and the words of each item that introduces an inner list.
        self._outer_items: list[tuple[int, str]] = []
        #: The column headers of the table: empty where it has none, `None` outside of a table.
        self._headers: list[str] | None = None

    def hypothesis(self, segment: Segment, following: Segment | None) -> Hypothesis:
        """Return the hypothesis of a segment, which another one or nothing follows."""
        raw = self._text[segment.body : segment.end]
        if segment.kind is not BlockKind.ROW:
            self._headers = None
        if segment.kind is not BlockKind.ITEM:
            self._outer_items = []
        is_claim = _LETTER_OR_DIGIT.search(_plain(raw)) is not None
        if segment.kind is BlockKind.ITEM:
            worded, may_claim = self._item(segment, raw, following)
        elif segment.kind is BlockKind.ROW:
            worded, may_claim = self._row(raw, following)
        else:
            worded, may_claim = raw, self._prose(segment, raw, following)
        words = _plain(worded) or self._text[segment.start : segment.end]
        return Hypothesis(words, segment.start, segment.end, is_claim and may_claim)

    def _item(self, segment: Segment, raw: str, following: Segment | None) -> tuple[str, bool]:
        """Return the words of a list item, and whether they may claim something."""
        if segment.start != segment.block:
            return raw, True  # a further sentence of the item
        column, item = self._column(segment.start), _plain(raw)
        while self._outer_items and self._outer_items[-1][0] >= column:
            self._outer_items.pop()
        introduction = self._introduction
        if _is_sentence(item) and _POINTING.search(introduction):
            introduction = ""
        outer = (words for _, words in self._outer_items)
        worded = " ".join(filter(None, [introduction, *outer, raw]))
        if self._is_inner_item(following, column):
            if _ends_with_colon(item):
                self._outer_items.append((column, item))
                return worded, False
            return worded, not _names_topic(raw)
        return worded, True

    def _row(self, raw: str, following: Segment | None) -> tuple[str, bool]:
        """Return the words of a table row, and whether they may claim something."""
        if self._headers is not None:
            return _row_with_headers(_cells(raw), self._headers), True
        is_header = self._is_header(raw, following)
        # Below the header, a Markdown table has a line of dashes.
        self._headers = _cells(raw.split("\n", 1)[0]) if is_header else []
        return ", ".join(filter(None, self._headers or _cells(raw))), not self._headers

    def _prose(self, segment: Segment, raw: str, following: Segment | None) -> bool:
        """Remember a line that introduces others; return whether it may claim something."""
        introduces = _ends_with_colon(raw)
        self._introduction = _plain(raw)[-_INTRODUCTION_CHARACTERS:] if introduces else ""
        # A line that introduces a list is judged with each item of it.
        introduces_list = introduces and following is not None and following.kind is BlockKind.ITEM
        only_points = introduces and segment.introduces and _POINTING.search(raw) is not None
        return not (introduces_list or only_points or _is_title(segment, raw))

    def _column(self, start: int) -> int:
        return start - self._text.rfind("\n", 0, start) - 1

    def _is_inner_item(self, following: Segment | None, column: int) -> bool:
        """Whether the next segment is an item of an inner list."""
        return (
            following is not None
            and following.kind is BlockKind.ITEM
            and following.start == following.block
            and self._column(following.start) > column
        )

    def _is_header(self, raw: str, following: Segment | None) -> bool:
        """Whether the first row of a table names its columns."""
        if following is None or following.kind is not BlockKind.ROW:
            return False
        if "\n" in raw:
            return True
        return not _DIGIT.search(raw) and bool(
            _DIGIT.search(self._text, following.start, following.end)
        )


def _ends_with_colon(raw: str) -> bool:
    return raw.rstrip("*_ \n").endswith((":", "\uff1a"))


def _is_sentence(item: str) -> bool:
    return item.endswith((".", "!", "?")) and len(item.split()) >= _SENTENCE_WORDS


def _names_topic(raw: str) -> bool:
    """Whether an item above others is a title, as "**History**" is, and claims nothing."""
    item = raw.strip()
    is_bold = item.startswith(("**", "__")) and item.endswith(("**", "__"))
    return is_bold and len(item.split()) <= _HEADING_WORDS and not _CLAIMING.search(item)


def _is_title(segment: Segment, raw: str) -> bool:
    """Whether a line is a few words that claim nothing; in doubt it is not."""
    if segment.kind is BlockKind.HEADING:
        most_words = _HEADING_WORDS
    elif segment.introduces:
        most_words = _BARE_TITLE_WORDS
    else:
        return False
    return len(raw.split()) <= most_words and not _CLAIMING.search(raw)


def _cells(row: str) -> list[str]:
    return [cell.strip() for cell in _CELL_SEPARATOR.split(row.strip().strip("|"))]


def _row_with_headers(cells: list[str], headers: list[str]) -> str:
    """Return a row as text: "Paris, Inhabitants: 2 million"."""
    if len(cells) != len(headers):
        return ", ".join(filter(None, cells))
    (_, first), *others = zip(headers, cells, strict=True)
    labelled = [f"{header}: {cell}" if header else cell for header, cell in others if cell]
    return ", ".join(filter(None, [first, *labelled]))


def _plain(raw: str) -> str:
    """Return a text without Markdown, footnote marks and attribution, on one line."""
    unmarked = _MARKUP.sub("", _FOOTNOTE_OR_LINK.sub(lambda match: match["text"] or "", raw))
    plain = _SPACE_BEFORE_MARK.sub(r"\1", " ".join(unmarked.split()))
    if attribution := _ATTRIBUTION.match(plain):
        return attribution["rest"].upper() + plain[attribution.end() :]
    return plain
