"""What is a quote: tolerant of typography, strict about meaning."""

import unicodedata
from typing import Any

import pytest

from groundtypes import QuoteMatch, References, find_quote
from groundtypes.quotes import MatchKind, NearMiss
from groundtypes.quotes.search import search
from groundtypes.quotes.word_limits import count_words

PLAIN = (
    "The tower was built in 1889 by the engineer's company. It is 330 metres tall and well-known. "
    'Critics called it "useless and monstrous" at first, but people don\'t say so any more.'
)

#: name -> (reference, quote, the words of the reference that it stands for)
SAME: dict[str, tuple[str, str, str]] = {
    "case": (PLAIN, "the TOWER Was Built", "The tower was built"),
    "white space": (PLAIN, "The  tower\twas built", "The tower was built"),
    "line break": ("The tower was\n   built in 1889", "tower was built", "tower was\n   built"),
    "no-break space": ("It is 330\u00a0metres tall", "330 metres tall", "330\u00a0metres tall"),
    "thin space": ("It is 330\u2009metres tall", "330 metres tall", "330\u2009metres tall"),
    "curly apostrophe": (PLAIN, "the engineer\u2019s company", "the engineer's company"),
    "curly marks": (
        PLAIN,
        "\u201cuseless and monstrous\u201d at first",
        '"useless and monstrous" at first',
    ),
    "dropped marks": (
        PLAIN,
        "called it useless and monstrous at",
        'called it "useless and monstrous" at',
    ),
    "surrounding marks": (PLAIN, '"It is 330 metres tall"', "It is 330 metres tall"),
    "guillemets": (PLAIN, "«It is 330 metres tall»", "It is 330 metres tall"),
    "dash": ("The years 1914–1918 were long", "years 1914-1918 were", "years 1914–1918 were"),
    "spaced dash": (
        "the city — the largest — grew",
        "city—the largest—grew",
        "city — the largest — grew",
    ),
    "double hyphen": (
        "the city — the largest",
        "the city -- the largest",
        "the city — the largest",
    ),
    "minus sign": ("It was −5 degrees", "was -5 degrees", "was −5 degrees"),
    "ligature": ("the ﬁrst oﬃce here", "the first office", "the ﬁrst oﬃce"),
    "full-width number": (
        "It is ８．５％ or ７５，０００",
        "is 8.5% or 75,000",
        "is ８．５％ or ７５，０００",
    ),
    "full-width operator": ("if ｐ ＜＝ ５ holds here", "if p <= 5 holds", "if ｐ ＜＝ ５ holds"),
    "full width": ("ＡＢＣ １２３ is it", "ABC 123 is", "ＡＢＣ １２３ is"),
    "decomposed": ("the cafe\u0301 is open", "café is open", "cafe\u0301 is open"),
    "composed": ("the café is open", "cafe\u0301 is open", "café is open"),
    "soft hyphen": ("treat\u00adment was long", "treatment was", "treat\u00adment was"),
    "zero width": ("treat\u200bment was long", "treatment was", "treat\u200bment was"),
    "bidi controls": ("\u202bשלום עולם\u202c here", "\u200fשלום עולם", "שלום עולם"),
    "byte order mark": ("\ufeffThe tower was", "the tower", "The tower"),
    "hyphenation": ("an impor-\ntant treatment", "important treatment", "impor-\ntant treatment"),
    "hyphenation kept": ("a well-\nknown tower", "well-known tower", "well-\nknown tower"),
    "soft hyphenation": (
        "an impor\u00ad\ntant thing",
        "important thing",
        "impor\u00ad\ntant thing",
    ),
    "ellipsis character": ("he said… nothing more", "said... nothing", "said… nothing"),
    "emphasis": (
        "The **tower** was _built_ then",
        "The tower was built then",
        "The **tower** was _built_ then",
    ),
    "emphasis in the quote": (PLAIN, "The **tower** was *built*", "The tower was built"),
    "code": ("Call `run()` twice today", "Call run() twice", "Call `run()` twice"),
    "heading": ("# The tower\nIt was built", "The tower It was built", "The tower\nIt was built"),
    "bullets": (
        "- red apples\n- green pears",
        "red apples green pears",
        "red apples\n- green pears",
    ),
    "list numbers": (
        "Steps.\n1. Wash it.\n2. Dry it well.",
        "Wash it. Dry it well.",
        "Wash it.\n2. Dry it well.",
    ),
    "block quote": (
        "> He said\n> no such thing",
        "He said no such thing",
        "He said\n> no such thing",
    ),
    "link": (
        "See [the tower](http://x.y/a_b) now",
        "See the tower now",
        "See [the tower](http://x.y/a_b) now",
    ),
    "table": ("| Height | 330 m |", "Height 330 m", "Height | 330 m"),
    "escape": (r"It has 5\* rating stars", "has 5* rating", r"has 5\* rating"),
    "tags": (
        "The <b>tower</b> was<br/>built then",
        "The tower was built",
        "The <b>tower</b> was<br/>built",
    ),
    "tag with attribute": (
        'a <a href="x?y=1">tall tower</a> was',
        "a tall tower was",
        'a <a href="x?y=1">tall tower</a> was',
    ),
    "entities": (
        "Tom &amp; Jerry&#39;s&nbsp;house",
        "Tom & Jerry's house",
        "Tom &amp; Jerry&#39;s&nbsp;house",
    ),
    "footnote mark": (
        "built in 1889[1][2] by him",
        "built in 1889 by him",
        "built in 1889[1][2] by him",
    ),
    "citation needed": (
        "was built[citation needed] by him",
        "was built by him",
        "was built[citation needed] by him",
    ),
    "superscript mark": (
        "the treatment² was long",
        "the treatment was long",
        "the treatment² was long",
    ),
    "sup mark": (
        "the treatment<sup>2</sup> was",
        "the treatment was",
        "the treatment<sup>2</sup> was",
    ),
    "dagger": ("the tower† was built", "the tower was built", "the tower† was built"),
    "subscript": ("more CO₂ in the air", "more CO2 in", "more CO₂ in"),
    "tokenised": (
        "He did n't go , she said .",
        "He didn't go, she said",
        "He did n't go , she said",
    ),
    "tokenised brackets": (
        "the man -LRB- 42 -RRB- said",
        "the man (42) said",
        "the man -LRB- 42 -RRB- said",
    ),
    "tokenised marks": ("the `` tall '' tower was", 'the "tall" tower', "the `` tall '' tower"),
    "operator spaces": ("found p < 0.05 in all", "found p<0.05 in", "found p < 0.05 in"),
    "operator sign": ("where x ≤ 5 holds", "where x <= 5", "where x ≤ 5"),
    "percent space": ("grew by 5 % in May", "grew by 5% in", "grew by 5 % in"),
    "full stop added": ("It is tall and grey", "It is tall.", "It is tall"),
    "full stop taken": ("It is tall. It is grey.", "it is tall", "It is tall"),
    "case of sharp s": ("die Straße war lang", "DIE STRASSE WAR", "die Straße war"),
    "dotted capital I": ("İstanbul is a city", "i\u0307stanbul is a", "İstanbul is a"),
    "spaces in Chinese": (
        "東京は日本の\n首都です。",
        "東京は 日本の首都です",
        "東京は日本の\n首都です",
    ),
    "Chinese marks": (
        "東京は、日本の首都です。",
        "東京は、日本の首都です.",
        "東京は、日本の首都です",
    ),
    "Thai": ("ภาษาไทยเป็นภาษา ที่พูด", "ภาษาไทยเป็นภาษาที่พูด", "ภาษาไทยเป็นภาษา ที่พูด"),
    "Korean": (
        unicodedata.normalize("NFD", "서울은 한국의 수도"),
        "서울은 한국의",
        unicodedata.normalize("NFD", "서울은 한국의"),
    ),
    "Arabic presentation": (
        "\ufee3\ufeae\ufea3\ufe92\ufe8e here",
        "مرحبا here",
        "\ufee3\ufeae\ufea3\ufe92\ufe8e here",
    ),
    "ellipsis joins": (
        PLAIN,
        "The tower ... company",
        PLAIN[: PLAIN.index(".")],
    ),
    "ellipsis in brackets": (
        PLAIN,
        "built in 1889 [...] engineer's company",
        "built in 1889 by the engineer's company",
    ),
    "ellipsis before": (PLAIN, "[…] It is 330 metres", "It is 330 metres"),
    "ellipsis behind": (PLAIN, "It is 330 metres…", "It is 330 metres"),
}


