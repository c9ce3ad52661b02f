"""What an ellipsis in a quote may hide, and what it may not."""

from typing import Annotated

import pytest
from pydantic import BaseModel

from groundtypes import Quoted, References, audit, find_quote
from groundtypes.errors import MarkerError
from groundtypes.quotes import MatchKind, NearMiss
from groundtypes.quotes.search import search

#: name -> (reference, quote)
HARMFUL: dict[str, tuple[str, str]] = {
    "en splice": (
        "The drug is not approved. Water is safe for children.",
        "The drug is ... safe for children",
    ),
    "en splice 2": (
        "The drug is new. Water is safe for children.",
        "The drug is ... safe for children",
    ),
    "peru": ("Peru is not the capital. It has lakes and mountains.", "Peru ... mountains"),
    "lack": ("The drug lacks approval and is safe for adults.", "The drug ... is safe"),
    "failed": ("The company failed to pay the tax in 2019.", "The company ... pay the tax in 2019"),
    "refused": (
        "The senator refused to sign the treaty on Monday.",
        "The senator ... sign the treaty on Monday",
    ),
    "instead": (
        "They used water instead of alcohol for the test.",
        "They used ... alcohol for the test",
    ),
    "former": ("He is the former president of the club.", "He is the ... president of the club"),
    "might": (
        "The treatment might cure the disease in children.",
        "The treatment ... cure the disease",
    ),
    "less": (
        "Profits rose by less than 5 percent last year.",
        "Profits rose ... 5 percent last year",
    ),
    "range": (
        "About 5 to 50 percent of the patients were healed.",
        "About 5 ... percent of the patients",
    ),
    "critic": (
        "The mayor's critic accused the deputy, who was arrested in May.",
        "The mayor's critic ... was arrested in May",
    ),
    "critic2": (
        "The mayor met the thief, and the thief was arrested in May.",
        "The mayor ... was arrested in May",
    ),
    "semi": ("The drug is new; water is safe for children.", "The drug is ... safe for children"),
    "none": (
        "The drug is safe. None of the following is true. It cures cancer.",
        "The drug is safe. ... It cures cancer.",
    ),
    "attr": (
        "In May the company claimed the drug is safe for all.",
        "In May ... the drug is safe for all",
    ),
    "de keineswegs": (
        "Das Medikament ist keineswegs sicher für die Kinder.",
        "Das Medikament ist ... sicher für die Kinder",
    ),
    "de weder": (
        "Der Stoff ist weder giftig noch brennbar und wird hier verkauft.",
        "Der Stoff ist ... giftig",
    ),
    "de conj": (
        "Der Stoff ist neu und wirksam. Das Wasser ist sicher für Kinder.",
        "Der Stoff ist ... sicher für Kinder",
    ),
    "es sin": (
        "El paciente fue tratado sin el medicamento en la clínica.",
        "El paciente fue tratado ... el medicamento en la clínica",
    ),
    "sv": ("Läkemedlet är inte godkänt för barn i Sverige.", "Läkemedlet är ... godkänt för barn"),
    "da": (
        "Lægemidlet er ikke godkendt til børn i Danmark.",
        "Lægemidlet er ... godkendt til børn",
    ),
    "fi": ("Lääke ei ole turvallinen ja se on kielletty.", "Lääke ... ole turvallinen ja se on"),
    "ru": (
        "Пациент был принят без направления врача в больницу.",
        "Пациент был принят ... направления врача в больницу",
    ),
    "ar": ("هذا الدواء ليس آمنا للأطفال في هذه الحالة.", "هذا الدواء ... آمنا للأطفال"),
    "hi": ("यह दवा बच्चों के लिए सुरक्षित नहीं है।", "यह दवा बच्चों के लिए सुरक्षित ... है"),
    "ja": ("この薬は子供にとって安全では決してない。", "この薬は子供にとって ... ない"),
    "zh": ("这种药对儿童绝对不是安全的。", "这种药对儿童 ... 安全的"),
    "ko": ("이 약은 아이들에게 절대 안전하지 않은 약이다.", "이 약은 아이들에게 ... 약이다"),
    "th": ("ยานี้ไม่ปลอดภัยสำหรับเด็ก", "ยานี้ ... ปลอดภัยสำหรับเด็ก"),
    "vi": (
        "Thuốc này không được phê duyệt cho trẻ em ở Việt Nam.",
        "Thuốc này ... được phê duyệt cho trẻ em",
    ),
    "he": ("התרופה הזאת אינה בטוחה לילדים.", "התרופה הזאת ... בטוחה לילדים"),
    "tr": (
        "Bu ilaç çocuklar için güvenli değildir ve bir doktora sorulmalıdır.",
        "Bu ilaç çocuklar için güvenli ... ve bir doktora",
    ),
    "cs": ("Lék podle výrobce je bezpečný pro děti a dospělé.", "Lék ... je bezpečný pro děti"),
    "a language without a list: Swahili": (
        "Dawa hii haijaidhinishwa kwa watoto na wazee wa nchi hii.",
        "Dawa hii ... kwa watoto",
    ),
    "a language without a list: Georgian": (
        "ეს წამალი არ არის უსაფრთხო ბავშვებისთვის.",
        "ეს წამალი ... უსაფრთხო ბავშვებისთვის",
    ),
}
HARMLESS: dict[str, tuple[str, str]] = {
    "doc": (
        "The “tower” was built in 1889[1] by the engi-\nneer’s company. It is not small.",
        "The tower was built ... company",
    ),
    "appo": (
        "The tower, a landmark of the city, was built in 1889.",
        "The tower ... was built in 1889",
    ),
    "rel": (
        "The committee, which met on Tuesday, approved the plan.",
        "The committee ... approved the plan",
    ),
    "date": (
        "The treaty was signed on 3 May 1920 in Paris by two states.",
        "The treaty was signed ... in Paris by two states",
    ),
    "list": (
        "The kit contains bandages, scissors, tape and gloves.",
        "The kit contains bandages ... and gloves",
    ),
    "adj": (
        "It is a large, old and beautiful house by the river.",
        "It is a ... house by the river",
    ),
    "whole": (
        "The tower is tall. It is not old. It was built in 1889.",
        "The tower is tall. ... It was built in 1889.",
    ),
    "whole nostop": (
        "The tower is tall. It is not old. It was built in 1889.",
        "The tower is tall ... It was built in 1889",
    ),
    "4dots": (
        "The tower was built in 1889 by the company. It was painted. It is tall.",
        "The tower was built in 1889.... It is tall.",
    ),
    "de appo": (
        "Der Turm, ein Wahrzeichen der Stadt, wurde im Jahr 1889 gebaut.",
        "Der Turm ... wurde im Jahr 1889 gebaut",
    ),
    "de date": (
        "Der Vertrag wurde am 3. Mai 1920 in Paris unterzeichnet.",
        "Der Vertrag wurde ... in Paris unterzeichnet",
    ),
    "fr": (
        "La tour, symbole de la ville, fut construite en 1889.",
        "La tour ... fut construite en 1889",
    ),
    "es": (
        "La torre, símbolo de la ciudad, fue construida en 1889.",
        "La torre ... fue construida en 1889",
    ),
    "ru": (
        "Башня, символ города, была построена в 1889 году.",
        "Башня ... была построена в 1889 году",
    ),
    "zh": ("这座塔位于市中心，建于1889年，高330米。", "这座塔位于市中心 ... 高330米"),
    "ja": ("この塔は、パリの象徴であり、1889年に建てられた。", "この塔は ... 1889年に建てられた"),
    "ko": ("이 탑은 파리의 상징으로 1889년에 세워졌다.", "이 탑은 ... 1889년에 세워졌다"),
    "ar": (
        "البرج الشهير في المدينة تم بناؤه في عام 1889 من قبل الشركة.",
        "البرج ... تم بناؤه في عام 1889",
    ),
    "hi": ("यह मीनार, शहर का प्रतीक, 1889 में बनाई गई थी।", "यह मीनार ... 1889 में बनाई गई थी"),
    "th": ("หอคอยนี้ สัญลักษณ์ของเมือง สร้างขึ้นในปี 1889", "หอคอยนี้ ... สร้างขึ้นในปี 1889"),
}


