"""`Marker`: a place in a text that names sources, such as "[1, 2]"."""

from dataclasses import dataclass

__all__ = ["Marker"]


@dataclass(frozen=True, slots=True)
class Marker:
    """A place in a text that names sources: half open, in code points of the text as written.

    Attributes:
        start: Where it starts.
        end: Where it ends.
        labels: What it names, as written, each once: "[1-3]" has the labels `1`, `2` and `3`.
        style: The name of its style, or `"own"` for a pattern of one's own.
        content: Of an element such as `<cite id="guide">It is tall.</cite>`, where the words start
            and end that it encloses; else `None`.
    """

    start: int
    end: int
    labels: tuple[str, ...]
    style: str
    content: tuple[int, int] | None = None

    @property
    def parts(self) -> tuple[tuple[int, int], ...]:
        """The parts of the text that are only the marker: all of it, or two tags."""
        if self.content is None:
            return ((self.start, self.end),)
        return (self.start, self.content[0]), (self.content[1], self.end)
