"""What pages are made of: escaped text, files of a package, and hashes for the page's policy."""

import base64
import hashlib
import html
import re
from functools import cache
from importlib.resources import files
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


@cache
def asset(package: str, name: str) -> str:
    """Return a text file of a package."""
    return files(package).joinpath(name).read_text(encoding="utf-8")


def source_hash(text: str) -> str:
    """Return how a Content-Security-Policy names a script or style that it allows."""
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{digest}'"
