"""Models, rows and recorded calls that data sets are made of."""

import json
import os
import signal
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, Field

from groundtypes import Grounded, Quote
from groundtypes.integrations.recordings import Attempt, RecordedCall

TOWN = "The town of {n} lies on the river Blau. Its market was founded in the year {n} by monks."


class Fact(BaseModel):
    statement: str
    quote: Quote


class Answer(Grounded):
    facts: Annotated[list[Fact], Field(min_length=1)]


def _signalled(value: str) -> str:
    """Send this process a signal, as long as the file that orders it is there."""
    if value.startswith("signal ") and Path("signal").exists():
        os.kill(os.getpid(), getattr(signal, value.split()[1]))
    return value


class Interrupted(Answer):
    """A model that ends the process at some rows."""

    note: Annotated[str, AfterValidator(_signalled)] = ""


def fact(number: int, *, good: bool = True) -> dict[str, str]:
    """Return a fact with a quote that stands in its reference, or one that does not."""
    word = "founded" if good else "destroyed"
    return {
        "statement": f"The market of number {number} is old, and so on: {number * 7919}.",
        "quote": f"Its market was {word} in the year {number}",
    }


def row(number: int, *, good: bool = True, **keys: Any) -> dict[str, Any]:
    """Return a row with a reference, a question and an answer of its own."""
    return {
        "id": f"row-{number}",
        "references": {"town": TOWN.format(n=number)},
        "question": f"When was the market of {number} founded, and what else is {number * 31}?",
        "answer": {"facts": [fact(number, good=good)]},
        **keys,
    }


def call(number: int, *answers: Any, passed: bool = True, **fields: Any) -> RecordedCall:
    """Return a recorded call with these answers, of which the last passed, or none."""
    given = row(number)
    attempts = [
        Attempt(
            ok=passed and place == len(answers) - 1,
            messages=({"role": "user", "content": f"Number {number}: {given['question']}"},),
            answer=answer if isinstance(answer, str) else json.dumps(answer),
        )
        for place, answer in enumerate(answers)
    ]
    return RecordedCall(
        attempts=attempts,
        llm="scripted",
        question=given["question"],
        references=given["references"],
        **fields,
    )


def facts(number: int, *goods: bool) -> dict[str, Any]:
    """Return an answer with one fact for each truth value."""
    return {"facts": [fact(number, good=good) for good in goods]}


def read(path: Path) -> list[Any]:
    """Return what each line of a file holds; nothing for a file that is not there."""
    return [json.loads(line) for line in path.read_bytes().splitlines()] if path.exists() else []


def write(path: Path, rows: Iterable[Mapping[str, Any] | bytes]) -> Path:
    """Write rows, or lines of bytes as they are, and return the path."""
    with path.open("wb") as file:
        for item in rows:
            file.write(item if isinstance(item, bytes) else json.dumps(item).encode())
            file.write(b"\n")
    return path


def contents(folder: Path) -> dict[str, bytes]:
    """Return every file of a folder."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
