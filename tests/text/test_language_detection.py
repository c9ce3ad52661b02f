"""Whether a text is clearly in none of some languages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundtypes.text.language_detection import foreign_language, most_probable_language
from groundtypes.text.language_table import MAX_WORDS, PLACES, load_table, word_features

OTHERS = {
    "German": "Hunde sind im Turm nicht erlaubt, Katzen dagegen schon.",
    "five German words": "Hunde sind im Turm erlaubt.",
    "German in capitals": "HUNDE SIND IM TURM NICHT ERLAUBT, KATZEN DAGEGEN SCHON.",
    "German with English names": "Der Vertrag mit Google Cloud und Microsoft Azure endet im Mai.",
    "German with an English quotation": 'Auf dem Schild steht "No dogs in the tower" in Rot.',
    "German in quotation marks": "„Hunde sind im Turm nicht erlaubt.“",
    "German and a surrogate": "\ud800 Hunde sind im Turm nicht erlaubt.",
    "German and null characters": "\x00Hunde\x00 sind im Turm\x00 nicht erlaubt.",
    "German with footnotes": "Hunde¹ sind im Turm² leider nicht erlaubt³.",
    "German, and who says it": "Er sagte: „Hunde sind im Turm nicht erlaubt.“",
    "French": "Les chiens ne sont pas admis dans la tour.",
    "Spanish": "Los perros no pueden entrar en la torre.",
    "Italian": "I cani non possono entrare nella torre.",
    "Portuguese": "Os cães não podem entrar na torre.",
    "Dutch": "Honden mogen de toren niet in.",
    "Polish": "Psy nie mogą wchodzić do wieży.",
    "Swedish": "Hundar får inte följa med upp i tornet.",
    "Turkish": "Köpeklerin kuleye girmesi yasaktır.",
    "Russian": "Собакам вход в башню запрещён.",
    "Greek": "Τα σκυλιά δεν επιτρέπονται στον πύργο.",
    "Arabic": "لا يُسمح بدخول الكلاب إلى البرج.",
    "Hindi": "मीनार में कुत्तों को लाना मना है।",
    "Chinese": "不允许带狗进入塔楼。",
    "Japanese": "塔に犬を連れて入ることはできません。",
    "Korean": "탑에는 개를 데리고 들어갈 수 없습니다.",
    "Thai": "ห้ามนำสุนัขเข้าไปในหอคอย",
    "German in JSON": '{"antwort": "Hunde sind im Turm nicht erlaubt.", "sicher": true}',
    "Danish that begins like code": "for (Hunde) er der ikke plads i det gamle tårn;",
    "an Italian list of clauses": "Il museo è aperto, il bar no, la libreria sì.",
    "French interjections": "Oui, bien sûr, pas de problème.",
    "Chinese commas": "可以，各按一半扣除，也可以由一方全部扣除",
    "Russian with an English word": "Скачайте файл с сервера Google и запустите его.",
}
ENGLISH = {
    "nothing": "",
    "white space": " \n\t",
    "numbers": "1889, 300 m, 7 and 12.5 %",
    "only numbers": "1889 1932 1,234.56",
    "a name": "Alejandro García Pérez de la Vega",
    "names": "Ludwig van Beethoven, Johann Sebastian Bach, Wolfgang Amadeus Mozart",
    "a name in Cyrillic letters": "Владимир Набоков",
    "two Chinese characters": "北京",
    "a short sentence": "Dogs may enter.",
    "a place": "The Straße des 17. Juni runs from the Brandenburger Tor to the west.",
    "a German quotation": 'Kennedy said "Ich bin ein Berliner und ich bin stolz darauf" in 1963.',
    "a quotation and two words": "“Hunde sind im Turm nicht erlaubt”, he said.",
    "a French quotation, and who says it": "He said: «Les chiens sont interdits dans la tour.»",
    "a quotation, and a name": 'Merkel answered: "Wir schaffen das und noch viel mehr."',
    "a Chinese name": "Beijing (北京市) is the capital of China (中华人民共和国).",
    "code": "for i in range(10): print(i)  # loop",
    "a code block": "```\nals wenn und aber oder nicht sind\n```",
    "a formula": "α + β = γ, E = mc², ∑ x_i",
    "a formula with subscripts": "E = mc²; ∑ᵢ xᵢ = ½ n(n+1)",
    "wide letters": "Ｔｈｅ ｌｉｂｒａｒｙ ｉｓ ｃｌｏｓｅｄ．",  # as typed in Japan
    "an address": "https://de.wikipedia.org/wiki/Hunde_sind_im_Turm_nicht_erlaubt",
    "Roman numerals": "IA, IB, IIA, IIB, IIIA, IIIB",
    "capitals": "DOGS ARE NOT ALLOWED IN THE TOWER.",
    "emoji": "😀 🏠 🐕",
    "null characters": "\x00" * 50,
    "surrogates": "\ud800\udfff \udc00",
    "words that are Dutch as well": "The door is open.",
    "words that are Dutch as well, and a negation": "The door is not open.",
    "a name among words that are Dutch as well": "The kombi is open.",
    "words that are Latin, French and English": "Most rentals include internet.",
    "a possessive with a typographic apostrophe": "The oven’s door is open.",
    "dishes and an English word": "Coq au vin, bouillabaisse and crème brûlée.",
    "JSON": '{"date": {"$gte": 1900}, "type": "json"}',
}


@pytest.mark.parametrize("text", OTHERS.values(), ids=OTHERS)
def test_a_text_in_another_language_is_clearly_not_english(text: str) -> None:
    assert foreign_language(text, ["en"]) is not None


@pytest.mark.parametrize("text", ENGLISH.values(), ids=ENGLISH)
def test_a_text_that_is_english_or_says_too_little_is_not_refused(text: str) -> None:
    assert foreign_language(text, ["en"]) is None


@pytest.mark.parametrize(
    ("text", "languages", "expected"),
    [
        (OTHERS["German"], ["de"], None),
        (OTHERS["German"], ["en", "de"], None),
        (OTHERS["German"], ["de-AT"], None),
        (OTHERS["German"], ["fr", "it"], "German"),
        ("Dogs are not allowed in the tower.", ["de"], "English"),
        ("The dog is not allowed.", ["ru"], "the Latin script"),
        (OTHERS["Chinese"], ["zh"], None),
        (OTHERS["Chinese"] * 2, ["ja"], "Chinese"),
        (OTHERS["Japanese"], ["ja"], None),
        (OTHERS["Japanese"], ["zh"], "Japanese"),
        (OTHERS["Korean"], ["ko"], None),
        (OTHERS["Russian"] + " " + OTHERS["Russian"], ["uk"], "Russian"),
        ("Hunden må ikke komme ind i det gamle tårn.", ["nb"], None),
        (OTHERS["German"], ["sw"], None),
        (OTHERS["Russian"], ["sw"], "the Cyrillic script"),
        (OTHERS["German"], ["tlh"], None),
    ],
    ids=[
        "its own",
        "one of two",
        "a code with a region",
        "neither of two",
        "English for a German model",
        "another script",
        "Chinese",
        "Chinese is not Japanese",
        "Japanese",
        "Japanese is not Chinese",
        "Korean",
        "Russian is not Ukrainian",
        "Danish is nearly Norwegian",
        "a language that the table lacks",
        "another script than that of such a language",
        "a language without a known script",
    ],
)
def test_any_languages_may_be_declared(
    text: str, languages: list[str], expected: str | None
) -> None:
    assert foreign_language(text, languages) == expected


SUBJECTS = (
    "door water wind bus plan hotel beer bed lamp land man school winter week market arm hand oven "
    "room bar rent gold club boot bank test film hall zoo museum park kind gift tag rat mist brand "
    "stern angel hut art son van visa menu restaurant formal service information pain sale den"
).split()
PREDICATES = (
    "open|not open|closed|warm|in winter|in the hall|better|best|on|modern|minimal|normal|blind|"
    "broken|here|of gold|at sea|over|so big|made in June"
).split("|")
FRAMES = ("The {} is {}.", "Her {} was {}.", "{} is {}.", "All {} are {}.", "Is it {} and {}?")


@pytest.mark.parametrize("frame", FRAMES)
def test_no_short_english_sentence_is_taken_for_another_language(frame: str) -> None:
    sentences = [
        frame.format(subject, predicate) for subject in SUBJECTS for predicate in PREDICATES
    ]
    assert [text for text in sentences if foreign_language(text, ["en"])] == []


def test_words_that_are_english_as_well_do_not_hide_another_language() -> None:
    assert foreign_language("De man zat in de oven en dronk het water op.", ["en"]) == "Dutch"
    assert foreign_language("Die Hand war in den Taschen versteckt worden.", ["en"]) == "German"


def test_english_words_tell_nothing_where_english_is_not_read() -> None:
    assert foreign_language("The door is not open and the oven is warm.", ["fr"]) is not None


def test_a_text_of_two_languages_is_not_clear() -> None:
    text = "Dogs are not allowed in the tower. Hunde sind im Turm nicht erlaubt."
    assert foreign_language(text, ["en"]) is None


@pytest.mark.parametrize(
    "text",
    [
        "select a " * 200_000,
        "a," * 500_000,
        '"a":' * 300_000,
        "wort " * 300_000,
        "ab" * 600_000,
        '"' * 1_000_000,
        "`" * 1_000_000,
        "a." * 500_000,
    ],
    ids=["SQL", "commas", "keys", "words", "one word", "quotation marks", "backticks", "dots"],
)
def test_a_megabyte_costs_no_more_than_its_beginning(text: str) -> None:
    assert foreign_language(text, ["en"]) == foreign_language(text[:2_000], ["en"])


@given(st.text(), st.sampled_from(["en", "de", "zh", "ja", "ru", "ar", "sw", "xx"]))
def test_every_text_is_decided_and_white_space_around_it_tells_nothing(
    text: str, language: str
) -> None:
    found = foreign_language(text, [language])
    assert found is None or found
    assert foreign_language(f"  {text}\n", [language]) == found


@given(st.sampled_from(sorted(OTHERS.values())))
def test_another_declared_language_never_makes_a_text_foreign(text: str) -> None:
    for language in ("en", "fr", "ru"):
        if foreign_language(text, [language]) is None:
            assert foreign_language(text, [language, "de", "ja"]) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (OTHERS["German"], "de"),
        (OTHERS["French"], "fr"),
        (OTHERS["Russian"], None),
        ("1889", None),
        ("ja", None),
    ],
    ids=["German", "French", "a script of none", "numbers", "one word"],
)
def test_the_most_probable_of_some_languages(text: str, expected: str | None) -> None:
    assert most_probable_language(text, ["de", "fr", "en"]) == expected


def test_the_largest_sum_fits_the_table() -> None:
    table = load_table()
    assert len(set(table.languages)) == len(table.languages)
    longest = "abcdefghijklmnopqrstuvwxyz"
    places = list(word_features(longest))
    assert all(0 <= place < PLACES for place in places)
    assert len(places) * 63 * MAX_WORDS < 1 << 16
    scores = table.scores([table.word(longest)] * MAX_WORDS)
    assert scores == pytest.approx(
        [MAX_WORDS * score for score in table.scores([table.word(longest)])]
    )
