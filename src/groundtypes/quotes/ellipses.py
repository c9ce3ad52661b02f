"""Quotes with an ellipsis: their parts, where these occur in order, and what is left out."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from groundtypes.quotes.excerpts import last_sentence_start
from groundtypes.quotes.occurrences import MatchKind, Occurrence

__all__ = ["chains", "joined", "omitted_negation", "split_at_ellipses"]

_ELLIPSIS: Final = re.compile(
    r"\[\s?(?:\.{3,}|\u2026|\. \. \.)\s?\]|\(\s?(?:\.{3,}|\u2026|\. \. \.)\s?\)"
    r"|\.{3,}|[\u2026\u22ef]+|\. \. \."
)
#: One of these is in every quote with an ellipsis; most quotes have none of them.
_ELLIPSIS_SIGNS: Final = ("...", "\u2026", "\u22ef", ". . .")
#: Words that reverse or limit the meaning of their sentence, in several languages.
_NEGATION: Final = re.compile(
    r"(?i)(?<!\w)(?:not|no|never|none|nobody|nothing|nowhere|neither|nor|without|except|unless|"
    r"hardly|scarcely|barely|rarely|seldom|cannot|false|falsely|denie[ds]|deny|denying|"
    r"refut(?:es|ed|ing)|allegedly|supposedly|unlikely|impossible|untrue|incorrect(?:ly)?|"
    r"nicht|keine?[nrms]?|nie|niemals|ohne|pas|jamais|sans|sauf|nunca|jam\u00e1s|"
    r"n\u00e3o|non|senza|niet|geen|\u043d\u0435|\u043d\u0435\u0442)(?!\w)"
    r"|n['\u2019]t(?!\w)|[\u4e0d\u6ca1\u6c92\u672a\u975e]"
)


def split_at_ellipses(quote: str) -> list[str]:
    """Return the parts of a quote between its ellipses; none where it has no ellipsis."""
    if not any(sign in quote for sign in _ELLIPSIS_SIGNS):
        return []
    return [part.strip() for part in _ELLIPSIS.split(quote) if any(map(str.isalnum, part))]


def chains(occurrences: Sequence[Sequence[Occurrence]]) -> Iterator[list[Occurrence]]:
    """Yield each occurrence of the first part, followed by the nearest ones of the other parts.

    `occurrences` are those of each part, all in one text and in the order of their starts.
    """
    starts = [[occurrence.start for occurrence in of_part] for of_part in occurrences]
    for first in occurrences[0]:
        chain = [first]
        for of_part, part_starts in zip(occurrences[1:], starts[1:], strict=True):
            at = bisect_left(part_starts, chain[-1].end)
            if at == len(of_part):
                return
            chain.append(of_part[at])
        yield chain


def joined(chain: Sequence[Occurrence]) -> Occurrence:
    """Return the occurrence from the first part of a chain to the last."""
    is_fuzzy = any(occurrence.how is MatchKind.FUZZY for occurrence in chain)
    how = MatchKind.FUZZY if is_fuzzy else MatchKind.NORMALISED
    return chain[0]._replace(end=chain[-1].end, how=how)


def omitted_negation(text: str, chain: Sequence[Occurrence]) -> tuple[int, str] | None:
    """Return a word between two parts that reverses the meaning, and where its gap begins.

    If the gap spans several sentences, only the sentence in which the next part begins counts.
    """
    for before, after in pairwise(chain):
        start = last_sentence_start(text, before.end, after.start)
        if match := _NEGATION.search(text, start, after.start):
            return before.end, match[0].strip()
    return None
