"""What a token looks like, its kind, the key by which it is compared, and its place in the text.

A kind is one character, so that a scanned text needs little memory. The tables of equal characters
hold what Unicode normalisation and case folding (`text.characters.fold`) do not unify.
"""

import re
from typing import Final

from groundtypes.text.characters import DASHES, MARKS, QUOTATION_MARKS, SPACELESS
from groundtypes.text.characters import WORD as WORD_CHARACTER
from groundtypes.text.latex import SIGN_COMMAND

WORD: Final = "w"
NUMBER: Final = "n"
#: Operators, comparison and percent signs, question and exclamation marks.
SYMBOL: Final = "s"
#: The caret that a superscript implies; a typed caret is a `SYMBOL` with the same key.
EXPONENT: Final = "^"
#: Comma, semicolon, colon, full stop and brackets.
PUNCTUATION: Final = "p"
DASH: Final = "d"
#: A dash at a line break, which may only be the typesetter's hyphenation.
HYPHEN: Final = "h"
QUOTATION_MARK: Final = "q"
#: Markdown, HTML tags and bullets.
MARKUP: Final = "m"
FOOTNOTE: Final = "f"
#: The key of a tag of a paragraph, line break, item, cell or the like, which ends a word.
BLOCK_TAG: Final = "<p>"
ELLIPSIS: Final = "e"
#: What is struck out; its keys differ from those of all other tokens.
STRUCK: Final = "x"

#: Tokens that may be missing on one side of a match.
OPTIONAL: Final = frozenset((QUOTATION_MARK, MARKUP, FOOTNOTE))
#: Tokens of a text that a quote may leave out, but not add.
OMISSIBLE: Final = OPTIONAL | {STRUCK}
#: Tokens that carry meaning, so that they count as words of a quote.
MEANINGFUL: Final = frozenset((WORD, NUMBER, SYMBOL, EXPONENT))


#: Superscript and subscript digits and the Arabic separators of numbers, for `str.translate`.
DIGITS: Final = str.maketrans(
    "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079"
    "\u2080\u2081\u2082\u2083\u2084\u2085\u2086\u2087\u2088\u2089\u066b\u066c",
    "01234567890123456789.,",
)
#: Operators typed as several ASCII characters, and variants of operators and other signs.
OPERATORS: Final = {
    "<=": "\u2264", "=<": "\u2264", ">=": "\u2265", "!=": "\u2260", "+/-": "\u00b1",
    "+-": "\u00b1", "->": "\u2192", "=>": "\u21d2", "\u2a7d": "\u2264", "\u2a7e": "\u2265",
    "\u066a": "%", "\u061f": "?", "\u2044": "/", "\u2215": "/", "\u223c": "~", "\u301c": "~",
    "\u02dc": "~", "\u00ba": "\u00b0", "\u02da": "\u00b0", "\u2218": "\u00b0", "\u00d7": "x",
    "\u2a09": "x", "\u2715": "x",
}  # fmt: skip
#: Punctuation of other scripts, and the ASCII mark that it is compared as.
PUNCTUATION_MARKS: Final = {
    **{mark: mark for mark in ",;:.()[]{}\u00b7"},
    "\u3001": ",",
    "\u3002": ".",
    "\uff61": ".",
    "\uff64": ",",
    "\u060c": ",",
    "\u061b": ";",
    **dict.fromkeys("\u0964\u0965\u06d4\u1362\u0589\u17d4\u104b", "."),
    **dict.fromkeys("\u1363\u104a", ","),
    "\u1364": ";",
    **dict.fromkeys("\u2236\u05c3\u1365", ":"),
    **dict.fromkeys("\u30fb\uff65\u2219\u22c5\u2027", "\u00b7"),
    "\u3010": "[",
    "\u3011": "]",
    "\u3014": "[",
    "\u3015": "]",
}
CLOSING_BRACKETS: Final = {"(": ")", "[": "]", "{": "}"}
BULLETS: Final = frozenset(
    "\u2022\u25e6\u25aa\u25ab\u2023\u25cf\u25cb\u25a0\u25a1\u2043\uf0b7\uf0a7"
)
IS_QUOTATION_MARK: Final = re.compile(f"[{QUOTATION_MARKS}]")
#: Marks that mean inches or feet, minutes or seconds, after a number. Curly quotation marks are
#: not among them: a typographer uses them only for quotations.
INCH_AND_FOOT_MARKS: Final = {"\u2033": '"', "\u2032": "'", '"': '"', "'": "'"}


