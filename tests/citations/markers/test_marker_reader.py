"""The markers of a text are found, and mean the references that their writer meant."""

import re

import pytest

from groundtypes.citations.markers.marked_text import MarkedText
from groundtypes.citations.markers.marker_reader import read_markers, without_markers
from groundtypes.errors import MarkerError, ReferencesError
from groundtypes.references import References

NAMED = {"guide": "a", "faq": "b", "report.pdf": "c"}
LISTED = ["a", "b", "c"]


def labels(marked: MarkedText) -> list[tuple[str, ...]]:
    return [marker.labels for marker in marked.markers]


#: name -> (text, style, the references of each marker)
KINDS: dict[str, tuple[str, str, list[tuple[str, ...]]]] = {
    "a number": ("It is tall [1].", "brackets", [("guide",)]),
    "several numbers": ("It is tall [1, 2].", "brackets", [("guide", "faq")]),
    "numbers apart by a space": ("It is tall [1 2].", "brackets", [("guide", "faq")]),
    "numbers joined by a word": ("Tall [1 and 2].", "brackets", [("guide", "faq")]),
    "a range": ("It is tall [1-3].", "brackets", [("guide", "faq", "report.pdf")]),
    "a range with a dash": ("Tall [1–3].", "brackets", [("guide", "faq", "report.pdf")]),
    "groups beside each other": ("It is tall [1][2].", "brackets", [("guide",), ("faq",)]),
    "full-width brackets": ("塔很高［１］。", "brackets", [("guide",)]),
    "escaped for Markdown": (r"It is tall \[1\].", "brackets", [("guide",)]),
    "a source by number": ("It is tall [Source 2].", "brackets", [("faq",)]),
    "an id": ("It is tall [guide].", "brackets", [("guide",)]),
    "an id in quotation marks": ('It is tall ["guide"].', "brackets", [("guide",)]),
    "an id with a kind": ("It is tall [source: faq].", "brackets", [("faq",)]),
    "an id in another case": ("It is tall [Guide].", "brackets", [("guide",)]),
    "an id with a file ending": ("It is tall [guide.pdf].", "brackets", [("guide",)]),
    "an id without its file ending": ("It is tall [report].", "brackets", [("report.pdf",)]),
    "an id in a folder": ("It is tall [docs/report.pdf].", "brackets", [("report.pdf",)]),
    "a page": ("It is tall [guide.pdf, p. 3].", "brackets", [("guide",)]),
    "a page without a comma": ("It is tall [guide p. 3].", "brackets", [("guide",)]),
    "a page as a fragment": ("It is tall [report.pdf#page=3].", "brackets", [("report.pdf",)]),
    "a page that is a bare number": ("It is tall [guide, 2].", "brackets", [("guide",)]),
    "pages of a number": ("It is tall [1, pp. 3-5].", "brackets", [("guide",)]),
    "pandoc": ("It is tall [@guide; @faq].", "brackets", [("guide", "faq")]),
    "a footnote": ("It is tall.[^1]", "footnotes", [("guide",)]),
    "a footnote by id": ("It is tall.[^faq]", "footnotes", [("faq",)]),
    "a dagger": ("It is tall【1†source】.", "lenticular", [("guide",)]),
    "a dagger with lines": ("It is tall【2†L5-L9】.", "lenticular", [("faq",)]),
    "a dagger with a file": (
        "Tall【4:0†report.pdf】.",
        "lenticular",
        [("report.pdf",)],
    ),
    "lenticular": ("塔很高【1】。", "lenticular", [("guide",)]),
    "a superscript": ("It is tall.¹", "superscripts", [("guide",)]),
    "superscripts": ("It is tall¹˒².", "superscripts", [("guide", "faq")]),
    "superscripts without a comma": ("It is tall¹³.", "superscripts", [("guide", "report.pdf")]),
    "a raised element": ("It is tall.<sup>2</sup>", "superscripts", [("faq",)]),
    "parentheses": ("It is tall (guide).", "parentheses", [("guide",)]),
    "a page in parentheses": ("Tall (report.pdf, p. 3).", "parentheses", [("report.pdf",)]),
    "several ids in parentheses": ("Tall (guide; faq).", "parentheses", [("guide", "faq")]),
    "an element": ('<cite id="guide">It is tall.</cite>', "tags", [("guide",)]),
    "an element with bare ids": ("<cite ids=guide,faq>It is.</cite>", "tags", [("guide", "faq")]),
    "an empty element": ('It is tall <cite id="2"></cite>.', "tags", [("faq",)]),
    "a closed tag": ('It is tall <cite id="2"/>.', "tags", [("faq",)]),
    "an element that is never closed": ('It is tall <cite id="2">.', "tags", [("faq",)]),
    "an id as content": ("It is tall <cite>guide</cite>.", "tags", [("guide",)]),
    "braces": ("It is tall {{cite:guide}}.", "braces", [("guide",)]),
    "LaTeX": (r"It is tall \citep{guide,faq}.", "braces", [("guide", "faq")]),
    "several ids in braces": ("Tall {{cite: guide, faq}}.", "braces", [("guide", "faq")]),
}