@pytest.mark.parametrize(("reference", "quote"), HARMFUL.values(), ids=HARMFUL)
def test_an_ellipsis_hides_nothing_that_may_turn_its_sentence(reference: str, quote: str) -> None:
    result = search(quote, References.of(reference))
    assert isinstance(result, NearMiss)
    assert result.altered


@pytest.mark.parametrize(("reference", "quote"), HARMLESS.values(), ids=HARMLESS)
def test_an_ellipsis_may_hide_what_turns_nothing(reference: str, quote: str) -> None:
    match = find_quote(quote, reference)
    assert match is not None
    assert match.how is MatchKind.NORMALISED
    assert not match.cut


def test_a_lenient_ellipsis_joins_sentences_but_hides_no_known_turning_word() -> None:
    text = "The drug is new. Water is safe for children, but not for cats."
    assert find_quote("The drug is ... safe for children", text) is None
    assert find_quote("The drug is ... safe for children", text, ellipsis="lenient")
    assert find_quote("Water is safe ... for cats", text, ellipsis="lenient") is None


def test_a_lenient_ellipsis_may_hide_words_of_any_language() -> None:
    text = "Dawa hii imeidhinishwa kwa watoto na wazee wa nchi hii."
    assert find_quote("Dawa hii ... kwa watoto", text) is None
    assert find_quote("Dawa hii ... kwa watoto", text, ellipsis="lenient")