@pytest.mark.parametrize(("reference", "quote", "words"), SAME.values(), ids=SAME)
def test_typography_makes_no_difference(reference: str, quote: str, words: str) -> None:
    match = find_quote(quote, reference)
    assert match is not None
    assert match.how is MatchKind.NORMALISED
    assert match.text in (words, words + ".")
    assert not match.cut


#: name -> (reference, quote)
OTHER: dict[str, tuple[str, str]] = {
    "negation taken": ("Paris is not the capital of Peru", "Paris is the capital of Peru"),
    "negation added": ("Paris is the capital of France", "Paris is not the capital of France"),
    "contracted negation": ("He did eat the whole cake", "He didn't eat the whole cake"),
    "year": ("The tower was opened in 2019 there", "The tower was opened in 2018"),
    "digit": ("It has 1,234 rooms and a hall", "It has 1,235 rooms and a hall"),
    "decimal point": ("It grew by 12.5 percent last year", "It grew by 125 percent last year"),
    "thousands": ("It has 1,200 rooms in all", "It has 1.200 rooms in all"),
    "sign": ("It was -5 degrees at night", "It was 5 degrees at night"),
    "comparison": ("found p < 0.05 in all groups", "found p > 0.05 in all groups"),
    "plus or minus": ("It weighs 5 ± 1 grams when dry", "It weighs 5 + 1 grams when dry"),
    "percent": ("It grew by 5 % last year", "It grew by 5 last year"),
    "unit": ("It is 330 metres tall and grey", "It is 330 feet tall and grey"),
    "currency": ("It costs $5 million a year", "It costs €5 million a year"),
    "exponent": ("It has 10² rooms in all here", "It has 102 rooms in all here"),
    "exponent taken": ("It has 10² rooms in all here", "It has 10 rooms in all here"),
    "sup exponent": ("It has 10<sup>2</sup> rooms in all", "It has 102 rooms in all"),
    "interval": ("the mean (95% CI [12, 15]) was", "the mean (95% CI) was"),
    "feet and inches": ("He is 6' tall and 40 years old", 'He is 6" tall and 40 years old'),
    "quantifier": ("All of the patients were cured", "Some of the patients were cured"),
    "name": ("Anna Karlsson wrote the book then", "Anna Carlsson wrote the book then"),
    "swapped": ("The dog bit the man in the park", "The man bit the dog in the park"),
    "word": ("The drug increased the risk of death", "The drug reduced the risk of death"),
    "small word": ("He sat on the table all day long", "He sat under the table all day long"),
    "word taken": ("It may possibly cause harm to them", "It may cause harm to them"),
    "word added": ("It caused harm to many of them", "It caused serious harm to many of them"),
    "question": ("Is it safe to eat? Many ask so", "Is it safe to eat! Many ask so"),
    "question stated": ("Is it safe to eat? Many ask so", "It is odd. Is it safe to eat."),
    "stated question": ("Some say it is safe to eat? No", "it is safe to eat."),
    "accent": ("El año pasado fue muy bueno", "El ano pasado fue muy bueno"),
    "order": ("red apples and green pears here", "green pears and red apples"),
    "spliced": (PLAIN, "The tower was built in 1889. It is 330 metres tall"),
    "order of an ellipsis": (PLAIN, "It is 330 metres ... The tower was built"),
    "ellipsis hides a negation": ("Paris is certainly not the capital", "Paris is ... the capital"),
    "ellipsis over two references": (
        "It was built in 1889.",
        "It was built ... Nothing of the kind",
    ),
    "causal": ("The link was causal in all cases", "The link was casual in all cases"),
    "prescribe": ("They prescribe the drug to patients", "They proscribe the drug to patients"),
    "tension": ("He had hypertension for many years", "He had hypotension for many years"),
    "plural": ("The patients were seen on Monday", "The patient were seen on Monday"),
    "tense": ("The increased dose was safe for them", "The increase dose was safe for them"),
    "paraphrase": ("The tower was built in 1889", "They erected the tower during 1889"),
    "invention": (PLAIN, "The tower was painted green by monkeys"),
    "Chinese": ("東京は日本の首都です。", "東京は日本の首都でした"),
    "his and hers": ("She gave him her book on Monday", "She gave her his book on Monday"),
    "its": ("The dog lost its collar in May", "The dog lost it's collar in May"),
    "hyphenated number": ("It has twenty-five rooms in all", "It has twenty-four rooms in all"),
    "markup that is none": ("if a <b and c> d then stop it", "if a d then stop it"),
    "footnotes that differ": ("as Smith shows [12] in detail", "as Smith shows [15] in detail"),
}


