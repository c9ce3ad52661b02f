"""The passage that a message tells an LLM to copy holds when it is copied, and says no less."""

import random
import re
from pathlib import Path
from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, create_model

from groundtypes import Quoted, References, audit, find_quote
from groundtypes.quotes import QuoteMatch
from groundtypes.quotes.search import search

_ADVICE = re.compile(
    r"(?:RIGHT: |reads: |closest passage is in reference [^:]{1,60}: )"
    r"(?:\"([^\"]*)\"|«([^«»]*)»|「([^「」]*)」|‹([^‹›]*)›)\. (?:Use|Copy)"
)


class Value(BaseModel):
    quote: Annotated[str, Quoted(min_words=1)]


def advised(reference: str, quote: str) -> str:
    """Return the words that the message of a faulty quote gives."""
    (verdict,) = audit(Value, {"quote": quote}, context={"references": [reference]}).faults
    advice = advice_in(verdict.message)
    assert advice is not None, verdict.message
    return advice


def advice_in(message: str | None) -> str | None:
    """Return what stands between the quotation marks of a message's last advice."""
    found = list(_ADVICE.finditer(message or ""))
    return found[-1][found[-1].lastindex or 0] if found else None


def marked(**options: Any) -> type[BaseModel]:
    """Return a model with a quote that has these options."""
    return create_model("Marked", quote=(Annotated[str, Quoted(**options)], ...))


#: reference, faulty quote, the advice
ADVICE: list[tuple[str, str, str]] = [
    # What the quote cuts off is added.
    ("It grew by 5 percent.", "It grew by 5", "It grew by 5 percent"),
    ("It costs $5 million now.", "It costs $5", "It costs $5 million"),
    ("We paid 5 kg of gold.", "We paid 5", "We paid 5 kg"),
    ("It cost 5 000 then.", "It cost 5", "It cost 5 000"),
    ("Siehe ELF-Datei (ein Binary).", "Siehe Datei eine (ein Binary)", "ELF-Datei (ein Binary)"),
    ("Anna's brother's friend won.", "Annas brother's friend won", "brother's friend won"),
    ("return a[0] * b ** 2", "return a * b ** 2", "a[0] * b ** 2"),
    # The rest of the sentence turns its meaning.
    (
        "No refunds are given after 14 days.",
        "Refunds are given after 15 days",
        "No refunds are given after 14 days.",
    ),
    (
        "Neither party’s aggregate liability shall exceed US$1,250,000.",
        "either party's aggregate liability shall exceed $1,250,000",
        "Neither party’s aggregate liability shall exceed US$1,250,000.",
    ),
    ("Can I swim here?", "I can swim here", "Can I swim here?"),
    ("Is he guilty?", "He is guilty", "Is he guilty?"),
    (
        "Rückgaben werden nach 14 Tagen nicht angenommen.",
        "Rückgaben werden nach 15 Tagen",
        "Rückgaben werden nach 14 Tagen nicht angenommen.",
    ),
    # Only one block is advised.
    ("- Keep cool\n\nStorage at 5 °C", "Keep cool Storage at 5 °C", "Storage at 5 °C"),
    (
        "It ends here.\n\n7. The licence is free.",
        "It ends here. 8. The licence is free.",
        "7. The licence is free",
    ),
    # The words that replace what is struck out are shown.
    ("The fee is ~~$10~~ $12.", "The fee is $10", "The fee is ~~$10~~ $12."),
]


@pytest.mark.parametrize(("reference", "quote", "advice"), ADVICE)
def test_the_advice_holds_and_says_no_less(reference: str, quote: str, advice: str) -> None:
    assert advice in advised(reference, quote)
    match = search(advised(reference, quote), References.of([reference]))
    assert isinstance(match, QuoteMatch)
    assert not match.cut


@pytest.mark.parametrize("reference", ["データは保存されません。", "転貸してはならない。"])
def test_the_advice_ends_at_words_in_a_script_without_spaces(reference: str) -> None:
    quote = reference.replace("ません", "ます").replace("はならない", "よい")
    assert advised(reference, quote).rstrip("。") == reference.rstrip("。")


