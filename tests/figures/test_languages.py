"""Bounds, months and lengths of time in all languages that the word files hold.

`data/sentences.txt` has two sentences a language; a bound stands before the number in the first and
behind it in the second. Dates are written by Babel, not by the files.
"""

from datetime import date
from itertools import product
from pathlib import Path

import pytest
from babel.dates import format_date, format_skeleton
from babel.numbers import format_compact_decimal

from groundtypes.figures.outcomes import find_outcomes
from groundtypes.figures.reader import find_figures
from groundtypes.references import References
from groundtypes.words import words_of

LINES = (Path(__file__).parent / "data/sentences.txt").read_text(encoding="utf-8").splitlines()
SENTENCES = {code: (before, behind) for code, before, behind in (line.split("|") for line in LINES)}
UPWARDS = ("at least", "more")
DOWNWARDS = ("at most", "less")
DAY = "2021-{:02d}-03"


def holds(statement: str, reference: str) -> bool:
    references = References.of(reference)
    return all(finding.outcome.holds for finding in find_outcomes(statement, references))


def bounded(code: str, kind: str) -> list[str]:
    """Return a sentence with each bound of a kind."""
    before, behind = SENTENCES[code]
    found = [before.format(b=word.lstrip("?")) for word in words_of(kind).get(code, ())]
    for word in words_of(f"{kind} behind").get(code, ()):
        joined = behind.replace(" {b}", "{b}") if word.startswith("-") else behind
        found.append(joined.format(b=word.removeprefix("-")))
    return found


@pytest.mark.parametrize("code", SENTENCES)
def test_a_bound_that_is_turned_is_absent_and_the_same_bound_holds(code: str) -> None:
    upwards, downwards = (
        [sentence for kind in kinds for sentence in bounded(code, kind)]
        for kinds in (UPWARDS, DOWNWARDS)
    )
    for number, sentence in enumerate(upwards):
        opposite = downwards[number % len(downwards)]
        assert not holds(sentence, opposite), (sentence, opposite)
        assert not holds(opposite, sentence), (opposite, sentence)
    for kind in UPWARDS + DOWNWARDS:
        sentences = bounded(code, kind)
        for sentence in sentences:
            assert holds(sentence, sentences[0]), (sentence, sentences[0])


@pytest.mark.parametrize(
    ("statement", "reference"),
    [
        ("Die Frist beträgt höchstens 18 Tage.", "Die Frist darf 18 Tage nicht überschreiten."),
        ("Le délai est de 18 jours au plus.", "Le délai ne doit pas dépasser 18 jours."),
        ("Срок не более 18 дней.", "Срок не должен превышать 18 дней."),
        ("Naprawa nie może Was kosztować więcej niż 18 zł.", "Naprawa kosztuje najwyżej 18 zł."),
        ("Der Kurs darf nicht länger als 18 Tage dauern.", "Der Kurs dauert höchstens 18 Tage."),
        ("Le séjour ne peut pas durer plus de 18 jours.", "Le séjour dure 18 jours au maximum."),
        ("一周三天在家工作。", "每周三天在家工作。"),
        ("At least 18 people came.", "Es kamen mindestens 18 Personen."),
        ("El plazo termina en 2019.", "El plazo dura hasta 2019."),
        ("Ab 2019 gilt der Tarif.", "Der Tarif gilt seit 2019."),
        ("定员最多为18人。", "定员不得超过18人。"),
        ("定員は18名以内です。", "定員は最大で18名です。"),
    ],
)
def test_bounds_in_other_words_hold(statement: str, reference: str) -> None:
    assert holds(statement, reference)


def written(code: str, month: int) -> list[str]:
    day = date(2021, month, 3)
    return [
        format_skeleton("MMMMd", day, locale=code),
        format_date(day, "long", locale=code),
        format_skeleton("yMMMM", day, locale=code),
    ]


