"""The prose of a text in Markdown: what of it can claim something.

Code blocks, formulas that stand apart, images, comments and the underlines of headings claim
nothing. They are replaced by spaces, so that each position stays the same.
"""

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import replace
from typing import Final

from groundtypes.citations.markers.code_spans import (
    comment_spans,
    display_math_spans,
    fenced_spans,
    merged_spans,
)
from groundtypes.text.hypotheses import Hypothesis, hypotheses
from groundtypes.text.layout import item_marker

__all__ = ["prose_hypotheses", "prose_of"]

_IMAGE: Final = re.compile(
    r"!\[(?P<words>[^\[\]]{0,300})\](?:\([^()\n]{0,1000}(?:\([^()\n]{0,300}\)[^()\n]{0,300})?\)"
    r"|\[[^\[\]\n]{0,200}\])"
)
_TAG: Final = re.compile(r"</?(?:p|br|div|hr)\b[^<>]{0,200}>", re.IGNORECASE)
_UNDERLINE: Final = re.compile(
    r"^[ ]{0,3}[^\s>#|][^\n|]{0,199}\n(?P<line>[ ]{0,3}(?:={2,200}|-{2,200})[ \t]{0,20})\r?$",
    re.MULTILINE,
)
#: The languages of code blocks that hold text, and what a line that is a sentence looks like.
_TEXT_BLOCKS: Final = frozenset(("", "markdown", "md", "text", "txt", "plain", "plaintext"))
_SENTENCE: Final = re.compile(
    r"\s{0,200}[^\W\d_a-z][^\n]{0,2000}[.!?\u3002][\"')\]*_]{0,4}\s{0,20}\Z"
)
_FEWEST_WORDS: Final = 4
_INDENT: Final = ("    ", "\t")
#: What stands in lines of code, and hardly in prose.
_CODE: Final = re.compile(r"[=(){}<>$\\|;`]|--|\w[._/]\w|\A\s*#|\A\s*(?:[a-z]+\s){0,3}[a-z]+\s*\Z")
_CAPITAL: Final = re.compile(r"\W*[^\W\d_a-z]")
_GAP: Final = re.compile(r"(?<=[^\W\d_]),? \(?(?=[^\W\d_])")
_NOT_LINE_BREAK: Final = re.compile(r"[^\r\n]")
_VISIBLE: Final = re.compile(r"[^\W_]")


def prose_hypotheses(text: str, apart: Sequence[int] = ()) -> list[Hypothesis]:
    """Return the sentences of the prose of a text, as `hypotheses` words them.

    Args:
        text: The text.
        apart: Positions, in order, of sentences that are not joined with the next, though short.
    """
    found = hypotheses(prose_of(text), apart)
    headings = {match.start("line") for match in _UNDERLINE.finditer(text)}
    return [
        replace(each, is_claim=False)
        if each.is_claim
        and text[each.end : each.end + 1] in "\r\n"
        and _is_title(each, text, headings)
        else each
        for each in found
    ]


def _is_title(sentence: Hypothesis, text: str, lines: Container[int]) -> bool:
    """Whether a sentence is underlined and would claim nothing as a marked heading."""
    words = sentence.text
    line = text.find("\n", sentence.end) + 1
    if line not in lines or words.endswith((".", "!", "?")):
        return False
    return not any(each.is_claim for each in hypotheses(f"# {words}"))


def prose_of(text: str) -> str:
    """Return a text with spaces in place of what claims nothing; it has the same length.

    A text without any prose counts as prose as a whole.
    """
    spans = [*display_math_spans(text), *comment_spans(text), *_fences(text)]
    spans.extend(found.span() for found in _IMAGE.finditer(text) if not _is_prose(found["words"]))
    spans.extend(found.span() for found in _TAG.finditer(text))
    spans.extend(found.span("line") for found in _UNDERLINE.finditer(text))
    spans.extend(_indented(text))
    pieces, last = [], 0
    for start, end in merged_spans(spans):
        pieces += [text[last:start], _NOT_LINE_BREAK.sub(" ", text[start:end])]
        last = end
    prose = "".join([*pieces, text[last:]])
    return prose if _VISIBLE.search(prose) else text


def _fences(text: str) -> Iterator[tuple[int, int]]:
    """Yield code blocks; of one that holds prose only its fences."""
    for start, end in fenced_spans(text):
        first, *lines = text[start:end].split("\n")
        language = first.strip().lstrip("`~> ").lower()
        if language in _TEXT_BLOCKS and any(map(_is_prose, lines)):
            yield start, start + len(first)
            if lines[-1].strip().strip("`~> ") == "":
                yield end - len(lines[-1]), end
        else:
            yield start, end


def _is_prose(line: str) -> bool:
    """Whether a line is a sentence."""
    return len(line.split()) >= _FEWEST_WORDS and _SENTENCE.match(line) is not None


def _indented(text: str) -> Iterator[tuple[int, int]]:
    """Yield blocks of code that are indented: behind a blank line, and not in a list."""
    if "\n    " not in text and "\n\t" not in text and not text.startswith(_INDENT):
        return
    block: list[tuple[int, int]] = []
    is_after_blank, in_list = True, False
    start = 0
    for line in [*text.split("\n"), "end"]:
        span = start, start + len(line)
        start = span[1] + 1
        if not line.strip():
            is_after_blank = True
            continue
        if line.startswith(_INDENT) and not in_list and (block or is_after_blank):
            block.append(span)
        else:
            yield from _if_code(text, block)
            block = []
            in_list = item_marker(line) is not None or (
                in_list and (line[0].isspace() or not is_after_blank)
            )
        is_after_blank = False


def _if_code(text: str, block: Sequence[tuple[int, int]]) -> Sequence[tuple[int, int]]:
    """Return a block of lines if it is code: no line is a sentence, and each looks like code."""
    lines = [text[start:end] for start, end in block]
    is_code = all(_CODE.search(line) and not _is_wordy(line) for line in lines)
    return block if is_code else ()


def _is_wordy(line: str) -> bool:
    """Whether a line has words beside each other like a sentence, if without its full stop."""
    return _CAPITAL.match(line) is not None and len(_GAP.findall(line)) >= _FEWEST_WORDS - 1
