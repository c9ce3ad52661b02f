"""A quote does not begin right behind the negation of what it says, nor end before it."""

from typing import Annotated

import pytest
from pydantic import BaseModel

from groundtypes import Quote, Quoted, audit, find_quote


class Rule(BaseModel):
    quote: Quote


class AnyPart(BaseModel):
    quote: Annotated[str, Quoted(cut="accept", min_words=0)]


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
    ("As the sign says, never\nrun in the hall, it is wet.", "run in the hall"),
    ("Important: never\nrun in the hall when it is wet.", "run in the hall"),
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
    ("A veces no come de noche.", "come de noche"),
    ("En aquest hotel no es permet fumar.", "permet fumar"),
    ("There is no parking after 8 pm in São João.", "parking after 8 pm"),
    ("لا يُسمح بدخول الكلاب هنا.", "يُسمح بدخول الكلاب هنا"),
    ("Do not:\n- open the case\n- use solvents", "open the case"),
    ("Do not:\n- open the case\n- use solvents", "use solvents"),
    ("Do not:\n- open the case\n- use solvents", "- use solvents"),
    ("Do not:\n\n- open the case\n\n- use solvents", "use solvents"),
    ("Do not:\n- open the case\n  or the lid\n- use solvents", "use solvents"),
    ("**Do not:**\n\n1. open the case\n2. use solvents", "use solvents"),
    ("## Do not\n\n* open the case\n* use solvents", "use solvents"),
    ("You must not:\n\n(a) open the case;\n(b) use solvents.", "use solvents"),
    ("Rooms\n- Guests may not:\n  - open the case\n  - use solvents", "use solvents"),
    ("Don'ts:\n- open the case\n- use solvents", "use solvents"),
    ("No:\n\u2022 smoking in rooms\n\u2022 large pets", "large pets"),
    ("Not allowed\n- open fires\n- large pets", "large pets"),
    ("Not allowed: smoking or open fires.", "smoking or open fires"),
    ("Not allowed: pets, open fires.", "open fires"),
    ("Not included:\nthe boat trip", "the boat trip"),
    ("The price does not include:\n- breakfast\n- the boat trip", "the boat trip"),
    ("The following are not permitted on board:\n- pets\n- open fires", "open fires"),
    ("<p><b>Not included:</b></p><ul><li>lunch</li><li><b>boat trip</b></li></ul>", "boat trip"),
    ("Nicht im Preis enthalten:\n- Frühstück\n- die Bootsfahrt", "die Bootsfahrt"),
    ("Gäste dürfen nicht:\n- im Zimmer rauchen", "im Zimmer rauchen"),
    ("El precio no incluye:\n- comida\n- bebidas frías", "bebidas frías"),
    ("Ne sont pas autorisés :\n- les chats\n- les chiens", "les chiens"),
    ("Non sono ammessi:\n- gatti\n- cani grandi", "cani grandi"),
    ("Niet inbegrepen:\n- ontbijt\n- de boottocht", "de boottocht"),
    ("Не разрешается:\n- курить в номере", "курить в номере"),
    (
        "\u4e0d\u5141\u8bb8\uff1a\n- \u5438\u70df\u548c\u996e\u9152",
        "\u5438\u70df\u548c\u996e\u9152",
    ),
    ("Non compris :\n- le petit déjeuner", "le petit déjeuner"),
    ("Não é permitido:\n- fumar no quarto", "fumar no quarto"),
    ("Du får inte:\n- röka på rummet", "röka på rummet"),
    ("Nie wolno:\n- palić w pokoju", "palić w pokoju"),
    ("Nu este permis:\n- fumatul în cameră", "fumatul în cameră"),
    ("Huoneessa ei saa:\n- polttaa tupakkaa", "polttaa tupakkaa"),
    ("Tidak diperbolehkan:\n- merokok di kamar", "merokok di kamar"),
    ("Δεν επιτρέπεται:\n- το κάπνισμα στο δωμάτιο", "το κάπνισμα στο δωμάτιο"),
    ("ห้าม:\n- สูบบุหรี่ในห้อง", "สูบบุหรี่ในห้อง"),
    ("La piscina non è, in nessun caso, aperta di notte.", "aperta di notte"),
    ("A piscina não está, em caso algum, aberta à noite.", "aberta à noite"),
    ("Teilen Sie das nie, unter keinen Umständen, mit anderen.", "mit anderen"),
    ("Nunca, bajo ninguna circunstancia, comparta su clave.", "comparta su clave"),
    ("Deel dit nooit, onder geen beding, met andere gasten.", "met andere gasten"),
    ("Никогда, ни при каких условиях, открывайте клапан.", "открывайте клапан"),
    ("Hardly anyone survived the winter.", "anyone survived the winter"),
    ("The harbour was scarcely affected by the storm.", "affected by the storm"),
    ("Der Hafen wurde kaum vom Sturm getroffen.", "vom Sturm getroffen"),
    ("This hasn't actually been proven.", "been proven"),
    ("She has never once been told the truth.", "been told the truth"),
    ("The shop is not always open on Mondays.", "open on Mondays"),
]
#: Where a phrase before the quote, or right behind it, turns or restricts it.
RESTRICTED: list[tuple[str, str]] = [
    ("Under no circumstances may the tenant sublet.", "may the tenant sublet"),
    ("Under no circumstances, the tenant may sublet.", "the tenant may sublet"),
    ("Fewer than 20 patients recovered.", "20 patients recovered"),
    ("Fewer than half of the patients recovered.", "half of the patients recovered"),
    ("Only members may use the pool.", "members may use the pool"),
    ("None of the lifts were inspected in May.", "the lifts were inspected in May"),
    ("None of\nthe lifts were inspected.", "the lifts were inspected"),
    ("Neither of the two drugs lowered the risk.", "the two drugs lowered the risk"),
    ("Few of the trees survived.", "the trees survived"),
    ("By no means is the bridge safe.", "is the bridge safe"),
    ("In no event shall the seller be liable.", "shall the seller be liable"),
    ("The fee is less than 20 euros.", "20 euros"),
    ("It holds up to 40 guests.", "40 guests"),
    ("Instead of paying cash, they sent goods.", "paying cash"),
    ("Unless the roof leaks, the rent is due.", "the roof leaks"),
    ("The shop is open daily except on Sundays.", "The shop is open daily"),
    ("The deposit is refunded, unless the room is damaged.", "The deposit is refunded"),
    ("Guests may use the pool\n\nPage 3 of 9\n\nunless it rains.", "Guests may use the pool"),
    ("Guests may use the pool\n\n![x](y.png)\n\nunless it rains.", "Guests may use the pool"),
    ("The deposit is refunded, unless the room is damaged.", "the room is damaged"),
    ("Dogs are allowed, but not in the pool.", "Dogs are allowed"),
    ("Guests may park here only if they have a permit.", "Guests may park here"),
    ("The deposit is refunded unless\nthe room is damaged.", "The deposit is refunded"),
    ("Unter keinen Umständen darf der Mieter umbauen.", "darf der Mieter umbauen"),
    ("Nur Mitglieder dürfen das Bad benutzen.", "Mitglieder dürfen das Bad benutzen"),
    ("Der Laden ist täglich geöffnet, außer am Sonntag.", "Der Laden ist täglich geöffnet"),
    ("Höchstens 20 Gäste dürfen hinein.", "20 Gäste dürfen hinein"),
    ("Seuls les membres peuvent entrer dans le club.", "les membres peuvent entrer"),
    ("Le magasin est ouvert tous les jours, sauf le dimanche.", "ouvert tous les jours"),
    (
        "Bajo ninguna circunstancia puede el inquilino subarrendar.",
        "puede el inquilino subarrendar",
    ),
    ("La tienda abre todos los días, excepto los domingos.", "La tienda abre todos los días"),
    ("Solo los socios pueden usar la piscina del club.", "los socios pueden usar la piscina"),
    ("In nessun caso il cliente può recedere dal contratto.", "il cliente può recedere"),
    ("Il negozio è aperto tutti i giorni, tranne la domenica.", "aperto tutti i giorni"),
    ("A loja abre todos os dias, exceto aos domingos.", "A loja abre todos os dias"),
    ("De winkel is elke dag open, behalve op zondag.", "De winkel is elke dag open"),
    ("Butiken är öppen alla dagar utom söndagar.", "Butiken är öppen alla dagar"),
    ("Sklep jest otwarty codziennie, z wyjątkiem niedzieli.", "Sklep jest otwarty codziennie"),
    ("Ни при каких обстоятельствах арендатор может сдать дом.", "арендатор может сдать дом"),
    ("Только члены клуба могут входить в зал.", "члены клуба могут входить"),
    ("Магазин открыт ежедневно, кроме воскресенья.", "Магазин открыт ежедневно"),
    ("Köpekler bahçede serbest değil.", "Köpekler bahçede serbest"),
    (
        "\u53ea\u6709\u4f1a\u5458\u53ef\u4ee5\u8fdb\u5165\u3002",
        "\u4f1a\u5458\u53ef\u4ee5\u8fdb\u5165",
    ),
    (
        "\u53ef\u4ee5\u8f6c\u8ba9\u672c\u5408\u540c\uff0c\u9664\u975e\u623f\u4e1c\u53cd\u5bf9\u3002",
        "\u53ef\u4ee5\u8f6c\u8ba9\u672c\u5408\u540c",
    ),
    (
        "\u5951\u7d04\u3092\u8b72\u6e21\u3059\u308b\u3053\u3068\u306f\u3067\u304d\u306a\u3044\u3002",
        "\u5951\u7d04\u3092\u8b72\u6e21\u3059\u308b\u3053\u3068\u306f\u3067\u304d",
    ),
]
#: Where a negation follows the quote in its clause.
NEGATED_BEHIND: list[tuple[str, str]] = [
    ("Der Vertrag verlängert sich automatisch nicht.", "Der Vertrag verlängert sich automatisch"),
    ("Der Vertrag verlängert sich automatisch nicht.", "Der Vertrag verlängert sich"),
    ("Der Mieter haftet nicht für Schäden.", "Der Mieter haftet"),
    ("Die Gebühr enthält keine Steuer.", "Die Gebühr enthält"),
    ("Mieter dürfen im Hof\nnicht parken.", "Mieter dürfen im Hof"),
    ("Mieter dürfen im Hof <b>nicht</b> parken.", "Mieter dürfen im Hof"),
    ("Mieter dürfen im Hof\n\nSeite 3\n\nnicht parken.", "Mieter dürfen im Hof"),
    ("अनुबंध स्वतः नवीनीकृत नहीं होता।", "अनुबंध स्वतः नवीनीकृत"),
    ("वह शुल्क का भुगतान नहीं करेगा।", "वह शुल्क का भुगतान"),
    ("চুক্তি স্বয়ংক্রিয়ভাবে নবায়ন হয় না।", "চুক্তি স্বয়ংক্রিয়ভাবে নবায়ন হয়"),
    ("معاہدہ خود بخود تجدید ہوتا نہیں۔", "معاہدہ خود بخود تجدید ہوتا"),
    ("در خانه باز نیست.", "در خانه باز"),
    ("De winkel opent op zondag niet.", "De winkel opent op zondag"),
    ("De huurder betaalt de reparaties niet.", "De huurder betaalt"),
    ("Hyresgästen får röka inte.", "Hyresgästen får röka"),
    ("Lejen betales ikke i juli.", "Lejen betales"),
    ("Leiga er greidd ekki fyrir maí.", "Leiga er greidd"),
    ("Le locataire paie pas.", "Le locataire paie"),
    ("대여 물품은 환불되지 않습니다.", "대여 물품은 환불되지"),
    ("契約は自動更新しない。", "契約は自動更新"),
    ("支払う義務はない。", "支払う義務"),
    ("The bank is not liable.", "The bank is"),
    ("The tenant may not sublet.", "The tenant may"),
    ("The company has no debts.", "The company has"),
    ("He cares not.", "He cares"),
    ("The shop is open daily un\u00ad\u200bless it rains.", "The shop is open daily"),
    ("The shop is open daily un&shy;less it rains.", "The shop is open daily"),
]
#: The same, where nothing beside the quote turns it.
UNRESTRICTED: list[tuple[str, str]] = [
    (
        "Under no circumstances may the tenant sublet.",
        "Under no circumstances may the tenant sublet",
    ),
    ("Only members may use the pool.", "Only members may use the pool"),
    ("The pool is open only in the summer.", "in the summer"),
    ("None of them came. The lifts were inspected.", "The lifts were inspected"),
    (
        "The deposit is refunded. Unless stated otherwise, the rent is due.",
        "The deposit is refunded",
    ),
    ("The shop is open daily except on Sundays.", "open daily except on Sundays"),
    ("The shop is open daily and has a bar.", "The shop is open daily"),
    ("She lived under a bridge for 5 years.", "a bridge for 5 years"),
    ("The fee, in any event, is 20 euros.", "is 20 euros"),
    ("He left, but the others stayed.", "He left"),
    ("The house was sold with the garden.", "the garden"),
    ("Children under the table, 20 of them, sang.", "20 of them, sang"),
    ("The maximum speed is 20 km/h.", "speed is 20 km/h"),
    ("In case of fire, use the stairs.", "use the stairs"),
    ("En aucun cas le locataire ne peut céder le bail.", "le locataire ne peut céder le bail"),
    ("Im Garten sind Hunde erlaubt.", "Hunde erlaubt"),
    ("Die Frau allein im Haus schlief.", "im Haus schlief"),
    ("He is the sole owner; only the roof is new.", "He is the sole owner"),
    ("Магазин открыт ежедневно, и кафе тоже.", "Магазин открыт ежедневно"),
    ("Er kommt, nicht aber sein Bruder.", "Er kommt"),
    ("Er kommt und sie nicht.", "Er kommt"),
    ("Der Vertrag gilt. Nicht gedeckt ist Diebstahl.", "Der Vertrag gilt"),
    ("Der Vertrag gilt nicht nur für Kunden.", "Der Vertrag gilt"),
    ("Der Vertrag läuft nicht länger als zwei Jahre.", "Der Vertrag läuft"),
    ("Die Frage ist, ob er kommt oder nicht.", "Die Frage ist, ob er kommt"),
    ("Haustiere\nkeine\nParken\nfrei", "Haustiere"),
    ("Die Firma sitzt in Bonn\n\nKeine Haftung für Links", "Die Firma sitzt in Bonn"),
    ("The fee is due in May not in June.", "The fee is due in May"),
    ("The fee is due no later than 5 May.", "The fee is due"),
    ("The decision of the court not to appeal stands.", "The decision of the court"),
    ("He paid the rent without delay.", "He paid the rent"),
    ("Dogs    no\nBikes   yes", "Dogs"),
    ("This is invoice no 12 of May.", "This is invoice"),
    ("料金を支払わなければならない。", "料金を支払わ"),
    ("窓は開くがドアは開かない。", "窓は開く"),
    (
        "\u6211\u4eec\u517b\u4e86\u4e09\u53ea\u732b\u548c\u4e24\u53ea\u72d7\u3002",
        "\u732b\u548c\u4e24\u53ea\u72d7",
    ),
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
    ("Do not:\n- eat\n\nThen follow these steps.\n\n- open the case", "open the case"),
    ("Do not: eat.\n\nThe rest is fun.\n\nopen the case", "open the case"),
    ("Do not forget:\n- bring a towel", "bring a towel"),
    ("Do not forget to:\n- bring a towel", "bring a towel"),
    ("Dos and don'ts:\n- wash your hands", "wash your hands"),
    ("Do not:\n- open the case. It is warm", "It is warm"),
    ("Not included:\n- lunch\n\nIncluded:\n- the boat trip", "the boat trip"),
    ("Not included:\n- lunch\nIncluded:\n- the boat trip", "the boat trip"),
    (
        "<ul><li>Not included: x</li></ul><p>Yes:</p><ul><li>the boat trip</li></ul>",
        "the boat trip",
    ),
    ("Not allowed: pets. Open fires are fine.", "Open fires are fine"),
    ("It is not recommended:\n- The rooms are dirty", "The rooms are dirty"),
    ("We do not sell data. How we work:\n- We ask first", "We ask first"),
    ("Is it open? Of course not: the owner is away.", "the owner is away"),
    ("He did not: he stayed at home.", "he stayed at home"),
    ("Can I smoke?\nNo:\n- The alarm is sensitive", "The alarm is sensitive"),
    ("Pets: no\n- Parking in the yard", "Parking in the yard"),
    ("Invoice No:\n- 12 of May", "12 of May"),
    ("~~Do not:~~\n- open the case", "open the case"),
    ("The pool is not only heated but also covered.", "heated but also covered"),
    ("He did not come, and dogs are allowed.", "dogs are allowed"),
    ("He did not, in 1990, and dogs are allowed.", "dogs are allowed"),
    ("If it does not, in that case, the pool is closed.", "the pool is closed"),
    ("No, as a rule, dogs are allowed.", "dogs are allowed"),
    ("No \u2013 as we said \u2013 dogs are allowed.", "dogs are allowed"),
    ("If not (or if you are unsure of it) call the doctor.", "call the doctor"),
    ("A budget is used up where it cannot, an engine is missing, a model fails.", "a model fails"),
    ("With or without, in May, the pool is open.", "the pool is open"),
    ("Vergessen Sie nicht:\n- den Schlüssel abgeben", "den Schlüssel abgeben"),
    ("N'oubliez pas :\n- la clé de la chambre", "la clé de la chambre"),
    ("No olvide:\n- cerrar la puerta", "cerrar la puerta"),
    ("Pourquoi pas :\n- la vue est belle", "la vue est belle"),
    ("Reasons not to:\n- the pool is cold", "the pool is cold"),
    ("Pets: not allowed\n- Parking in the yard", "Parking in the yard"),
    ("Smoking: not allowed\nParking: in the yard", "Parking: in the yard"),
    ("Er kommt nicht, wie er sagt, und Hunde sind erlaubt.", "Hunde sind erlaubt"),
    ("No, en verano, la piscina está abierta.", "la piscina está abierta"),
    ("Nie, w zasadzie, psy są dozwolone.", "psy są dozwolone"),
    ("Payés ou non les frais restent.", "les frais restent"),
]


