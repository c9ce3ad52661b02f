"""The phrases that claim nothing, read from `phrases.txt`, which says what each section is."""

import re
from functools import cache
from importlib.resources import files
from typing import Final

#: The name of another section, and a group that captures nothing.
_SECTION: Final = re.compile(r"\{([a-z ]+)\}")
_GROUP: Final = re.compile(r"(?<!\\)\((?!\?)")


@cache
def phrases(section: str) -> re.Pattern[str]:
    """Return the pattern of a section: one of its lines is to match."""
    return re.compile(_joined(section), re.IGNORECASE)


def _joined(section: str) -> str:
    lines = [
        _SECTION.sub(
            lambda name: _joined(name[1]), _GROUP.sub("(?:", line.replace("'", "['\u2019]"))
        )
        for line in _sections()[section]
    ]
    return f"(?:{'|'.join(lines)})"


@cache
def _sections() -> dict[str, list[str]]:
    text = (files(__package__) / "phrases.txt").read_text(encoding="utf-8")
    sections: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in text.splitlines():
        if line.startswith("[") and line.endswith("]") and line[1:-1].replace(" ", "").isalpha():
            lines = sections[line[1:-1]] = []
        elif line and not line.startswith("#"):
            lines.append(line)
    return sections
