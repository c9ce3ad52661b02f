"""What an LLM is shown of references: numbered stretches, each of passages that touch."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from groundtypes.evidence.premises import Premise, select_premises
from groundtypes.references import References, Span
from groundtypes.text.coverage import content_terms
from groundtypes.text.hypotheses import Hypothesis

__all__ = ["Shown", "asked_question", "bundles"]

#: So many passages are shown for each hypothesis, and so many characters in one question.
_EACH: Final = 2
_MOST: Final = 16_000
_QUESTION: Final = 1_000


@dataclass(frozen=True, slots=True)
class Shown:
    """Stretches of references, in their order; what an LLM calls passage 1 is the first.

    Passages overlap. Those that do, or stand side by side, are shown as one stretch, so that
    nothing is read twice.
    """

    stretches: tuple[tuple[Premise, ...], ...]
    texts: tuple[str, ...]

    @classmethod
    def of(cls, passages: Iterable[Premise], references: References) -> "Shown":
        """Return what is shown of some passages of the references."""
        stretches: list[list[Premise]] = []
        for one in sorted(
            passages, key=lambda one: (references.number(one.span.reference), one.span.start)
        ):
            if stretches and _touch(stretches[-1], one, references):
                stretches[-1].append(one)
            else:
                stretches.append([one])
        return cls(
            tuple(map(tuple, stretches)),
            tuple(
                references[some[0].span.reference].text[some[0].span.start : _end(some)]
                for some in stretches
            ),
        )

    @property
    def named(self) -> list[tuple[str, str]]:
        """The stretches, as a prompt takes them."""
        return [(f"passage {number}", text) for number, text in enumerate(self.texts, 1)]

    def evidence(self, number: int | None, claim: str) -> Premise | None:
        """Return the passage that decides: of the stretch that the LLM names, the most like it.

        Where it names none that was shown, of all of them.
        """
        if number is not None and 1 <= number <= len(self.stretches):
            passages = list(self.stretches[number - 1])
        else:
            passages = [one for some in self.stretches for one in some]
        terms = content_terms(claim)
        return max(passages, key=lambda one: len(terms & content_terms(one.text)), default=None)


def bundles(
    hypotheses: Iterable[Hypothesis], references: References, count: int, characters: int
) -> Iterator[tuple[tuple[Hypothesis, ...], Shown]]:
    """Yield hypotheses that one question is about, in order, with the passages most like them.

    One question has at most `count` hypotheses, which have at most `characters` in all if they are
    more than one; and so many passages that it stays bounded.
    """
    part: list[Hypothesis] = []
    passages: dict[Span, Premise] = {}
    for one in hypotheses:
        chosen = {premise.span: premise for premise in select_premises(references, one.text, _EACH)}
        if part and (
            len(part) == count
            or _size([*part, one]) > characters
            or _size((passages | chosen).values()) > _MOST
        ):
            yield tuple(part), Shown.of(passages.values(), references)
            part, passages = [], {}
        part.append(one)
        passages |= chosen
    if part:
        yield tuple(part), Shown.of(passages.values(), references)


def _size(texts: Iterable[Hypothesis | Premise]) -> int:
    return sum(len(one.text) for one in texts)


def asked_question(question: str | None) -> tuple[str, str]:
    """Return the question that was asked, as a prompt takes it; of a long one the end."""
    return "question", (question or "")[-_QUESTION:]


def _end(stretch: Iterable[Premise]) -> int:
    return max(one.span.end for one in stretch)


def _touch(stretch: list[Premise], after: Premise, references: References) -> bool:
    name, start, end = after.span.reference, after.span.start, _end(stretch)
    if stretch[0].span.reference != name:
        return False
    return start <= end or not references[name].text[end:start].strip()
