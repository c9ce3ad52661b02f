"""A prompt: a file with instructions, its version, and the model of the answer."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib import resources
from typing import Final

from pydantic import BaseModel

from groundtypes.prompts.fences import RULE, fenced
from groundtypes.prompts.response_models import (
    Alignment,
    ClaimLabel,
    ClaimLabels,
    Claims,
    Judgement,
    ReplyKind,
    Sentences,
    Statements,
)
from groundtypes.scoring import Question

__all__ = [
    "ALIGN",
    "ANSWERABLE",
    "CHECK_CLAIM",
    "CHECK_CLAIMS",
    "EXTRACT_CLAIMS",
    "FAITHFUL",
    "JUDGE_RULE",
    "JUDGE_STATEMENTS",
    "REPLY_KIND",
    "RESOLVE_PRONOUNS",
    "Prompt",
]


_HEADING: Final = re.compile(r"^## (Example|Task)\n+", re.MULTILINE)
#: The beginning of a named text of an example; it goes on until the next.
_NAMED: Final = re.compile(r"^((?:[a-z]+ ?)+\d*):[ \n]", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Prompt:
    """Instructions for one kind of question; a change of the words is a new version.

    They stand in the file `NAME.vVERSION.md` beside this module. After the instructions it may hold
    examples, each of named texts and, after an empty line, the right answer; and a task, which
    stands behind the texts of every question, so that the last word is ours.
    """

    name: str
    version: int
    response_model: type[BaseModel]

    @property
    def file(self) -> str:
        """The name of its file."""
        return f"{self.name}.v{self.version}.md"

    def question(self, *texts: tuple[str, str]) -> Question:
        """Return the question about named texts, which are fenced as data."""
        read = _read(self.file)
        content = read.content([(name, text) for name, text in texts if text])
        return Question(
            f"{self.name}/{self.version}",
            read.instructions,
            content,
            self.response_model,
            read.examples,
        )


@dataclass(frozen=True, slots=True)
class _Read:
    """What the file of a prompt holds."""

    instructions: str
    task: str
    examples: tuple[tuple[str, str], ...] = ()

    def content(self, texts: Sequence[tuple[str, str]]) -> str:
        """Return the texts as the LLM sees them, and the task."""
        return f"{fenced(texts)}\n\n{self.task}".rstrip()


@lru_cache(maxsize=32)
def _read(file: str) -> _Read:
    text = (resources.files(__package__) / file).read_text(encoding="utf-8").strip()
    instructions, *parts = _HEADING.split(text)
    sections = list(zip(parts[::2], parts[1::2], strict=True))
    task = next((body.strip() for heading, body in sections if heading == "Task"), "")
    read = _Read(f"{instructions.strip()}\n\n{RULE}", task)
    examples = (body.strip() for heading, body in sections if heading == "Example")
    return replace(read, examples=tuple(_example(read, body) for body in examples))


def _example(read: _Read, body: str) -> tuple[str, str]:
    texts, answer = body.split("\n\n", 1)
    named = _NAMED.split(texts)[1:]
    pairs = zip(named[::2], named[1::2], strict=True)
    return read.content([(name, text.strip()) for name, text in pairs]), answer


EXTRACT_CLAIMS: Final = Prompt("extract_claims", 2, Claims)
CHECK_CLAIMS: Final = Prompt("check_claims", 2, ClaimLabels)
CHECK_CLAIM: Final = Prompt("check_claim", 2, ClaimLabel)
JUDGE_RULE: Final = Prompt("judge_rule", 1, Judgement)
FAITHFUL: Final = Prompt("faithful", 1, Judgement)
ALIGN: Final = Prompt("align", 1, Alignment)
ANSWERABLE: Final = Prompt("answerable", 1, Judgement)
JUDGE_STATEMENTS: Final = Prompt("judge_statements", 4, Statements)
REPLY_KIND: Final = Prompt("reply_kind", 2, ReplyKind)
RESOLVE_PRONOUNS: Final = Prompt("resolve_pronouns", 2, Sentences)
