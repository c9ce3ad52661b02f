"""The part of a passage that shows why a statement does or does not follow from it."""

from collections.abc import Iterable, Mapping
from typing import Final

from groundtypes.text.bm25 import terms
from groundtypes.text.coverage import content_terms
from groundtypes.text.message_excerpts import in_quotation_marks
from groundtypes.text.sentences import sentence_spans

#: How often a word counts in which passage and statement differ, beside 1 for a common word.
_DIFFERENCE: Final = 4
#: A passage of more characters is cut at its beginning first, so that the work is bounded.
_MAX_CHARACTERS: Final = 6_000
_ELLIPSIS: Final = "\u2026"


def deciding_excerpt(
    passage: str, statement: str, differing_words: Iterable[str], limit: int
) -> str:
    """Return a passage on one line between quotation marks, at most `limit` characters of it.

    What is shown of a longer one has most of the words of the statement, and those that differ. It
    begins with a sentence where it can; an ellipsis marks each end that is cut.
    """
    text = " ".join(passage[:_MAX_CHARACTERS].split())
    if len(text) <= limit:
        return in_quotation_marks(text)
    weights = dict.fromkeys(content_terms(statement), 1)
    weights |= {term: _DIFFERENCE for word in differing_words for term in terms(word)}
    start, end = _best_window(text, weights, limit - 2)
    before = _ELLIPSIS if start > 0 else ""
    after = _ELLIPSIS if end < len(text) else ""
    return in_quotation_marks(f"{before}{text[start:end].strip()}{after}")


def _best_window(text: str, weights: dict[str, int], limit: int) -> tuple[int, int]:
    """Return where the stretch begins and ends that has the words of most weight.

    Of equal ones it is the first that begins with a sentence, else the first of all.
    """
    sentences = {start for start, _ in sentence_spans(text)}
    words = _words(text, weights)
    best, best_value = (0, min(len(text), limit)), (-1, False)
    for number, (start, _, _) in enumerate(words):
        end = start
        seen: set[str] = set()
        for _, word_end, stems in words[number:]:
            if word_end - start > limit:
                break
            end = word_end
            seen |= stems
        end = end if end > start else min(len(text), start + limit)
        value = (sum(map(weights.__getitem__, seen)), start in sentences)
        if value > best_value:
            best, best_value = (start, end), value
    return best


def _words(text: str, weights: Mapping[str, int]) -> list[tuple[int, int, set[str]]]:
    """Return where each word starts and ends, and which of its terms have a weight."""
    words = []
    start = 0
    for word in text.split(" "):
        words.append((start, start + len(word), weights.keys() & terms(word)))
        start += len(word) + 1
    return words