@pytest.mark.parametrize("code", SENTENCES)
def test_another_month_is_absent_and_the_same_one_holds(code: str) -> None:
    frame = SENTENCES[code][0].replace("{b} 18", "{b}").replace("{b}18", "{b}")
    for month in range(1, 13):
        others = written(code, month % 12 + 1)
        for own, other in zip(written(code, month), others, strict=True):
            if code == "vi" and "năm" not in own and "2021" not in own:
                continue  # "3 tháng 3" is also a length of time
            assert not holds(frame.format(b=own), frame.format(b=other)), (own, other)
            assert holds(frame.format(b=own), frame.format(b=own)), own
        assert holds(frame.format(b=written(code, month)[1]), DAY.format(month))


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("3 Mars missions were launched.", ["number"]),
        ("The rover of Mars 2020 landed.", ["number"]),
        ("3 out of 5 agreed.", ["number"]),
        ("Il y a 4 maisons.", ["count"]),
        ("De groep heeft 18 leden.", ["number"]),
        ("Er kam am 3. Mai.", ["date"]),
        ("Du 3 au 5 octobre 2021.", ["date", "date"]),
        ("Vom 3. bis 5. Oktober geschlossen.", ["date", "date"]),
        ("3. Oktober: Beginn der Lesung.", ["date"]),
    ],
)
def test_only_names_of_months_make_dates(text: str, kinds: list[str]) -> None:
    assert [figure.kind for figure in find_figures(text)] == kinds


#: A Turkish "bin" needs a currency behind it, as it is a German word; other languages have another
#: word or two words for a thousand million.
OTHER_SCALES = {"tr": {2_500, 800_000}, "ca": {2_500_000_000}, "ms": {2_500_000_000}}
OTHER_SCALES["ur"] = OTHER_SCALES["ms"]


@pytest.mark.parametrize("code", SENTENCES)
def test_words_for_powers_of_ten_count_in_each_of_their_forms(code: str) -> None:
    for number in (2_500, 800_000, 1_000_000, 1_500_000, 3_000_000, 25_000_000, 2_500_000_000):
        text = format_compact_decimal(number, locale=code, format_type="long", fraction_digits=1)
        values = [reading.value for figure in find_figures(text) for reading in figure.readings]
        assert (number in values) is (number not in OTHER_SCALES.get(code, ())), text


FRAMES = {
    "zh": ("保修期为{}。", "申请须在{}内提交。"),
    "ja": ("契約期間は{}です。", "{}以内に申請してください。"),
    "ko": ("계약 기간은 {}입니다.", "{} 이내에 신청해야 합니다."),
}
DURATIONS = {
    "zh": "2年 2个月 2周 2天 2小时 2分钟 2秒 三年 三个月 三周 半年 一年 一个月 两个半月 两年半",
    "ja": "2年 2か月 2週間 2日間 2時間 2分間 三年 三か月 半年 10年 10日間 一年 一か月 2年半",
    "ko": "2년 2개월 2주일 2시간 2분 2초 3년 세_달 세_시간 일주일 1년 2년_반",
}
CASES = [
    (code, frame, own, other)
    for code, frames in FRAMES.items()
    for frame in frames
    for own, other in product(DURATIONS[code].replace("_", "\u00a0").split(" "), repeat=2)
]


@pytest.mark.parametrize("code", FRAMES)
def test_a_length_of_time_holds_only_with_its_own_unit(code: str) -> None:
    for case_code, frame, own, other in CASES:
        if case_code == code:
            assert holds(frame.format(own), frame.format(other)) is (own == other), (own, other)


@pytest.mark.parametrize(
    ("statement", "reference"),
    [
        ("The term is two years.", "合同期限为两年。"),
        ("有效期为24个月。", "有效期为2年。"),
        ("半年后付款。", "6个月后付款。"),
        ("2주 동안 진행된다.", "14일 동안 진행된다."),
        ("三年级学生有30人。", "三年级有30名学生。"),
        ("平成2年設立の会社です。", "平成2年に設立された。"),
        ("公司举办10周年活动。", "10周年纪念活动。"),
        ("18周岁以上", "年满18周岁"),
    ],
)
def test_lengths_of_time_in_other_words_hold(statement: str, reference: str) -> None:
    assert holds(statement, reference)


@pytest.mark.parametrize(
    "text", ["十分に説明した。", "三年级的学生", "第三年", "二〇二一年", "2年生"]
)
def test_signs_of_units_in_other_words_are_no_lengths_of_time(text: str) -> None:
    assert all(figure.kind not in ("duration", "months") for figure in find_figures(text))
