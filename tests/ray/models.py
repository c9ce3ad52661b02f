"""Models that the tests of Ray name."""

import os
import time
from typing import Annotated

from pydantic import AfterValidator

from groundtypes import Entailed, Grounded, Quote
from groundtypes.models import CitedAnswer


def _checked_note(note: str) -> str:
    if note == "die":
        os._exit(9)
    if note.startswith("sleep"):
        time.sleep(float(note.removeprefix("sleep")))
    return note


class Noted(CitedAnswer):
    """An answer with a note, which can end the process or take time."""

    note: Annotated[str, AfterValidator(_checked_note)] = ""


class QuotedFact(Grounded):
    """A quote alone, read from columns."""

    quote: Quote


class Statement(Grounded):
    """A statement that the references entail."""

    text: Annotated[str, Entailed()]