@pytest.mark.parametrize("name", KINDS)
def test_each_kind_of_marker_means_its_references(name: str) -> None:
    text, style, references = KINDS[name]
    marked = read_markers(text, NAMED)
    assert marked.style == style
    assert [marked.references_of(marker) for marker in marked.markers] == references
    alone = read_markers(text, NAMED, style)
    assert (alone.markers, alone.ids) == (marked.markers, marked.ids)


NO_CITATIONS = {
    "sic": "He said it were [sic] tall.",
    "an omission": "He said [...] and […] it.",
    "a remark": "It was tall [emphasis added].",
    "an insertion": "He said that [she] left, [t]he end.",
    "an element of an array": "Set arr[0] and x[1] and foo_bar[2] and myItems[2] to self.items[1].",
    "a year without such a source": "It grew in [2023] and [2019-2021].",
    "a link": 'See [the form](https://example.com/a_(b)) and [the rules](rules.html "Title").',
    "a time": "It begins at [12:30], ends at [00:12].",
    "an amount": "Take it daily [2.5 mg] (see Table 2).",
    "a year in round brackets": "It was painted (2021) and sold (in 2023).",
    "a confidence interval": "The mean was 330 (95% CI [12-15]) and 7 [5, 9].",
    "an element far from any source": "Set list[7] to 1.",
    "an image": "![1](tower.png)",
    "inline code": "Write `[1]` or ``x`[2]``.",
    "a block of code": "Write\n```python\nx = [1]  # [2]\n```\n",
    "a block that is never closed": "Write\n~~~\n[1]\n",
    "an element of code": "Write <code>[1]</code>.",
    "a task list": "- [x] done\n- [ ] to do",
    "an interval": "The range [0, 1], and 330 [325, 335].",
    "powers": "10 m², x², 10⁶ km³, (a+b)², 5 square metres²",
    "an ion and an isotope": "Ca²⁺ and ¹⁴C",
    "an enumeration": "It is (1) tall and (2) grey, (a) old.",
    "a remark in parentheses": "The tower (330 m, see below) is tall (very).",
    "a descending range": "They won [3-1].",
    "empty": "[] [ ] () {{cite:}} <cite></cite> [^] [^ ]",
    "unclosed": "[1 and {{cite:guide and <cite id= and (guide and 【1",
    "another element": "<b id='guide'>It is tall.</b>",
}


@pytest.mark.parametrize("name", NO_CITATIONS)
def test_what_is_no_citation_is_none(name: str) -> None:
    marked = read_markers(NO_CITATIONS[name], NAMED)
    assert labels(marked) == []
    assert marked.plain == marked.text
    assert marked.style is None


@pytest.mark.parametrize(
    ("text", "unknown"),
    [
        ("It is tall [9].", "9"),
        ("It is tall [1][9].", "9"),
        ("It is tall [1-4].", "4"),
        ("It is tall [manual.pdf].", "manual.pdf"),
        ("It is tall [https://example.com/x].", "https://example.com/x"),
        ("It is tall.[^5]", "5"),
        ("It is tall【7†source】.", "7"),
        ('<cite id="manual">It is tall.</cite>', "manual"),
        ("It is tall {{cite:manual}}.", "manual"),
        ("It is tall.⁹", "9"),
        ("It is tall (guide; manual.pdf).", "manual.pdf"),
    ],
)
def test_a_source_that_is_none_is_unknown(text: str, unknown: str) -> None:
    marked = read_markers(text, NAMED)
    assert [label for label, id_ in marked.ids.items() if id_ is None] == [unknown]
    assert {
        name for each in marked.markers for name in each.labels if marked.ids[name] is None
    } == {unknown}


