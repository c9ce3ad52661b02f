"""Keys and headers in plain words, and the paths of values."""

import json
import re
from functools import lru_cache
from typing import Final

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
#: Names of values that only tell one object from another.
_IDENTIFIERS: Final = frozenset(
    "id uuid guid sku isbn ean upc zip postcode plz phone telephone fax iban bic key hash ref "
    "serial barcode index idx".split()
)
_NUMBERING: Final = frozenset("number no nr num code".split())
#: The last words of keys and headers whose values say what an object is about.
_NAMING: Final = frozenset(
    "id name title label code number symbol ticker key city country region state location place "
    "station company team player product customer patient student employee user date day month "
    "year quarter season period time timestamp subject type category".split()
)
#: After these words, "number" and "code" are those of a thing, not a count.
_NUMBERED: Final = frozenset(
    "order invoice account flight train bus line tracking room ticket customer item product part "
    "serial phone postal zip area country iata icao employee student course case gate seat route "
    "model batch lot reference".split()
)


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
    return is_identifier(name) or bool(words and words[-1] in _NAMING)


@lru_cache(maxsize=4096)
def is_identifier(name: str) -> bool:
    """Whether a key or header names what is an id, not a quantity."""
    words = re.findall(r"[^\W_]+", plain_words(name).lower())
    if not words:
        return name.strip() in ("#", "№")
    if words[-1] in _IDENTIFIERS:
        return True
    return words[-1] in _NUMBERING and (len(words) == 1 or words[-2] in _NUMBERED)
