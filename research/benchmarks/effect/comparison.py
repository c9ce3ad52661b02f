"""What two runs differ in, as a table."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from benchmarks.effect.outcomes import Outcome

__all__ = ["changed_rows", "table"]

_HEADER: Final = (
    "| set | rows by | right ones pass: before | now | wrong ones refused: before | now "
    "| corrected | broken | otherwise |\n|---|---|---|---|---|---|---|---|---|"
)
#: Longer texts are cut where rows are shown.
_SHOWN: Final = 300

#: The outcomes of each set, as a process printed them.
Run = Mapping[str, Mapping[str, Any]]


def _pairs(before: Run, now: Run, name: str) -> list[tuple[Outcome, Outcome]]:
    """Return what either run said of the rows that both have."""
    others = {outcome[0]: Outcome(*outcome) for outcome in now[name]["rows"]}
    rows = [Outcome(*outcome) for outcome in before[name]["rows"]]
    return [(row, others[row.id]) for row in rows if row.id in others]


def table(before: Run, now: Run, *, every: bool = False) -> str:
    """Return a line for each set with a change, or for every one, both ways.

    `corrected` and `broken` count rows that became right and wrong, `otherwise` those of which
    something else is said that is no better.
    """
    lines = [_HEADER]
    same = 0
    for name in before:
        pairs = _pairs(before, now, name)
        changed = sum(row.said != other.said or row.right != other.right for row, other in pairs)
        if not changed and not every:
            same += len(pairs)
            continue
        corrected = sum(other.right and not row.right for row, other in pairs)
        broken = sum(row.right and not other.right for row, other in pairs)
        cells = [*_shares(pairs, "pass"), *_shares(pairs, "refuse")]
        counts = [corrected, broken, changed - corrected - broken]
        lines.append(
            f"| {name} | {before[name]['origin']} | {' | '.join(map(str, [*cells, *counts]))} |"
        )
    if not every:
        lines.append(f"\nNothing changed on {same:,} rows of other sets.")
    return "\n".join(lines)


def _shares(pairs: Sequence[tuple[Outcome, Outcome]], side: str) -> Iterator[str]:
    of_side = [pair for pair in pairs if pair[0].side == side]
    for run in (0, 1):
        right = sum(pair[run].right for pair in of_side)
        share = f" ({right / len(of_side):.1%})" if of_side else ""
        yield f"{right:,} of {len(of_side):,}{share}" if of_side else ""


def changed_rows(before: Run, now: Run) -> Iterator[str]:
    """Yield each row of which something else is said, as text."""
    for name in before:
        for row, other in _pairs(before, now, name):
            if row.said != other.said or row.right != other.right:
                verdict = {(False, True): "corrected", (True, False): "broken"}.get(
                    (row.right, other.right), "otherwise"
                )
                yield (
                    f"{verdict}: {name}, {row.id}, should {row.side}: {row.text[:_SHOWN]!r}\n"
                    f"  before: {row.said[:_SHOWN]}\n  now: {other.said[:_SHOWN]}"
                )