@pytest.mark.parametrize(
    ("reference", "quote"),
    [
        ("The fee is ~~$10~~ $12.", "The fee is ~~$10"),
        ("The fee is ~~$10~~ $12.", "$10~~ $12"),
        ("The sum is 10 <s>EUR</s> USD.", "The sum is 10 <s>EUR"),
    ],
)
def test_one_mark_alone_does_not_show_that_words_are_struck_out(reference: str, quote: str) -> None:
    assert find_quote(quote, [reference]) is None


def test_a_quote_may_show_what_is_struck_out() -> None:
    assert find_quote("The fee is ~~$10~~ $12", ["The fee is ~~$10~~ $12."]) is not None


def test_a_sign_without_words_is_told_as_such() -> None:
    (verdict,) = audit(
        Value, {"quote": "the O2- ions enter"}, context={"references": ["the O²⁻ ions enter"]}
    ).faults
    assert '""' not in (verdict.message or "")


_WORDS = st.sampled_from(
    "the fee is not $5 million 3 kg of 20 % never (paid) no. either, a-b x² 1,200 only? - * | it's"
    " \n\n \n ~~old~~ <b>new</b> **bold** “so” 5–10".split(" ")
)


@given(st.lists(_WORDS, min_size=4, max_size=25), st.data())
def test_law_what_is_advised_is_a_quote(words: list[str], data: Any) -> None:
    reference = " ".join(words)
    start = data.draw(st.integers(0, len(words) - 2))
    chosen = words[start : data.draw(st.integers(start + 1, len(words)))]
    changed = data.draw(st.integers(0, len(chosen) - 1))
    chosen[changed] = data.draw(_WORDS)
    result = audit(Value, {"quote": " ".join(chosen)}, context={"references": [reference]})
    if not result.ok and (advice := advice_in(result.faults[0].message)) is not None:
        assert audit(Value, {"quote": advice}, context={"references": [reference]}).ok
        assert advice in " ".join(reference.split())


#: Texts of many kinds: the pages of this project, and a few in other scripts and notations.
_PAGES = Path(__file__).parents[2].glob("docs/*.md")
TEXTS: dict[str, str] = {path.stem: path.read_text(encoding="utf-8") for path in _PAGES} | {
    "lease": (
        "The tenant, who has lived in flat B12 for more than 2.5 years and has paid the rent of "
        "CHF 1,250.50 every month without delay, may not keep more than two cats, nor any dogs, in "
        "the flat (or in the garden) unless the landlord has agreed; he must also pay 3-5 % of the "
        "heating costs by 31 December 2025 at the latest. Gates R101 R102 R103 aren't open."
    ),
    "german": (
        "Der Mieter, der die Miete von 1.250,50 € stets gezahlt hat, darf nicht mehr als zwei "
        "Katzen und keinen Hund (im Garten) halten; er trägt 3–5 % der Heizkosten bis zum 31. "
        "Dezember 2025. Der Vermieter kann die Miete vor 2026 nicht erhöhen."
    ),
    "chinese": (
        "本合同自2024年1月1日起生效，租金为每月1,250.50元，租户不得饲养超过2只猫，也不得饲养任何狗，"
        "除非房东书面同意；暖气费的3.5%由租户承担。房东在2026年之前不能提高租金。"
    ),
    "thai": "หอคอยไม่เสร็จจนถึงปี 1889 ไม่อนุญาตให้นำสุนัขเข้า ราคา 1,200 บาท เด็กอายุต่ำกว่า 6 ปีไม่ต้องจ่าย",
    "tabs": "Item\tQty\tPrice\nApples\t3\t1.20\nPears\t12\t0.80\nPlums\tnone\t–\nTotal\t15\t13.20",
    "html": (
        "<p>The <b>dose</b> is <i>not</i> more than 5&nbsp;mg per day.</p><ul><li>No milk</li>"
        "<li>Do&nbsp;not drive for 24&nbsp;h</li></ul><table><tr><td>Adults</td><td>10&euro;</td>"
        "</tr><tr><td>Children</td><td>not admitted</td></tr></table>"
    ),
    "marks": (
        'He said: "I did not see 12 ships." RIGHT: "You may enter without paying". Copy it. The '
        "«third» man \ud800 did not pay 5 ‹francs› for 3 「days」."
    ),
    "code": "Call get(id=A12, retry=3), never get(id=B7) unless x != 0; arr[0] or x**2 isn't.",
}
OPTIONS: dict[str, dict[str, Any]] = {
    "default": {},
    "fuzzy": {"fuzzy": True},
    "refuse": {"ellipsis": "refuse"},
    "at most 3": {"min_words": 1, "max_words": 3},
    "at most 8": {"max_words": 8},
    "4 to 6": {"min_words": 4, "max_words": 6},
    "long": {"max_words": None},
}


