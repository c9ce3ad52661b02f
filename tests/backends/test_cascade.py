"""Cascades: what the first engine leaves open is judged by the second, each by its own evidence."""

from collections.abc import Sequence
from typing import Annotated, Any

import pytest

from groundtypes import Cited, Entailed, Grounded, Judges, Supported, audit
from groundtypes.backends.by_name import nli_by_name
from groundtypes.backends.cascade import Cascade, LLMScorer
from groundtypes.backends.languages import DeclaredLanguages
from groundtypes.citations import audit_citations
from groundtypes.claims import ClaimTriplet
from groundtypes.entailment import entail
from groundtypes.entailment.decision import decide_entailment
from groundtypes.entailment.questions import build_questions
from groundtypes.errors import BackendError, ContextError, LanguageError
from groundtypes.ledger import Ledger
from groundtypes.prompts.response_models import ClaimLabel, Judgement
from groundtypes.references import References
from groundtypes.scoring import Label, NLIScores, Pair, Question, Reply
from groundtypes.testing import check_scorer
from tests.claims.scripted_claims import scripted

TALL = "The old tower of the town is tall."
WIDE = "The new bridge over it is wide."
DEEP = "The river below the bridge is deep."
REFERENCES = [TALL, WIDE, DEEP]
GERMAN = "Der Turm an der Brücke ist seit vielen Jahren sehr hoch und steht am Ufer des Flusses."
ENGLISH = "The tower at the bridge has been very high for many years and stands at the river."


class Statement(Grounded):
    text: Annotated[str, Entailed()]


class ByWord:
    """An engine that goes by a word of the hypothesis, and notes what it has read."""

    def __init__(self, shares: dict[str, float], window: int | None = None) -> None:
        self.shares = shares
        self.asked: list[Pair] = []
        if window is not None:
            self.window = window

    def score(self, pairs: Sequence[Pair]) -> list[NLIScores]:
        self.asked += pairs
        return [self._score(pair.hypothesis) for pair in pairs]

    def _score(self, text: str) -> NLIScores:
        share = next((share for word, share in self.shares.items() if word in text), 0.0)
        return NLIScores(share, 1.0 - share, 0.0)


class LabellingLLM:
    """An LLM engine that labels every claim in the same way."""

    def __init__(self, label: str) -> None:
        self.label = label
        self.questions: list[Question] = []

    def answer(self, questions: Sequence[Question]) -> list[Reply]:
        self.questions += questions
        return [
            Reply(ClaimLabel.model_validate({"label": self.label, "passage": 1})) for _ in questions
        ]


def small() -> ByWord:
    return ByWord({"tall": 0.99, "wide": 0.6, "deep": 0.02})


def test_only_what_is_left_open_goes_on() -> None:
    first, then = small(), ByWord({"wide": 0.2, "deep": 1.0, "tall": 0.0}, window=2048)
    text = f"{TALL} {WIDE} {DEEP}"
    found = entail(REFERENCES, text, nli=Cascade(first, then))
    assert [each.label for each in found] == [Label.ENTAILMENT, Label.NEUTRAL, Label.NEUTRAL]
    assert [each.engine for each in found] == ["ByWord"] * 3
    assert {pair.hypothesis for pair in then.asked} == {WIDE}


def test_each_engine_reads_the_evidence_that_it_needs() -> None:
    first, then = small(), ByWord({"wide": 0.9}, window=2048)
    entail(REFERENCES, WIDE, nli=Cascade(first, then))
    assert all(pair.premise in REFERENCES for pair in first.asked)
    assert all(reference in then.asked[0].premise for reference in REFERENCES)


def test_verdicts_say_who_spoke() -> None:
    class Answer(Grounded):
        text: Annotated[str, Entailed()]

    class Other(ByWord):
        pass

    nli = Cascade(small(), Other({"wide": 0.9}))
    context: dict[str, Any] = {"references": REFERENCES, "judges": Judges(nli=nli)}
    answer = {"text": f"{TALL} {WIDE}"}
    result = audit(Answer, answer, context=context)
    assert [(verdict.ok, verdict.engine) for verdict in result.verdicts] == [
        (True, "ByWord"),
        (True, "Other"),
    ]
    assert result.verdicts[1].to_dict()["engine"] == "Other"
    alone = audit(Answer, answer, context={**context, "judges": Judges(nli=small())})
    assert "engine" not in alone.verdicts[0].to_dict()


