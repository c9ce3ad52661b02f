"""Keys and headers in plain words, and the paths of values."""

import json
import re
from functools import lru_cache
from typing import Final

from groundtypes.words import all_words

#: The most characters of a key, header or path: what is longer is cut.
LONGEST_NAME: Final = 200
_PLAIN_KEY: Final = re.compile(r"[^\W\d]\w*")
#: Where a key changes from lower to upper case, or from a run of capitals to a word.
_CAMEL: Final = re.compile(r"(?<=[a-z]{2})(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z]{2}(?!$))")
_JOINTS: Final = re.compile(r"[_\s]+|(?<=\w)[.\-/](?=[^\W\d])")
#: A value that is a number, perhaps with a sign, a currency sign or a percent sign.
_NUMBER: Final = re.compile(
    r"\(?[-+\u2212]?\s?[$\u20ac\u00a3\u00a5]?\s?\d[\d.,'\u2019\xa0\u202f ]*(?:[eE][-+]?\d+)?%?\)?"
)
_LONGEST_NUMBER: Final = 60


def is_number(value: str) -> bool:
    """Whether a value is a number as tables and JSON write it, without a unit but perhaps %."""
    return len(value) <= _LONGEST_NUMBER and _NUMBER.fullmatch(value.strip()) is not None


def clipped(name: str) -> str:
    """Return a name that is at most as long as names may be."""
    return name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…"


def json_path(parent: str, key: str | int) -> str:
    """Return the path of a value: `orders[2].total`; other keys are quoted, as in `["a.b"]`."""
    if isinstance(key, int):
        return clipped(f"{parent}[{key}]")
    if _PLAIN_KEY.fullmatch(key):
        return clipped(f"{parent}.{key}" if parent else key)
    return clipped(f"{parent}[{json.dumps(clipped(key), ensure_ascii=False)}]")


@lru_cache(maxsize=4096)
def plain_words(name: str) -> str:
    """Return a key or header in plain words: `orderStatus` and `order_status` are order status."""
    if " " in name:
        return " ".join(name.split())
    parts = _JOINTS.split(re.sub(r"\[\d+\]", " ", name))
    words = [word for part in parts for word in _CAMEL.sub(" ", part).split()]
    rest = (word if word.isupper() else word.lower() for word in words[1:])
    return " ".join([*words[:1], *rest]) or name


@lru_cache(maxsize=4096)
def is_naming(name: str) -> bool:
    """Whether a key or header names what says which object or row it is."""
    words = plain_words(name).lower().split()
    return is_identifier(name) or bool(words and words[-1] in all_words("names in a key"))


@lru_cache(maxsize=4096)
def is_identifier(name: str) -> bool:
    """Whether a key or header names what is an id, not a quantity."""
    words = re.findall(r"[^\W_]+", plain_words(name).lower())
    if not words:
        return name.strip() in ("#", "№")
    if words[-1] in all_words("identifies in a key"):
        return True
    return words[-1] in all_words("numbers in a key") and (
        len(words) == 1 or words[-2] in all_words("numbered in a key")
    )