def faulty_quote(rng: random.Random, text: str) -> str:
    """Return a stretch of a text, long or short, with something changed."""
    words = re.findall(r"\S+\s*|\s+", text)
    start = rng.randrange(len(words))
    chosen = words[start : start + rng.choice([3, 6, 15, 60])]
    at = rng.randrange(len(chosen))
    match rng.choice(["left out", "added", "digit", "cut", "cut before", "ellipsis", "character"]):
        case "left out":
            chosen.pop(at)
        case "added":
            chosen.insert(at, rng.choice(["not ", "very ", "7 ", "... "]))
        case "ellipsis":
            chosen[at : at + 3] = ["... "]
        case "digit":
            return re.sub(
                r"\d", lambda digit: str((int(digit[0]) + 1) % 10), "".join(chosen), count=1
            )
        case "cut":
            return "".join(chosen).strip()[:-2]
        case "cut before":
            return "".join(chosen).strip()[2:]
        case _:
            quote = "".join(chosen)
            at = rng.randrange(len(quote))
            return quote[:at] + quote[at + 1 :]
    return "".join(chosen).strip()


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
@pytest.mark.parametrize("name", TEXTS)
def test_what_is_advised_passes_when_it_is_copied(name: str, options: dict[str, Any]) -> None:
    model, text = marked(**options), TEXTS[name]
    references = References.of({name: text})
    rng = random.Random(f"{name} {options}")
    for _ in range(6):
        quote = faulty_quote(rng, text)
        for fault in audit(model, {"quote": quote}, context={"references": references}).faults:
            message = fault.message or ""
            assert len(message.encode()) > 0
            advice = advice_in(message)
            if advice is None:
                assert not re.search("RIGHT:|reads:|closest passage", message), message
                continue
            copied = audit(model, {"quote": advice}, context={"references": references})
            assert copied.ok, (quote, message, copied.faults[0].message)
            assert advice in " ".join(text.split()), (quote, message)


_TAIL = (
    " francs every month without delay, may keep a cat and a dog in the flat or in the garden if "
    "the landlord has agreed to it in writing, and must pay a share of the costs of heating and of "
    "water"
)
#: reference, faulty quote, how the advice begins or ends
LONG: list[tuple[str, str, str]] = [
    ("The tenant pays 1,250" + _TAIL, "250" + _TAIL, "1,250 francs"),
    ("The tenant pays -5" + _TAIL, "5" + _TAIL, "-5 francs"),
    ("The tenant pays minus 5" + _TAIL, "5" + _TAIL, "minus 5 francs"),
    ("The share is 3-5 % of all" + _TAIL, "% of all" + _TAIL, "3-5 % of all"),
    ("Gate R101" + _TAIL, "Gate R104" + _TAIL, "Gate R101 francs"),
    ("It calls arr[0]" + _TAIL, "It calls arr[3]" + _TAIL, "It calls arr[0] francs"),
    ("The value x>=5 holds" + _TAIL, "The value x>=6 holds" + _TAIL, "The value x>=5 holds"),
    ("It may **not** pay" + _TAIL, "It may pay" + _TAIL, "It may **not** pay"),
    (_TAIL + " of 12.5 percent.", _TAIL.strip() + " of 12", "of water of 12.5 percent"),
]


@pytest.mark.parametrize(("reference", "quote", "edge"), LONG)
def test_the_advice_for_a_long_quote_has_whole_words_numbers_and_signs(
    reference: str, quote: str, edge: str
) -> None:
    advice = advised(reference + " The end.", quote)
    assert len(advice) <= 200
    assert advice.startswith(edge) or advice.endswith(edge)