def test_a_year_is_a_citation_if_a_reference_has_it_as_its_id_or_so_many_exist() -> None:
    assert read_markers("It grew [2023].", {"2023": "a", "guide": "b"}).ids == {"2023": "2023"}
    many = read_markers("It grew [2023].", [str(number) for number in range(2023)])
    assert many.ids == {"2023": "2022"}


def test_unknown_sources_look_like_the_known_ones() -> None:
    assert read_markers("Tall [doc-9].", {"doc-1": "a"}).ids == {"doc-9": None}
    assert read_markers("Tall [77777].", {"12345": "a"}).ids == {"77777": None}
    assert read_markers("It grew [2023].", {"2021": "a"}).ids == {}


class TestNumbers:
    def test_references_of_a_list_count_from_one(self) -> None:
        assert read_markers("Tall [1]. Grey [3].", LISTED).ids == {"1": "0", "3": "2"}

    def test_they_count_from_zero_in_a_text_that_does(self) -> None:
        assert read_markers("Tall [0]. Grey [1].", LISTED).ids == {"0": "0", "1": "1"}

    def test_zero_alone_does_not_decide(self) -> None:
        assert read_markers("Tall [0]. Grey [3].", LISTED).ids == {"0": None, "3": "2"}

    def test_ids_that_look_like_the_numbers_of_others_win(self) -> None:
        swapped = {"2": "a", "1": "b"}
        assert read_markers("Tall [1]. Grey [2].", swapped).ids == {"1": "1", "2": "2"}

    def test_among_ids_that_are_numbers_nothing_counts(self) -> None:
        assert read_markers("Tall [2]. Grey [10].", {"10": "a", "guide": "b"}).ids == {
            "2": None,
            "10": "10",
        }

    def test_names_with_numbers_are_counted_in_their_order(self) -> None:
        ids = {"doc-2": "a", "doc-1": "b"}
        assert read_markers("Tall [1]. Grey [doc 1].", ids).ids == {"1": "doc-2", "doc 1": "doc-1"}

    def test_digits_of_other_scripts_are_numbers(self) -> None:
        assert read_markers("البرج طويل [١، ٢].", NAMED).ids == {"1": "guide", "2": "faq"}

    def test_the_list_of_sources_says_what_a_number_means(self) -> None:
        text = "Tall [1]. Grey [2].\n\nSources:\n[1] The FAQ (faq)\n[2] guide.pdf"
        assert read_markers(text, NAMED).ids == {"1": "faq", "2": "guide"}

    def test_a_word_of_a_title_is_no_name_where_other_titles_name_nothing(self) -> None:
        text = "Tall [1]. Grey [2].\n\nSources:\n[1] The almanac\n[2] A guide to towers"
        assert read_markers(text, NAMED).ids == {"1": "guide", "2": "faq"}

    def test_a_range_is_expanded_to_at_most_a_hundred_numbers(self) -> None:
        (marker,) = read_markers("Tall [1-101].", NAMED, "brackets").markers
        assert marker.labels == ("1", "101")
        (marker,) = read_markers("Tall [1-100].", NAMED, "brackets").markers
        assert len(marker.labels) == 100


def test_a_name_that_several_references_may_have_is_unknown() -> None:
    ids = {"guide.pdf": "a", "guide.md": "b"}
    assert read_markers("Tall [guide.pdf]. Old [guide.txt].", ids).ids == {
        "guide.pdf": "guide.pdf",
        "guide.txt": None,
    }


def test_ids_may_have_commas_and_other_brackets() -> None:
    marked = read_markers("Old [Smith, J. (2020)].", {"guide": "a", "Smith, J. (2020)": "c"})
    assert labels(marked) == [("Smith, J. (2020)",)]
    assert all(marked.ids.values())


def test_mixed_styles_are_all_read() -> None:
    marked = read_markers("Tall [1]. Grey (guide). Old[^2] (faq), and new.¹", NAMED)
    assert marked.style == "parentheses"
    assert labels(marked) == [("1",), ("guide",), ("2",), ("faq",), ("1",)]
    assert marked.plain == "Tall. Grey. Old, and new."


def test_beside_others_a_raised_number_without_a_reference_is_none() -> None:
    marked = read_markers("It is tall [1]. It has a rest⁹.", NAMED)
    assert labels(marked) == [("1",)]
    assert marked.plain == "It is tall. It has a rest⁹."


