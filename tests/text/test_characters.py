"""Characters without a glyph are those that Unicode says are to be ignored."""

import sys
import unicodedata

from groundtypes.text.characters import INVISIBLE, fold

#: Signs that are shown though their category is "format": marks before a number, and others that
#: interlinear annotations and hieroglyphs are laid out with.
_SHOWN = [
    *range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0xFFF9, 0xFFFA, 0xFFFB, 0x110BD,
    0x110CD, *range(0x13430, 0x13440),
]  # fmt: skip


def test_every_format_character_that_is_not_shown_is_invisible() -> None:
    formats = [
        chr(code) for code in range(sys.maxunicode) if unicodedata.category(chr(code)) == "Cf"
    ]
    shown = [character for character in formats if not INVISIBLE.fullmatch(character)]
    assert set(map(ord, shown)) <= set(_SHOWN)


def test_nothing_that_is_invisible_is_a_letter_digit_or_space_of_a_text() -> None:
    found = [chr(code) for code in range(sys.maxunicode) if INVISIBLE.fullmatch(chr(code))]
    kinds = {unicodedata.category(character) for character in found}
    assert kinds <= {"Cf", "Cn", "Mn", "Lo"}
    named = [character for character in found if unicodedata.category(character) == "Lo"]
    assert all("FILLER" in unicodedata.name(character) for character in named)


def test_a_word_is_compared_without_them() -> None:
    assert fold("im\u00ad\u200bpor\u3164tant") == "important"