def test_three_engines_and_an_llm_as_the_last() -> None:
    llm = LabellingLLM("contradicted")
    nli = Cascade(small(), Cascade(ByWord({"wide": 0.5}), llm))
    [found] = entail(REFERENCES, WIDE, nli=nli)
    assert found.label is Label.CONTRADICTION
    assert found.engine == "LLMScorer"
    assert len(llm.questions) >= 1
    assert all(reference in llm.questions[0].content for reference in REFERENCES)


def test_what_the_first_cannot_read_goes_to_the_second() -> None:
    first = DeclaredLanguages(ByWord({"hoch": 1.0}), ("en",))
    then = DeclaredLanguages(ByWord({"hoch": 1.0}, window=2048), ("de", "en"))
    [found] = entail([GERMAN], GERMAN, nli=Cascade(first, then))
    assert found.label is Label.ENTAILMENT
    assert Cascade(first, then).languages == ("de", "en")


@pytest.mark.parametrize("window", [None, 2048])
def test_only_the_sentences_that_the_first_cannot_read_go_to_the_second(
    window: int | None,
) -> None:
    own = ByWord({"tall": 0.99}, window)
    other = ByWord({"hoch": 0.97}, 2048)
    nli = Cascade(DeclaredLanguages(own, ("en",)), DeclaredLanguages(other, ("de",)))
    references = References.of([TALL]), References.of([GERMAN])
    questions = [
        question
        for text, texts in zip((TALL, GERMAN), references, strict=True)
        for question in build_questions(text, texts)
    ]
    found = decide_entailment(questions, nli, Ledger().ask_now)
    assert [each.label for each in found] == [Label.ENTAILMENT] * 2
    assert {pair.hypothesis for pair in own.asked} == {TALL}
    assert {pair.hypothesis for pair in other.asked} == {GERMAN}


@pytest.mark.parametrize(
    ("declared", "text", "judged_by"),
    [
        ("any", GERMAN, "then"),
        (["de", "en"], GERMAN, "then"),
        (["de"], GERMAN, "then"),
        (["de"], ENGLISH, None),
        (["eng"], ENGLISH, "first"),
        (["en"], GERMAN, None),
    ],
)
@pytest.mark.parametrize("own", [("en",), ("en", "fr")])
def test_judges_say_what_a_cascade_reads(
    own: tuple[str, ...], declared: Any, text: str, judged_by: str | None
) -> None:
    engines = {"first": ByWord({"": 0.97}), "then": ByWord({"": 0.98}, 2048)}
    cascade = Cascade(
        DeclaredLanguages(engines["first"], own), DeclaredLanguages(engines["then"], ("fr",))
    )
    judges = Judges(nli=cascade, languages=declared)
    context = {"references": [text], "judges": judges}
    if judged_by is None:
        with pytest.raises(LanguageError):
            audit(Statement, {"text": text}, context=context)
    else:
        assert audit(Statement, {"text": text}, context=context).ok
    asked = [name for name, engine in engines.items() if engine.asked]
    assert asked == [judged_by] * (judged_by is not None)


def test_judges_say_it_too_where_the_first_engine_does_not() -> None:
    cascade = Cascade(ByWord({"": 0.97}), ByWord({"": 0.98}))
    context = {"references": [GERMAN], "judges": Judges(nli=cascade, languages="en")}
    with pytest.raises(LanguageError):
        audit(Statement, {"text": GERMAN}, context=context)


def test_citations_are_judged_in_stages_and_say_who_spoke() -> None:
    class Answer(Grounded):
        text: Annotated[str, Cited()]

    class Other(ByWord):
        pass

    nli = Cascade(small(), Other({"wide": 0.9}, window=2048))
    judges = Judges(nli=nli)
    answer = {"text": f"{TALL[:-1]} [1]. {WIDE[:-1]} [2]. {DEEP[:-1]} [3]."}
    verdicts = audit(Answer, answer, context={"references": REFERENCES, "judges": judges}).verdicts
    assert [(verdict.ok, verdict.engine) for verdict in verdicts] == [
        (True, "ByWord"),
        (True, "Other"),
        (False, "ByWord"),
    ]
    citation = {"start": 0, "end": len(WIDE), "text": WIDE}
    citation["sources"] = [{"type": "document", "id": "1"}]
    message = {"content": [{"type": "text", "text": WIDE}], "citations": [citation]}
    found = audit_citations({"message": message}, {"1": WIDE}, judges)
    assert [each.engine for each in found.verdicts if each.check == "support"] == ["Other"]


