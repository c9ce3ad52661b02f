"""A quote may not begin or end inside a number, a word, or what belongs to one."""

import pytest

from groundtypes import find_quote

#: The quote and a reference in which it cuts a number or word.
CUTS = [
    ("合同期限为三", "合同期限为三年，自2021年5月1日起。"),
    ("共有五", "共有五人。"),
    ("高さは三", "高さは三メートルです。"),
    ("他住了两", "他住了两天。"),
    ("租期为十", "租期为十个月。"),
    ("第一", "第一年免租。"),
    ("2 tablets daily", "1/2 tablets daily"),
    ("It costs 5", "It costs 5 000 euros"),
    ("It costs 5", "It costs 5\u202f000 euros"),
    ("It costs 5", "It costs 5'000 euros"),
    ("It costs 5", "It costs 5’000 euros"),
    ("It costs ٥", "It costs ٥٬٠٠٠ euros"),
    ("000 euros", "It costs 5 000 euros"),
    ("a population of 10", "a population of 10^6 people"),
    ("a population of 10", "a population of 10<sup>6</sup> people"),
    ("a population of 10", "a population of 10⁶ people"),
    ("a dose of 5", "a dose of 5-10 mg"),
    ("10 mg daily", "a dose of 5-10 mg daily"),
    ("10 mg daily", "a dose of 5 - 10 mg daily"),
    ("10 mg daily", "a dose of 5–10 mg daily"),
    ("10 mg daily", "a dose of 5 to 10 mg daily"),
    ("a dose of 5", "a dose of 5 to 10 mg"),
    ("10 mg daily", "a dose of 5 or 10 mg daily"),
    ("10 mg daily", "a dose of 5 mg–10 mg daily"),
    ("grew by 5", "grew by 5 % here"),
    ("grew by 5", "grew by 5 percent here"),
    ("grew by 5", "grew by 5 Prozent here"),
    ("grew by 5", "grew by 5 pour cent here"),
    ("grew by 5", "grew by 5 <b>%</b> here"),
    ("grew by 5", "grew by 5&nbsp;% here"),
    ("5 million was paid", "a sum of $5 million was paid"),
    ("5 million was paid", "a sum of US$5 million was paid"),
    ("5 million was paid", "a sum of EUR 5 million was paid"),
    ("5 million was paid", "a sum of £5 million was paid"),
    ("5 million was paid", "a sum of &#36;5 million was paid"),
    ("5 million was paid", "a sum of $**5 million** was paid"),
    ("contains sugar", "It contains sugar-free gum"),
    ("lead", "the paint is lead-free now"),
    ("the paint is lead", "the paint is lead- and cadmium-free now"),
    ("president", "the vice-president spoke"),
    ("toxic gas", "a non–toxic gas"),
    ("toxic gas", "a non—toxic gas"),
    ("toxic gas", "a non-\ntoxic gas"),
    ("rated A", "It is rated A+ today"),
    ("rated A", "It is rated A- today"),
    ("rated A", "It is rated A-, stable"),
    ("written in C", "written in C++ today"),
    ("written in C", "written in C# today"),
    ("above 18", "for those above 18+ only"),
    ("example.com", "go to not-example.com now"),
    ("visit bank.com", "visit bank.com.evil.net now"),
    ("NET is used", "the framework .NET is used"),
    ("version 3.11", "version 3.11.2 is"),
    ("version 3", "version 3.11.2 is"),
    ("alice@example", "mail alice@example.com now"),
    ("example.com now", "mail alice@example.com now"),
    ("handle", "see @handle now"),
    ("5 degrees", "It was -5 degrees"),
    ("5 degrees", "It was − 5 degrees"),
    ("5 degrees", "It was minus 5 degrees"),
    ("5 mg daily", "take < 5 mg daily"),
    ("0.05 in all", "found p<0.05 in all"),
    ("safe for children", "It is (un)safe for children"),
    ("It costs 5", "It costs 5 million"),
    ("weighs 5", "It weighs 5 ± 1 g"),
    ("weighs 5", "It weighs 5 kg today"),
    ("a dose of 5 mg", "a dose of 5 mg/kg daily"),
    ("it was 5", "it was 5°C"),
    ("it was 5", "it was 5 °C"),
    ("opens at 5", "opens at 5 pm"),
    ("born in 44", "born in 44 BC"),
    ("it", "it's late"),
    ("and it", "and it’s late"),
    ("What", "What's in it"),
    ("We let", "We let's go"),
    ("They have", "They haven't been"),
    ("and we", "and we're late"),
    ("s dog", "the king's dog"),
    ("the kin", "the king's dog"),
    ("p", "Mind your p's and q's"),
    ("the king", "the king'sdog"),
    ("vice", "the vice-king's dog"),
    ("They can", "They can't be"),
    ("They are", "They are n't there"),
    ("est vrai", "n'est vrai"),
    ("安全的", "这是不安全的"),
    ("一月", "十一月三日"),
    ("5", "人口5万人"),
    ("score of 10", "score of 10:3 here"),
    ("1", "take 1 1/2 cups"),
    ("take 1", "take 1½ cups"),
    ("legal", "illegal"),
    ("R. Smith", "by J.R. Smith"),
    ("in the U", "in the U.S. today"),
    ("alkohol", "alkohol- und zuckerfrei"),
    ("haltige Getränke", "alkoholfreie und -haltige Getränke"),
    ("impor", "an impor-\ntant thing"),
    ("tant thing", "an impor-\ntant thing"),
    ("free gas", "the lead-free gas"),
    ("the O", "the O'Brien house"),
    ("Brien house", "the O'Brien house"),
    ("he and", "he and/or she"),
    ("mai", "e-mai-l"),
    ("words", "the max_words option"),
    ("5 × 10", "a value of 5 × 10^6 cells"),
    ("a value of 5", "a value of 5 × 10^6 cells"),
    ("10^6 cells", "a value of 5 × 10^6 cells"),
    ("12", "at 12:30 today"),
    ("1990", "in the 1990s he"),
    ("Na", "the Na+ ion"),
    ("HIV", "HIV+ patients"),
    ("AT", "AT&T is"),
    ("vitamin B", "vitamin B-12 is"),
    ("ישראל", "בית־ישראל"),
]

