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
    ("Do not [1] eat the berries.", "eat the berries"),
    ("Do not\u00b9 eat the berries.", "eat the berries"),
    ("Do not <sup>2</sup> eat the berries.", "eat the berries"),
    ('Do not<sup><a href="#c1">[1]</a></sup> eat the berries.', "eat the berries"),
    ("Do not \\cite{x} eat the berries.", "eat the berries"),
    ("Do \\emph{not} eat the berries.", "eat the berries"),
    ("Do <i>not</i> <!-- sic --> eat the berries.", "eat the berries"),
    ("Do not&nbsp;eat the berries.", "eat the berries"),
    ("Do not<br>eat the berries.", "eat the berries"),
    ("Do [not](https://example.org) eat the berries.", "eat the berries"),
    ("Do n\u200bo\u00adt eat the berries.", "eat the berries"),
    ("Do not (ever) eat the berries.", "eat the berries"),
    ("Do NOT (!) eat the berries.", "eat the berries"),
    ("As the sign says, never\nrun in the hall, it is wet.", "run in the hall"),
    ("Important: never\nrun in the hall when it is wet.", "run in the hall"),
    ("no new lesions; no\ncorticosteroids; stable or improved", "corticosteroids; stable or"),
    ("Grade 2: No: 83 Grade 3: Not\nevaluable: 1", "evaluable: 1"),
    ("Allergies: No\nKnown drug allergies", "Known drug allergies"),
    ("Hinweis: keine\nHunde im Garten", "Hunde im Garten"),
    ("Warning: no\nParking", "Parking"),
    ("Please note: there are no\ndogs in the garden", "dogs in the garden"),
    ("The house has not been sold to the state.", "sold to the state"),
    ("Ella no ha visto el contrato.", "visto el contrato"),
    ("Los vecinos no han sido informados.", "informados"),
    ("I vicini non sono stati avvisati.", "avvisati"),
    ("La maison n'a pas été vendue à l'État.", "vendue à l'État"),
    ("Ela não tem visto o contrato.", "visto o contrato"),
    ("Casa nu a fost vândută.", "vândută"),
    ("Дом не был продан государству.", "продан государству"),
    ("Museo ei ole avoinna maanantaisin.", "avoinna maanantaisin"),
    ("Aamiainen ei sisälly hintaan.", "sisälly hintaan"),
    ("Avattua ohjelmaa et voi palauttaa.", "voi palauttaa"),
    ("Dia tidak pernah membayar denda.", "membayar denda"),
    ("เขาไม่เคยจ่ายค่าปรับ", "จ่ายค่าปรับ"),
    ("در اتاق نباید سیگار بکشید.", "سیگار بکشید"),
    ("Se vende sin receta médica.", "receta médica"),
    ("Weder der Wirt noch der Rat wussten davon.", "der Rat wussten davon"),
    ("No fumar en el museo.", "fumar en el museo"),
    ("> Do not\n> eat the berries.", "eat the berries"),
    ("This has not actually been proven.", "been proven"),
    ("No 5-year-olds are admitted.", "5-year-olds are admitted"),
    ("No hotel nearby.", "hotel nearby"),
    ("No final answer yet.", "final answer yet"),
    ("Messi no jugó.", "jugó"),
    ("Pedro no trabajó en São Paulo.", "trabajó en São Paulo"),
    ("Bussi ei pysähdy tässä.", "pysähdy tässä"),
    ("No os preocupéis.", "os preocupéis"),
    ("A veces no come de noche.", "come de noche"),
    ("En aquest hotel no es permet fumar.", "permet fumar"),
    ("There is no parking after 8 pm in São João.", "parking after 8 pm"),
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
    ("Pets: no\nParking in the yard: yes", "Parking in the yard: yes"),
    ("pets: no\nparking: true", "parking: true"),
    ("Smoker: never\nDiabetes: yes", "Diabetes: yes"),
    ("**Stairs:** No\n**Lift:** yes", "Lift: yes"),
    ("<b>Stairs:</b> No\n<b>Lift:</b> yes", "Lift: yes"),
    ("Pets: no<br>Parking: yes", "Parking: yes"),
    ("Pets: no\nParking is available in the yard.", "Parking is available in the yard."),
    ("Dogs, no\nBikes, yes", "Bikes, yes"),
    ("Dogs\tno\nBikes\tyes", "Bikes\tyes"),
    ("Bob;28;no\nAnna;31;yes", "Anna;31;yes"),
    ("Pets: no\n1. Parking", "1. Parking"),
    ("Dogs    no\nBikes   yes", "Bikes   yes"),
    ("Dogs ..... no\nBikes ..... yes", "Bikes ..... yes"),
    ("Dogs \u2013 no\nBikes \u2013 yes", "Bikes \u2013 yes"),
    ("Do you smoke?\nNo\nDo you drink?\nYes", "Do you drink"),
    ("Fumador: no\nAsma: sí", "Asma: sí"),
    ("Fumeur : non\nAsthme : oui", "Asthme : oui"),
    ("Haustiere: keine\nParken: frei", "Parken: frei"),
    ("Smoker: No [ ] Yes [x]", "Yes"),
    ("Nasceu no Rio de Janeiro.", "Rio de Janeiro"),
    ("Moro no centro de Lisboa.", "centro de Lisboa"),
    ("Rule No 7 applies here.", "7 applies here"),
    ("Max Ernst, né 1891, peintre", "1891, peintre"),
    ("Multa no valor de 300 reais.", "valor de 300 reais"),
    ("Está escrito no livro.", "livro"),
    ("Encontrámo-nos no café da esquina.", "café da esquina"),
    ("O jogo será no estádio novo.", "estádio novo"),
    ("No mês passado a loja fechou.", "mês passado"),
    ("Il attend sur le pas de la porte.", "de la porte"),
    ("Toute personne qui fume doit sortir.", "qui fume doit sortir"),
    ("Ho har ei bok om krigen.", "bok om krigen"),
    ("Es bleibt noch ein Tag.", "ein Tag"),
    ("The array do_not eat the berries", "eat the berries"),
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
