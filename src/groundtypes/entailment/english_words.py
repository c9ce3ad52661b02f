"""Words of English that deny, compare, count or restrict, and numbers in words.

Words are lower case; expressions of several words are joined with "_".
"""

from types import MappingProxyType
from typing import Final

NEGATION: Final = frozenset(
    "not no never nothing nobody none neither nor without cannot nowhere no_longer no_one "
    "hardly barely scarcely unable fail fails failed refuse refuses refused lack lacks "
    "lacked".split()
)
QUANTIFIER: Final = frozenset(
    "all every each everyone everything everybody always entire whole throughout any anyone "
    "anything anybody wherever whenever most majority mostly usually generally largely mainly "
    "some several certain sometimes occasionally partly few rarely seldom little both half "
    "either".split()
)
CONDITION: Final = frozenset(
    "unless except excepting excluding excludes excluded exception exceptions besides but only "
    "solely exclusively just alone sole if provided providing whether depending depends once "
    "upon until till".split()
)
COMPARISON: Final = frozenset(
    "more greater higher above over larger bigger exceeds exceed exceeded exceeding faster "
    "longer better heavier older stronger less fewer lower below under smaller slower shorter "
    "worse lighter younger weaker maximum highest largest biggest longest oldest best minimum "
    "lowest smallest shortest youngest worst before earlier prior previously previous "
    "beforehand after later afterwards following subsequently since then next first initially "
    "initial original originally last final finally latest same equal equally".split()
)
#: Expressions of several words that are read as one.
EXPRESSIONS: Final = ("no longer", "no one")
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
