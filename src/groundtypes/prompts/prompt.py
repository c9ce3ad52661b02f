"""A prompt: a file with instructions, its version, and the model of the answer."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Final

from pydantic import BaseModel

from groundtypes.prompts.answers import (
    Alignment,
    ClaimLabel,
    ClaimLabels,
    Claims,
    Judgement,
    ReplyKind,
    Sentences,
    Statements,
)
from groundtypes.prompts.fences import fenced
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


@dataclass(frozen=True, slots=True)
class Prompt:
    """Instructions for one kind of question; a change of the words is a new version.

    The instructions stand in the file `NAME.vVERSION.md` beside this module.
    """

    name: str
    version: int
    answer: type[BaseModel]

    @property
    def instructions(self) -> str:
        """What the LLM is told to do."""
        return _read(f"{self.name}.v{self.version}.md")

    def question(self, *texts: tuple[str, str]) -> Question:
        """Return the question about named texts, which are fenced as data."""
        return Question(
            f"{self.name}/{self.version}", self.instructions, _content(texts), self.answer
        )


def _content(texts: Sequence[tuple[str, str]]) -> str:
    return fenced([(name, text) for name, text in texts if text])


@lru_cache(maxsize=32)
def _read(name: str) -> str:
    return (resources.files(__package__) / name).read_text(encoding="utf-8").strip()


EXTRACT_CLAIMS: Final = Prompt("extract_claims", 1, Claims)
CHECK_CLAIMS: Final = Prompt("check_claims", 1, ClaimLabels)
CHECK_CLAIM: Final = Prompt("check_claim", 1, ClaimLabel)
JUDGE_RULE: Final = Prompt("judge_rule", 1, Judgement)
FAITHFUL: Final = Prompt("faithful", 1, Judgement)
ALIGN: Final = Prompt("align", 1, Alignment)
ANSWERABLE: Final = Prompt("answerable", 1, Judgement)
JUDGE_STATEMENTS: Final = Prompt("judge_statements", 1, Statements)
REPLY_KIND: Final = Prompt("reply_kind", 1, ReplyKind)
RESOLVE_PRONOUNS: Final = Prompt("resolve_pronouns", 1, Sentences)