#: The quote and a reference in which whole words and numbers correspond to it.
WHOLE = [
    ("Grandpa Joe", "They came to Grandpa Joe's house"),
    ("Grandpa Joe", "They came to Grandpa Joe’s house"),
    ("Grandpa Joe", "They came to Grandpa Joe&#39;s house"),
    ("Grandpa Joe", "They came to Grandpa Joe 's house"),
    ("GRANDPA JOE", "THEY CAME TO GRANDPA JOE'S HOUSE"),
    ("the king", "the king's dog"),
    ("the dogs", "the dogs' house"),
    ("built in 1889", "It was built in 1889. It is"),
    ("built in 1889", "It was built in 1889, then"),
    ("built in 1889", "It was built in 1889[1] by"),
    ("built in 1889", "It was built in 1889) by"),
    ("built in 1889", "It was built in 1889; 5 years"),
    ("the city", "the city – the largest – grew"),
    ("the largest", "the city – the largest – grew"),
    ("the largest", "the city—the largest—grew"),
    ("the city", "the city—the largest—grew"),
    ("grew", "the city—the largest—grew"),
    ("the largest", "the city--the largest--grew"),
    ("que había llegado tarde", "El presidente –que había llegado tarde– habló"),
    ("que había llegado tarde", "El presidente -que había llegado tarde- habló"),
    ("important thing", "an impor-\ntant thing"),
    ("homme est", "l'homme est là"),
    ("impôt", "l'impôt est"),
    ("il est", "qu'il est"),
    ("from 1983", "from 1983 to 1987"),
    ("age 35", "age 35 to 44, x"),
    ("mg daily", "5 mg daily"),
    ("phosphatase <", "phosphatase < 2.0"),
    ("5 people died", "in 2019, 5 people died"),
    ("5 people died", "In 2019 : 5 people died"),
    ("5 people died", "In 2019: 5 people died"),
    ("500 people", "In 2019 500 people"),
    ("5 years later", "The war ended in 1945 – 5 years later"),
    ("the tower", "the tower (see below) was"),
    ("the tower", "“the tower” was"),
    ("the tower", "**the tower** was"),
    ("the tower", "<b>the tower</b> was"),
    ("the tower", "the tower² was"),
    ("the tower", "the tower<sup>2</sup> was"),
    ("the tower", "the tower[2] was"),
    ("the tower", "the tower† was"),
    ("the tower", "the tower..."),
    ("The next", "It ended.The next"),
    ("It ended", "It ended.The next"),
    ("It was long", "It was long.5 The next"),
    ("5 degrees", "Weather:\n- 5 degrees"),
    ("wash it", "1. wash it"),
    ("the tower", "- the tower"),
    ("5 degrees", "<td>5 degrees</td>"),
    ("million people", "<li>five</li><li>million people</li>"),
    ("in 2019", "in 2019 $5 million"),
    ("$5 million", "in 2019 $5 million"),
    ("EUR 5", "in 2019 EUR 5"),
    ("5 men", "and then 5 men"),
    ("it is", "it is, and"),
    ("workers", "the workers' rights"),
    ("rue", "(rue)"),
    ("5 men", "“5 men”"),
    ("5 men", "(5 men)"),
    ("东京", "东京是"),
    ("Python", "使用Python的"),
    ("Sugar", "Sugar: free"),
    ("see it", "see it: “now”"),
    ("wie oft", "weiß, wie oft?"),
    ("5 patients", "(n = 5 patients)"),
    ("link text", "[link text](http://a.b/c-d) here"),
    ("here", "[link text](http://a.b/c-d) here"),
    ("tea and", "tea and -"),
    ("Tom", "Tom – 5"),
    ("apples", "* apples\n* pears"),
    ("apples", "- apples- pears"),
    ("the war", "the war.”"),
    ("end", "end…"),
    ("three men", "the three men"),
    ("hundred", "a hundred"),
    ("合同期限为三年", "合同期限为三年，自2021年5月1日起。"),
    ("共有五人", "共有五人。"),
    ("高さは三メートル", "高さは三メートルです。"),
    ("我们在星期五", "我们在星期五人很多的地方。"),
    ("这是张三", "这是张三个人的看法。"),
    ("这是唯一", "这是唯一次机会。"),
    ("✓ Breakfast", "✗ Parking\n✓ Breakfast"),
    ("✗ Parking", "✗ Parking\n✓ Breakfast"),
    ("✗ Parking ✓ Breakfast", "✗ Parking\n✓ Breakfast"),
    ("Parking", "✗ Parking\n✓ Breakfast"),
    ("Parking ✗", "Parking ✗\nBreakfast ✓"),
    ("Breakfast ✓", "Parking ✗\nBreakfast ✓"),
    ("Parking ✗ Breakfast ✓", "Parking ✗\nBreakfast ✓"),
    ("[x] Doors locked", "- [ ] Smoke alarm tested\n- [x] Doors locked"),
    ("✓ Breakfast", "✗ Parking, ✓ Breakfast"),
    ("| Parking | ✗", "| Parking | ✗ |\n| Breakfast | ✓ |"),
    ("Parking ✓ Breakfast", "✓ Parking\n✓ Breakfast"),
]