PAGES = {"https://en.wikipedia.org/wiki/Tower": "a", "guide": "b"}
#: text -> (the references that it cites, the text without markers)
LINKS = {
    "It is tall [1](https://x.org/y).": (["https://en.wikipedia.org/wiki/Tower"], "It is tall."),
    "It is tall [2](https://x.org/y_(z)).": (["guide"], "It is tall."),
    "It is tall [\\[1\\]](https://x.org).": ([], "It is tall."),
    "It is tall ([wikipedia.org](https://en.wikipedia.org/wiki/Tower?utm_source=openai)).": (
        ["https://en.wikipedia.org/wiki/Tower"],
        "It is tall.",
    ),
    "It is tall ([a.org](https://a.org/b), [c.org](https://c.org)).": ([], "It is tall."),
    "Visitors say it is tall [Wikipedia](https://en.wikipedia.org/wiki/Tower).": (
        ["https://en.wikipedia.org/wiki/Tower"],
        "Visitors say it is tall.",
    ),
    "[The tower](https://en.wikipedia.org/wiki/Tower) is tall.": (
        ["https://en.wikipedia.org/wiki/Tower"],
        "The tower is tall.",
    ),
    "It stands in [Paris](https://paris.fr).": ([], "It stands in [Paris](https://paris.fr)."),
    "It is tall (https://en.wikipedia.org/wiki/Tower).": (
        ["https://en.wikipedia.org/wiki/Tower"],
        "It is tall.",
    ),
    "It is tall. https://x.org/page": ([], "It is tall."),
    "It is tall <https://x.org/page>.": ([], "It is tall."),
    "It is tall. Source: https://x.org/page": ([], "It is tall."),
    "It is tall (Quelle: https://x.org/page).": ([], "It is tall."),
    "It is tall [source](https://x.org/page).": ([], "It is tall."),
    "Its page is https://x.org/page today.": ([], "Its page is https://x.org/page today."),
}


@pytest.mark.parametrize("text", LINKS)
def test_a_link_is_a_marker_or_a_part_of_its_sentence(text: str) -> None:
    marked = read_markers(text, PAGES)
    cited, plain = LINKS[text]
    assert [id_ for marker in marked.markers for id_ in marked.references_of(marker)] == cited
    assert marked.plain == plain


#: Markers that name none of the references, which are no part of their sentences.
FORMS = [
    "(https://x.org/y)",
    "([x.org](https://x.org/y?utm_source=openai))",
    "[7](https://x.org/y)",
    "[^7]",
    "[^7^]",
    "【4:0†source】",
    "[doc7]",
    "[ID:7]",
    "[Source 7]",
    "[7]",
    "[7, p. 7]",
    "[guide.pdf]",
    "<sup>7</sup>",
    "⁷",
    "##7$$",
    "\ue200cite\ue202turn0search7\ue202L10-L20\ue201",
    "(Smith, 2021)",
    "(Smith et al. 2021; Lee & Kim, 2020, p. 4)",
    "{{cite:smith}}",
    '<cite id="7"/>',
]
SENTENCES = ["Er ist hoch {}. Er ist grau {}.", "It is tall. {} It is grey. {}"]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("sentences", SENTENCES)
def test_a_marker_of_any_form_is_taken_off(sentences: str, form: str) -> None:
    marked = without_markers(sentences.format(form, form), References.of("It is a grey tower."))
    assert marked.plain == sentences.replace(" {}", "")


TEXTS = [
    "He is [sic] old.",
    "Take [2.5 mg] daily (see Table 2).",
    "Set arr[7] to 0.",
    "It was sold (2021) again.",
    "The summit (Rome, 2019) met.",
    "They met again (Paris, 2019).",
    "The area is 10 m\u00b2 (95% CI [12-15]).",
]


@pytest.mark.parametrize("text", TEXTS)
def test_what_is_text_stays_in_it(text: str) -> None:
    assert without_markers(text, References.of("They met in Paris.")).plain == text


def test_what_a_list_of_sources_states_stays_in_the_text() -> None:
    text = "It is tall [1].\n\nSources:\n1. The tower is red."
    assert "red" in without_markers(text, References.of("It is tall.")).plain


def test_a_place_behind_a_number_is_no_number_of_its_own() -> None:
    for text in ("It is tall [1:1].", "It is tall [Source 1: 12].", "It is tall [1: 2-3]."):
        marked = read_markers(text, LISTED)
        assert [marked.references_of(marker) for marker in marked.markers] == [("0",)]


def test_lines_of_a_file_are_a_place_in_it() -> None:
    marked = read_markers("It is tall [guide L1-L2]. It is old [faq L7].", NAMED)
    assert [marked.references_of(marker) for marker in marked.markers] == [("guide",), ("faq",)]


