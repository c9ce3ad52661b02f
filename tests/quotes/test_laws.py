"""Laws that hold for every text: Hypothesis looks for one that breaks them."""

import unicodedata
from collections.abc import Callable

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from groundtypes import References, find_quote
from groundtypes.quotes import MatchKind
from groundtypes.quotes.scanner import scan
from groundtypes.quotes.tokens import OPTIONAL
from groundtypes.quotes.word_index import WordIndex
from groundtypes.text.characters import fold

#: Pieces that meet each other in hostile and in ordinary references.
_PIECES = st.sampled_from(
    [
        "Paris",
        "paris",
        "not",
        "the",
        "don't",
        "do n't",
        "well-known",
        "impor-\ntant",
        "soft\xadhyphen",
        "12.5",
        "1,200",
        "-5",
        "±3",
        "m²",
        "10²",
        "H₂O",
        "½",
        "%",
        "$",
        "[1]",
        "[2][3]",
        "¹",
        "†",
        "**bold**",
        "_it_",
        "`code`",
        "# ",
        "- ",
        "1. ",
        "| a | b |",
        "[link](http://x.y/z)",
        "<b>",
        "</b>",
        "<sup>2</sup>",
        "&amp;",
        "&nbsp;",
        "&#39;",
        "a <b and c> d",
        "...",
        "…",
        "[...]",
        "“",
        "”",
        "’s",
        "'",
        '"',
        "—",
        "–",
        "-",
        "\u2212",
        ".",
        ",",
        ";",
        "?",
        "!",
        "(",
        ")",
        "\u200b",
        "\u202e",
        "\ufeff",
        "\x00",
        "\ud800",
        "ﬁne",
        "é",
        "e\u0301",
        "İ",
        "ß",
        "ΑΣ",
        "東京は日本の",
        "首都",
        "。",
        "ภาษาไทย",
        "שלום",
        "مرحبا",
        "नमस्ते",
        "👩\u200d👩\u200d👧",
        "{x}",
        "(a+)+$",
        "\\",
        "\\*",
        "-LRB-",
        "``",
        "''",
        "<=",
        "p<0.05",
        "1.\n2. ",
    ]
)
_GAPS = st.sampled_from(["", " ", " ", " ", "\n", "\n\n", "\t", "\u00a0", "\u2009", "-\n"])
_TEXTS = st.lists(st.tuples(_PIECES, _GAPS), min_size=1, max_size=30).map(
    lambda parts: "".join(piece + gap for piece, gap in parts)
) | st.text(min_size=1, max_size=80)


@given(_TEXTS, st.data())
@settings(max_examples=400, deadline=None)
def test_every_slice_that_is_not_blank_is_found_exactly(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    quote = text[start:end]
    assume(quote.strip())
    match = find_quote(quote, {"other": "Nothing of the kind.", "here": text})
    assert match is not None
    if match.how is MatchKind.EXACT:
        assert match.text == quote
    else:
        # Another stretch says the same, and does not cut a word.
        assert not match.cut


@given(_TEXTS, _TEXTS, st.booleans())
@settings(max_examples=300, deadline=None)
def test_a_span_cuts_out_its_text_and_nothing_raises(text: str, quote: str, fuzzy: bool) -> None:
    references = References.of([text, quote[::-1]])
    match = find_quote(quote, references, fuzzy=fuzzy)
    if match is not None:
        span = match.span
        assert references[span.reference].text[span.start : span.end] == match.text
        assert match.text
        assert match.how is not MatchKind.EXACT or match.text == quote


@given(_TEXTS)
@settings(max_examples=300, deadline=None)
def test_folding_a_word_twice_is_folding_it_once(text: str) -> None:
    for word in text.split():
        assert fold(fold(word)) == fold(word)


@given(_TEXTS, st.data())
@settings(max_examples=300, deadline=None)
def test_what_was_found_is_found_again_by_its_own_words(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    match = find_quote(text[start:end].swapcase(), [text])
    if match is not None:
        again = find_quote(match.text, [text])
        assert again is not None
        assert again.text == match.text or not again.cut


_WORDS = st.lists(
    st.sampled_from(
        "the tower was built in 1889 by an engineer near rivers where people of Paris walk "
        "every day under 300 trees café naïve Straße".split()
    ),
    min_size=3,
    max_size=20,
    unique=True,
)


@given(_WORDS, st.data())
@settings(max_examples=300, deadline=None)
def test_a_rewrite_in_other_typography_is_found_at_the_same_place(
    words: list[str], data: st.DataObject
) -> None:
    text = " ".join(words)
    first = data.draw(st.integers(0, len(words) - 3))
    last = data.draw(st.integers(first + 2, len(words)))
    quote = " ".join(words[first:last])
    changes = data.draw(st.sets(st.sampled_from(sorted(_REWRITES)), min_size=1))
    rewritten = quote
    for name in sorted(changes):
        rewritten = _REWRITES[name](rewritten)
    match = find_quote(rewritten, [text])
    assert match is not None
    assert _keys(match.text) == _keys(quote)


def _keys(text: str) -> list[str]:
    tokens = scan(text)
    return [
        key for key, kind in zip(tokens.keys, tokens.kinds, strict=True) if kind not in OPTIONAL
    ]


_REWRITES: dict[str, Callable[[str], str]] = {
    "case": str.upper,
    "lines": lambda text: text.replace(" ", "\n  "),
    "no-break spaces": lambda text: text.replace(" ", "\u00a0"),
    "decomposed": lambda text: unicodedata.normalize("NFD", text),
    "emphasis": lambda text: f"**{text}**",
    "quotation marks": lambda text: f"\u201c{text}\u201d",
    "full stop": lambda text: f"{text}.",
    "zero width": lambda text: text.replace(" ", " \u200b"),
    "entities": lambda text: text.replace(" ", "&nbsp;"),
}


@given(st.lists(_TEXTS, min_size=1, max_size=5))
@settings(max_examples=100, deadline=None)
def test_the_index_is_the_same_for_texts_together_and_alone(texts: list[str]) -> None:
    together = WordIndex(texts)
    for number, text in enumerate(texts):
        alone = WordIndex([text])
        for offset in range(len(text)):
            assert together.locate(together.bases[number] + offset)[0] == number
        assert alone.size == len(text)
