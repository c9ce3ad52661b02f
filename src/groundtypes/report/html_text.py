"""Text escaped for HTML, with characters that a reader cannot see replaced by their names."""

import html
import re
from typing import Final

#: Characters that are invisible or change the order of the text around them: controls, marks of
#: direction, lone surrogates. The page's script has the same list, `SHOWN_AS_CODE` in dom.js.
_SHOWN_AS_CODE: Final = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff"
    "\ud800-\udfff]"
)


def escaped(text: str) -> str:
    """Return the text for an element or a quoted attribute; invisible ones are named."""
    return _SHOWN_AS_CODE.sub(lambda match: f"[U+{ord(match[0]):04X}]", html.escape(text))