@pytest.mark.parametrize("fuzzy", [False, True], ids=["strict", "fuzzy"])
@pytest.mark.parametrize(("reference", "quote"), OTHER.values(), ids=OTHER)
def test_meaning_makes_a_difference(reference: str, quote: str, fuzzy: bool) -> None:
    result = search(quote, References.of([reference, "Nothing of the kind."]), fuzzy=fuzzy)
    assert not isinstance(result, QuoteMatch), result


TYPOS: dict[str, tuple[str, str]] = {
    "dropped letter": ("The treatment was long and hard", "The treatmnt was long and hard"),
    "doubled letter": ("The treatment was long and hard", "The treattment was long and hard"),
    "swapped letters": ("The treatment was long and hard", "The treatmnet was long and hard"),
    "comma": ("The tower, which is tall, was built", "The tower which is tall was built"),
    "hyphen": ("The well-known tower was built", "The well known tower was built"),
    "brackets": ("The tower (a tall one) was built", "The tower a tall one was built"),
    "typo and typography": (
        "The “treatment” was\nlong and hard",
        'The "treatmnt" was long and hard',
    ),
    "typo in the last word": ("It was about public investment here", "was about public inevstment"),
    "typo in the first word": (
        "so beautiful public investment he knew",
        "beautifful public investment he",
    ),
    "typo before a stop": (
        "It was all the market's activity proves.",
        "was all the market's actiity",
    ),
    "typo in a part": (
        "The treatment was long and hard for all",
        "The treatmnt was long ... hard for all",
    ),
}