class Tokens:
    """The tokens of a stretch of text, as four lists of one length.

    `keys` are what is compared and `kinds` are the constants above; `starts` and `ends` are code
    points of the text that was scanned.
    """

    __slots__ = ("ends", "keys", "kinds", "starts")

    def __init__(self) -> None:
        """Create an empty sequence of tokens."""
        self.keys: list[str] = []
        self.kinds: list[str] = []
        self.starts: list[int] = []
        self.ends: list[int] = []

    def add(self, key: str, kind: str, start: int, end: int) -> None:
        """Append one token."""
        self.keys.append(key)
        self.kinds.append(kind)
        self.starts.append(start)
        self.ends.append(end)

    def strike_out(self, first: int) -> None:
        """Mark the tokens from this one on as struck out."""
        for at in range(first, len(self.keys)):
            if self.kinds[at] not in OPTIONAL:
                self.keys[at] = f"~{self.keys[at]}"
                self.kinds[at] = STRUCK

    def __len__(self) -> int:
        return len(self.keys)


#: HTML elements; other text between angle brackets may be part of a sentence.
_TAG_NAMES: Final = "|".join(
    sorted(
        "a abbr acronym address article aside audio b bdi bdo big blockquote body bold br button "
        "canvas caption center cite code col colgroup data datalist dd del details dfn dialog div "
        "dl dt em fieldset figcaption figure font footer form h[1-6] head header hgroup hr html i "
        "iframe img input ins italic kbd label legend li link main map mark menu meta nav noscript "
        "object ol optgroup option output p picture pre q ref rp rt ruby s samp script section "
        "select small source span strike strong style sub summary sup svg table tbody td template "
        "textarea tfoot th thead time title tr tt u ul var video wbr xref".split(),
        key=len,
        reverse=True,
    )
)
#: An attribute of an HTML tag; one without a value is known by its name.
_ATTRIBUTE: Final = (
    r"""\s{1,9}(?:[A-Za-z_:@][\w:.-]{0,40}=(?:"[^"<>]{0,500}"|'[^'<>]{0,500}'|[^\s"'<>]{1,200})"""
    r"|(?:async|autofocus|checked|controls|defer|disabled|hidden|itemscope|loop|multiple|muted|"
    r"nowrap|open|readonly|required|reversed|selected)(?![\w=-]))"
)
#: Comments, document types, processing instructions and addresses between angle brackets.
_OTHER_TAG: Final = (
    r"!--[\s\S]{0,2000}?--|![A-Za-z][^<>]{0,300}|\?[a-z][^<>]{0,300}\?"
    r"|(?:https?|ftp|mailto):[^\s<>]{1,500}|[\w.+-]{1,64}@[\w.-]{1,100}"
)
#: A row between the head and the body of a table, a line under a heading, and a line alone.
_RULE: Final = (
    r"^[ \t]{0,8}(?:\|?[ \t]{0,9}:?-+:?[ \t]{0,40}(?:\|[ \t]{0,9}:?-+:?[ \t]{0,40})*\|?|={2,}|~{3,}"
    r"|\^{3,}|\*{3,}|_{3,}|(?:[*_-][ \t]){2,9}[*_-]|\+[-=+]{3,}|[`~]{3,}[ \t]?[\w+.-]{0,30})"
    r"[ \t]*$|\|(?:[ \t]{0,9}:?-{2,}:?[ \t]{0,9}\|)+"
)
_GREEK_LETTERS: Final = (
    "alpha|beta|gamma|delta|epsilon|zeta|eta|theta|iota|kappa|lambda|mu|nu|xi|pi|rho|sigma|tau|"
    "upsilon|phi|chi|psi|omega"
)
#: Commands of LaTeX that do not change what a text says; those with a brace open a group.
_COMMAND: Final = (
    r"\\(?:(?:emph|text(?:bf|it|md|normal|rm|sc|sf|sl|tt|up)?|math(?:bf|it|rm|sf|tt)|mbox|"
    r"u(?:nder)?line|sout|st|footnote)\{|cite[a-z]{0,10}\*?(?:\[[^\]\n]{0,80}\]){0,2}\{[^{}\n]{0,200}\}"
    rf"|(?=(?:var)?(?:{_GREEK_LETTERS})(?![a-z]))|(?<=\w\\)[,;:!](?=[\w\\$^])|\\?(?=[ \t]*[\r\n]))"
    rf"|{SIGN_COMMAND}"
    r"|\{\\(?:em|it|bf|sl|sc|tt|rm|sf|(?:it|sl|sc)shape|bfseries|ttfamily)(?![A-Za-z])[ ]?"
)
_SUPERSCRIPTS: Final = "\u00b9\u00b2\u00b3\u2070\u2074-\u2079"
_SUBSCRIPTS: Final = "\u2080-\u2089"
#: The vowel am of Thai and Lao in two characters, with a tone mark between them or not.
_SARA_AM: Final = "[\u0e4d\u0ecd][\u0e48-\u0e4b\u0ec8-\u0ecb]?[\u0e32\u0eb2]"
#: Vulgar fractions and raised or lowered digits are not part of a word.
_LETTER: Final = WORD_CHARACTER[:-1] + rf"\d{_SUPERSCRIPTS}{_SUBSCRIPTS}\u00bc-\u00be\u2150-\u215f]"
#: The numbers of a footnote mark: 1; 2, 3; 4-6.
_NUMBER_LIST: Final = r"\d{1,3}(?:\s?[,;\u2013-]\s?\d{1,3}){0,12}"
#: Raised numbers with commas or dashes between them: footnote marks, or an exponent and more.
_RAISED: Final = (
    rf"[{_SUPERSCRIPTS}]+(?:(?:[,\u02d2]\s?|[\u2013\u207b-])[{_SUPERSCRIPTS}]{{1,3}}){{0,12}}"
)
_RAISED_NUMBER: Final = r"\[?(?:<a\s[^<>]{0,300}>)?\s?\[?\d{1,3}\]?\s?(?:</a>)?\]?"
#: The numbers of footnotes in a `<sup>` element, which may have links.
_RAISED_TAG: Final = (
    rf"<sup(?:\s[^<>]{{0,300}})?>{_RAISED_NUMBER}(?:[,;\u2013-]?\s?{_RAISED_NUMBER}){{0,12}}</sup>"
)
#: The alternatives are tried in this order; the name of the one that matches tells the scanner
#: which rule applies. Repetitions that could backtrack are bounded, so that no text makes it slow.
#: Where a line goes on with a space, no alternative is tried.
TOKEN: Final = re.compile(
    rf"""(?!(?<=[^\n])[ \n])(?:
    (?P<word>{_LETTER}+(?:(?<=[nN\uff4e\uff2e])['\u2019\u02b9\u02bc\uff07`\u00b4\u2018][tT\uff54\uff34](?!{_LETTER})
        |(?<=[lL])\u00b7(?=[lL]){_LETTER}+)?)
    |(?P<list_number>^[ \t]{{0,8}}\d{{1,2}}[.)](?=\s))
    |(?P<number>(?:(?<![\w.)\]])\.(?=\d))?[\d{_SUBSCRIPTS}]+(?:[.,\uff0e\uff0c\u066b\u066c]\d+)*)
    |(?P<spaceless>{_SARA_AM}|[{SPACELESS}][{MARKS}]*)
    |(?P<rule>{_RULE})
    |(?P<ellipsis>\.{{3,}}|[\u2026\u22ef]|\.\ \.\ \.)
    |(?P<fraction>[\u00bc-\u00be\u2150-\u215f])
    |(?P<bracket>(?i:-[LR][RSC]B-))
    |(?P<operator>[<\uff1c][=\uff1d]|[>\uff1e][=\uff1d]|[=\uff1d][<>\uff1c\uff1e]|[!\uff01][=\uff1d]|\+/-|\+-(?![A-Za-z])|->)
    |(?P<dash>[{DASHES}]+)
    |(?P<raised>(?i:{_RAISED_TAG}))
    |(?P<tag>(?i:<(?:/?(?:{_TAG_NAMES})(?:{_ATTRIBUTE}){{0,9}}\s?/?|{_OTHER_TAG})>))
    |(?P<edited_word>\[[A-Za-z]\]{_LETTER}+)
    |(?P<footnote>\[(?:{_NUMBER_LIST}|[a-z]|(?i:note\s\d{{1,3}}|citation\ needed|edit
        |clarification\ needed|who\?|when\?)|\^[\w-]{{1,20}})\]|[\u2020\u2021]|{_RAISED})
    |(?P<link>\]\((?:[^\s()<>]|\([^\s()]{{0,100}}\)){{1,300}}(?:\s"[^"\n]{{0,200}}")?\)
        |\]\[[^\[\]\n]{{0,100}}\]|\[\[(?:[^\[\]|\n]{{1,100}}\|)?(?=[^\[\]\n]{{1,100}}\]\])|\]\])
    |(?P<command>{_COMMAND})
    |(?P<escape>\\[!-/:-@\[-`{{-~])
    |(?P<emphasis>[*_~\u2217]+|==)
    |(?P<joined>[\u2103\u2109\u2116\u3371-\u33df])
    |(?P<other>\S))""",
    re.VERBOSE | re.MULTILINE,
)
#: A character reference of HTML, such as `&amp;` or `&#160;`.
ENTITY: Final = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});")
#: Raised digits and the symbol of a chemical element: an isotope, and not a footnote mark.
ISOTOPE: Final = re.compile(
    rf"(?:[{_SUPERSCRIPTS}]{{1,3}}|<sup>\d{{1,3}}m?</sup>)\u1d50?[A-Z][a-z]?(?![a-z])"
)
#: After these words, numbers in brackets are an interval, not a footnote mark.
INTERVAL_WORDS: Final = frozenset(
    "range interval iqr ci between from mean median score scale values value bounds limits".split()
)
#: Units and functions of more than two letters that may have an exponent.
UNIT_WORDS: Final = frozenset(
    "mol min sec rad mile inch yard foot feet metre meter sin cos tan log".split()
)
