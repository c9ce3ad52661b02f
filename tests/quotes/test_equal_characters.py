"""Characters of all scripts that are written in more than one way."""

import pytest

from groundtypes import find_quote

#: name -> (one, the other): both are a quote of the other.
SAME: dict[str, tuple[str, str]] = {
    "gershayim": ("ארה״ב היא מדינה גדולה", 'ארה"ב היא מדינה גדולה'),
    "geresh": ("צ׳רצ׳יל היה ראש ממשלה", "צ'רצ'יל היה ראש ממשלה"),
    "maqaf": ("בית־ספר גדול מאוד", "בית-ספר גדול מאוד"),
    "Armenian hyphen": ("մեծ֊մեծ քաղաք է", "մեծ-մեծ քաղաք է"),
    "degree Celsius": ("at 20 ℃ in the room", "at 20 °C in the room"),
    "degree Fahrenheit": ("at 68℉ in the room", "at 68 °F in the room"),
    "square metre": ("an area of 50㎡ in all", "an area of 50 m² in all"),
    "kilometre": ("a way of 50 ㎞ in all", "a way of 50 km in all"),
    "milligram": ("a dose of 50㎎ in all", "a dose of 50 mg in all"),
    "numero": ("as № 5 of the list", "as No. 5 of the list"),
    "Catalan l": ("una coŀlecció molt gran", "una col·lecció molt gran"),
    "Thai sara am": (
        "น้ำในแม่น้ำลำนี้ใสมาก",
        "น\u0e49\u0e4d\u0e32ในแม่น\u0e4d\u0e49\u0e32ล\u0e4d\u0e32นี้ใสมาก",
    ),
    "Lao am": ("ນ້ຳໃນແມ່ນ້ຳນີ້ໃສ", "ນ້\u0ecd\u0eb2ໃນແມ່ນ້\u0ecd\u0eb2ນີ້ໃສ"),
    "kashida": ("محمـــد رجل كبير", "محمد رجل كبير"),
    "Persian letters": ("علی در خانه‌ی بزرگ", "علي در خانه‌ي بزرگ"),
    "Romanian s": ("În oraș este o casă", "În oraş este o casă"),
    "Romanian t": ("În viaţa lui este mult", "În viața lui este mult"),
    "wave dash": ("朝10時〜夕方まで", "朝10時～夕方まで"),
    "Arabic question mark": ("هل هو كبير؟ نعم هو", "هل هو كبير? نعم هو"),
    "Arabic percent": ("زاد بنسبة ٥٪ هذا العام", "زاد بنسبة ٥% هذا العام"),
    "Arabic digits": ("زاد بنسبة ٥٠ هذا العام", "زاد بنسبة 50 هذا العام"),
    "Persian digits": ("در سال ۱۳۹۹ بزرگ شد", "در سال 1399 بزرگ شد"),
    "Devanagari digits": ("यह १८८९ में बना था", "यह 1889 में बना था"),
    "Arabic decimal": ("زاد بنسبة ٥٫٢ هذا العام", "زاد بنسبة 5.2 هذا العام"),
    "danda": ("यह बड़ा है। वह छोटा है", "यह बड़ा है. वह छोटा है"),
    "Urdu full stop": ("یہ بڑا ہے۔ وہ چھوٹا ہے", "یہ بڑا ہے. وہ چھوٹا ہے"),
    "Ethiopic full stop": ("ይህ ትልቅ ነው። ያ ትንሽ ነው", "ይህ ትልቅ ነው. ያ ትንሽ ነው"),
    "Armenian full stop": ("Սա մեծ է։ Նա փոքր է", "Սա մեծ է. Նա փոքր է"),
    "katakana middle dot": ("ジョン・スミスは大きい", "ジョン·スミスは大きい"),
    "dotless i with diaeresis": ("a na\u0131\u0308ve idea of it", "a naïve idea of it"),
    "dotless i with acute": ("el pa\u0131\u0301s es grande", "el país es grande"),
    "fraction slash": ("about 1⁄2 of the cake", "about 1/2 of the cake"),
    "division slash": ("about 1∕2 of the cake", "about 1/2 of the cake"),
    "tilde operator": ("about ∼5 days in all", "about ~5 days in all"),
    "asterisk operator": ("the term 5 ∗ 6 is it", "the term 5 * 6 is it"),
    "ordinal for degree": ("at 20 ºC in the room", "at 20 °C in the room"),
    "ring for degree": ("at 20 ˚C in the room", "at 20 °C in the room"),
    "degrees of an angle": ("an angle of 20º was seen", "an angle of 20° was seen"),
    "ratio sign": ("the odds are 3∶1 for him", "the odds are 3:1 for him"),
    "times sign": ("a field of 3 × 4 metres", "a field of 3 x 4 metres"),
    "dot operator": ("a force of 5 N⋅m was seen", "a force of 5 N·m was seen"),
    "Hawaiian okina": ("the island of Hawaiʻi is", "the island of Hawai'i is"),
    "modifier apostrophe": ("it is two oʼclock here", "it is two o'clock here"),
    "modifier apostrophe of a negation": ("they donʼt say so now", "they don't say so now"),
    "Greek letter": ("the α-catenin gene is", "the alpha-catenin gene is"),
    "Greek letter at the end": ("more TNFα was found", "more TNFalpha was found"),
    "Greek letter in a name": ("more NF-κB was found", "more NF-kappaB was found"),
    "Greek letter and number": ("more β2 agonists here", "more beta2 agonists here"),
    "not sign": ("an impor¬\ntant treatment", "an important treatment"),
    "not sign and a space": ("an impor¬ tant treatment", "an important treatment"),
    "not sign in a word": ("an impor¬tant treatment", "an important treatment"),
    "control character": ("an impor\x02tant treatment", "an important treatment"),
    "hyphen and a space": ("an impor- tant treatment", "an important treatment"),
    "accent as apostrophe of a negation": ("they don´t say so now", "they don't say so now"),
    "isolate in a number": ("from 1\u2069979 to 1982", "from 1979 to 1982"),
    "exponent of a unit in one line": ("given 50 mg/m2 IV daily", "given 50 mg/m² IV daily"),
    "square metres in one line": ("an area of 10 m2 was", "an area of 10 m² was"),
    "mark before a closing one": (
        'a "Tito, Blue ›Elephant 2" and so',
        'a "Tito, Blue Elephant 2" and so',
    ),
}