@pytest.mark.parametrize(("reference", "quote"), TYPOS.values(), ids=TYPOS)
def test_a_typo_is_tolerated_only_when_asked(reference: str, quote: str) -> None:
    assert find_quote(quote, reference) is None
    match = find_quote(quote, reference, fuzzy=True)
    assert match is not None
    assert match.how is MatchKind.FUZZY
    assert reference[match.span.start : match.span.end] == match.text


NO_SLIPS: dict[str, tuple[str, str]] = {
    "name": ("He met Johannes in the city park", "He met Johanes in the city park"),
    "short word": ("The house was built in the park", "The huose was built in the park"),
    "first letter": ("The treatment was long and hard", "The rteatment was long and hard"),
    "another word of the references": (
        "The causal link, a casual one, is",
        "The casual link, a casual one",
    ),
    "two letters": ("The treatment was long and hard", "The treatmt was long and hard"),
    "plural": ("The covariates were many in it", "The covariate were many in it"),
    "last letter": ("The treatment was long and hard", "The treatmen was long and hard"),
    "too many": ("treatment increased national museum", "treatmnt incresed natonal musem"),
    "ratio": ("The odds were 3:1 in the race", "The odds were 3 1 in the race"),
}


@pytest.mark.parametrize(("reference", "quote"), NO_SLIPS.values(), ids=NO_SLIPS)
def test_what_is_not_a_typo_is_never_tolerated(reference: str, quote: str) -> None:
    assert find_quote(quote, reference, fuzzy=True) is None


CUTS: dict[str, tuple[str, str]] = {
    "number": ("It grew by 12.5 percent", "5 percent"),
    "decimals": ("It grew by 0.95 in all", "It grew by 0.9"),
    "thousands": ("It has 1,200 rooms", "200 rooms"),
    "word": ("It was illegal to do", "legal to do"),
    "end of a word": ("They were patients then", "They were patient"),
    "negation": ("They are n't there", "They are"),
    "contraction": ("They can't be there", "They can"),
    "sign": ("It was -5 degrees", "5 degrees"),
    "percent": ("It grew by 5% in May", "It grew by 5"),
    "exponent": ("It has 10² rooms", "It has 10"),
    "non-": ("It is a non-toxic gas", "toxic gas"),
}


@pytest.mark.parametrize(("reference", "quote"), CUTS.values(), ids=CUTS)
def test_a_slice_that_cuts_a_word_or_number_is_marked(reference: str, quote: str) -> None:
    match = find_quote(quote, reference)
    assert match is not None
    assert match.how is MatchKind.EXACT
    assert match.cut


def test_a_whole_place_is_preferred_to_one_that_cuts_a_word() -> None:
    match = find_quote("legal act", ["an illegal act", "a Legal act"])
    assert match is not None
    assert (match.span.reference, match.cut) == ("1", False)


def test_an_exact_place_is_preferred_to_one_in_other_typography() -> None:
    match = find_quote("The tower was", ["the tower was", "The tower was"])
    assert match is not None
    assert (match.span.reference, match.how) == ("1", MatchKind.EXACT)


