"""Code inside of a text: statements of SQL, lines of programs, keys of JSON, rows of CSV.

Its words are names that somebody chose ("kunde", "musée"), and tell nothing about the language of
the text around them. What is taken for code has the grammar or the signs of code, so that no
sentence in any language is: in a statement of SQL, say, no three names follow each other.
"""

import re
from typing import Final

from groundtypes.text.characters import SPACELESS

__all__ = ["without_code"]

#: The words of SQL that are looked for, beside the types of columns and all words in capitals.
_KEYWORDS: Final = frozenset(
    "select from where and or not in is null as on join left right inner outer full cross group "
    "order by having limit offset union all distinct insert into values update set delete create "
    "table view index unique primary foreign key references default alter add drop column if "
    "exists between like case when then else end asc desc true false with using returning text "
    "integer int varchar char boolean date timestamp numeric decimal real float count sum avg min "
    "max".split()
)
_SQL_START: Final = re.compile(
    r"\b(?:(?i:select\s+(?:distinct\s+)?[\w.,*()`\"\s]{1,200}?\s+from)|(?i:insert\s+into)"
    r"|(?i:delete\s+from)|(?i:create\s+(?:table|view|(?:unique\s+)?index))"
    r"|(?i:(?:alter|drop)\s+table)|(?i:update\s+[\w.`\"]{1,60}\s+set))\b"
)
_SQL_TOKEN: Final = re.compile(r"\s*('[^'\n]*'|\"[^\"\n]*\"|`[^`\n]*`|[\w.$@]+|[(),;=<>!*+/|%-])")
#: At most so many tokens of a statement are read, and so many names may follow each other: a table
#: and its alias.
_MOST_TOKENS: Final = 200
_MOST_NAMES: Final = 2
_KEY: Final = re.compile(r"\"[^\"\n]{1,40}\"[ \t]*:|(?<=[{,])[ \t]*'[^'\n]{1,40}'[ \t]*:")
#: Values with commas and no spaces between them, in a script that has spaces.
_VALUE: Final = rf"[^\s,{SPACELESS}]+"
_ROW: Final = re.compile(rf"(?<!\S){_VALUE}(?:,{_VALUE}){{2,}}(?!\S)")
_CODE_LINE: Final = re.compile(
    r"^[ \t]*(?:def|for|while|if|elif|else|return|const|let|var|public|private|protected|static"
    r"|class|import|function|fn|func|int|String|void|print|try|switch)\b[^\n]*",
    re.MULTILINE,
)
_CODE_SIGN: Final = re.compile(
    r";(?=\s|$)|[{}]|[=!<>]=|=>|->|:=|\w\(|\s=\s|\):|\bin \w+:|\w\.\w+\("
)
#: A line of a program has so many signs of code.
_FEWEST_SIGNS: Final = 2


def without_code(text: str) -> str:
    """Return a text with a space in the place of what is clearly code in it."""
    if "," in text:
        text = _ROW.sub(" ", text)
    if '":' in text or "':" in text or '" :' in text:
        text = _KEY.sub(" ", text)
    text = _CODE_LINE.sub(_without_code_line, text)
    return _without_sql(text)


def _without_code_line(line: re.Match[str]) -> str:
    signs = len(_CODE_SIGN.findall(line[0]))
    return " " if signs >= _FEWEST_SIGNS else line[0]


def _without_sql(text: str) -> str:
    parts, done = [], 0
    for start in _SQL_START.finditer(text):
        if start.start() < done:
            continue
        end = _end_of_statement(text, start.start())
        if end > start.start():
            parts += [text[done : start.start()], " "]
            done = end
    return "".join([*parts, text[done:]])


def _end_of_statement(text: str, start: int) -> int:
    """Return where the tokens of a statement of SQL end; its start if they are a sentence."""
    at, names, keywords, signs = start, 0, 0, 0
    first_of_names = start
    for _ in range(_MOST_TOKENS):
        token = _SQL_TOKEN.match(text, at)
        if token is None or text[at : token.start(1)].count("\n") > 1:
            break
        word = token[1]
        if word[0].isalpha() and (word.lower() in _KEYWORDS or (word.isupper() and len(word) > 1)):
            names, keywords = 0, keywords + 1
        elif word[0].isalnum() or word[0] == "_":
            first_of_names = token.start(1) if names == 0 else first_of_names
            names += 1
            if names > _MOST_NAMES:
                # What follows the keyword or sign is a sentence.
                return start if keywords <= _FEWEST_SIGNS and not signs else first_of_names
        else:
            names, signs = 0, signs + 1
        at = token.end()
        if word == ";" or (word[-1] == "." and names):
            break
    return at
