"""The questions to an NLI engine: each sentence of a text, with the evidence selected for it.

The sentences of a text that make a claim become an `EntailmentQuestion` each. Its pairs, one for
each premise, go to the engine in one batch.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from groundtypes.entailment.evidence.premises import premise_with_question
from groundtypes.entailment.evidence.statement_evidence import Evidence, select_evidence
from groundtypes.errors import ContextError
from groundtypes.references import References
from groundtypes.refusals.denials import denied_by
from groundtypes.refusals.talk import without_talk
from groundtypes.scoring import Pair
from groundtypes.text.coverage import content_terms
from groundtypes.text.hypotheses import Hypothesis, hypotheses
from groundtypes.text.plain_letters import plain_letters
from groundtypes.text.polar_answers import is_polar, polar_statement, without_particle

#: A sentence with fewer content words may be a short answer that only makes sense after its
#: question.
_MIN_CONTENT_WORDS: Final = 4
#: How many sentences before the judged one an engine that reads is shown.
_SENTENCES_BEFORE: Final = 2
#: The largest number of sentences of one text that are judged: those of ten long books.
MAX_SENTENCES: Final = 100_000


@dataclass(frozen=True, slots=True)
class EntailmentQuestion:
    """Whether the references entail a sentence, and the evidence that decides it.

    Attributes:
        hypothesis: The sentence.
        evidence: The premises selected for it.
        user_question: The question that the text answers, if there is one.
        references: What the premises are from.
        polar: What a "yes" or "no" says together with the user's question; it is judged instead.
        denied: What the sentence says that the references do not say; it is asked about instead,
            and entailment of it is a fault.
        preceding: The sentences before it in its text.
        together: All sentences of its text, which share one premise where an engine reads whole
            texts.
        sentences: How many sentences of the text are judged, of which each has to hold.
    """

    hypothesis: Hypothesis
    evidence: Evidence
    user_question: str | None
    references: References
    polar: str | None = None
    denied: str | None = None
    preceding: str = ""
    together: tuple[str, ...] = ()
    sentences: int = 1

    @property
    def before(self) -> str:
        """What an engine that reads is shown before the sentence: others of its text.

        A sentence that says too little alone has the user's question before it.
        """
        return " ".join(filter(None, (self.preceding_question, self.preceding)))

    @property
    def preceding_question(self) -> str | None:
        """The user's question, if it precedes the premises.

        It does so only if the sentence alone says too little, as "11 years." does. With every
        premise it misleads a model trained without questions.
        """
        if self.polar is not None or self.denied is not None:
            return None
        is_short = len(content_terms(self.hypothesis.text)) < _MIN_CONTENT_WORDS
        return self.user_question if is_short else None

    @property
    def pairs(self) -> list[Pair]:
        """One pair for each premise, in the order of `evidence.premises`."""
        question = self.preceding_question
        # Small models are surest of what a passage answers if it is asked.
        statement = self.statement if self.denied is None else f"{plain_letters(self.denied)}?"
        return [
            Pair(plain_letters(premise_with_question(question, premise.text)), statement)
            for premise in self.evidence.premises
        ]

    @property
    def statement(self) -> str:
        """The sentence in plain letters, without an answer particle such as "No," before it.

        Of an abstention it is the statement that the references say what it denies.
        """
        if self.denied is not None:
            return f"The text says {plain_letters(self.denied)}."
        text = self.polar or self.hypothesis.text
        return without_particle(plain_letters(text)) or text


def sentences_with_claims(text: str) -> list[Hypothesis]:
    """Return the sentences of a text that make a claim.

    A text of headings counts as one sentence that does; a text of talk, or without any letter or
    digit, has none.
    """
    sentences = [sentence for sentence in hypotheses(text) if sentence.is_claim]
    if not sentences and any(character.isalnum() for character in text):
        sentences = [Hypothesis(" ".join(text.split()), 0, len(text))]
    # "Of course!" alone is an answer; in front of one it is talk.
    return sentences if is_polar(text) else without_talk(sentences)


def build_questions(
    text: str | Sequence[Hypothesis],
    references: References,
    user_question: str | None = None,
    before: Sequence[Hypothesis] = (),
    *,
    sentences_in_all: int = 1,
    may_abstain: bool = True,
) -> list[EntailmentQuestion]:
    """Return one question for each given sentence, or for each of a text that makes a claim.

    Args:
        text: A text, or sentences.
        references: The references.
        user_question: The question that the text answers, if there is one.
        before: The sentences of the text before these.
        sentences_in_all: Of how many sentences a text consists all of which have to hold; of given
            sentences each is judged by itself by default.
        may_abstain: Whether a sentence such as "The price is not given" may be an abstention. What
            a field claims is none: it says how things are, and not what the references lack.

    Raises:
        ContextError: A text has more than `MAX_SENTENCES` of them.
    """
    sentences = sentences_with_claims(text) if isinstance(text, str) else text
    if len(sentences) > MAX_SENTENCES:
        raise ContextError(
            f"The text has {len(sentences):,} sentences; at most {MAX_SENTENCES:,} are judged at "
            "once. Pass it in parts."
        )
    count = max(sentences_in_all, len(sentences) if isinstance(text, str) else 1)
    every = [*before, *sentences]
    together = tuple(sentence.text for sentence in every)
    return [
        replace(
            _question(every[at], references, user_question, count, may_abstain=may_abstain),
            preceding=preceding(together, at),
            together=together,
        )
        for at in range(len(before), len(every))
    ]


def preceding(sentences: Sequence[str], at: int) -> str:
    """Return what an engine that reads is shown before a sentence: the two before it."""
    return " ".join(sentences[max(0, at - _SENTENCES_BEFORE) : at])


def _question(
    sentence: Hypothesis,
    references: References,
    user_question: str | None,
    count: int,
    *,
    may_abstain: bool,
) -> EntailmentQuestion:
    """Return a sentence as a question; a "yes" or "no" as what it says of the user's question."""
    if may_abstain and (denied := denied_by(sentence.text)) is not None:
        if not denied:  # no text can say that there is no answer
            references, denied = References.of([]), sentence.text
        evidence = select_evidence(references, denied)
        return EntailmentQuestion(
            sentence, evidence, user_question, references, denied=denied, sentences=count
        )
    polar: str | None = None
    if user_question is not None and is_polar(sentence.text):
        premises = select_evidence(references, user_question).premises
        texts = [premise.quoted or premise.text for premise in premises]
        polar = polar_statement(user_question, sentence.text, texts)
    evidence = select_evidence(references, polar or sentence.text)
    return EntailmentQuestion(sentence, evidence, user_question, references, polar, sentences=count)
