"""Examples from written templates (`refusal_templates.toml`).

They bring what the sets lack: the ways of newer models, abstentions of a search over documents, and
answers that hold the same words ("I cannot recommend it enough").
"""

import random
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

__all__ = ["examples", "phrases"]

_KINDS: Final = ("refusal", "abstention", "partial", "answer")
_SLOT: Final = re.compile(r"\{([a-z]+)\}")


def examples(each: int, seed: int = 7) -> Iterator[tuple[str, str]]:
    """Yield up to `each` examples of each template, a text and its kind; none twice."""
    path = Path(__file__).with_suffix(".toml")
    written = tomllib.loads(path.read_text(encoding="utf-8"))
    fillers: dict[str, list[str]] = written["fillers"]
    draw = random.Random(seed)
    for kind in _KINDS:
        seen: set[str] = set()
        for template in written[kind]:
            for _ in range(each):
                text = _SLOT.sub(lambda match: draw.choice(fillers[match[1]]), template)
                text = text[:1].upper() + text[1:]
                if text not in seen:
                    seen.add(text)
                    yield text, kind


def phrases() -> Iterator[tuple[str, str]]:
    """Yield the commonest phrases of other languages, each as a text with its kind."""
    written = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    for kind, listed in written["phrases"].items():
        for phrase in listed:
            yield phrase[:1].upper() + phrase[1:] + ".", kind
