"""Leaving out program code: what its strings say is not what a reply says.

Only lines that are certainly code are left out. Comments stay, because models that decline to write
code say so in a comment, and so does JSON, which is how many of them give their answers.
"""

import re
from typing import Final

__all__ = ["without_code"]

#: A line that is code for certain: a definition, a statement that returns, raises, or assigns.
_STATEMENT: Final = re.compile(
    r"\s*(?:(?:async\s+)?def \w+\s*\(.*\)|(?:export\s+)?(?:async\s+)?function\s*\w*\s*\("
    r"|(?:public|private|protected|static|func|fn)\s[^.!?]*\(.*[{;]\s*$"
    r"|class \w+\s*(?:\(.*\))?\s*[:{]\s*$|raise \w+(?:\.\w+)*\s*\("
    r"|throw (?:new )?\w+\s*\(|return\s+f?[\"'`(\[{]"
    r"|(?:export\s+)?(?:const|let|var|val)\s+\w+(?:\s*:\s*\w+)?\s*=\s*\S"
    r"|if\s*\(.*\)\s*(?:\{|return\b|throw\b)"
    r"|[a-zA-Z_][\w.\[\]]*\s*(?:[+:]?=|=>|<-)\s*f?[\"'`(\[{])"
)
#: Other lines of code, which may be anything if no statement stands beside them.
_CODE: Final = re.compile(
    r"\s*(?:[}\])]+[;,]?\s*(?:else\s*\{)?\s*$|(?:else|try|finally)\s*[:{]"
    r"|(?:if|elif|while|for|except|catch)\b.*[:{]\s*$|import \w|from [\w.]+ import |#include"
    r"|using \w+;|return\b|pass\s*$|export default |end\s*;?$|@\w+"
    r"|[\w.]+\(.*\)?[;{]?\s*$|.*[;{]\s*$)"
)
_FENCE: Final = "```"
_COMMENT: Final = re.compile(r"\s*(?:#(?!include)|//|/\*|\*(?!\w)|--|<!--)")


def without_code(text: str) -> str | None:
    """Return a text without the lines that are code; `None` if none is for certain."""
    lines = text.split("\n")
    if not any(map(_is_statement, lines)):
        return None
    kept = [line for line in lines if not _is_code(line)]
    return "\n".join(kept)


def _is_statement(line: str) -> bool:
    return _STATEMENT.match(line) is not None


def _is_code(line: str) -> bool:
    if line.lstrip().startswith(_FENCE):
        return True
    if _COMMENT.match(line):
        return False
    return _is_statement(line) or _CODE.match(line) is not None
