"""A check of your own that asks an engine, in few calls for many answers.

    pip install groundtypes
    python cookbook/own_check.py

The engine here only counts words that both texts share, so that the example runs anywhere. An NLI
model has the same shape: pairs of texts in, probabilities out.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated

from groundtypes import Case, Check, Grounded, Judges, NLIScores, Pair, Verdict, audit_many

STOPWORDS = frozenset("a an and are by in is of on the to was were".split())


@dataclass(eq=False)
class SharedWords:
    """An engine: the more words of the hypothesis the premise has, the more it entails it."""

    calls: list[int] = field(default_factory=list)

    def score(self, pairs: Sequence[Pair], /) -> list[NLIScores]:
        """Return a row of scores for each pair."""
        self.calls.append(len(pairs))
        return [self._scores(pair) for pair in pairs]

    def _scores(self, pair: Pair) -> NLIScores:
        words = _words(pair.hypothesis)
        share = len(words & _words(pair.premise)) / max(1, len(words))
        return NLIScores(entailment=share, neutral=1 - share, contradiction=0.0)


def _words(text: str) -> set[str]:
    return {word.strip(".,;:").lower() for word in text.split()} - STOPWORDS


@dataclass(frozen=True, slots=True, kw_only=True)
class Backed(Check):
    """Holds when the references back the value; `least` is the probability that is enough."""

    least: float = 0.8

    @property
    def rule(self) -> str:
        """The sentence for the JSON schema."""
        return "Say only what the references say."

    def judge(self, value: str, case: Case) -> Verdict:
        """Ask about all references at once; the best score decides."""
        # In the first round `ask` only notes the questions and does not return. This method runs
        # again when the answers are known, so it must have no side effects.
        scores = case.ask(case.nli, [Pair(reference.text, value) for reference in case.references])
        best = max((score.entailment for score in scores), default=0.0)
        if best >= self.least:
            return self.holds(score=best, threshold=self.least)
        return self.fails(
            "not_backed",
            "No reference says this. Say only what a reference says, or remove it.",
            score=best,
            threshold=self.least,
        )


ENGINE = SharedWords()


class Answer(Grounded, judges=Judges(nli=ENGINE)):
    """An answer in sentences, each of which is checked."""

    sentences: list[Annotated[str, Backed()]]


REFERENCES = {
    "lake": "The lake is 68 metres deep and freezes over in cold winters.",
    "ferry": "A ferry crosses the lake in 40 minutes, from May to October.",
}


def main() -> None:
    """Audit a hundred answers, and count the calls of the engine."""
    rows = [
        {
            "sentences": [
                "The lake is 68 metres deep.",
                f"In winter {1900 + year} a bear swam across.",
                "A ferry crosses the lake in 40 minutes.",
            ]
        }
        for year in range(100)
    ]
    audits = audit_many(Answer, rows, context={"references": REFERENCES})
    for verdict in audits[0].verdicts:
        place = ".".join(map(str, verdict.loc))
        print(f"{place}: {'holds' if verdict.ok else verdict.slug} ({verdict.score:.2f})")
    checked = sum(len(audit.verdicts) for audit in audits)
    print(f"{checked} verdicts on {len(audits)} answers")
    print(f"{len(ENGINE.calls)} call of the engine, with {ENGINE.calls[0]} different pairs")


if __name__ == "__main__":
    main()