@pytest.mark.parametrize(("quote", "reference"), CUTS)
def test_a_quote_that_cuts_a_number_or_word_is_marked(quote: str, reference: str) -> None:
    match = find_quote(quote, reference)
    assert match is not None
    assert match.cut


def test_the_mark_of_the_second_item_is_not_read_as_that_of_the_first() -> None:
    for quote in ("Parking ✓ Breakfast", "Parking ✓"):
        assert find_quote(quote, "✗ Parking\n✓ Breakfast") is None
    assert find_quote("Parking ✓", "✗ Parking, ✓ Breakfast") is None
    assert find_quote("Parking\n✓ Breakfast", "✗ Parking\n✓ Breakfast") is not None


@pytest.mark.parametrize(("quote", "reference"), WHOLE)
def test_a_quote_of_whole_numbers_and_words_is_not_marked(quote: str, reference: str) -> None:
    match = find_quote(quote, reference)
    assert match is not None
    assert not match.cut


#: The quote has a list number, dash or grade in a place where the reference has another or none.
WITHOUT_COUNTERPART = [
    ("9. Oktober 1990 trat die DDR bei", "Am 3. Oktober 1990 trat die DDR bei."),
    ("1. Weltkrieg war", "Der 2. Weltkrieg war"),
    ("1. Weltkrieg war", "2. Weltkrieg war"),
    ("- 5 degrees", "It was 5 degrees"),
    ("9. Oktober 1990 trat", "Oktober 1990 trat"),
    ("9. Oktober 1990 trat", "- Oktober 1990 trat"),
    ("9. října 1990 bylo", "Dne 3. října 1990 bylo"),
    ("9. lokakuuta 1990 oli", "Se 3. lokakuuta 1990 oli"),
    ("1. Wash it.\n3. Dry it", "1. Wash it.\n2. Dry it well."),
    ("1. Wash it.\n2. Dry it", "Wash it. Dry it well."),
    ("rated A-", "It is rated A today"),
    ("Es war so.\n9. Oktober 1990 trat", "Es war so. Oktober 1990 trat"),
    ("9.\nOktober 1990 trat", "Am 3. Oktober 1990 trat"),
    ("9) Oktober 1990 trat", "Am 3. Oktober 1990 trat"),
    ("– 5 degrees", "It was 5 degrees"),
    ("٩. Oktober 1990 trat", "Am 3. Oktober 1990 trat"),
    ("... 9. Oktober 1990 trat", "Am 3. Oktober 1990 trat"),
    ("a. ... 9. Oktober 1990 trat", "Am a. 3. Oktober 1990 trat"),
]
#: The reference has the quote's list number or bullet in the same place.
WITH_COUNTERPART = [
    ("2. Dry it well", "1. Wash it.\n2. Dry it well."),
    ("2.  Dry it well", "1. Wash it.\n2. Dry it well."),
    ("2) Dry it  well", "1. Wash it.\n2. Dry it well."),
    ("- 5 apples", "x\n* 5 apples"),
    ("3.  Oktober 1990", "Am 3. Oktober 1990 trat"),
    ("- Dry it well", "1. Wash it.\n2. Dry it well."),
    ("- The tower", "x. The tower is"),
    ("1. Wash it.\n2. Dry  it", "1. Wash it.\n2. Dry it well."),
    ("1. WASH it. Dry it", "1. Wash it.\n2. Dry it well."),
    ("2. Dry it  well", "**2.** Dry it well."),
    ("2. Dry it  well", "2\\. Dry it well."),
    ("1. Wash  it. 2. Dry", "1. Wash it. 2. Dry it well."),
    ("1. Wash  it.\n2. Dry", "1. Wash it. 2. Dry it well."),
    ("- 5  apples", "x\n- 5 apples"),
    ("rated A-", "It is rated **A**- today"),
    ("4)  At least 21 years", "3. A status of 0-2.\n4. At least 21 years of age."),
    ("- 5 degrees", "It was – 5 degrees"),
    ("- −5 degrees", "It was −5 degrees"),
    ("1. Weltkrieg  war", "Der 1. Weltkrieg war"),
]


