"""Words of English that change what a sentence says, by what they do.

Each class maps a word to a group: words of one group say about the same, so that "may" beside
"might" is no difference. Words are lower case; expressions of several words are joined with "_".
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

__all__ = [
    "CAUSE",
    "COMPARISON",
    "CONDITION",
    "EXPRESSIONS",
    "HEDGE",
    "MODALITY",
    "NEGATION",
    "NUMBERS",
    "OPPOSITES",
    "QUANTIFIER",
]


def _groups(**groups: str) -> Mapping[str, str]:
    words = {word: name for name, listed in groups.items() for word in listed.split()}
    return MappingProxyType(words)


NEGATION: Final = _groups(
    no="not no never nothing nobody none neither nor without cannot nowhere no_longer no_one "
    "hardly barely scarcely unable fail fails failed refuse refuses refused lack lacks lacked"
)
QUANTIFIER: Final = _groups(
    all="all every each everyone everything everybody always entire whole throughout any anyone "
    "anything anybody wherever whenever",
    most="most majority mostly usually generally largely mainly",
    some="some several certain sometimes occasionally partly",
    few="few rarely seldom little",
    both="both",
    half="half",
    either="either",
)
MODALITY: Final = _groups(
    may="may might can could possible able optional option",
    must="must shall have_to has_to had_to need needs needed needing required requires require "
    "mandatory compulsory obliged obligatory necessary",
    should="should ought recommended recommends recommend advised advises advise suggested",
    allowed="allowed permitted welcome allows permits allow permit",
    forbidden="forbidden prohibited banned prohibits bans forbids barred",
)
CONDITION: Final = _groups(
    exception="unless except excepting excluding excludes excluded exception exceptions apart_from "
    "other_than besides but",
    only="only solely exclusively just alone sole",
    condition="if provided providing whether in_case as_long_as subject_to depending depends once "
    "upon on_condition",
    until="until till",
)
COMPARISON: Final = _groups(
    more="more greater higher above over larger bigger exceeds exceed exceeded exceeding faster "
    "longer better heavier older stronger",
    less="less fewer lower below under smaller slower shorter worse lighter younger weaker",
    most="maximum at_most up_to highest largest biggest longest oldest best no_more_than",
    least="minimum at_least lowest smallest shortest youngest worst no_less_than",
    before="before earlier prior previously previous beforehand",
    after="after later afterwards following subsequently since then next",
    first="first initially initial original originally",
    last="last final finally latest",
    same="same equal equally as_much as_many",
)
HEDGE: Final = _groups(
    hedge="expected expects expect likely unlikely about approximately around roughly planned "
    "plans plan estimated estimates estimate probably perhaps possibly may might could "
    "suggest suggests suggested appear appears appeared seem seems seemed reportedly "
    "alleged allegedly intends intended hope hopes hoped nearly almost proposed provisional "
    "tentative tentatively claims claimed believed believes thought considering considered "
    "potential potentially up_to aims forecast"
)
CAUSE: Final = _groups(
    cause="because therefore caused causes cause due result results resulted led leads owing thus "
    "hence thanks consequently reason why so_that blamed"
)

_OPPOSITES: Final = (
    "before|earlier|prior after|later|following",
    "more|greater|higher|above|over|larger less|fewer|lower|below|under|smaller",
    "first last|final",
    "increase|increases|increased|rise|rises|rose decrease|decreases|decreased|fall|falls|fell",
    "grew|grow|grown|gained|up shrank|shrink|shrunk|dropped|down",
    "open|opens|opened|opening|opening closed|closes|close|closing|shut",
    "inside|indoors outside|outdoors",
    "allowed|permitted|may|can forbidden|prohibited|banned",
    "accept|accepts|accepted|approve|approved|agreed refuse|refuses|refused|reject|rejected",
    "maximum|at_most|most|up_to minimum|at_least|least",
    "early late",
    "buy|bought|buys sell|sold|sells",
    "with|including|includes|included without|excluding|excludes|excluded",
    "start|starts|started|begin|begins|began|beginning end|ends|ended|ending|finish|finished",
    "win|won|wins lose|lost|loses",
    "true|right|correct false|wrong|incorrect",
    "same different",
    "north|northern south|southern",
    "east|eastern west|western",
    "morning|am afternoon|evening|pm",
    "day|daytime night|overnight",
    "left right",
    "cheaper|cheapest dearer|pricier|dearest",
    "best|better worst|worse",
    "old|older|oldest new|newer|newest|young|younger",
    "heavy|heavier light|lighter",
    "hot|warm|warmer cold|cool|cooler",
    "fast|faster|quick slow|slower",
    "always|every|all never|none",
    "required|mandatory|compulsory optional|voluntary",
    "free charged|paid",
    "full|fully empty|partly|partial",
    "temporary|temporarily permanent|permanently",
    "agree|agreed|supported disagree|disagreed|opposed",
    "enter|entrance|arrive|arrived|arrives leave|leaves|left|exit|depart|departs",
    "add|added|adds remove|removed|removes",
    "above below|beneath|under",
    "public private",
    "odd even",
    "weekdays|weekday weekend|weekends",
    "summer winter",
    "success|succeeded|successful failure|failed|unsuccessful",
    "present absent",
    "long|longer short|shorter",
)


def _opposites() -> Mapping[str, frozenset[str]]:
    table: dict[str, set[str]] = {}
    for line in _OPPOSITES:
        one, other = (set(side.split("|")) for side in line.split(" "))
        for word in one:
            table.setdefault(word, set()).update(other)
        for word in other:
            table.setdefault(word, set()).update(one)
    return MappingProxyType({word: frozenset(words) for word, words in table.items()})


#: Each word with the words that say the opposite.
OPPOSITES: Final = _opposites()

#: Expressions of several words that are read as one.
EXPRESSIONS: Final = (
    "no longer",
    "no one",
    "have to",
    "has to",
    "had to",
    "apart from",
    "other than",
    "in case",
    "as long as",
    "subject to",
    "on condition",
    "at most",
    "at least",
    "up to",
    "no more than",
    "no less than",
    "as much",
    "as many",
    "so that",
)
#: Numbers in words, as figures.
NUMBERS: Final = MappingProxyType(
    {
        word: str(value)
        for value, word in [
            *enumerate(
                "zero one two three four five six seven eight nine ten eleven twelve thirteen "
                "fourteen fifteen sixteen seventeen eighteen nineteen twenty".split()
            ),
            *zip(
                range(30, 100, 10),
                "thirty forty fifty sixty seventy eighty ninety".split(),
                strict=True,
            ),
            (100, "hundred"),
            (1000, "thousand"),
            ("noon", "noon"),
            ("noon", "midday"),
            ("midnight", "midnight"),
        ]
    }
)
