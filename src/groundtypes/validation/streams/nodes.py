"""The blocks and lines that `Outline` finds in a Markdown stream."""

from dataclasses import dataclass
from enum import Enum, auto


class NodeKind(Enum):
    """What a block is: a container, or what holds text."""

    QUOTE = auto()
    LIST = auto()
    ITEM = auto()
    FOOTNOTE = auto()
    TEXT = auto()
    INDENTED = auto()
    HEADING = auto()
    TABLE = auto()
    CODE = auto()
    OTHER = auto()


class LineType(Enum):
    """What a line is within its block."""

    BLANK = auto()
    TEXT = auto()
    HEADING = auto()
    UNDERLINE = auto()
    RULE = auto()
    ROW = auto()
    DELIMITER = auto()
    FENCE = auto()
    END_FENCE = auto()
    CODE = auto()
    DEFINITION = auto()
    ALONE = auto()


@dataclass(slots=True, eq=False)
class Node:
    """A block; what the writer notes about it goes with it.

    Attributes:
        kind: What it is.
        start: Where it begins in the stream.
        width: Of an item or footnote, how far its lines are indented.
        marker: Of a list, the sign of its items.
        cause: Where the failing part begins on whose account the block is left out, or `None`.
        row_cause: Of a table, the same for the rows that go on with the last row.
        section_cause: Of a table, the same for the rows of the section.
        is_passed: Whether some of it was passed on.
    """

    kind: NodeKind
    start: int
    width: int = 0
    marker: str = ""
    cause: int | None = None
    row_cause: int | None = None
    section_cause: int | None = None
    is_passed: bool = False


@dataclass(slots=True)
class OutlineLine:
    """A line; positions are in the stream.

    Attributes:
        start: Where it begins.
        content: Where its words begin, behind indentation, quotation signs, markers and `#`.
        end: Where it ends, as far as it is known.
        type: What it is.
        path: The containers around it, and last the block that holds its text.
        prefix: What is before its words; in a block of code, before its fence.
        fence: The fence of its block of code.
        is_passed: Whether some of it was passed on.
    """

    start: int
    content: int
    end: int
    type: LineType
    path: tuple[Node, ...]
    prefix: str
    fence: str = ""
    is_passed: bool = False

    @property
    def block(self) -> Node:
        """The block that holds its text."""
        return self.path[-1]