SOURCE_LISTS = [
    "Sources:\n[1] guide\n[2] faq",
    "## References\n\n1. The guide\n2. The FAQ, https://example.com",
    "**Sources:**\n- [1]: guide.pdf\n- [2]: faq.pdf",
    "Quellen\n- guide.pdf, S. 3\n- faq",
    "[^1]: guide\n[^2]: faq",
    "[1]: https://example.com/guide\n[2]: https://example.com/faq",
    "[1] The guide\n[2] The FAQ\n[3] The report",
    "---\n[1] The guide\n[2] The FAQ",
    "Sources: [1] guide, [2] faq",
    "Sources:\n¹ guide\n² faq",
]


@pytest.mark.parametrize("listed", SOURCE_LISTS)
def test_a_list_of_sources_is_no_part_of_the_plain_text(listed: str) -> None:
    style = "[^{}]" if listed.startswith("[^") else "[{}]"
    body = f"It is tall {style.format(1)}. It is grey {style.format(2)}."
    marked = read_markers(f"{body}\n\n{listed}\n", NAMED)
    assert marked.source_list is not None
    assert marked.text[slice(*marked.source_list)].strip("-\n") == listed.strip("-\n")
    assert labels(marked) == [("1",), ("2",)]
    assert marked.plain.startswith("It is tall. It is grey.")
    assert "guide" not in marked.plain


@pytest.mark.parametrize(
    "text",
    [
        "Tall [1].\n\n[1] The tower is 900 m tall.",
        "Tall [1].\n\nSources:\nThe tower is 900 m tall.",
        "Tall [1].\n\nSources:\n[1] guide\n\nThe tower is 900 m tall.",
        "Sources of energy:\n1. wind\n2. sun",
    ],
)
def test_statements_are_no_list_of_sources(text: str) -> None:
    marked = read_markers(text, NAMED)
    assert marked.source_list is None
    assert "900" in marked.plain or "wind" in marked.plain


class TestOwnPatterns:
    def test_the_group_has_the_labels(self) -> None:
        pattern = r"\(ref: (?P<ids>[^)]{1,200})\)"
        for style in (pattern, re.compile(pattern), r"\(ref: ([^)]{1,200})\)"):
            marked = read_markers("Tall (ref: guide). Grey (ref: 2, 9).", NAMED, style)
            assert marked.style == "own"
            assert labels(marked) == [("guide",), ("2", "9")]
            assert marked.ids == {"guide": "guide", "2": "faq", "9": None}
            assert marked.plain == "Tall. Grey."

    @pytest.mark.parametrize(
        "pattern",
        [
            r"\[(.*)\]",
            r"\[(\d+)\]",
            r"\[(\d{1,})\]",
            r"\[((?:a{1,9}){1,9})\]",
            r"\[((?:a|b){1,9})\]",
            r"\[((?:a?){1,99})\]",
            r"(a{0,500})(a{0,500})(a{0,500})b",
            r"(a)\1",
            r"(?P<ids>a)(?P=ids)",
            "(" + "a?" * 40 + "b)",
            r"(a{5000})",
            r"(a{0,500}b{500})",
            r"(",
            "no group",
            "[0-9]",
            "bracket",
            "x" * 2000 + "(a)",
        ],
    )
    def test_one_that_could_be_slow_or_has_no_labels_is_a_mistake(self, pattern: str) -> None:
        with pytest.raises(MarkerError):
            read_markers("Tall [1].", NAMED, pattern)

    def test_verbose_patterns_and_those_of_bytes_are_mistakes(self) -> None:
        with pytest.raises(MarkerError):
            read_markers("Tall [1].", NAMED, re.compile("(a) # b", re.VERBOSE))
        with pytest.raises(MarkerError):
            read_markers("Tall [1].", NAMED, re.compile(rb"(a)"))  # type: ignore[arg-type]


def test_references_that_cannot_be_read_are_a_mistake() -> None:
    with pytest.raises(ReferencesError):
        read_markers("Tall [1].", 5)
    assert read_markers("Tall [1].", []).ids == {"1": None}


