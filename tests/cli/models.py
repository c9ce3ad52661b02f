"""Models that the tests name on the command line."""

import os
import signal
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, PlainSerializer, RootModel
from typing_extensions import TypedDict

from groundtypes import Entailed, Grounded, Quoted
from groundtypes.models import CitedAnswer

NOT_A_MODEL = 7


class Statement(Grounded):
    """A model with a check that asks an engine."""

    answer: Annotated[str, Entailed()]


class Fact(Grounded):
    """A model without a field `answer`."""

    quote: Annotated[str, Quoted()]


class Dated(Grounded):
    """A strict model: only JSON text lets it read a date."""

    model_config = ConfigDict(strict=True)

    day: date
    quote: Annotated[str, Quoted()]


class Asked(Grounded):
    """A model that has a field for the question."""

    question: str
    quote: Annotated[str, Quoted()]


class Texts(Grounded):
    """A model whose fields have names that other tools give the parts of a row."""

    response: str
    query: str


class Renamed(Grounded):
    """A model that reads and writes a field under an alias."""

    quote: Annotated[str, Quoted(), Field(alias="Quote")]


class Unchecked(BaseModel):
    """A model that checks nothing."""

    quote: str


class Nested(Grounded):
    """A model whose own field `answer` is an object."""

    answer: Fact
    note: str


class Facts(RootModel[list[Fact]]):
    """A model that is a list."""


class FactDict(TypedDict):
    """A TypedDict with a check."""

    quote: Annotated[str, Quoted()]


@dataclass
class FactClass:
    """A dataclass with a check."""

    quote: Annotated[str, Quoted()]


def _broken_code(value: str) -> str:
    if value == "boom":
        raise KeyError("no such thing")
    return value


class Buggy(Fact):
    """A model whose own code fails on some rows."""

    note: Annotated[str, AfterValidator(_broken_code)] = ""


def _unwritable(value: Any) -> Any:
    raise RuntimeError("not for JSON")


class Unwritable(Fact):
    """A model that cannot be written as JSON."""

    note: Annotated[str, PlainSerializer(_unwritable)] = ""


def _signalled(value: str) -> str:
    """Send this process a signal, as long as the file that orders it is there."""
    if value.startswith("signal ") and Path("signal").exists():
        os.kill(os.getpid(), getattr(signal, value.split()[1]))
    return value


class Interrupted(CitedAnswer):
    """A model that ends the process at some rows."""

    note: Annotated[str, AfterValidator(_signalled)] = ""