@pytest.mark.parametrize(("reference", "quote"), TURNED)
def test_a_quote_behind_its_negation_is_cut(reference: str, quote: str) -> None:
    match = find_quote(quote, reference)
    assert match is not None
    assert match.cut


@pytest.mark.parametrize(("reference", "quote"), RESTRICTED)
def test_a_quote_beside_what_restricts_it_is_cut(reference: str, quote: str) -> None:
    match = find_quote(quote, reference)
    assert match is not None
    assert match.cut
    fault = audit(Rule, {"quote": quote}, context={"references": reference}).faults[0]
    assert fault.slug == "quote_altered"


@pytest.mark.parametrize(("reference", "quote"), NEGATED_BEHIND)
def test_a_quote_before_its_negation_is_cut(reference: str, quote: str) -> None:
    match = find_quote(quote, reference)
    assert match is not None
    assert match.cut


@pytest.mark.parametrize(("reference", "quote"), RESTRICTED)
def test_it_holds_where_that_is_accepted(reference: str, quote: str) -> None:
    context = {"references": reference}
    assert audit(AnyPart, {"quote": quote}, context=context).ok


@pytest.mark.parametrize(("reference", "quote"), UNRESTRICTED)
def test_a_quote_that_nothing_restricts_is_not_cut(reference: str, quote: str) -> None:
    match = find_quote(quote, reference)
    assert match is not None
    assert not match.cut


