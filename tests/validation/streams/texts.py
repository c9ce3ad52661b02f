"""Texts of answers, and ways to cut them."""

from collections.abc import AsyncIterator, Iterable, Iterator

from hypothesis import strategies as st

from groundtypes import Judges, NLIScores, Pair
from groundtypes.testing import ENTAILED, REFUTED, ScriptedNLI

ANSWER = """# The tower

Here is what I found. The tower is 3.5 m wide, says Dr. Smith. It was built in 1889 [1]. Yes. It is
painted every seven years, cf. the guide. [2] So it is.

The parts are:

- the base
  - of false stone
- the top, which is nice. It is old.

1. One thing to do.
2. Another thing.
Then it ends here, as we know. Done

| part | height |
|---|---|
| top | 5 m |

Run this:
```python
print(1)

print(2). Yes. No.
```
**Note:** The tower is closed. It is false that it is open.
**A bold heading. With stops.**
Final words are here for you. See"""


#: Pieces of text whose boundaries depend on what follows.
PIECES = st.sampled_from(
    [
        "The tower is 3.", "5 m tall. ", "Dr.", " Smith", " says so. ", "false ", "Yes. ", "etc. ",
        "It is old.", "\n", "\n\n", "\r\n", "- item\n", "  - inner\n", "1. First it is wet. ",
        "2. ", "| a | b |\n", "|---|---|\n", "|", "a | b", "```", "```py\n", "x = 1\n", "~~~\n",
        "# Title\n", "**Bold.** ", "**", "The parts are:", "> quoted words. ", "[1]", " [2, 3]",
        "[guide.pdf] ", "【1†source】", "¹", "(guide) ", "...", "?! ", "\u3002", "塔は高い。",
        "\t", " ", "   ", "\ud800", "\u200b", "e.g. this one. ", "\u2029", "A\u0301. ", "]",
        "word " * 30, "x" * 300,
    ]
)  # fmt: skip
TEXTS = st.lists(st.one_of(PIECES, st.text(max_size=6)), max_size=25).map("".join)


def has_words(text: str) -> bool:
    """Whether there is a letter or number."""
    return any(map(str.isalnum, text))


def cut(text: str, places: Iterable[int]) -> list[str]:
    """Return the chunks of a text between some places."""
    ends = sorted({place % (len(text) + 1) for place in places} | {len(text)})
    return [text[start:end] for start, end in zip([0, *ends], ends, strict=False)]


async def arriving(chunks: Iterable[str]) -> AsyncIterator[str]:
    """Yield the chunks."""
    for chunk in chunks:
        yield chunk


def closing(chunks: Iterable[str], closed: list[str]) -> Iterator[str]:
    """Yield the chunks, and note that the generator is closed or has ended."""
    try:
        yield from chunks
    finally:
        closed.append("closed")


def not_false(pair: Pair) -> NLIScores:
    """Return `REFUTED` for a sentence with the word "false", else `ENTAILED`."""
    return REFUTED if "false" in pair.hypothesis else ENTAILED


ALL = Judges(nli=ScriptedNLI(lambda _: ENTAILED))
NONE = Judges(nli=ScriptedNLI(lambda _: REFUTED))
NOT_FALSE = Judges(nli=ScriptedNLI(not_false))
