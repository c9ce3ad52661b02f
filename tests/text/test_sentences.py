"""A text is cut into the sentences that are judged one by one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundtypes.text.layout import BlockKind
from groundtypes.text.sentences import segments, sentence_spans


def cut(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_spans(text)]


#: name -> sentences of running text, which must be found when they are joined by a space. All have
#: at least 20 characters, since shorter ones join their neighbours.
SENTENCES: dict[str, list[str]] = {
    "plain": ["Paris is the capital of France.", "It has two million people."],
    "question and cry": [
        "What is the capital of it?",
        "It is Paris, of course!",
        "Nobody else knows it.",
    ],
    "several marks": ["Is it really the capital?!", "Nobody could believe it..."],
    "titles": ["Then Dr. Smith met Mrs. Jones.", "They talked with Prof. Li and Gen. Lee."],
    "title before a name": ["The priest was the Rev. Al Sharpton.", "He spoke for many hours."],
    "for example": ["Eat some fruit, e.g. Apples or pears.", "It helps against hunger."],
    "that is": ["It was the second, i.e. the last one.", "Nobody else was there."],
    "compare": ["Both results differ (cf. Table 2).", "We do not know the reason."],
    "country": ["It was founded in the U.S. in 1999.", "It has grown ever since."],
    "country at the end": ["He has always lived in the U.S.", "He likes the country a lot."],
    "country before a name": ["Then the U.S. Senate voted on it.", "The result was close."],
    "number sign": [
        "It was No. 5 on the list then.",
        "The answer to that is no.",
        "Nobody was there with him.",
    ],
    "figure": ["All of this is shown in Fig. 3 and Eq. 4.", "See also vol. 2, pp. 6-7."],
    "section": ["It is said in Sec. 3 and in Ch. 4.", "They differ from each other."],
    "and others": ["Smith et al. found that it works.", "Jones et al. (2019) found nothing."],
    "decimal numbers": ["It costs 3.5 million euros.", "Version 2.0 was released in 2020."],
    "number at the end": [
        "It was released in 1999.",
        "The next one was in 2005.",
        "Nobody bought any of it.",
    ],
    "initials": ["J. R. R. Tolkien wrote that book.", "It was read by J. K. Rowling."],
    "initials of words": [
        "It was found by R. I. Pocock in Asia.",
        "It was based on a H. G. Wells book.",
    ],
    "a species": ["It looks like the species A. tzacatl then.", "It is a small green bird."],
    "hours with a zone": ["It began at 9 a.m. (EST) in the city.", "It ended long before 5 p.m."],
    "a country in a name": ["She was in the U.S. Naval Academy then.", "She left it in 1999."],
    "initials before a word": ["It was made by R. D. Call and others.", "It was shown by W. Page."],
    "the pronoun": ["Nobody was as tall as I.", "Paris was where they lived."],
    "a world war": ["It was lost in World War I.", "After that it was found again."],
    "tokenised text": ["They went to St . John and Mr . Li .", "It was late when they came ."],
    "letter that is no initial": ["Oranges are full of vitamin C.", "Many people like them."],
    "company": ["The company, Acme Inc., was sold.", "The buyer was Foo Ltd. of London."],
    "company at the end": ["It was bought by Acme Inc.", "The price was very low."],
    "degree": ["She has a Ph.D. in physics.", "Her brother has an M.A. in history."],
    "hours": [
        "It opens at 9 a.m. on Monday.",
        "It never closes at 5 p.m.",
        "Nobody comes at 6 p.m. EST.",
    ],
    "month": ["It began on Jan. 5 and it was cold.", "It ended on Feb. 6 of 2020."],
    "and so on": [
        "Apples, pears, etc. are all fruit.",
        "They ate apples, pears, etc.",
        "They were very good.",
    ],
    "unit": ["The wall is more than 5 m.", "Berlin has a longer one.", "It weighs about 12.5 kg."],
    "money": ["He had to pay only $5.", "She had to pay $6.50 for it."],
    "quotation": ['He said: "I have to go away."', "Then she left, too, at last."],
    "curly quotation": ["He said: \u201cI have to go away.\u201d", "Then she left, too, at last."],
    "quotation that goes on": ['"Will you go away?" she asked him.', '"Go away." he said to her.'],
    "brackets": ["(It was already late by then.)", "She left the house at last."],
    "bracket inside": ["He met somebody (who was it?) there.", "He does not remember it."],
    "footnote marks": [
        "It ended rather suddenly.[1][2]",
        "Something else began.³",
        "It was never said again.",
    ],
    "ellipsis": [
        "He waited for a long time...",
        "Then she left the house.",
        "Well... that was all of it.",
    ],
    "ellipsis character": ["He waited for a long time\u2026", "Then she left the house."],
    "spaced ellipsis": ["He waited . . . and then he left.", "She did not wait for him."],
    "numbers in a sentence": ["1. Wash all of the apples.", "2. Dry all of the apples well."],
    "lower case": ["paris is the capital of france.", "it has two million people."],
    "web address": ["Go to example.com/a.b for more.", "It is free for everybody."],
    "emphasis": ["**This is the first sentence.**", "*This is the second one.*"],
    "emoji": ["This is a really nice town \U0001f600.", "It has two million people."],
    "german": ["Das ist z.B. Obst aus dem Garten.", "Es wurde am 3. Oktober 1990 geerntet."],
    "french": ["C'est la ville de Mme. Dupont.", "Elle a deux millions d'habitants."],
    "spanish": ["¿Cuál es la capital de Francia?", "\u00a1Es París, por supuesto!"],
    "spanish title": ["El Sr. López vive en Madrid.", "La Dra. Ruiz vive en Sevilla."],
    "russian": ["Париж \u2014 столица Франции.", "В нём два миллиона жителей."],
    "arabic": ["ما هي عاصمة فرنسا الآن؟", "العاصمة هي باريس الجميلة."],
    "hindi": ["पेरिस फ्रांस की राजधानी है।", "इसमें दो मिलियन लोग रहते हैं।"],
    "armenian": ["Փարիզը Ֆրանսիայի մայրաքաղաքն է։", "Այն ունի երկու միլիոն բնակիչ։"],
}


@pytest.mark.parametrize("sentences", SENTENCES.values(), ids=SENTENCES)
def test_running_text_is_cut_where_its_sentences_end(sentences: list[str]) -> None:
    assert cut(" ".join(sentences)) == sentences


#: name -> (text, its segments)
LAYOUT: dict[str, tuple[str, list[str]]] = {
    "chinese": (
        "东京是日本的首都。人口约为1400万。他说：「我觉得这样很好。」她自己也一直都是这样想。",
        [
            "东京是日本的首都。",
            "人口约为1400万。",
            "他说：「我觉得这样很好。」",
            "她自己也一直都是这样想。",
        ],
    ),
    "bullets": (
        "The symptoms are:\n- Fever\n- Cough\n- Pain in the chest. It may be dry.",
        ["The symptoms are:", "- Fever", "- Cough", "- Pain in the chest. It may be dry."],
    ),
    "bullets of several sentences": (
        "* It was built in Paris in 1889. It was sold in 1900.\n* It was lost.",
        ["* It was built in Paris in 1889.", "It was sold in 1900.", "* It was lost."],
    ),
    "other bullets": (
        "\u2022 Fever\n\u25e6 Cough\n\u2013 Pain",
        ["\u2022 Fever", "\u25e6 Cough", "\u2013 Pain"],
    ),
    "numbers": (
        "1. Wash it.\n2) Dry it.\n(3) Eat it.",
        ["1. Wash it.", "2) Dry it.", "(3) Eat it."],
    ),
    "letters": ("a) Wash it.\nb) Dry it.", ["a) Wash it.", "b) Dry it."]),
    "a wrapped item": (
        "- It was built in\n  Paris\n- It fell",
        ["- It was built in\n  Paris", "- It fell"],
    ),
    "a number that begins a wrapped line": (
        "The tower was built by many people, and they finished in\n1889. It was very tall indeed.",
        [
            "The tower was built by many people, and they finished in\n1889.",
            "It was very tall indeed.",
        ],
    ),
    "a markdown table": (
        "| City | People |\n|---|---|\n| Paris | 2 million. Or so |\n| Rome | 3 million |",
        ["| City | People |\n|---|---|", "| Paris | 2 million. Or so |", "| Rome | 3 million |"],
    ),
    "a table of tabs": ("City\tPeople\nParis\t2\nRome\t3", ["City\tPeople", "Paris\t2", "Rome\t3"]),
    "a marked heading": (
        "# Results\nThe tower is tall and old.",
        ["# Results", "The tower is tall and old."],
    ),
    "a bold heading": (
        "**Results**\nThe tower is tall and old.",
        ["**Results**", "The tower is tall and old."],
    ),
    "a bare heading": (
        "Results\n\nThe tower is tall and old.",
        ["Results", "The tower is tall and old."],
    ),
    "a bare heading above": (
        "Results\nThe tower is tall and old.",
        ["Results", "The tower is tall and old."],
    ),
    "an underlined heading": (
        "Results\n=======\nThe tower is tall.",
        ["Results\n=======", "The tower is tall."],
    ),
    "lines without a mark": (
        "Paris is the capital of France\nIt has two million people",
        ["Paris is the capital of France", "It has two million people"],
    ),
    "wrapped lines": (
        (
            "The tower was built in 1889 by the company of Gustave\n"
            "Eiffel, which had won the contest in the\ncity of Paris. It was No.\n5 on the list."
        ),
        [
            (
                "The tower was built in 1889 by the company of Gustave\n"
                "Eiffel, which had won the contest in the\ncity of Paris."
            ),
            "It was No.\n5 on the list.",
        ],
    ),
    "windows line ends": (
        "- Fever\r\n- Cough\r\n\r\nThis is all of it.",
        ["- Fever", "- Cough", "This is all of it."],
    ),
    "a blank line": (
        "It is the capital of France\n\nand of the world",
        ["It is the capital of France", "and of the world"],
    ),
    "a rule": (
        "It is the capital of France.\n\n---\n\nIt has two million people.",
        ["It is the capital of France.\n\n---", "It has two million people."],
    ),
    "a short one joins the next": (
        "Yes. It is the capital of France.",
        ["Yes. It is the capital of France."],
    ),
    "a short one joins the next paragraph": (
        "Yes.\n\nIt is the capital of France.",
        ["Yes.\n\nIt is the capital of France."],
    ),
    "the last short one joins the one before": (
        "It is the capital of France. Yes.",
        ["It is the capital of France. Yes."],
    ),
    "a short one alone": ("Yes.", ["Yes."]),
    "marks alone": ("!!!", ["!!!"]),
    "nothing": (" \n\t ", []),
    "nothing at all": ("", []),
}


@pytest.mark.parametrize(("text", "parts"), LAYOUT.values(), ids=LAYOUT)
def test_layout_keeps_apart_what_it_sets_apart(text: str, parts: list[str]) -> None:
    assert cut(text) == parts


def test_segments_have_the_kind_and_body_that_the_layout_gives() -> None:
    text = "# Results\n\nThe symptoms are:\n- Fever\n\n| a | b |\n\nThat is all of it, I think."
    described = [
        (segment.kind, segment.introduces, text[segment.body : segment.end])
        for segment in segments(text)
    ]
    assert described == [
        (BlockKind.HEADING, False, "# Results"),
        (BlockKind.PROSE, True, "The symptoms are:"),
        (BlockKind.ITEM, False, "Fever"),
        (BlockKind.ROW, False, "| a | b |"),
        (BlockKind.PROSE, False, "That is all of it, I think."),
    ]


def test_a_long_sentence_is_split_at_line_ends() -> None:
    lines = [f"{'word ' * 50}number {number}," for number in range(4)]
    assert cut("\n".join(lines)) == lines


def test_a_long_line_is_split_between_clauses_else_between_words() -> None:
    clauses = ", ".join(f"{'word ' * 30}number {number}" for number in range(8))
    assert all(part.endswith(",") for part in cut(clauses)[:-1])
    words = cut("word " * 1_000)
    assert {word for part in words for word in part.split()} == {"word"}
    assert all(400 <= len(part) <= 500 for part in words[:-1])


def test_a_long_word_is_split_anywhere() -> None:
    assert [len(part) for part in cut("a" * 1_200)] == [500, 500, 200]


@pytest.mark.parametrize(
    "text",
    [
        "a" * 300_000,
        "." * 300_000,
        "! " * 100_000,
        "a. " * 50_000,
        "a\n" * 50_000,
        "|\n" * 50_000,
        "**a\n" * 50_000,
        ">" * 200_000,
        "." + "(" * 200_000,
        '."' * 100_000,
        "Ab." + " " * 200_000 + "C",
        "\0" * 100_000,
        "\ud800" * 100_000,
        "\u3002" * 100_000,
    ],
    ids=lambda text: ascii(text[:4]),
)
def test_hostile_texts_are_cut_within_bounds(text: str) -> None:
    spans = sentence_spans(text)
    assert all(0 < end - start <= 520 for start, end in spans)


_PIECES = st.sampled_from(
    [
        "Paris is",
        "the capital",
        "Dr.",
        "e.g.",
        "U.S.",
        "No.",
        "5",
        "3.5",
        "J.",
        ".",
        "!",
        "?",
        "...",
        "\u2026",
        "\u3002",
        "\u061f",
        "\u0964",
        '"',
        "\u201d",
        "(",
        ")",
        "[1]",
        ":",
        ",",
        "- ",
        "* ",
        "1. ",
        "a) ",
        "# ",
        "| ",
        "\t",
        "**",
        "> ",
        "---",
        "\n",
        "\r\n",
        "\n\n",
        " ",
        "  ",
        "\u2028",
        "\u2029",
        "\x0c",
        "\x1c",
        "\u00a0",
        "\u200b",
        "\ud800",
        "\0",
        "\u4e1c\u4eac",
        "\U0001f600",
        "e\u0301",
        "x" * 90,
        "word " * 40,
    ]
)


@given(st.one_of(st.text(max_size=200), st.lists(_PIECES, max_size=40).map("".join)))
def test_every_character_that_is_no_space_lies_in_exactly_one_span(text: str) -> None:
    last = 0
    for start, end in sentence_spans(text):
        assert last <= start < end
        assert not text[last:start].strip()
        assert text[start:end] == text[start:end].strip()
        assert end - start <= 520
        last = end
    assert not text[last:].strip()


def test_marks_alone_are_no_sentence() -> None:
    assert cut("Paris is the capital of France. *** --- !!!") == [
        "Paris is the capital of France. *** --- !!!"
    ]
