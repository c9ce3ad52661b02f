"""A quote does not begin right behind the negation of what it says."""

import pytest

from groundtypes import find_quote

#: reference, quote
TURNED: list[tuple[str, str]] = [
    ("Never run in the hall.", "Run in the hall"),
    ("No refunds after 30 days.", "Refunds after 30 days"),
    ("Do not open the valve at 5 bar.", "Open the valve at 5 bar"),
    ("Do **not** open the valve.", "open the valve"),
    ("It is <b>not</b> open today.", "open today"),
    ("Not the captain came.", "captain came"),
    ("It cannot be refunded after May.", "refunded after May"),
    ("You don't pay for children.", "pay for children"),
    ("You don\u2019t pay for children.", "pay for children"),
    ("It is no longer open to guests.", "open to guests"),
    ("Entry without a ticket is possible.", "ticket is possible"),
    ("Do not\nopen the valve.", "open the valve"),
    ("Keine Hunde im Garten.", "Hunde im Garten"),
    ("Das ist nicht mehr erlaubt.", "erlaubt"),
    ("Il ne faut pas ouvrir la porte.", "ouvrir la porte"),
    ("Es war nie ein Bahnhof in der Stadt.", "Bahnhof in der Stadt"),
    ("La torre no fue terminada.", "fue terminada"),
    ("Вход без билета не разрешён.", "разрешён"),
    ("狗不得入内。", "入内"),
    ("房东在2026年之前不能提高租金。", "提高租金"),
    ("ไม่อนุญาตให้นำสุนัขเข้า", "อนุญาตให้นำสุนัขเข้า"),
    ("لا يُسمح بدخول الكلاب هنا.", "يُسمح بدخول الكلاب هنا"),
]
#: The same, where nothing before the quote negates it.
HARMLESS: list[tuple[str, str]] = [
    ("Is it open? No. Run in the hall.", "Run in the hall"),
    ("No, dogs are not allowed inside.", "dogs are not allowed inside"),
    ("It is closed or not\n\nOpen the valve now.", "Open the valve now"),
    ("Whether or not dogs may enter is open.", "dogs may enter"),
    ("It is ~~not~~ open today.", "open today"),
    ("| refund | no |\n| price | 5 francs |", "price | 5 francs"),
    ("Pears\tno\t12 francs", "12 francs"),
    ("Ele mora no Brasil e gosto da praia, que é bonita.", "Brasil e gosto da praia"),
    ("Han bor i sin lägenhet och det är en stor lägenhet.", "lägenhet och det är en"),
    ("It is notable that dogs may enter.", "that dogs may enter"),
    ("It is not true that the pool is heated.", "the pool is heated"),
    ("Never run in the hall.", "never run in the hall"),
    ("Berlin, Mai 2020 Umsatz 5 Euro", "2020 Umsatz 5 Euro"),
    ("Nul ne sera tenu en esclavage.", "ne sera tenu en esclavage"),
]


@pytest.mark.parametrize(("reference", "quote"), TURNED)
def test_a_quote_behind_its_negation_is_cut(reference: str, quote: str) -> None:
    match = find_quote(quote, reference)
    assert match is not None
    assert match.cut


@pytest.mark.parametrize(("reference", "quote"), HARMLESS)
def test_other_quotes_are_not_cut(reference: str, quote: str) -> None:
    match = find_quote(quote, reference)
    assert match is not None
    assert not match.cut


def test_another_place_without_the_negation_is_found() -> None:
    reference = "Do not open the valve. Then open the valve."
    match = find_quote("open the valve", reference)
    assert match is not None
    assert not match.cut
    assert match.span.start == reference.rindex("open")
