"""Brackets, stars, angle brackets and pipes of code are content; those of Markdown are not."""

import pytest

from groundtypes import find_quote

#: name -> (reference, quote)
CONTENT: dict[str, tuple[str, str]] = {
    "first element": ("Then arr[0] holds the sum", "Then arr holds the sum"),
    "element that is assigned": ("Then arr[1] = 5 is set", "Then arr = 5 is set"),
    "element in an expression": ("Set x = arr[2] at the end", "Set x = arr at the end"),
    "element in a call": ("Use print(arr[1]) at the end", "Use print(arr) at the end"),
    "element by a variable": ("The loop reads a[i] at a time", "The loop reads a at a time"),
    "element of an element": ("Then grid[i][j] holds it", "Then grid holds it"),
    "element in code": ("The value `rows[1]` holds it", "The value `rows` holds it"),
    "element with a member": ("Call rows[1].name for it", "Call rows.name for it"),
    "element of a long name": ("Call row_names[1] for it", "Call row_names for it"),
    "element by a name": ("Then arr[key][name] holds it", "Then arr holds it"),
    "pointer": ("The value *p is then read", "The value p is then read"),
    "pointer that is declared": ("Write int *p at the start", "Write int p at the start"),
    "pointer to a pointer": ("The value **p is then read", "The value p is then read"),
    "product": ("The area a*b is then read", "The area ab is then read"),
    "product of words": ("The area width*height is read", "The area width height is read"),
    "private name": ("Call _run at the end of it", "Call run at the end of it"),
    "nested generic": ("A Map<b,List<i>> holds rows", "A Map holds rows"),
    "generic of a type": ("A List<String> holds rows", "A List String holds rows"),
    "absolute value": ("The value |x| is then small", "The value x is then small"),
    "absolute value of a term": ("where |x - 1| is small", "where x - 1 is small"),
    "conditional probability": ("where P(A | B) is small", "where P(A B) is small"),
    "bitwise or": ("The value a | b is then read", "The value a b is then read"),
    "shell pipe": ("Run `cat log | wc` at the end", "Run `cat log wc` at the end"),
    "comparison": ("if a <b and c> d holds", "if a d holds"),
    "tilde": ("The model y~x is then used", "The model y x is then used"),
    "tilde of a range": ("It takes 5~10 days in all", "It takes 5 10 days in all"),
    "not sign": ("The term p¬q is then read", "The term pq is then read"),
    "dollars": ("It costs $5 and then $6 more", "It costs 5 and then 6 more"),
    "dollars to dollars": ("It costs $5-$6 and more", "It costs 5-6 and more"),
}


@pytest.mark.parametrize("fuzzy", [False, True], ids=["strict", "fuzzy"])
@pytest.mark.parametrize(("one", "other"), CONTENT.values(), ids=CONTENT)
def test_signs_of_code_are_content(one: str, other: str, fuzzy: bool) -> None:
    assert find_quote(other, f"Some words. {one}. More words.", fuzzy=fuzzy) is None
    assert find_quote(one, f"Some words. {other}. More words.", fuzzy=fuzzy) is None


#: name -> (reference, quote)
MARKDOWN: dict[str, tuple[str, str]] = {
    "citation": ("The tower[1] was built there", "The tower was built there"),
    "citation after a stop": ("It was built.[2] It is tall", "It was built. It is tall"),
    "citation before a stop": ("It was built [3]. It is tall", "It was built. It is tall"),
    "citations": ("The tower[1][2] was built there", "The tower was built there"),
    "citation after a bracket": ("The tower (tall)[1] was built", "The tower (tall) was built"),
    "citation at an acronym": ("The WHO[1] was founded then", "The WHO was founded then"),
    "note": ("The tower[a] was built there", "The tower was built there"),
    "spaced citation": ("as the authors show [12] in detail", "as the authors show in detail"),
    "emphasis": ("The *tall* tower was built", "The tall tower was built"),
    "strong": ("The **tall** tower was built", "The tall tower was built"),
    "emphasis in a word": ("It is un*believ*able there", "It is unbelievable there"),
    "emphasis of two words": ("The *tall iron* tower was", "The tall iron tower was"),
    "emphasis over two lines": ("The *tall\niron* tower was", "The tall iron tower was"),
    "underscores": ("The _tall iron_ tower was", "The tall iron tower was"),
    "emphasis in brackets": ("The tower (*Turris*) was", "The tower (Turris) was"),
    "emphasis before a comma": ("The *tower*, which was", "The tower, which was"),
    "table": ("| tall tower | 330 m |", "tall tower 330 m"),
    "compact table": (
        "|tower|height|\n|---|---|\n|tall tower|330 m|",
        "tower height tall tower 330 m",
    ),
    "table without outer pipes": (
        "tower | height\n--- | ---\ntall | 330 m",
        "tower height tall 330 m",
    ),
    "italic tag": ("The <i>tall</i> tower was built", "The tall tower was built"),
    "italic tag in a word": ("It is un<i>believ</i>able there", "It is unbelievable there"),
    "footnote star": ("The tower* was built there", "The tower was built there"),
    "link": ("The [tall tower](http://x.y) was", "The tall tower was"),
    "link across lines": ("The [tall\ntower](http://x.y) was", "The tall tower was"),
}


