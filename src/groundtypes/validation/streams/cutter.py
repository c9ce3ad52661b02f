"""Cutting a stream into units: the text of its chunks, between the cuts that a scanner finds."""

from collections.abc import Iterator
from typing import Final

from groundtypes.validation.streams.line_scanner import WINDOW, Scanner
from groundtypes.validation.streams.text_units import Unit

#: About so many characters before a unit are its context.
_CONTEXT: Final = 1_500
#: Chunks are taken in pieces of this size, so that a large one is not copied with every unit.
_PIECE: Final = 4_096


class Cutter:
    """Takes the chunks of a stream, and gives its units."""

    def __init__(self) -> None:
        self._buffer = ""
        #: The first half of a surrogate pair, at the end of the last chunk.
        self._half = ""
        self._start = 0
        self._scanner = Scanner.at_start()
        #: The text before the unit from the beginning of an earlier unit.
        self._context = ""

    @property
    def held(self) -> int:
        """How many characters are held back."""
        return len(self._buffer) + len(self._half)

    def feed(self, chunk: str) -> Iterator[Unit]:
        """Yield the units that are complete with a further chunk."""
        chunk = _with_pairs_joined(self._half + chunk)
        self._half = chunk[-1:] if "\ud800" <= chunk[-1:] <= "\udbff" else ""
        chunk = chunk.removesuffix(self._half)
        for start in range(0, len(chunk), _PIECE):
            self._buffer += chunk[start : start + _PIECE]
            yield from self._units(is_end=False)

    def finish(self) -> Iterator[Unit]:
        """Yield the rest of the units: nothing follows."""
        self._buffer, self._half = self._buffer + self._half, ""
        yield from self._units(is_end=True)
        if self._buffer:
            scanner, size = self._scanner, len(self._buffer)
            code = tuple(scanner.code)
            if scanner.code_start is not None:
                code = (*code, (scanner.code_start, len(self._buffer.rstrip())))
            yield self._unit(size, code)
            self._buffer = ""

    def _units(self, *, is_end: bool) -> Iterator[Unit]:
        while True:
            is_full = len(self._buffer) >= WINDOW
            text = self._buffer[:WINDOW] if is_full else self._buffer
            cut = self._scanner.next_cut(text, is_end=is_end and not is_full)
            if cut is None and not is_full:
                return
            if cut is None:
                yield self._take(text, self._scanner.forced_cut(text), is_forced=True)
            else:
                yield self._take(text, cut, is_forced=False)

    def _take(self, text: str, cut: int, *, is_forced: bool) -> Unit:
        scanner = self._scanner
        code = tuple(scanner.code)
        if scanner.code_start is not None and scanner.code_start < cut:
            code = (*code, (scanner.code_start, cut))
        code = tuple((start, min(end, cut)) for start, end in code if start < cut)
        unit = self._unit(cut, code)
        self._scanner = scanner.following(text, cut, is_forced=is_forced)
        self._buffer = self._buffer[cut:]
        self._start += cut
        joined = unit.context + unit.text
        if len(joined) > _CONTEXT:
            joined = unit.text if len(unit.text) <= _CONTEXT else ""
        self._context = joined
        return unit

    def _unit(self, size: int, code: tuple[tuple[int, int], ...]) -> Unit:
        return Unit(self._start, self._buffer[:size], self._context, code)


def _with_pairs_joined(text: str) -> str:
    """Return the text with one character for both halves of a pair; a single half stays as it is.

    JSON that is cut inside of a pair, each part of which is decoded on its own, gives halves.
    """
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