@pytest.mark.parametrize(("one", "other"), SAME.values(), ids=SAME)
def test_characters_that_mean_the_same_are_equal(one: str, other: str) -> None:
    assert find_quote(other, f"Some words. {one}. More words.") is not None
    assert find_quote(one, f"Some words. {other}. More words.") is not None


#: name -> (one, the other): neither is a quote of the other.
DIFFERENT: dict[str, tuple[str, str]] = {
    "Arabic digits": ("زاد بنسبة ٥٠ هذا العام", "زاد بنسبة 60 هذا العام"),
    "Arabic question": ("هل هو كبير؟ نعم هو", "هل هو كبير! نعم هو"),
    "Greek letters": ("the α-catenin gene is", "the β-catenin gene is"),
    "Greek letter and another name": ("the α-catenin gene is", "the beta-catenin gene is"),
    "micro": ("a dose of 5 μg was given", "a dose of 5 mg was given"),
    "micro and mug": ("a dose of 5 μg was given", "a dose of 5 mug was given"),
    "degrees": ("at 20 ℃ in the room", "at 20 °F in the room"),
    "cubic metre": ("an area of 10 m2 was", "an area of 10 m³ was"),
    "exponent after a word": ("the variable m2 was", "the variable m² was"),
    "negation": ("they don´t say so now", "they do say so now"),
    "square metre": ("an area of 50㎡ in all", "an area of 50 m in all"),
    "accent": ("a naïve idea of it is", "a naive idea of it is"),
    "Romanian s": ("În oraș este o casă", "În oras este o casă"),
    "Arabic letter": ("محمـــد رجل كبير", "محمود رجل كبير"),
    "Thai vowel": ("แม่น้ำลำนี้ใสมาก", "แม่น้าลำนี้ใสมาก"),
}


@pytest.mark.parametrize("fuzzy", [False, True], ids=["strict", "fuzzy"])
@pytest.mark.parametrize(("one", "other"), DIFFERENT.values(), ids=DIFFERENT)
def test_characters_that_mean_another_thing_count(one: str, other: str, fuzzy: bool) -> None:
    assert find_quote(other, f"Some words. {one}. More words.", fuzzy=fuzzy) is None
    assert find_quote(one, f"Some words. {other}. More words.", fuzzy=fuzzy) is None


#: name -> (reference, quote)
ONE_WORD: dict[str, tuple[str, str]] = {
    "hyphen in the reference": ("an impor-\ntant treatment", "important"),
    "hyphen and space in the reference": ("an impor- tant treatment", "important"),
    "soft hyphen and zero width": ("an im\u00ad\u200bpor\u00ad\u200btant one", "important"),
    "both at a line break": ("an impor\u00ad\u200b\ntant treatment", "important"),
    "hyphen and zero width": ("an impor-\u200b\ntant treatment", "important"),
    "soft hyphen and tag": ("an impor\u00ad<wbr>tant treatment", "an important treatment"),
    "entities": ("an impor&shy;&#8203;tant treatment", "an important treatment"),
    "in a contraction": ("they don'\u00ad\u200bt say so", "don't say"),
    "in a number": ("it costs 1,\u00ad\u200b200 euros", "1,200 euros"),
    "hyphen in the quote": ("an important treatment", "impor-\ntant"),
    "hyphen and space in the quote": ("an important treatment", "impor- tant"),
    "not sign in the reference": ("an impor¬\ntant treatment", "important"),
    "not sign in the quote": ("an important treatment", "impor¬ tant"),
}


@pytest.mark.parametrize(("reference", "quote"), ONE_WORD.values(), ids=ONE_WORD)
def test_a_quote_of_one_hyphenated_word_is_found(reference: str, quote: str) -> None:
    match = find_quote(quote, ["Some words.", reference])
    assert match is not None
    assert not match.cut
