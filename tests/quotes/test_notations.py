"""Notations of the same words: raised signs, LaTeX, bullets, verse and Turkish."""

import pytest

from groundtypes import find_quote

#: name -> (text, quote): the two say the same.
EQUAL: dict[str, tuple[str, str]] = {
    "charge on the line": ("the Ca²⁺ ions enter", "the Ca2+ ions enter"),
    "charge raised by the quote": ("the Ca2+ ions enter", "the Ca²⁺ ions enter"),
    "charge in a tag": ("the Fe<sup>3+</sup> ions", "the Fe3+ ions"),
    "charge of one": ("the Na⁺ ions", "the Na+ ions"),
    "negative charge": ("the Cl⁻ ions", "the Cl- ions"),
    "negative charge raised by the quote": ("the Cl− ions are", "the Cl⁻ ions are"),
    "charge of a group": ("the NH₄⁺ ion is", "the NH4+ ion is"),
    "sign of a cell": ("the CD4⁺ T cells", "the CD4+ T cells"),
    "sign of a cell raised by the quote": ("the CD4+ T cells", "the CD4⁺ T cells"),
    "signs of cells": ("the CD4⁺CD25⁺ T cells", "the CD4+CD25+ T cells"),
    "marker of two letters": ("the ER⁺ and ER⁻ tumours", "the ER+ and ER- tumours"),
    "marker of three letters": ("the HIV⁺ patients", "the HIV+ patients"),
    "pump": ("the Na⁺/K⁺-ATPase is", "the Na+/K+-ATPase is"),
    "coefficient of determination": ("the R² value was 0.9", "the R2 value was 0.9"),
    "chi squared": ("a χ² test was", "a χ2 test was"),
    "place of a double bond": ("Δ⁹-THC and β-carotene", "Δ9-THC and β-carotene"),
    "place that the quote raises": ("Δ9-THC and β-carotene", "Δ⁹-THC and β-carotene"),
    "capitals of Turkish": ("KIRMIZI ALARM VAR", "kırmızı alarm var"),
    "capitals of Turkish with both": ("Dün SINIR DIŞI EDİLDİ", "sınır dışı edildi"),
    "thin space of LaTeX": ("$10\\,\\mathrm{mg}$ daily dose", "10 mg daily dose"),
    "exponent in braces": ("$10^{-3}$ mol", "10⁻³ mol"),
    "exponent in braces and a formula": ("a mass of 10$^{-3}$ g of it", "a mass of 10⁻³ g of it"),
    "power at the end of a formula": ("costs $10^6$ in cash", "costs 10^6"),
    "index in a formula": ("H$_2$O is wet", "H2O is wet"),
    "emphasis of LaTeX": ("It is {\\em very} good", "It is very good"),
    "bold of LaTeX": ("It is {\\bf very} good", "It is very good"),
    "comparison of LaTeX": ("take $\\leq 5$ mg of it", "take ≤ 5 mg of it"),
    "comparison without a space": ("take $\\le5$ mg of it", "take ≤5 mg of it"),
    "product of LaTeX": ("$5 \\times 10^{6}$ cells", "5 × 10⁶ cells"),
    "tolerance of LaTeX": ("a $5 \\pm 2$ mg dose", "a 5 ± 2 mg dose"),
    "degrees of LaTeX": ("$25\\,^{\\circ}$C is it", "25 °C is it"),
    "degrees without a space": ("$25^\\circ$C is it", "25°C is it"),
    "dots of LaTeX": ("x \\ldots{} y is", "x … y is"),
    "arrow of LaTeX": ("$a \\to b$ is it", "a → b is it"),
    "unit behind a formula": ("take $5\\,$mg of it", "take 5 mg of it"),
    "footnote of LaTeX": ("The cat\\footnote{See {old} notes.} sat down.", "The cat sat down"),
    "footnote of LaTeX shown": (
        "The cat\\footnote{See {old} notes.} sat down.",
        "the cat\\footnote{See {old} notes.} sat down",
    ),
    "lines of verse": (
        "Roses are red,\nviolets are blue,\nand so",
        "roses are red, / violets are blue",
    ),
    "lines with tags": ("Roses are red<br>violets are blue", "roses are red / violets are blue"),
    "stanzas": ("Roses are red.\n\nViolets are blue.", "Roses are red. // Violets are blue"),
}
#: name -> (text, quote): what looks like a notation changes what is said.
DIFFERENT: dict[str, tuple[str, str]] = {
    "power": ("10² cells here", "102 cells here"),
    "power as a number": ("10² cells here", "10 2 cells here"),
    "negative power": ("10⁻³ mol", "10-3 mol"),
    "power of a variable": ("x² < 5 here", "x2 < 5 here"),
    "power in a sum": ("the value 5² + 3", "the value 52 + 3"),
    "variable in a sum": ("K² + 1 is", "K2 + 1 is"),
    "raised sign of a variable": ("x⁺ y is", "x + y is"),
    "raised sign of a number": ("a2⁺3 is the", "a2+3 is the"),
    "ion of two atoms": ("the O²⁻ ions", "the O2- ions"),
    "another charge": ("the Ca²⁺ ions enter", "the Ca3+ ions enter"),
    "another sign": ("the Ca²⁺ ions enter", "the Ca2- ions enter"),
    "no charge": ("the Na⁺ ions", "the Na ions"),
    "name that the quote raises": ("the R2 server is", "the R² server is"),
    "square of a Greek letter": ("the range of σ² is wide", "the range of σ is wide"),
    "no place": ("Δ⁹-THC is", "Δ-THC is"),
    "another place": ("Δ⁹-THC is", "Δ8-THC is"),
    "dotted i": ("kirmizi alarm var", "kırmızı alarm var"),
    "dotted capitals": ("KİRMİZİ ALARM VAR", "kırmızı alarm var"),
    "braces around a sum": ("$x^{a+b}c$ is it", "$x^a+bc$ is it"),
    "number cut from its exponent": ("a mass of $10^{-3}$ g", "a mass of 10"),
    "number cut from a comparison": ("take $\\leq 5$ mg of it", "5 mg of it"),
    "number cut from a strict comparison": ("of $p \\lt 0.05$ in", "0.05$ in"),
    "number cut from an approximation": ("take $\\approx 5$ mg", "5 mg"),
    "number cut from a product": ("of $5 \\times 10^{6}$ cells", "of 5"),
    "number cut from a product in a formula": ("of $5\\cdot 10^6$ cells", "of $5"),
    "number cut from a tolerance": ("of $5 \\pm 2$ mg", "of 5"),
    "comparison left out": ("take $\\leq 5$ mg of it", "take 5 mg of it"),
    "another comparison": ("take $\\leq 5$ mg of it", "take ≥ 5 mg of it"),
    "tolerance left out": ("a $5 \\pm 2$ mg dose", "a 5 2 mg dose"),
    "part of a footnote": ("The cat\\footnote{See it below.} sat down.", "The cat below sat down"),
    "fraction of two lines": ("It was 120\n80 of all", "It was 120 / 80 of all"),
    "slash in a line": ("yellow wood and sorry I could", "yellow wood / and sorry I could"),
    "one slash for two breaks": ("one two\nthree four\nfive six", "one two / three four five six"),
    "words with a slash": ("he\nshe went", "he / she went"),
    "another scale": ("위약금은 500만 원이다.", "위약금은 500억원이다"),
    "range of items": ("Hours:\n• open Monday\n• Friday", "open Monday - Friday"),
    "difference of items": ("Doses:\n• 10\n• 5 mg", "- 10 - 5 mg"),
}


@pytest.mark.parametrize(("text", "quote"), EQUAL.values(), ids=EQUAL)
def test_a_notation_makes_no_difference(text: str, quote: str) -> None:
    match = find_quote(quote, text)
    assert match is not None
    assert not match.cut
    assert text[match.span.start : match.span.end] == match.text
    assert match.how == "normalised"


@pytest.mark.parametrize(("text", "quote"), DIFFERENT.values(), ids=DIFFERENT)
def test_what_looks_like_a_notation_may_be_content(text: str, quote: str) -> None:
    match = find_quote(quote, text)
    assert match is None or match.cut