@pytest.mark.parametrize("fuzzy", [False, True], ids=["strict", "fuzzy"])
@pytest.mark.parametrize(("quote", "reference"), WITHOUT_COUNTERPART)
def test_a_mark_without_a_counterpart_is_not_dropped(
    quote: str, reference: str, fuzzy: bool
) -> None:
    assert find_quote(quote, reference, fuzzy=fuzzy) is None


@pytest.mark.parametrize(("quote", "reference"), WITH_COUNTERPART)
def test_a_mark_with_a_counterpart_may_be_there(quote: str, reference: str) -> None:
    match = find_quote(quote, reference)
    assert match is not None
    assert not match.cut


def test_the_number_before_a_quote_is_part_of_its_match() -> None:
    match = find_quote("3.  Oktober 1990", "Am 3. Oktober 1990 trat die DDR bei.")
    assert match is not None
    assert match.text == "3. Oktober 1990"


#: Each quote, a reference that has it as a whole, and one in which it is cut.
ORDINALS_AND_RANGES = [
    ("a dose of about 5 ", "a dose of about 5 apples", "a dose of about 5 kg a day"),
    ("(5 ", "about (5 apples)", "about (5 kg) a day"),
    ("10 mg daily", "take 5 mg and 10 mg daily", "take 5 mg to 10 mg daily"),
    ("10 % daily", "take 10 % daily", "take 5 % bis 10 % daily"),
]


@pytest.mark.parametrize(("quote", "whole", "cut"), ORDINALS_AND_RANGES)
def test_an_ordinal_and_a_range_of_two_amounts_are_not_cut(
    quote: str, whole: str, cut: str
) -> None:
    match = find_quote(quote, whole)
    assert match is not None
    assert not match.cut
    match = find_quote(quote, cut)
    assert match is None or match.cut
