"""Where a text quotes: the words between quotation marks, outside of code."""

import re
from collections.abc import Iterator
from typing import Final

from groundtypes.text.markdown import uncited_spans

#: Opening marks, and the marks that close each of them.
_PAIRS: Final = {
    "\u201c": "\u201d",
    "\u201e": "\u201c\u201d",
    "\u00ab": "\u00bb",
    "\u00bb": "\u00ab",
    "\u300c": "\u300d",
    "\u300e": "\u300f",
}
#: A quotation is not longer, and goes across no blank line.
_LONGEST: Final = 2_000
#: Straight marks open before a word and close behind one, so that those of 5" are none.
_QUOTED: Final = re.compile(
    rf'(?<![\w"])"(?=[^\s"])(?:[^"\n]|\n(?![ \t]*\n)){{1,{_LONGEST}}}(?<!\s)"(?!\w)'
    + "".join(
        rf"|{opening}(?:[^{opening}{closing}\n]|\n(?![ \t]*\n)){{1,{_LONGEST}}}[{closing}]"
        for opening, closing in _PAIRS.items()
    )
)
#: What takes the place of code: no quotation mark, no space and no letter.
_CODE: Final = "\ufffc"
_NOT_LINE_BREAK: Final = re.compile(r"[^\n]")


def quotations(text: str) -> Iterator[str]:
    """Yield the words between each pair of quotation marks of a Markdown text.

    Single marks, which are apostrophes as well, quote nothing here, and neither does code. Of a
    quotation in a quotation only the outer one is yielded.
    """
    pieces, last = [], 0
    for start, end in uncited_spans(text):
        pieces += [text[last:start], _NOT_LINE_BREAK.sub(_CODE, text[start:end])]
        last = end
    for found in _QUOTED.finditer("".join([*pieces, text[last:]])):
        words = text[found.start() + 1 : found.end() - 1].strip()
        if words:
            yield words
