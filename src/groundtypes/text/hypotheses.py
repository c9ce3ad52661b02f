"""Wording what is judged: the pieces of an answer as sentences that stand on their own."""

import re
from dataclasses import dataclass
from itertools import zip_longest
from typing import Final

from groundtypes.text.layout import BlockKind
from groundtypes.text.sentences import Piece, pieces

__all__ = ["Hypothesis", "hypotheses", "triplet_hypothesis"]

#: The words of a title: of a marked heading, and of a bare line above others. What is longer, has
#: a number or a verb of these, may claim something.
_MARKED_TITLE: Final = 7
_BARE_TITLE: Final = 3
_CLAIMING: Final = re.compile(
    r"\d|\b(?:is|are|was|were|has|have|had|can|could|will|would|does|did|do|may|must|should|not|"
    r"no|never|ist|sind|war|hat|est|sont|es|son|era)\b",
    re.IGNORECASE,
)
#: "Based on the given passages," says nothing that a passage could entail.
_ATTRIBUTION: Final = re.compile(
    r"(?:based on|according to) (?:the|these|your)(?: (?:given|provided|above|retrieved|"
    r"reference|following))? (?:passages?|documents?|contexts?|references?|texts?|sources?|"
    r"information|excerpts?)(?: (?:provided|given|above))?, *(?P<rest>\w)",
    re.IGNORECASE,
)
#: A lead-in of this kind only points at what follows.
_POINTING: Final = re.compile(
    r"\bhere(?:['\u2019]s| is| are)\b|\bfollow(?:s|ing)?\b|\bsteps\b", re.IGNORECASE
)
#: An item of so many words with a closing mark is a sentence.
_SENTENCE: Final = 5
_DIGIT: Final = re.compile(r"\d")
_LEAD: Final = 200
_CELLS: Final = re.compile(r"[|\t]")
_NOTES: Final = re.compile(
    r"\[\d{1,3}(?:[,;\u2013-] ?\d{1,3}){0,5}\]|!?\[(?P<text>[^\[\]]{1,200})\]\([^()\s]{1,300}\)"
)
_MARKUP: Final = re.compile(r"\*\*|__|`|(?<!\w)[*_](?=\w)|(?<=\w)[*_](?!\w)|^\s*(?:#{1,6}|>)[ \t]+")
_WORD: Final = re.compile(r"[^\W_]")


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A sentence to judge, and where it stands in the text: half open, in code points.

    `claims` is false for what only leads into what follows, as a heading or "The symptoms are:".
    """

    text: str
    start: int
    end: int
    claims: bool = True


def hypotheses(text: str) -> list[Hypothesis]:
    """Return the sentences of a text, each worded so that it can be judged alone.

    Markdown and footnote marks are left out, white space is one space, and "Based on the given
    passages," is left out. An item of a list has the lines that lead into the list in front, unless
    it is a sentence and they only say "Here are the steps:"; a row of a table has the heads of its
    columns.
    """
    found: list[Hypothesis] = []
    lead = ""
    #: The columns and the words of the items that lead into a list of their own.
    outer: list[tuple[int, str]] = []
    heads: list[str] | None = None
    for piece, below in zip_longest(cut := pieces(text), cut[1:]):
        raw = text[piece.body : piece.end]
        claims = _WORD.search(_plain(raw)) is not None
        if piece.kind is not BlockKind.ROW:
            heads = None
        if piece.kind is not BlockKind.ITEM:
            outer = []
        if piece.kind is BlockKind.ITEM:
            if piece.start == piece.block:
                column, alone = _column(text, piece.start), _plain(raw)
                while outer and outer[-1][0] >= column:
                    outer.pop()
                led_by = "" if _stands_alone(alone) and _POINTING.search(lead) else lead
                raw = " ".join(filter(None, [led_by, *(words for _, words in outer), raw]))
                if _ends_open(alone) and _is_item_behind(text, below, column):
                    outer.append((column, alone))
                    claims = False
        elif piece.kind is not BlockKind.ROW:
            leads = _ends_open(raw)
            lead = _plain(raw)[-_LEAD:] if leads else ""
            # What leads into a list is judged with each of its items.
            led = leads and below is not None and below.kind is BlockKind.ITEM
            points = leads and piece.heads and _POINTING.search(raw) is not None
            claims = claims and not (led or points or _is_title(piece, raw))
        elif heads is None:
            heads = _cells(raw.split("\n", 1)[0]) if _is_header(text, raw, below) else []
            claims = claims and not heads
            raw = ", ".join(filter(None, heads or _cells(raw)))
        else:
            raw = _row(_cells(raw), heads)
        worded = _plain(raw) or text[piece.start : piece.end]
        found.append(Hypothesis(worded, piece.start, piece.end, claims))
    return found


def triplet_hypothesis(subject: str, predicate: str, object: str) -> str:  # noqa: A002 # its name in a claim triplet
    """Return the sentence that a claim triplet says: its parts, joined.

    An underscore is a space, as in the predicates of knowledge graphs.
    """
    parts = (" ".join(part.replace("_", " ").split()) for part in (subject, predicate, object))
    return " ".join(part for part in parts if part)


def _column(text: str, start: int) -> int:
    return start - text.rfind("\n", 0, start) - 1


def _is_item_behind(text: str, below: Piece | None, column: int) -> bool:
    """Whether what comes next is an item of an inner list."""
    return (
        below is not None
        and below.kind is BlockKind.ITEM
        and below.start == below.block
        and _column(text, below.start) > column
    )


def _ends_open(raw: str) -> bool:
    return raw.rstrip("*_ \n").endswith((":", "\uff1a"))


def _stands_alone(item: str) -> bool:
    return item.endswith((".", "!", "?")) and len(item.split()) >= _SENTENCE


def _is_title(piece: Piece, raw: str) -> bool:
    """Whether a line is a few words that claim nothing; in doubt it is not."""
    if piece.kind is BlockKind.HEADING:
        most = _MARKED_TITLE
    elif piece.heads:
        most = _BARE_TITLE
    else:
        return False
    return len(raw.split()) <= most and not _CLAIMING.search(raw)


def _is_header(text: str, raw: str, below: Piece | None) -> bool:
    """Whether the first row of a table names its columns."""
    if below is None or below.kind is not BlockKind.ROW:
        return False
    return "\n" in raw or (
        not _DIGIT.search(raw) and _DIGIT.search(text, below.start, below.end) is not None
    )


def _cells(row: str) -> list[str]:
    return [cell.strip() for cell in _CELLS.split(row.strip().strip("|"))]


def _row(cells: list[str], heads: list[str]) -> str:
    """Return a row as text: "Paris, Inhabitants: 2 million"."""
    if len(cells) != len(heads):
        return ", ".join(filter(None, cells))
    first, *others = zip(heads, cells, strict=True)
    told = [f"{head}: {cell}" if head else cell for head, cell in others if cell]
    return ", ".join(filter(None, [first[1], *told]))


def _plain(raw: str) -> str:
    """Return a text without Markdown and footnote marks, on one line."""
    unmarked = _MARKUP.sub("", _NOTES.sub(lambda match: match["text"] or "", raw))
    told = re.sub(r"\s+([.,;:!?])", r"\1", " ".join(unmarked.split()))
    if attributed := _ATTRIBUTION.match(told):
        return attributed["rest"].upper() + told[attributed.end() :]
    return told