def test_a_refused_ellipsis_hides_nothing_but_may_stand_around_a_quote() -> None:
    text = "The tower is tall. It is old. It was built in 1889."
    assert (
        find_quote("The tower is tall. ... It was built in 1889.", text, ellipsis="refuse") is None
    )
    assert find_quote("... It is old. ...", text, ellipsis="refuse")


def test_the_difference_names_the_word_that_the_ellipsis_hides() -> None:
    result = search("Paris is ... the capital", References.of("Paris is certainly not the capital"))
    assert isinstance(result, NearMiss)
    assert result.differences == (("...", "not"),)


def test_an_ellipsis_finds_the_place_where_it_hides_nothing_harmful() -> None:
    text = "The tower is not tall or old. The tower is tall, grey and old. It stands here."
    match = find_quote("The tower is ... old", text)
    assert match is not None
    assert match.text == "The tower is tall, grey and old"


def test_an_unknown_rule_for_ellipses_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="loose"):
        find_quote("a ... b", "a b", ellipsis="loose")  # type: ignore[arg-type]
    with pytest.raises(MarkerError, match="loose"):
        Quoted(ellipsis="loose")  # type: ignore[arg-type]


def test_the_work_for_an_ellipsis_is_bounded() -> None:
    text = "The drug is not approved. " * 2_000
    assert find_quote("The drug ... approved ... The drug ... approved", text) is None


class _Strict(BaseModel):
    quote: Annotated[str, Quoted()]


class _Refusing(BaseModel):
    quote: Annotated[str, Quoted(ellipsis="refuse")]


def test_a_quoted_field_takes_the_rule_for_ellipses() -> None:
    data = {"quote": "The tower ... was built in 1889"}
    context = {"references": "The tower, a landmark, was built in 1889."}
    assert audit(_Strict, data, context=context).ok
    (fault,) = audit(_Refusing, data, context=context).faults
    assert (fault.slug, fault.loc) == ("quote_altered", ("quote",))


def test_the_schema_says_that_nothing_may_be_left_out() -> None:
    schemas = [model.model_json_schema() for model in (_Strict, _Refusing)]
    rules = [schema["properties"]["quote"]["description"] for schema in schemas]
    assert ["Leave nothing out" in rule for rule in rules] == [False, True]
