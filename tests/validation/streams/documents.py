"""Markdown documents of a model's kind, some of whose sentences are false, and their structure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from random import Random
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

from groundtypes import Check

__all__ = ["FALSE", "NotFalse", "Outlined", "document", "outlined", "structure"]

#: The word that makes a sentence false.
FALSE = "purple"
_MARKDOWN = MarkdownIt("commonmark").enable("table")
_WITH_CONTENT = ("inline", "fence", "code_block", "html_block")
_NUMBERED = re.compile(r"n(\d+)n")
OMITTED = "\u2026"


class NotFalse(Check):
    """Fails on any text with the false word."""

    def judge(self, value: str, case: Any) -> Any:
        """Look for the word."""
        return self.fails("false", "It is false.") if FALSE in value else self.holds()


@dataclass
class document:  # noqa: N801 # used like a function
    """A random document, whose sentences have numbers; some have the false word."""

    random: Random
    with_code: bool = True
    with_links: bool = True
    text: str = ""

    def __post_init__(self) -> None:
        self._numbers = count(1)
        lines: list[str] = []
        for _ in range(self.random.randint(1, 6)):
            lines += [*self._block(), *[""] * self.random.choice([1, 1, 1, 2])]
        self.text = "\n".join(lines) + self.random.choice(["", "\n"])

    def _sentence(self, end: str = ".") -> str:
        number = next(self._numbers)
        colour = FALSE if self.random.random() < 0.3 else "grey"
        short = self.random.random() < 0.1
        return (
            f"{colour} n{number}n{end}" if short else f"The {colour} door is n{number}n wide{end}"
        )

    def _paragraph(self) -> str:
        if self.random.random() < 0.2:
            return self._sentence(":")
        marks = [self.random.choice([" ", " ", "\n"]) for _ in range(self.random.randint(1, 3))]
        return "".join(self._sentence() + mark for mark in marks).strip()

    def _list(self, depth: int = 0) -> Iterator[str]:
        sign = self.random.choice(["1. ", "- ", "* ", "+ "])
        for number in range(1, self.random.randint(2, 4)):
            marker = sign.replace("1", str(number))
            indent = " " * len(marker)
            yield marker + self._sentence(self.random.choice([".", ".", ":"]))
            inner: list[str] = []
            kind = self.random.random()
            if kind < 0.3 and depth < 2:
                inner = list(self._list(depth + 1))
            elif kind < 0.4:
                inner = ["", *self._paragraph().split("\n")]
            elif kind < 0.5 and self.with_code:
                inner = ["```", self._sentence(), "```"]
            yield from (f"{indent}{line}" if line else "" for line in inner)
            if self.random.random() < 0.1:
                yield ""

    def _table(self) -> Iterator[str]:
        columns = self.random.randint(1, 3)
        for number in range(self.random.randint(1, 4)):
            cells = [self._sentence(""), *self.random.choices(["", "1", "x\\|y"], k=columns - 1)]
            yield f"| {' | '.join(cells)} |"
            if not number:
                yield "|" + "---|" * columns

    def _block(self) -> list[str]:
        kind = self.random.randrange(10)
        if kind < 3:
            return self._paragraph().split("\n")
        if kind == 3:
            hashes = "#" * self.random.randint(1, 3)
            return [f"{hashes} {self._sentence('')}"]
        if kind == 4:
            return [
                self._sentence(""),
                self.random.choice(["===", "---"]),
            ]
        if kind in (5, 6):
            return list(self._list())
        if kind == 7:
            return [f"> {line}" for line in self._paragraph().split("\n")]
        if kind == 8:
            return list(self._table())
        if self.with_code and self.random.random() < 0.5:
            return ["```", self._sentence(), "", "x = 1", "```"]
        if self.with_links and self.random.random() < 0.5:
            return [
                f"[{self.random.randint(1, 3)}]: https://a.org/{self.random.choice(['x', FALSE])}"
            ]
        return [self.random.choice(["---", "***"])]


def structure(text: str, words: str, *, with_content: bool) -> list[tuple[str, str, str]]:
    """Return the blocks of a text without these words, and without paragraphs of them alone."""
    tokens = _MARKDOWN.parse(text)
    blocks: list[tuple[str, str, str]] = []
    at = 0
    while at < len(tokens):
        token = tokens[at]
        if with_content and token.type == "paragraph_open" and tokens[at + 1].content == words:
            at += 3
            continue
        content = token.content if with_content and token.type in _WITH_CONTENT else ""
        blocks.append((token.type, token.tag, "".join(content.replace(words, "").split())))
        at += 1
    return blocks


@dataclass
class Outlined:
    """Where the numbered sentences of a text are.

    Attributes:
        around: For each, the first sentences of the items and tables around it.
        heading: For each, the heading above it; `OMITTED` for a sign of omission.
        lists: The first sentences of the items of each list.
    """

    around: dict[int, list[Any]] = field(default_factory=dict)
    heading: dict[int, Any] = field(default_factory=dict)
    lists: list[list[Any]] = field(default_factory=list)


def outlined(text: str) -> Outlined:
    """Return where the numbered sentences of a text are."""
    result = Outlined()
    stack: list[list[Any]] = []
    heading: Any = None
    tokens = _MARKDOWN.parse(text)
    for before, token in zip([None, *tokens], tokens, strict=False):
        kind = token.type
        if kind in ("bullet_list_open", "ordered_list_open"):
            stack.append(["list", []])
        elif kind in ("list_item_open", "table_open", "blockquote_open"):
            stack.append([kind, None])
        elif kind in ("bullet_list_close", "ordered_list_close"):
            result.lists.append(stack.pop()[1])
        elif kind == "list_item_close":
            stack[-2][1].append(stack.pop()[1])
        elif kind in ("table_close", "blockquote_close"):
            stack.pop()
        elif kind in ("inline", "fence") and token.content:
            heading = _note(result, stack, heading, before, token)
    return result


def _note(
    result: Outlined, stack: list[list[Any]], heading: Any, before: Token | None, token: Token
) -> Any:
    """Note the sentences of a token; return the heading behind it."""
    numbers = [int(number) for number in _NUMBERED.findall(token.content)]
    if before is not None and before.type == "heading_open":
        heading = numbers[0] if numbers else OMITTED
    for entry in stack:
        if entry[0] in ("list_item_open", "table_open") and entry[1] is None:
            entry[1] = numbers[0] if numbers else token.content
    for number in numbers:
        result.around[number] = [tuple(entry) for entry in stack if entry[0] != "list"]
        result.heading[number] = heading
    return heading
