"""The outcomes of figures: stated, derived, bounded otherwise, absent."""

import pytest

from groundtypes import References
from groundtypes.figures.outcomes import Finding, Outcome, find_outcomes


def outcomes(statement: str, *references: str, question: str | None = None) -> list[Finding]:
    return list(find_outcomes(statement, References.of(list(references)), question))


def outcome(statement: str, *references: str) -> Finding:
    (finding,) = outcomes(statement, *references)
    return finding


#: statement -> (reference, step)
DERIVED = {
    "The larger one is 90 EUR dearer.": (
        "The small one costs 229 EUR, the larger one 319 EUR.",
        "319 EUR - 229 EUR",
    ),
    "The contract cost 294,000 in all.": (
        "The contract: 276,000 for the flat, 18,000 for parking.",
        "276,000 + 18,000",
    ),
    "The outage lasted 3 hours and 45 minutes.": (
        "The outage began at 06:52 and ended at 10:37.",
        "10:37 - 06:52",
    ),
    "The firm existed for 61 years.": (
        "The firm was founded in 1958 and closed in 2019.",
        "2019 - 1958",
    ),
    "Of the price of EUR 24,900 the deposit makes EUR 9,960.": (
        "The price is EUR 24,900. The deposit is 40 per cent of the price.",
        "EUR 24,900 × 40 per cent",
    ),
    "Records were missing in 35 per cent of the cases.": (
        "Records were missing in 14 cases. 40 were checked.",
        "14 / 40",
    ),
    "The share rose by 7 percentage points.": ("The share rose from 11 % to 18 %.", "18 % - 11 %"),
    "A larger dose was twice as strong as the small one.": (
        "The small dose was 10 mg, the larger dose 20 mg.",
        "20 mg / 10 mg",
    ),
    "The yield was 600 higher.": ("The yield went from 11,000 to 11,600.", "11,600 - 11,000"),
    "A guest too many costs a fifth more.": (
        "A guest too many costs 120 % of the price.",
        "100 % and 120 %",
    ),
    "The belt is worn for two months.": (
        "The belt is worn for eight weeks.",
        "months of eight weeks",
    ),
    "Twelve of the violins are younger.": (
        "Of the 17 violins, 5 were built before 1800, and the others are younger.",
        "17 - 5",
    ),
    "The bottle costs 1.60 euros more.": (
        "The bottle goes from 19.90 euros to 21.50 euros.",
        "21.50 euros - 19.90 euros",
    ),
    "She rang on the 12th.": ("She rang on 12 August.", "the day of 12 August"),
    "The tour is on 3 June.": ("Tours in June. Sat 3: the cellar tour.", "the day of 3"),
    "She struck the ice on 14 April 1912.": (
        "She left on 10 April 1912. On 14 April she struck the ice.",
        "14 April of 10 April 1912",
    ),
}


def test_a_case_of_a_bound_is_left_to_an_engine_that_reads() -> None:
    (finding,) = outcomes("A pensioner of 75 travels free.", "Residents over 70 travel free.")
    assert finding.outcome is Outcome.POSSIBLE
    assert not finding.outcome.holds


@pytest.mark.parametrize("statement", DERIVED)
def test_one_step_of_arithmetic_derives_a_figure(statement: str) -> None:
    reference, step = DERIVED[statement]
    derived = [finding for finding in outcomes(statement, reference) if finding.outcome != "stated"]
    assert [(finding.outcome, finding.step) for finding in derived] == [(Outcome.DERIVED, step)]
    assert all(finding.span is not None for finding in derived)


@pytest.mark.parametrize(
    ("statement", "reference"),
    [
        ("The larger one is 95 EUR dearer.", "The small one costs 229 EUR, the larger 319 EUR."),
        ("It takes 46 pounds.", "It takes 20 pounds or 26 dollars."),  # another unit
        ("It took 15 minutes.", "It took 5 to 10 minutes."),  # the ends of one range
        ("The firm existed for 60 years.", "The firm was founded in 1958 and closed in 2019."),
        ("Trains run every 40 minutes.", "Trains take 20 minutes. Buses run twice an hour."),
        ("It weighs more than 20 kg.", "It weighs 10 kg, at most 20 kg with 12 kg of fuel."),
        ("The price is 40 %.", "The price is 60 % of another one."),  # no change is said
        ("The tour is on 3 June 2024.", "Tours in June 2025. Sat 3: the cellar tour."),
        ("It was the third concert.", "The concert was on 3 May."),
        ("Residents of 75 travel free.", "Residents over 70 travel free."),  # stated, not supposed
    ],
)
def test_other_figures_are_absent(statement: str, reference: str) -> None:
    assert not outcome(statement, reference).outcome.holds


