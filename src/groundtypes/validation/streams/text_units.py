"""`Unit`: a part of a stream that is judged and passed as one."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Unit:
    """A sentence with the white space before it, or a whole list, table or block of code.

    A heading, and a line that introduces something, are in one unit with what follows them. The
    units of a stream depend on its text alone, and not on the chunks in which it came; joined, they
    are the text.

    Attributes:
        start: Where it begins in the text of the stream, in code points.
        text: What it is, white space before it included.
        context: The text before it, as far as it says how the unit is to be read.
        code: The blocks of code in its text: half open, in code points of it.
    """

    start: int
    text: str
    context: str = ""
    code: tuple[tuple[int, int], ...] = ()

    @property
    def end(self) -> int:
        """Where it ends in the text of the stream."""
        return self.start + len(self.text)
