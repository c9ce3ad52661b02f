"""Whether a text is a short list of names, such as the dishes of a menu.

"Tagliatelle al ragù, saltimbocca alla romana" is what an English text calls these dishes, too. A
list says so little that a short one is not clearly in another language, unless it has words of
which sentences are made.
"""

import re
from typing import Final

__all__ = ["is_list_of_names"]

_ITEMS: Final = re.compile(r"\s*[,;\n\u2022]\s*(?:(?:and|or|&)\s+)?|\s+(?:and|or|&)\s+")
_WORD: Final = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)?")
#: A list of more words says enough; one of fewer items is no list.
_MOST_WORDS: Final = 9
_FEWEST_ITEMS: Final = 3
_LONGEST_ITEM: Final = 4
#: Words inside of a name that tell of what or how something is made.
_PARTICLES: Final = frozenset("al alla alle allo au aux à de di del della dello du do dos".split())
#: Words of which sentences are made in the languages that have those particles.
_OF_SENTENCES: Final = frozenset(
    "es son está están hay no sí si más muy nada todo todos todas pero porque que qué como "
    "cuando se me te le nos lo los el las su sus este esta eso yo tú él ella gracias bien "
    "puede est sont a ont il elle on nous vous ils elles je tu ne pas oui non qui mais très "
    "plus tout tous ce cette ces sa ses les mon merci c'est sûr aussi la peut jamais rien è "
    "sono ha hanno c'è sì che chi ma bene molto più tutto tutti questo questa gli i suo sua "
    "mi ti ci io lui lei grazie va può prego é são estão há não sim mas bem muito tudo os as "
    "um uma seu eu ele ela obrigado pode o sunt nu că și het is zijn een niet ja nee dat die "
    "det som och att inte är ikke og har un una uno favor por per pour d'accord certo claro "
    "vale e et y oppure senza sans sin sem".split()
)


def is_list_of_names(text: str) -> bool:
    """Return whether a text is a list of at most nine words, with particles as names have them."""
    text = text.strip().rstrip(".")
    items = [_WORD.findall(item.lower()) for item in _ITEMS.split(text) if item]
    words = [word for item in items for word in item]
    if not (len(items) >= _FEWEST_ITEMS and len(words) <= _MOST_WORDS) or text[-1:] in "?!:":
        return False
    if not all(1 <= len(item) <= _LONGEST_ITEM for item in items):
        return False
    inside = (word for item in items for word in item[1:-1])
    return any(word in _PARTICLES for word in inside) and not any(
        word in _OF_SENTENCES and before not in ("a", "à")
        for before, word in zip(["", *words], words, strict=False)
    )
