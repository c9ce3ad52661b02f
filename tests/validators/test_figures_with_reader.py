"""`Figures` beside an engine that reads whole texts, which has the last word on derived figures."""

from collections.abc import Callable
from typing import Annotated, Any

from groundtypes import Entailed, Figures, Grounded, Judges, NLIScores, Pair, audit
from groundtypes.testing import ENTAILED, NEUTRAL, ScriptedNLI


def read_by(rule: Callable[[Pair], NLIScores]) -> tuple[ScriptedNLI, dict[str, Any]]:
    nli = ScriptedNLI(rule, window=2048)
    return nli, {"references": PRICES, "judges": Judges(nli=nli)}


PRICES = "The small hall costs 65 euros. The large hall costs 90 euros."
CHEAPER = "The small hall is 25 euros cheaper than the large hall."
STATED = "The large hall costs 90 euros, as was said before."


def test_an_engine_that_reads_has_the_last_word_on_derived_figures() -> None:
    class Answer(Grounded):
        text: Annotated[str, Figures()]

    _, context = read_by(lambda _: ENTAILED)
    assert audit(Answer, {"text": CHEAPER}, context=context).ok
    nli, context = read_by(lambda _: NEUTRAL)
    report = audit(Answer, {"text": f"{STATED} {CHEAPER}"}, context=context)
    assert [verdict.slug for verdict in report.verdicts if not verdict.ok] == ["figure_unsupported"]
    # The sentence whose figure is stated is not asked about.
    assert nli.batches == [[Pair(PRICES, CHEAPER, STATED)]]


def test_it_is_not_asked_about_figures_that_are_stated_or_absent() -> None:
    class Answer(Grounded):
        text: Annotated[str, Figures()]

    nli, context = read_by(lambda _: ENTAILED)
    assert audit(Answer, {"text": STATED}, context=context).ok
    assert not audit(Answer, {"text": "The large hall costs 7310 euros."}, context=context).ok
    assert nli.calls == 0


def test_it_decides_on_figures_that_are_only_possible_and_without_it_they_are_faults() -> None:
    class Answer(Grounded):
        text: Annotated[str, Figures()]

    text = {"text": "Six people can book the large hall."}
    _, context = read_by(lambda _: ENTAILED)
    assert audit(Answer, text, context=context).ok
    _, context = read_by(lambda _: NEUTRAL)
    assert not audit(Answer, text, context=context).ok
    assert not audit(Answer, text, context={"references": PRICES}).ok


def test_beside_entailed_it_costs_no_question_more() -> None:
    class Answer(Grounded):
        text: Annotated[str, Entailed(), Figures()]

    nli, context = read_by(lambda _: ENTAILED)
    assert audit(Answer, {"text": f"{STATED} {CHEAPER}"}, context=context).ok
    assert nli.batches == [[Pair(PRICES, STATED), Pair(PRICES, CHEAPER, STATED)]]


def test_a_small_model_has_no_word_on_figures() -> None:
    class Answer(Grounded):
        text: Annotated[str, Figures()]

    nli = ScriptedNLI(lambda _: NEUTRAL)
    context = {"references": PRICES, "judges": Judges(nli=nli)}
    assert audit(Answer, {"text": CHEAPER}, context=context).ok
    assert nli.calls == 0
