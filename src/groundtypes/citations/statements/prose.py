"""The prose of a text in Markdown: what of it can claim something.

Code blocks, formulas that stand apart, images and comments claim nothing. They are replaced by
spaces, so that each position stays the same.
"""

import re
from collections.abc import Iterator
from typing import Final

from groundtypes.citations.markers.markdown import (
    comment_spans,
    fenced_spans,
    formula_spans,
    merged_spans,
)

_IMAGE: Final = re.compile(
    r"!\[(?P<words>[^\[\]]{0,300})\](?:\([^()\n]{0,1000}(?:\([^()\n]{0,300}\)[^()\n]{0,300})?\)"
    r"|\[[^\[\]\n]{0,200}\])"
)
#: The languages of code blocks that may hold text, and what a line that is a sentence looks like.
_TEXT_BLOCKS: Final = frozenset(("", "markdown", "md", "text", "txt", "plain", "plaintext"))
_SENTENCE: Final = re.compile(
    r"\s{0,200}[^\W\d_a-z][^\n]{0,2000}[.!?\u3002][\"')\]*_]{0,4}\s{0,20}\Z"
)
_FEWEST_WORDS: Final = 4
_NOT_LINE_BREAK: Final = re.compile(r"[^\r\n]")
_VISIBLE: Final = re.compile(r"[^\W_]")


def prose_of(text: str) -> str:
    """Return a text with spaces in place of what claims nothing; it has the same length.

    A text without any prose counts as prose as a whole.
    """
    spans = [*formula_spans(text), *comment_spans(text), *_fences(text)]
    spans += (found.span() for found in _IMAGE.finditer(text) if not _is_sentence(found["words"]))
    pieces, last = [], 0
    for start, end in merged_spans(spans):
        pieces += [text[last:start], _NOT_LINE_BREAK.sub(" ", text[start:end])]
        last = end
    prose = "".join([*pieces, text[last:]])
    return prose if _VISIBLE.search(prose) else text


def _fences(text: str) -> Iterator[tuple[int, int]]:
    """Yield code blocks; of one that holds sentences only its fences."""
    for start, end in fenced_spans(text):
        first, *lines = text[start:end].split("\n")
        language = first.strip().lstrip("`~> ").lower()
        if language in _TEXT_BLOCKS and any(map(_is_sentence, lines)):
            yield start, start + len(first)
            if lines[-1].strip().strip("`~> ") == "":
                yield end - len(lines[-1]), end
        else:
            yield start, end


def _is_sentence(line: str) -> bool:
    return len(line.split()) >= _FEWEST_WORDS and _SENTENCE.match(line) is not None
