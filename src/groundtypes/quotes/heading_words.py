"""The words of the heading of a list that negates its items, such as "Not included:"."""

from typing import Final

from groundtypes.quotes.negation_words import folded_word

__all__ = [
    "AUXILIARIES",
    "BARE",
    "DENIED",
    "DENIED_IN_LISTS",
    "PREPOSITIONS",
    "REASONS",
    "SPACELESS",
    "STARTERS",
    "SUBJECTS",
]


def _by_language(words: dict[str, str]) -> dict[str, frozenset[str]]:
    return {code: frozenset(map(folded_word, listed.split())) for code, listed in words.items()}


#: Headings that are a noun: "Don'ts:".
STARTERS: Final = frozenset({"don'ts", "don\u2019ts", "donts"})
#: language -> what a heading denies: that something is allowed, included, covered or accepted; and
#: the words of such a heading beside it ("nicht im Preis enthalten").
DENIED: Final = _by_language(
    {
        "en": (
            "allowed permitted included covered accepted admitted authorised authorized tolerated "
            "acceptable permissible include includes cover covers accept accepts allow allows "
            "permit permits in price do"
        ),
        "de": (
            "erlaubt gestattet zulässig zugelassen enthalten inbegriffen inklusive eingeschlossen "
            "abgedeckt versichert mitgebracht akzeptiert ist sind wird werden im preis dürfen darf"
        ),
        "fr": (
            "autorisé autorisés autorisée autorisées permis permise permises inclus incluse "
            "incluses compris comprise comprises couvert couverts couverte couvertes accepté "
            "acceptés acceptée acceptées admis admise admises comprend inclut couvre accepte "
            "accepte acceptons dans prix sont est"
        ),
        "es": (
            "permitido permitidos permitida permitidas permite permiten incluido incluidos "
            "incluida incluidas incluye incluyen cubierto cubiertos cubre cubren aceptado "
            "aceptados acepta aceptan aceptamos admite admiten admitido admitidos autorizado "
            "autorizados en precio"
        ),
        "it": (
            "consentito consentiti consentita consentite permesso permessi ammesso ammessi ammessa "
            "ammesse incluso inclusi inclusa incluse compreso compresi comprende comprendono "
            "include includono copre coperto coperti accettato accettati accetta nel prezzo"
        ),
        "pt": (
            "permitido permitidos permitida permitidas permite permitem incluído incluídos "
            "incluída incluídas incluso inclusos inclui incluem coberto cobertos cobre cobrem "
            "aceito aceitos aceite aceites aceita aceitamos no preço"
        ),
        "nl": (
            "toegestaan toegelaten inbegrepen inclusief gedekt geaccepteerd is zijn worden in "
            "prijs bij"
        ),
        "sv": "tillåtet tillåtna tillåten ingår inkluderat inkluderade är i priset",
        "da": "tilladt tilladte inkluderet omfattet er i prisen",
        "nb": "tillatt tillatte inkludert dekket er i prisen",
        "fi": "sallittu sallittua sallittuja sisälly sisällytetty hintaan",
        "pl": "wolno obejmuje obejmują zawiera dozwolone dozwolony zezwala w cenie",
        "cs": "dovoleno povoleno dovoleny povoleny zahrnuto v ceně",
        "sk": "dovolené povolené zahrnuté v cene",
        "ro": "permis permise permite inclus incluse include acoperit acoperite în preț",
        "hu": "megengedett engedélyezett tartalmazza tartalmaz",
        "ru": (
            "допускается допускаются разрешается разрешаются разрешено разрешены включено включены "
            "включает входит входят в стоимость покрывает"
        ),
        "uk": "дозволяється дозволяються дозволено включено входить входять у вартість",
        "bg": "разрешено разрешени включено включени включва в цената допуска",
        "el": "επιτρέπεται επιτρέπονται περιλαμβάνεται περιλαμβάνονται περιλαμβάνει στην τιμή",
        "ar": "يُسمح يسمح يشمل تشمل مسموح مشمول",
        "fa": "",
        "he": "כולל מותר כלול",
        "id": "diperbolehkan diizinkan termasuk mencakup",
        "vi": "phép bao gồm",
    }
)
#: The same for a line above items only: in a sentence they are followed by the reason, too.
DENIED_IN_LISTS: Final = _by_language(
    {
        "en": (
            "recommended supported available required suitable intended refundable eligible "
            "provided needed advised"
        ),
        "de": "empfohlen unterstützt verfügbar erforderlich geeignet nötig",
        "fr": "recommandé recommandés pris charge disponible disponibles requis nécessaire",
        "es": "recomendado recomienda disponible disponibles necesario requiere",
        "it": "consigliato disponibile disponibili necessario richiesto",
        "pt": "recomendado disponível disponíveis necessário",
        "nl": "aanbevolen ondersteund beschikbaar nodig vereist",
    }
)
#: language -> negations that may end a heading. Pronouns may not: "Allergies: none:".
BARE: Final = _by_language(
    {
        "en": "not never without",
        "de": "nicht nie niemals keine kein keinen ohne",
        "fr": "pas jamais sans",
        "es": "nunca jamás",
        "it": "mai senza",
        "pt": "nunca",
        "nl": "niet geen nooit zonder",
        "sv": "inte aldrig utan",
        "da": "ikke aldrig uden",
        "nb": "ikke aldri uten",
        "fi": "ei älä älkää",
        "pl": "nigdy",
        "cs": "nikdy nesmí nemůže",
        "sk": "nikdy nesmie nemôže",
        "ru": "нельзя никогда",
        "uk": "ніколи",
        "el": "μην μη ποτέ",
        "ro": "niciodată",
        "hu": "soha",
        "id": "jangan",
        "vi": "đừng",
    }
)
#: language -> verbs and the like before a negation at the end of a heading: "Guests may not:".
AUXILIARIES: Final = _by_language(
    {
        "en": (
            "do does must may should can could shall will would is are be am was were please always"
        ),
        "de": "dürfen darf sollten sollen können kann müssen bitte sind ist",
        "fr": "ne faut devez doit doivent pouvez peut peuvent dois",
        "nl": "mag mogen moet moeten kunt kan kunnen zijn is",
        "sv": "får kan ska bör är ingår",
        "da": "må kan skal bør er",
        "nb": "må kan skal bør er",
    }
)
#: Subjects whose predicate is followed by a reason: "It is not recommended:".
SUBJECTS: Final = frozenset({"it", "this", "that", "they", "he", "she"})
#: What may follow what is denied, with a few words: "not permitted on board:".
PREPOSITIONS: Final = frozenset(
    "in on at under during by with for within inside im auf an bei unter während für dans en sur à "
    "au pour a por para sobre durante su per nel nella em no na op voor på i vid för ved til "
    "w na do v při в на при во у".split()
)
#: Headings of reasons: "Reasons not to:".
REASONS: Final = frozenset(
    "reason reasons why because gründe warum weil raisons pourquoi razones motivos motivi perché "
    "redenen waarom".split()
)
#: The ends of headings in scripts without spaces.
SPACELESS: Final = tuple(
    "不得 不能 不要 不可 不可以 不准 不许 不許 不允许 不允許 不应 不應 不应该 不應該 禁止 严禁 "
    "嚴禁 请勿 請勿 切勿 不包括 不包含 不含 不接受 ห้าม อย่า ไม่ควร ไม่รวม ไม่อนุญาต".split()
)