#: name -> (text, ids of the references, what is written for each marker, its references)
MENDED: dict[str, tuple[str, list[str], list[tuple[str, tuple[str | None, ...]]]]] = {
    "an id with a sign": ("Fixed [#12].", ["#12", "#121"], [("[#12]", ("#12",))]),
    "several with a sign": ("[#7, #12]", ["#12", "#7"], [("[#7, #12]", ("#7", "#12"))]),
    "the id before the number": ("Fixed [#1].", ["#2", "#1"], [("[#1]", ("#1",))]),
    "the number with a sign": ("Fixed [#2].", ["a", "b"], [("[#2]", ("b",))]),
    "an id with an at sign": ("Said [@al].", ["@bob", "@al"], [("[@al]", ("@al",))]),
    "a footnote with a sign": ("Fixed [^#1].", ["#2", "#1"], [("[^#1]", ("#1",))]),
    "another ending": ("Tall [atlas.pdf].", ["atlas.md", "b"], [("[atlas.pdf]", (None,))]),
    "no ending": ("Tall [atlas].", ["atlas.md", "b"], [("[atlas]", ("atlas.md",))]),
    "one of two endings": ("Tall [x/a.md].", ["a.md", "a.pdf"], [("[x/a.md]", ("a.md",))]),
    "another folder": ("Tall [x/a.md].", ["y/a.md", "b"], [("[x/a.md]", (None,))]),
    "a part of the folder": ("Tall [x/a.md].", ["y/x/a.md", "b"], [("[x/a.md]", ("y/x/a.md",))]),
    "another site": (
        "Tall [https://x.org/guide.html].",
        ["https://y.org/guide.html", "b"],
        [("[https://x.org/guide.html]", (None,))],
    ),
    "a dash between clauses": (
        "Tall [1] - [3] says so.",
        ["a", "b", "c"],
        [("[1]", ("a",)), ("[3]", ("c",))],
    ),
    "a range that descends": ("Tall [3]-[1].", ["a", "b", "c"], [("[3]", ("c",)), ("[1]", ("a",))]),
    "a range without an end": ("Tall [1-3000].", ["a", "b"], [("[1-3000]", ("a", None))]),
    "a range of 23 digits": (f"Tall [1-{'9' * 23}].", ["a"], [(f"[1-{'9' * 23}]", ("a", None))]),
    "raised brackets": ("Tall<sup>[2]</sup>.", ["a", "b"], [("[2]", ("b",))]),
    "a linked number": (
        "Tall [[2]](https://x.org/2).",
        ["a", "b"],
        [("[[2]](https://x.org/2)", ("b",))],
    ),
    "a linked number with a name": (
        'Tall [\\[1\\]](https://x.org/2 "b").',
        ["a", "b"],
        [('[\\[1\\]](https://x.org/2 "b")', ("b",))],
    ),
}


@pytest.mark.parametrize("name", MENDED)
def test_a_marker_is_read_with_its_references(name: str) -> None:
    text, ids, expected = MENDED[name]
    marked = read_markers(text, dict.fromkeys(ids, "x"))
    assert [
        (text[each.start : each.end], tuple(marked.ids[label] for label in each.labels))
        for each in marked.markers
    ] == expected


@pytest.mark.parametrize(
    "text",
    [
        "The variable lies in [0, 1], and its mean is 0.4 [1].",
        "The values lie in [0, 2] [1].",
        "It is 330 [325, 335] metres tall [1].",
        "It holds that $x \\in [1,2]$ and $$\\int_{[2]} f$$ [1].",
        "Let \\(x = [2]\\) be [1].",
        "<!-- [2] -->It is tall [1].",
        "The share is $p = [2]$ of it [1].",
    ],
)
def test_intervals_and_formulas_are_no_markers(text: str) -> None:
    marked = read_markers(text, NAMED)
    assert labels(marked) == [("1",)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("As shown in [1, 2], it is tall.", [("1", "2")]),
        ("It is based on [1, 2].", [("1", "2")]),
        ("It has 2 [1, 3] levels.", [("1", "3")]),
        ("It costs 5$ [1] or 6$ [2].", [("1",), ("2",)]),
        ("It costs $5[1] or $6[2] (= a lot).", [("1",), ("2",)]),
    ],
)
def test_citations_that_look_like_intervals_and_formulas_are_markers(
    text: str, expected: list[tuple[str, ...]]
) -> None:
    assert labels(read_markers(text, NAMED)) == expected


@pytest.mark.parametrize("style", [5, None, ["brackets"], b"x"])
def test_a_style_of_another_type_is_a_mistake(style: object) -> None:
    with pytest.raises(MarkerError, match="object of type"):
        read_markers("It is tall [1].", NAMED, style)  # type: ignore[arg-type] # a mistake