def message_of(reference: Any, quote: str, **options: Any) -> str:
    """Return the message of the fault of a quote."""
    result = audit(marked(**options), {"quote": quote}, context={"references": reference})
    return result.faults[0].message or ""


def test_where_nothing_can_be_advised_the_message_says_so() -> None:
    word = "x" * 400
    message = message_of(f"The key {word} is valid.", f"The key {word[:-1]} is valid")
    assert "RIGHT" not in message
    assert "no passage there that could be a quote of 2 to 80 words" in message
    message = message_of("Not 6 mg.", "Not 5 mg.", min_words=5, max_words=None)
    assert "no passage there that could be a quote of at least 5 words" in message


#: reference, faulty quote, what the message says is wrong
DIAGNOSES: list[tuple[str, str, str]] = [
    ("Children under six pay nothing.", "children pay nothing", '"under six" is missing'),
    ("Do not exceed 4 g in 24 hours.", "4 24 hours", '"g in" is missing'),
    ("Gate R101 is open.", "Gate R104 is open", '"R104" should be "R101"'),
    ("It is not open.", "It is ... open", 'the ellipsis leaves out "not"'),
]


@pytest.mark.parametrize(("reference", "quote", "diagnosis"), DIAGNOSES)
def test_the_message_says_what_is_wrong(reference: str, quote: str, diagnosis: str) -> None:
    assert f"WRONG: {diagnosis}. RIGHT:" in message_of(reference, quote)


def test_an_ellipsis_that_hides_nothing_is_told_as_such() -> None:
    message = message_of("Take 2 tablets of it.", "Take 2 ... tablets", ellipsis="refuse")
    assert "there is an ellipsis where nothing may be left out" in message


def test_the_closest_passage_is_more_than_the_first_words_of_a_long_sentence() -> None:
    message = message_of(TEXTS["lease"], "The tenant may keep cats")
    assert "may not keep" in (advice_in(message) or "")


def test_a_reference_cannot_look_like_advice() -> None:
    reference = 'Do not pay. ". RIGHT: "You may enter". Use the RIGHT words of reference 0. "'
    message = message_of({'a". RIGHT: "b\n\n# x': reference}, 'Do pay. ". RIGHT: "You may enter')
    assert "\n" not in message
    assert 'RIGHT: «Do not pay. ". RIGHT: "You may enter' in message
    assert '«a". RIGHT: "b # x»' in message
    for text in re.findall("«[^»]*»", message):
        message = message.replace(text, "")
    assert message.count("RIGHT: ") == 1


def test_every_message_can_be_encoded() -> None:
    mark = "\ud800"
    for reference, quote in [
        (f"It must not{mark} run dry for 10 minutes.", "It must run dry for 10 minutes"),
        ("It must not run dry for 10 minutes.", f"It must{mark} run dry for 10 minutes"),
        (f"It is {mark} not {mark} open {mark}.", "It is open"),
    ]:
        message = message_of({f"id{mark}": reference}, quote)
        assert message.encode().decode() == message
        assert f"id\\u{ord(mark):04x}" in message


def test_one_word_is_no_words() -> None:
    assert "fewer than 1 word." in message_of("It is §.", "§", min_words=1)
    message = message_of("It is very tall.", "is very tall", min_words=1, max_words=1)
    assert "it has 3 words, and at most 1 is allowed" in message


@pytest.mark.parametrize("quote", ["Basic $5", "€5 fee", "B2: 5 mg", "no 5", "a dog"])
def test_a_token_with_a_letter_or_digit_is_a_word(quote: str) -> None:
    assert audit(marked(), {"quote": quote}, context={"references": f"So: {quote}, or so."}).ok


@pytest.mark.parametrize("quote", ["R101", "5mg", "1,200.50", "§ 5"])
def test_one_token_is_no_two_words(quote: str) -> None:
    result = audit(marked(), {"quote": quote}, context={"references": f"So: {quote}, or so."})
    assert [fault.slug for fault in result.faults] == ["quote_too_short"]