def test_half_a_word_is_never_accepted() -> None:
    report = audit(AnyPart, {"quote": "otel is open"}, context={"references": "The hotel is open."})
    assert [fault.slug for fault in report.faults] == ["quote_altered"]


def test_the_message_shows_the_negation_behind() -> None:
    reference = "Der Vertrag verlängert sich automatisch nicht."
    quote = "Der Vertrag verlängert sich automatisch"
    [fault] = audit(Rule, {"quote": quote}, context={"references": reference}).faults
    assert fault.slug == "quote_altered"
    assert fault.message is not None
    assert f'"{reference}"' in fault.message


def test_the_message_shows_the_exception() -> None:
    reference = "The deposit is refunded, unless the room is damaged."
    audited = audit(Rule, {"quote": "The deposit is refunded"}, context={"references": reference})
    assert audited.faults[0].message is not None
    assert f'"{reference}"' in audited.faults[0].message


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


def test_the_message_shows_the_item_with_its_heading() -> None:
    reference = "Do not:\n- open the case\n- use solvents"
    audited = audit(Rule, {"quote": "use solvents"}, context={"references": reference})
    [fault] = audited.faults
    assert fault.slug == "quote_altered"
    assert fault.message is not None
    assert "Do not: - open the case - use solvents" in fault.message


def test_a_long_list_is_read_to_a_limit() -> None:
    items = "".join(f"- step {number}\n" for number in range(5_000))
    for heading in ("Do not:", "<ul>" * 5_000, "- " * 5_000):
        match = find_quote("the very last step", f"{heading}\n{items}- the very last step")
        assert match is not None
        assert not match.cut
