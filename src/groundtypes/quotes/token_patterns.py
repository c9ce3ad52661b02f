"""The regular expressions of the scanner: what a token looks like, before its context is known."""

import re
from typing import Final

from groundtypes.text.characters import DASHES, MARKS, SPACELESS, WORD
from groundtypes.text.latex import SIGN_COMMAND

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
#: Characters without a glyph that may stand between the digits of a number.
_INVISIBLE: Final = "[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]{1,3}"
_SUPERSCRIPTS: Final = "\u00b9\u00b2\u00b3\u2070\u2074-\u2079"
_SUBSCRIPTS: Final = "\u2080-\u2089"
#: The vowel am of Thai and Lao in two characters, with a tone mark between them or not.
_SARA_AM: Final = "[\u0e4d\u0ecd][\u0e48-\u0e4b\u0ec8-\u0ecb]?[\u0e32\u0eb2]"
#: Vulgar fractions and raised or lowered digits are not part of a word.
_LETTER: Final = WORD[:-1] + rf"\d{_SUPERSCRIPTS}{_SUBSCRIPTS}\u00bc-\u00be\u2150-\u215f]"
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
    |(?P<number>(?:(?<![\w.)\]])\.(?=\d))?[\d{_SUBSCRIPTS}]+(?:(?:[.,\uff0e\uff0c\u066b\u066c]|{_INVISIBLE})\d+)*)
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
