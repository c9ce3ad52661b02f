"""Footnote marks, tags inside of words, list numbers and Turkish capitals: what may be left out."""

import pytest

from groundtypes import find_quote

#: name -> (text, quote): the quote differs in typography alone.
EQUAL: dict[str, tuple[str, str]] = {
    "two notes": ("Costs rose [3, 4]. See note 5.", "Costs rose. See note 5."),
    "notes with a dash": ("Costs rose [3–5]. See note.", "Costs rose. See note"),
    "notes right behind the word": ("Costs rose[3, 4] in May.", "Costs rose in May"),
    "several notes right behind the word": ("Costs rose[3-5, 7] in May.", "Costs rose in May"),
    "notes right behind articles": ("Several articles[3,4] say so", "Several articles say so"),
    "one note behind a page": ("on this page<sup>12</sup> in May", "on this page in May"),
    "one note behind data": ("The data[3] show it now", "The data show it now"),
    "two notes at the end": ("Costs rose [3, 4].", "Costs rose"),
    "notes that are shown": ("Costs rose [3, 4]. See note.", "Costs rose [3, 4]. See note"),
    "raised notes": ("Costs rose.³,⁴ See note.", "Costs rose. See note"),
    "raised notes after a word": ("Costs rose³,⁴ in May", "Costs rose in May"),
    "raised range": ("Costs rose³⁻⁵. See note.", "Costs rose. See note"),
    "raised range with a dash": ("Costs rose³–⁵. See note.", "Costs rose. See note"),
    "link": ('Costs rose.<sup><a href="#1">1</a></sup> See.', "Costs rose. See"),
    "link in brackets": (
        'Costs rose<sup id="r"><a href="#n">[1]</a></sup> in May.',
        "Costs rose in May",
    ),
    "links": (
        'Costs rose<sup><a href="#1">1</a>, <a href="#2">2</a></sup> in May.',
        "Costs rose in May",
    ),
    "range in a tag": ("Costs rose<sup>3–5</sup> in May.", "Costs rose in May"),
    "list in a tag": ("Costs rose.<sup>3, 4</sup> In May.", "Costs rose. In May"),
    "two tags in a word": ("<span>Hel</span><span>lo</span> world now", "Hello world now"),
    "tags in an inner word": ("Say <b>Hel</b><i>lo</i> world now", "Say Hello world now"),
    "three parts": ("Go to the wor<i>l</i><b>d</b> now", "to the world now"),
    "nested tags": ("Go to the wor<i><b>ld</b></i> now", "to the world now"),
    "list number in a line": (
        "It ends here.\n\n7. The licence is free.",
        "It ends here. 7. The licence is free.",
    ),
    "list number with a bracket": (
        "It ends here.\n7) The licence is free.",
        "It ends here. 7) The licence is free.",
    ),
    "list number at a line's start": (
        "It ends here. 7. The licence is free.",
        "It ends here.\n\n7. The licence is free.",
    ),
}
#: name -> (text, quote): what the quote leaves out or changes is content.
DIFFERENT: dict[str, tuple[str, str]] = {
    "numbers that are said": ("She won [1, 3] in May.", "She won in May"),
    "numbers inside of a clause": ("Costs rose [1, 2] in May.", "Costs rose in May"),
    "attached numbers that descend": ("Take costs[4, 3] in May.", "Take costs in May"),
    "attached zero": ("Take costs[0, 1] in May.", "Take costs in May"),
    "element": ("Take x[3, 4] from it", "Take x from it"),
    "interval": ("in the interval [3, 4] it holds", "in the interval it holds"),
    "interval with a dash": ("in the interval [3–4] it holds", "in the interval it holds"),
    "interval after a colon": ("The range: [3, 4] in all", "The range in all"),
    "interval after a bracket": ("Mean age (years) [3, 4] of all", "Mean age (years) of all"),
    "interval after a percentage": ("95% CI of 80% [3, 4] in all", "95% CI of 80% in all"),
    "value of a function": ("The function returns [1, 2] in May", "The function returns in May"),
    "points": ("The points lie [1, 2] in all", "The points lie in all"),
    "object": ("The law holds over [3, 4] and more", "The law holds over and more"),
    "value with a unit": ("It took [3, 4] days in all", "It took days in all"),
    "value with a symbol": ("The layer lay [3, 4] mm deep", "The layer lay mm deep"),
    "age": ("The patients were aged [3, 4] in all", "The patients were aged in all"),
    "request": ("Please choose [1, 2] and go", "Please choose and go"),
    "descending": ("The result grew [4, 3] in May", "The result grew in May"),
    "zero": ("Costs grew [0, 1] in May", "Costs grew in May"),
    "power": ("It has 10³ cells in all", "It has 10 cells in all"),
    "powers": ("It has 10³,⁴ cells in all", "It has 10 cells in all"),
    "range of powers": ("It has 10³⁻⁵ cells in all", "It has 10 cells in all"),
    "powers of a variable": ("a field of x²,³ terms", "a field of x terms"),
    "range of powers in a tag": ("It has 10<sup>3–5</sup> cells", "It has 10 cells"),
    "power with a link": ("It has 10<sup><a href='#1'>6</a></sup> cells", "It has 10 cells"),
    "unit with a link": ("It has 5 m<sup><a href='#1'>2</a></sup> in all", "It has 5 m in all"),
    "unit": ("It has 5 m³ in all", "It has 5 m in all"),
    "range": ("take 5–10 mg now", "take mg now"),
    "formula": ("A litre of CO₂ weighs", "A litre of CO weighs"),
    "line break": ("Say the<br>rapist is here", "Say therapist is here"),
    "paragraphs": ("Say the</p><p>rapist is here", "Say therapist is here"),
    "break among tags": ("the</b><br/><b>rapist is here", "therapist is here"),
    "picture": ("the<img src=x>rapist is here", "therapist is here"),
    "cells": ("<td>the</td><td>rapist</td> is here", "therapist is here"),
    "items": ("<li>now<li>here is it", "nowhere is it"),
    "space between tags": ("<b>Hel</b> <b>lo</b> world now", "Hello world now"),
    "word cut at tags": ("<b>un</b><i>able</i> to go", "able to go"),
    "list number made a decimal": ("A.\n\n7. 5 mg daily dose", "A. 7.5 mg daily dose"),
    "another list number": (
        "It ends here.\n\n7. The licence is free.",
        "It ends here. 8. The licence is free.",
    ),
    "no list number": (
        "It ends here.\n\nThe licence is free.",
        "It ends here. 7. The licence is free.",
    ),
    "number without a mark": (
        "It ends here.\n\n7. The licence is free.",
        "It ends here. 7 The licence is free.",
    ),
    "negative number": (
        "It ends here.\n\n7. The licence is free.",
        "It ends here. -7. The licence is free.",
    ),
    "list number elsewhere": (
        "It ends here.\n\n7. The licence is free.",
        "It ends here 7. The licence is 7. free.",
    ),
    "dotless i in small letters": ("Dün orada sıkıldı bu", "orada sikildi bu"),
    "dotted i in capitals": ("Dün sınır dışı edildi", "SİNİR DIŞI EDİLDİ"),
    "range of items": ("Hours:\n• open Monday\n• Friday", "open Monday - Friday"),
    "difference of items": ("Doses:\n• 10\n• 5 mg", "10 - 5 mg"),
}


@pytest.mark.parametrize(("text", "quote"), EQUAL.values(), ids=EQUAL)
def test_a_quote_may_leave_out_what_is_no_content(text: str, quote: str) -> None:
    match = find_quote(quote, text)
    assert match is not None
    assert not match.cut
    assert text[match.span.start : match.span.end] == match.text


@pytest.mark.parametrize(("text", "quote"), DIFFERENT.values(), ids=DIFFERENT)
def test_a_quote_may_not_leave_out_what_looks_like_a_mark(text: str, quote: str) -> None:
    match = find_quote(quote, text)
    assert match is None or match.cut