def test_claims_are_labelled_in_stages_and_say_who_spoke() -> None:
    class Answer(Grounded):
        text: Annotated[str, Supported()]

    class Other(ByWord):
        pass

    nli = Cascade(small(), Other({"wide": 0.9}))
    claims = [ClaimTriplet(*text[:-1].partition(" is ")) for text in (TALL, WIDE)]
    llm = scripted(list(enumerate(claims, 1)), {})
    context = {"references": REFERENCES, "judges": Judges(llm=llm, checker=nli)}
    verdicts = audit(Answer, {"text": f"{TALL} {WIDE}"}, context=context).verdicts
    assert [(each.ok, each.engine) for each in verdicts] == [(True, "ByWord"), (True, "Other")]


def test_pairs_are_scored_in_stages_too() -> None:
    cascade = Cascade(small(), ByWord({"wide": 0.9}), between=(0.5, 0.7))
    scores = cascade.score([Pair("", "tall"), Pair("", "wide"), Pair("", "deep")])
    assert [score.entailment for score in scores] == [0.99, 0.9, 0.02]
    check_scorer(cascade)


def test_pairs_that_the_first_cannot_read_go_to_the_second_too() -> None:
    first, then = ByWord({"": 0.99}), ByWord({"": 0.02})
    cascade = Cascade(DeclaredLanguages(first, "en"), then)
    pairs = [Pair(GERMAN, GERMAN), Pair(ENGLISH, ENGLISH)]
    assert [score.entailment for score in cascade.score(pairs)] == [0.02, 0.99]
    assert cascade.score(pairs[:1])[0].entailment == 0.02
    assert first.asked == pairs[1:]


def test_an_outage_of_the_second_is_a_mistake() -> None:
    class Broken:
        def score(self, pairs: Sequence[Pair]) -> list[NLIScores]:
            raise ConnectionError

    class Answer(Grounded):
        text: Annotated[str, Entailed()]

    def judged(text: str) -> Any:
        judges = Judges(nli=Cascade(small(), Broken()))
        return audit(Answer, {"text": text}, context={"references": REFERENCES, "judges": judges})

    assert judged(TALL).ok
    with pytest.raises(BackendError):
        judged(WIDE)


@pytest.mark.parametrize(
    "between",
    [(0.9, 0.1), (-0.1, 0.5), (0.5, 1.1), (float("nan"), 0.5), (0.1,), 0.5, None, ("low", 0.9)],
)
def test_a_band_is_two_probabilities_in_order(between: Any) -> None:
    with pytest.raises(ContextError):
        Cascade(small(), small(), between=between)


@pytest.mark.parametrize("engine", [object(), ByWord, None, "no-such-engine"])
def test_what_is_no_engine_is_refused(engine: Any) -> None:
    with pytest.raises(ContextError):
        Cascade(small(), engine)


def test_it_has_a_name() -> None:
    engine: Any = nli_by_name("cascade:bundled,bundled", between=(0.2, 0.8))
    assert isinstance(engine, Cascade)
    assert engine.between == (0.2, 0.8)
    assert Judges(nli="cascade:bundled,large").nli == "cascade:bundled,large"
    for wrong in ("cascade:", "cascade:bundled", "cascade:bundled,nobody"):
        with pytest.raises(ContextError):
            Judges(nli=wrong)
    for wrong in ("cascade:bundled", "cascade:bundled,", "cascade:,"):
        with pytest.raises(ContextError, match="names of two engines"):
            nli_by_name(wrong)


def test_it_is_known_in_another_process() -> None:
    # A calibration is compared by it: no address in memory, and nothing that changes with use.
    cascade = Cascade(small(), Cascade(small(), LabellingLLM("supported")))
    before = cascade.identity
    cascade.score([Pair(TALL, WIDE)])
    again = Cascade(small(), Cascade(small(), LabellingLLM("supported")))
    assert cascade.identity == before == again.identity
    assert cascade.identity != Cascade(small(), small()).identity


def test_an_llm_is_an_engine() -> None:
    scorer = LLMScorer(LabellingLLM("supported"), sureness=0.9)
    [score] = scorer.score([Pair("The tower is tall.", "It is tall.")])
    assert score.entailment == pytest.approx(0.9)
    with pytest.raises(ContextError):
        LLMScorer(LabellingLLM("supported"), sureness=0.4)


@pytest.mark.parametrize(
    ("reply", "kind"), [(Reply(Judgement.model_construct()), "Judgement"), (None, "NoneType")]
)
def test_an_llm_that_returns_something_else_is_a_mistake(reply: Any, kind: str) -> None:
    class Wrong(LabellingLLM):
        def answer(self, questions: Sequence[Question]) -> list[Any]:
            return [reply for _ in questions]

    with pytest.raises(BackendError, match=f"Wrong returned a {kind}, not the ClaimLabel"):
        LLMScorer(Wrong("supported")).score([Pair("The tower is tall.", "It is tall.")])