@pytest.mark.parametrize(
    ("statement", "reference"),
    [
        ("Six of the presets have no button.", "There are presets with and without a button."),
        ("A quarrel over €30,000 goes before one judge.", "Disputes go before a judge or three."),
        ("The meter ran half of the time.", "The meter ran."),
    ],
)
def test_figures_that_texts_compute_or_suppose_are_possible(statement: str, reference: str) -> None:
    finding = outcomes(statement, reference)[0]
    assert finding.outcome is Outcome.POSSIBLE
    assert not finding.outcome.holds


def test_a_step_that_would_give_nearly_any_figure_derives_none() -> None:
    prices = "Prices: " + ", ".join(f"{price} euros" for price in range(3, 63, 4)) + "."
    assert outcome("It costs 36 euros.", prices).outcome is Outcome.ABSENT


@pytest.mark.parametrize(
    ("statement", "reference"),
    [
        ("The flag has three colours.", "The flag has red, white and green stripes."),
        ("There are three branches.", "- North: open daily\n- Harbour: weekends\n- South: closed"),
        ("It comes in three cuts: round, pear and marquise.", "The cuts are of many kinds."),
    ],
)
def test_a_count_of_what_is_listed_is_derived(statement: str, reference: str) -> None:
    finding = outcome(statement, reference)
    assert (finding.outcome, finding.step[:10]) == (Outcome.DERIVED, "a count in")


def test_where_the_references_count_themselves_their_count_decides() -> None:
    reference = "The flag has two colours: red, white and green stripes are another flag's."
    assert not outcome("The flag has three colours.", reference).outcome.holds


@pytest.mark.parametrize(
    ("statement", "reference", "expected"),
    [
        ("It is capped at £6,500.", "It must not exceed £6,500.", Outcome.BOUNDED),
        ("You get another 48 hours.", "You get up to 48 hours.", Outcome.BOUNDED),
        ("Wait 5 days.", "Wait 5 to 10 days.", Outcome.BOUNDED),
        ("It costs less than £20.", "It costs at most £20.", Outcome.BOUNDED),
        ("Wait at least 48 hours.", "Wait up to 48 hours.", Outcome.ABSENT),
        ("It is 20 kg.", "It is more than 20 kg.", Outcome.ABSENT),
        ("It is more than 20 kg.", "It is 20 kg.", Outcome.ABSENT),
        ("Le prix de la bague ne doit pas dépasser 20 kg.", "above 20 kg", Outcome.ABSENT),
        # The words for bounds of this language are not known.
        ("Ni ddylai pwysau'r fodrwy fod yn fwy nag 20 kg.", "below 20 kg", Outcome.BOUNDED),
    ],
)
def test_another_bound_holds_unless_the_two_exclude_each_other(
    statement: str, reference: str, expected: Outcome
) -> None:
    assert outcome(statement, reference).outcome is expected


@pytest.mark.parametrize(
    ("statement", "reference"),
    [
        ("Gates open at three.", "Gates open at 15.00."),
        ("It starts at noon.", "It starts at 12:00."),
        ("She plays at a quarter to seven.", "Oona Prentice, 18.45"),
        ("It ends at half past four.", "It ends at 16.30."),
        ("Le bureau est ouvert jusqu'à 18 h.", "The office is open until 6 p.m."),
    ],
)
def test_times_of_day_in_words_and_other_notations_are_stated(
    statement: str, reference: str
) -> None:
    assert outcome(statement, reference).outcome is Outcome.STATED


def test_what_the_question_says_may_be_repeated_and_computed_with() -> None:
    reference = "A day ticket costs £38."
    question = "What do 2 tickets cost?"
    found = outcomes("The 2 tickets cost £76.", reference, question=question)
    assert [finding.outcome for finding in found] == [Outcome.DERIVED] * 2
    assert found[0].step == "repeats the question"
    unasked = outcomes("The 2 tickets cost £76.", reference)
    assert [finding.outcome for finding in unasked] == [Outcome.ABSENT, Outcome.DERIVED]


@pytest.mark.parametrize("reference", ["", "   ", "5" * 5000, "{0} \x00 %s \ud800"])
def test_odd_references_derive_nothing(reference: str) -> None:
    assert outcome("It costs 4242 euros.", reference).outcome is Outcome.ABSENT
    assert outcomes("", reference) == []


def test_no_references_support_nothing() -> None:
    found = outcomes("Two cats cost 7 euros.")
    assert [finding.outcome for finding in found] == [Outcome.POSSIBLE, Outcome.ABSENT]


def test_the_work_on_a_text_with_many_figures_is_bounded() -> None:
    numbers = " ".join(f"{number} euros" for number in range(1_000_003, 1_020_000, 17))
    found = outcomes(numbers.replace("1", "the day of 3"), numbers[:2000])
    assert len(found) > 1000
    assert not any(finding.outcome.holds for finding in found)