@pytest.mark.parametrize(("marked", "plain"), MARKDOWN.values(), ids=MARKDOWN)
def test_signs_of_markdown_are_no_content(marked: str, plain: str) -> None:
    assert find_quote(plain, f"Some words.\n\n{marked}\n\nMore words.") is not None
    assert find_quote(marked, f"Some words.\n\n{plain}\n\nMore words.") is not None


#: name -> (reference, quote)
CUTS: dict[str, tuple[str, str]] = {
    "element": ("Then use arr[0] in it", "use arr"),
    "element by a variable": ("Then use arr[i] in it", "use arr"),
    "element in code": ("Then `use arr[1]` in it", "use arr"),
    "pointer": ("Then *p is null there", "p is null"),
    "pointer at the start": ("*p is null there", "p is null"),
    "private name": ("Then _run is called", "run is called"),
    "generic of a type": ("It returns List<String> of it", "returns List"),
    "generic of two types": ("It returns Map<String, i> of it", "returns Map"),
    "absolute value": ("where |x is small| there", "x is small"),
    "absolute value at the end": ("where |height of x| there", "height of x"),
    "spaced exponent": ("It has about 10 ⁶ cells", "has about 10"),
    "spaced exponent of HTML": ("It has about 10 <sup>6</sup> cells", "has about 10"),
    "isotope": ("Then ¹⁴C dating was done", "C dating was done"),
}


@pytest.mark.parametrize(("reference", "quote"), CUTS.values(), ids=CUTS)
def test_a_slice_without_the_sign_beside_it_is_marked(reference: str, quote: str) -> None:
    match = find_quote(quote, reference)
    assert match is not None
    assert match.cut


#: name -> (reference, quote)
WHOLE: dict[str, tuple[str, str]] = {
    "citation": ("Then the tower[1] was built", "the tower"),
    "note": ("Then the tower[a] was built", "the tower"),
    "emphasis": ("Then *the tower* was built", "the tower"),
    "part of an emphasis": ("Then **the tower was built** there", "the tower"),
    "underscores": ("Then _the tower_ was built", "the tower"),
    "tag": ("Then <i>the tower</i> was built", "the tower"),
    "line break of HTML": ("Then the tower<br>was built", "the tower"),
    "footnote of HTML": ("Then the tower<sup>2</sup> was built", "the tower"),
    "footnote after a year": ("It was built in 1889 <sup>2</sup> there", "built in 1889"),
    "row": ("| the tower | 330 m |", "the tower"),
    "compact row": ("|the tower|330 m|\n|---|---|\n|the river|3 km|", "the tower"),
}


@pytest.mark.parametrize(("reference", "quote"), WHOLE.values(), ids=WHOLE)
def test_a_slice_without_the_markup_beside_it_is_whole(reference: str, quote: str) -> None:
    match = find_quote(quote, reference)
    assert match is not None
    assert not match.cut


@pytest.mark.parametrize(
    ("quote", "reference", "is_found"),
    [
        ("*p is null", "Then p is null here.", False),
        ("_name is null", "Then name is null here.", False),
        ("*p is null", "Then *p is null here.", True),
        ("*p is null*", "Then p is null here.", True),
        ("**p is null**", "Then p is null here.", True),
        ("*The drug is safe", "So: The drug is safe here.", True),
    ],
)
def test_a_mark_at_the_start_without_its_other_end_is_content(
    quote: str, reference: str, is_found: bool
) -> None:
    assert (find_quote(quote, reference) is not None) is is_found