def test_parts_around_an_ellipsis_match_the_shortest_stretch() -> None:
    text = "The tower is here. The tower was built. Then the tower was painted grey."
    match = find_quote("tower ... painted", text)
    assert match is not None
    assert match.text == "tower was painted"


def test_only_the_named_reference_is_searched() -> None:
    references = References.of({"a": "The tower was built.", "b": "Nothing of the kind."})
    assert isinstance(search("tower was built", references, within="a"), QuoteMatch)
    assert not isinstance(search("tower was built", references, within="b"), QuoteMatch)


def test_a_near_miss_shows_the_true_words() -> None:
    references = References.of({"a": "Paris is not the capital of Peru.", "b": "Lima is."})
    result = search("Paris is the capital of Peru", references)
    assert isinstance(result, NearMiss)
    assert result.altered
    assert result.excerpt == "Paris is not the capital of Peru"
    assert result.differences == (("", "not"),)
    assert 0.9 < result.similarity < 1


def test_the_excerpt_of_a_near_miss_is_short_and_holds_the_change() -> None:
    words = [f"word{number}" for number in range(200)]
    changed = [*words[:100], "zebra", *words[101:]]
    result = search(" ".join(changed), References.of(" ".join(words)))
    assert isinstance(result, NearMiss)
    assert len(result.excerpt) <= 200
    assert result.excerpt in " ".join(words)
    assert {"word99", "word100", "word101"} <= set(result.excerpt.split())
    assert result.differences == (("zebra", "word100"),)


@pytest.mark.parametrize("quote", ["", "   ", "\n", "...", "…", "[...]", "!!!", "\u200b", "\x00"])
def test_a_quote_without_words_is_no_quote(quote: str) -> None:
    assert find_quote(quote, PLAIN) is None or quote in PLAIN


@pytest.mark.parametrize("references", [[], {}, [""], ["   "]], ids=repr)
def test_no_quote_matches_where_there_are_no_references(references: Any) -> None:
    assert find_quote("The tower", references) is None


def test_a_quote_is_a_text() -> None:
    with pytest.raises(TypeError, match="bytes"):
        find_quote(b"The tower", PLAIN)  # type: ignore[arg-type] # the fault that is tested


@pytest.mark.parametrize(
    "piece",
    [
        "[",
        "<b ",
        "&",
        "](",
        "[a](",
        '1" ',
        "*",
        "1,",
        "\u00b2",
        "[1]",
        "<b a=a",
        "1. ",
        "&#1",
        "\u6771",
        "ab-\n",
        "a ",
        "\u0301",
        "\x00",
        "\ud800",
        "(a+)+",
        "{x}",
    ],
    ids=ascii,
)
def test_hostile_repetition_ends(piece: str) -> None:
    text = piece * (60_000 // len(piece))
    references = References.of(["The tower " + text, text])
    search(text[:3_000] + "x", references, fuzzy=True)
    search(text[1:50_000] + "x", references, fuzzy=True)
    match = find_quote(text[:3_000], references)
    assert match is not None
    assert match.text == text[:3_000]


def test_a_quote_of_ten_megabytes_is_answered() -> None:
    text = "The tower was built in 1889. " * 350_000
    references = References.of([text])
    assert isinstance(search(text, references), QuoteMatch)
    assert isinstance(search(text[:-9] + "in 1888. ", references), NearMiss)


COUNTS = {
    "": 0,
    "a b c": 3,
    "Basic $5": 2,
    "€5 fee": 2,
    "B2: 5 mg": 3,
    "R101": 1,
    "5mg": 1,
    "well-known": 2,
    "The tower": 2,
    "It is 330 m tall": 5,
    "東京は日本": 2,
    "...": 0,
    "don't": 1,
    "12.5 %": 1,
}


@pytest.mark.parametrize(("text", "count"), COUNTS.items(), ids=ascii)
def test_words_are_counted(text: str, count: int) -> None:
    assert count_words(text) == count


def test_a_superscript_mark_after_a_word_is_no_part_of_it() -> None:
    match = find_quote("a cafe in her sprawling", "She made a cafe in her sprawling\u00b9 home")
    assert match is not None
    assert not match.cut


def test_a_lost_not_after_the_first_word_is_named() -> None:
    result = search("Do take this medicine", References.of("Do not take this medicine at night."))
    assert isinstance(result, NearMiss)
    assert result.excerpt == "Do not take this medicine"
    assert result.differences == (("", "not"),)
