"""Statements of a text, taken out and labelled in one question to an LLM."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from groundtypes.claims.extract import (
    CHARACTERS,
    SENTENCES,
    Said,
    numbered,
    text_before,
    told_by,
    uncovered,
)
from groundtypes.claims.label import CheckedClaim, split
from groundtypes.evidence.passages import Shown, asked_question, bundles
from groundtypes.prompts.prompt import JUDGE_STATEMENTS
from groundtypes.prompts.response_models import LABELS, StatementLabel, Statements
from groundtypes.references import References
from groundtypes.scoring import Label, Question, Reply
from groundtypes.text.coverage import content_terms
from groundtypes.text.hypotheses import Hypothesis, hypotheses

__all__ = ["Labelling", "Stated", "labellings", "labels_of", "read_statements"]


@dataclass(frozen=True, slots=True)
class Labelling:
    """One question for the statements of sentences, which it numbers from 1, and their labels."""

    question: Question
    sentences: tuple[Hypothesis, ...]
    shown: Shown


@dataclass(frozen=True, slots=True)
class Stated:
    """The statements of a text with their labels, and what must still be asked about.

    `tokens` are those that an LLM took and that count for none of the statements.
    """

    checked: list[CheckedClaim]
    left: list[Hypothesis]
    tokens: int = 0


def labellings(text: str, references: References, question: str | None = None) -> list[Labelling]:
    """Return what to ask for the labelled statements of a text: a question for a few sentences.

    Each shows the passages most like its sentences. Without any passage there is nothing to ask.
    """
    claiming = [sentence for sentence in hypotheses(text) if sentence.claims]
    return [
        Labelling(
            JUDGE_STATEMENTS.question(
                *shown.named,
                asked_question(question),
                text_before(text, some[0].start),
                ("sentences", numbered(sentence.text[:CHARACTERS] for sentence in some)),
            ),
            some,
            shown,
        )
        for some, shown in bundles(claiming, references, SENTENCES, CHARACTERS)
        if shown.stretches
    ]


def read_statements(
    asked: Sequence[Labelling], replies: Sequence[Reply], text: str, question: str | None = None
) -> Stated:
    """Return the statements that the replies hold, each once, and what they leave open.

    A reply counts for nothing where it holds a statement that the text does not make: of which a
    number or most words stand neither in the text nor in the question, a word stands in the
    passages alone, or whose sentence there is not. Open are then all its sentences; else statements
    that have two labels, those that no passage is named to support, and sentences that the
    statements do not cover, unless one of them failed already.
    """
    said = Said.of(text, question)
    found: dict[str, list[CheckedClaim]] = {}
    open_: dict[str, Hypothesis] = {}
    astray: list[Hypothesis] = []
    tokens = 0
    for one, reply in zip(asked, replies, strict=True):
        kept = _made_by(said, one, reply)
        if kept is None:
            astray += one.sentences
            kept = []
        spent = reply.tokens_in + reply.tokens_out
        tokens += 0 if kept else spent
        for (claim, label, passage), share in zip(kept, split(spent, len(kept) or 1), strict=False):
            words = " ".join(claim.text.casefold().split())
            if label is None:
                open_[words] = claim
                tokens += share
            else:
                checked = CheckedClaim.by_llm(claim, label, one.shown, passage, share)
                found.setdefault(words, []).append(checked)
    for words, some in found.items():
        if len({one.label for one in some}) > 1:
            open_[words] = Hypothesis(some[0].text, some[0].start, some[0].end)
        # What is asked about again, and what was said twice, counts for none.
        tokens += sum(one.tokens or 0 for one in (some if words in open_ else some[1:]))
    done = [some[0] for words, some in found.items() if words not in open_]
    # What several sentences say is one statement, and covers each of them.
    said_all = [one for some in found.values() for one in some]
    settled = {(one.start, one.end) for one in said_all if one.label is not Label.ENTAILMENT}
    settled |= {(one.start, one.end) for one in astray}
    missed = [
        sentence
        for sentence in uncovered(text, [*said_all, *open_.values()])
        if (sentence.start, sentence.end) not in settled
    ]
    return Stated(done, [*open_.values(), *astray, *missed], tokens)


_Labelled = tuple[Hypothesis, Label | None, int | None]


def _made_by(said: Said, one: Labelling, reply: Reply) -> list[_Labelled] | None:
    """Return the statements of a reply with label and passage; `None` where one is not the text's.

    An LLM that numbers sentences which are not there, or takes statements from the passages, has
    lost its way; its labels are then worth nothing either.
    """
    foreign = content_terms(" ".join(one.shown.texts)) - said.words
    found: list[_Labelled] = []
    for number, words, label, passage in labels_of(reply):
        if not 1 <= number <= len(one.sentences):
            return None
        sentence = one.sentences[number - 1]
        if words is not None:
            if not said.holds(words) or content_terms(words) & foreign:
                return None
            told = told_by(sentence, one.sentences, words)
            sentence = Hypothesis(words, told.start, told.end)
        if label is Label.ENTAILMENT and passage not in range(1, len(one.shown.texts) + 1):
            label = None  # noqa: PLW2901 # it names nothing that supports
        found.append((sentence, label, passage))
    return found


def labels_of(reply: Reply) -> Iterator[tuple[int, str | None, Label | None, int | None]]:
    """Yield what a reply labels: sentence, statement, label and passage.

    The statement is `None` where it is the sentence; the label, where the reply gives it several
    that differ.
    """
    answer = reply.answer
    given: dict[tuple[int, str], list[StatementLabel]] = {}
    for one in answer.labels if isinstance(answer, Statements) else ():
        words = " ".join((one.statement or "").casefold().split())
        given.setdefault((one.sentence, words), []).append(one)
    for (sentence, words), some in given.items():
        alike = len({one.label for one in some}) == 1
        label = LABELS[some[0].label] if alike else None
        yield sentence, some[0].statement if words else None, label, some[0].passage
