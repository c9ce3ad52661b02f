"""A scripted engine that reads whole texts, also under the name `judge`."""

import sys
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import pytest

from groundtypes import Judges
from groundtypes.scoring import NLIScores, Pair
from groundtypes.testing import ENTAILED, NEUTRAL, ScriptedNLI
from groundtypes.text.coverage import content_terms

__all__ = ["WholeTextNLI", "install_judge", "whole_text_judges"]


def by_words(pair: Pair) -> NLIScores:
    """A premise with all content words of a sentence entails it."""
    covered = content_terms(pair.hypothesis) <= content_terms(pair.premise)
    return ENTAILED if covered else NEUTRAL


@dataclass(eq=False)
class WholeTextNLI(ScriptedNLI):
    """Says, as a causal LLM does, how many tokens it reads at once; a word is a token.

    `base` is what `CausalNLI.judge` was given.
    """

    rule: Any = by_words
    base: Any = None
    window: int = 512

    def count_tokens(self, text: str) -> int:
        """Return the number of words."""
        return len(text.split())

    def __getstate__(self) -> dict[str, Any]:
        return {"rule": self.rule, "base": self.base, "window": self.window}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(**state)  # type: ignore[misc] # a lock cannot be pickled


def whole_text_judges() -> Judges:
    """Make such an engine in a worker."""
    return Judges(nli=WholeTextNLI())


def install_judge(monkeypatch: pytest.MonkeyPatch, rule: Any = by_words) -> list[WholeTextNLI]:
    """Have the name `judge` make scripted engines; they are in the list that is returned."""
    made: list[WholeTextNLI] = []

    class CausalNLI:
        @classmethod
        def judge(cls, base: str | None = None) -> WholeTextNLI:
            made.append(WholeTextNLI(rule, base=base))
            return made[-1]

    module = ModuleType("groundtypes.backends.nli_causal")
    module.CausalNLI = CausalNLI  # type: ignore[attr-defined] # what engines by name import
    monkeypatch.setitem(sys.modules, module.__name__, module)
    # Engines of earlier tests have the same name.
    monkeypatch.setattr("groundtypes.judges._named_engines", _cache())
    return made


def _cache() -> Any:
    from groundtypes.concurrency.bounded_cache import BoundedCache  # noqa: PLC0415 # private to this helper

    return BoundedCache(16)
