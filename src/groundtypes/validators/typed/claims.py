"""Claims: sentences that a template makes of a value, so that what is no text can be judged.

`{value}` is the value, and so is the name of its own field; other names are those of sibling
fields. `{renews:renews automatically|does not renew}` has a form for true and one for false,
`{status:open=is open|paid=was paid}` one for each value. `{{` and `}}` are braces. Nothing else is
read: neither in the template, nor in what a value says.
"""

import datetime as dt
import enum
import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from groundtypes.errors import MarkerError
from groundtypes.text.message_excerpts import clip
from groundtypes.words import words_of

if TYPE_CHECKING:
    from groundtypes.validators.case import Case
    from groundtypes.validators.marked_field import MarkedField

#: The name of the value itself.
OWN: Final = "value"
_SLOT: Final = re.compile(r"\{\{|\}\}|\{(?P<name>[^\W\d]\w*)(?::(?P<forms>[^{}]*))?\}|[{}]")
_LONGEST: Final = 1000
_EXAMPLE: Final = "The status of the invoice is {value}."
#: Smaller whole numbers may be years.
_SEPARATED: Final = 10_000


class _Slot(NamedTuple):
    """A place for a value: with forms for true and false, or for each value, or none."""

    name: str
    forms: tuple[str, ...]
    by_value: tuple[tuple[str, str], ...]

    def fill(self, value: Any) -> str:
        """Return what is said of a value."""
        if self.forms and isinstance(value, bool):
            return self.forms[0 if value else 1]
        if self.by_value:
            key = _key(value)
            forms: Mapping[str, str] = dict(self.by_value)
            if key not in forms:
                raise MarkerError(
                    f"The claim has no form for the value {clip(key, 40)!r} of {self.name!r}; it "
                    f"has those for {', '.join(forms)}."
                )
            return forms[key]
        return _in_words(value, self.name)


@lru_cache(maxsize=256)
def parsed(template: str) -> tuple[str | _Slot, ...]:
    """Return the texts and the slots of a template."""
    if not isinstance(template, str) or not template.strip():
        raise MarkerError(f'claim must be a sentence: claim="{_EXAMPLE}"')
    parts: list[str | _Slot] = []
    at = 0
    for match in _SLOT.finditer(template):
        parts.append(template[at : match.start()])
        at = match.end()
        if match["name"]:
            parts.append(_slot(match["name"], match["forms"]))
        elif len(match[0]) == 2:
            parts.append(match[0][0])
        else:
            shown = clip(template[match.start() :], 40)
            raise MarkerError(
                f"The claim has a brace that opens no field: {shown!r}. Name a field, as in "
                f'"{_EXAMPLE}", with forms for true and false, as in '
                '"{renews:renews|does not renew}", or write {{ and }}.'
            )
    parts.append(template[at:])
    return tuple(parts)


def _slot(name: str, forms: str | None) -> _Slot:
    if forms is None:
        return _Slot(name, (), ())
    options = forms.split("|")
    if all("=" in option for option in options):
        pairs = (option.partition("=") for option in options)
        return _Slot(name, (), tuple((key.strip(), text.strip()) for key, _, text in pairs))
    if len(options) != 2:
        raise MarkerError(
            f"The field {name!r} of the claim has {len(options)} forms. Give one for true and one "
            "for false, or one for each value: {status:open=is open|paid=was paid}."
        )
    return _Slot(name, (options[0].strip(), options[1].strip()), ())


def slots(template: str) -> Iterator[_Slot]:
    """Yield the slots of a template."""
    return (part for part in parsed(template) if isinstance(part, _Slot))


def sibling_fields(template: str, field: "MarkedField") -> tuple[str, ...]:
    """Return the sibling fields that a claim names."""
    names = dict.fromkeys(slot.name for slot in slots(template))
    return tuple(name for name in names if name not in (OWN, field.name))


def has_two_forms(template: str, field: "MarkedField") -> bool:
    """Whether a claim has a form for true and one for false of its own value."""
    return any(slot.forms and slot.name in (OWN, field.name) for slot in slots(template))


def fill(template: str, value: Any, case: "Case") -> tuple[str, str | None]:
    """Return the claim that a value makes, and the name of a sibling that is empty, if one is."""
    said: list[str] = []
    empty = None
    for part in parsed(template):
        if isinstance(part, str):
            said.append(part)
            continue
        own = part.name in (OWN, case.field.name)
        held = value if own else case.sibling(part.name)
        if held is None or held == "":
            empty = part.name
        else:
            said.append(part.fill(held))
    return "".join(said), empty


def _key(value: Any) -> str:
    """Return the name of a value in the forms of a slot."""
    return str(value.value if isinstance(value, enum.Enum) else value)


def _in_words(value: Any, name: str) -> str:
    """Return a value as a sentence has it."""
    if isinstance(value, enum.Enum):
        value = value.value if isinstance(value.value, str) else value.name.lower()
        return str(value).replace("_", " ")
    if isinstance(value, str):
        is_key = " " not in value and "_" in value
        return clip(" ".join((value.replace("_", " ") if is_key else value).split()), _LONGEST)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float | Decimal):
        return str(value) if -_SEPARATED < value < _SEPARATED else f"{value:,}"
    if isinstance(value, dt.date):
        month = words_of(f"month [{value.month}]").get("en", ("May",))[0]
        day = f"{value.day} {month} {value.year}"
        return f"{day} at {value:%H:%M}" if isinstance(value, dt.datetime) else day
    if isinstance(value, dt.time):
        return f"{value:%H:%M}"
    if isinstance(value, dt.timedelta):
        return f"{value.days} days" if value == dt.timedelta(value.days) else str(value)
    if isinstance(value, list | tuple | set | frozenset):
        return clip(", ".join(_in_words(item, name) for item in value), _LONGEST)
    if hasattr(value, "numerator"):
        return str(value)  # a fraction
    raise MarkerError(
        f"A claim reads the field {name!r}, which holds a {type(value).__name__}: it must be text, "
        "a truth value, a number, a date, an enumeration, a list of these, or None."
    )
