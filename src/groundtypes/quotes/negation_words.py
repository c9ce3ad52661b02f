"""The negations of each language, and the words that may stand between one and what it negates."""

import unicodedata
from typing import Final

from groundtypes.text.characters import INVISIBLE

__all__ = [
    "AMBIGUOUS",
    "ANSWERS",
    "ANY_BETWEEN",
    "ANY_NEGATION",
    "BETWEEN",
    "LATIN_NOT",
    "NEARLY",
    "NEGATIONS",
    "SECOND_NEGATIONS",
    "SPACELESS_NEGATIONS",
    "folded_word",
]

#: language -> its negations, and the articles, auxiliary verbs and the like that may follow them
_WORDS: Final[dict[str, tuple[str, str]]] = {
    "en": (
        (
            "no not never cannot cant dont doesnt didnt wont isnt arent wasnt werent without "
            "neither nor nobody nothing none hardly scarcely"
        ),
        (
            "a an the any this that these those my your its his her our their one be been being "
            "have had longer yet even ever once really actually currently necessarily always "
            "generally usually normally typically fully completely entirely "
            "previously directly officially to"
        ),
    ),
    "de": (
        (
            "nicht nie niemals kein keine keinen keinem keiner keines keinerlei keineswegs "
            "keinesfalls ohne weder noch niemand kaum"
        ),
        "der die das den dem des ein eine einen einem einer eines mehr wirklich immer jemals zu",
    ),
    "fr": (
        "pas jamais sans aucun aucune nul nulle ni ne non personne guère",
        "le la les un une de du des être été eu encore toujours vraiment",
    ),
    "es": (
        "no nunca jamás sin ningún ninguna ninguno tampoco ni nadie",
        (
            "el la los las lo un una se le les me te nos es son era eran fue fueron ser sido está "
            "están he ha han haber había habían puede pueden debe deben siempre realmente"
        ),
    ),
    "it": (
        "non mai senza nessun nessuno nessuna né neppure",
        (
            "il lo la i gli le un uno una si ci mi è sono era erano fu stato stata stati state "
            "ho ha hanno aver aveva avevano mai ancora più può possono deve devono sempre"
        ),
    ),
    "pt": (
        "não nunca sem nenhum nenhuma jamais nem ninguém",
        (
            "o a os as um uma se é são era eram foi foram ser sido está estão tem têm ter tinha "
            "tinham há havia pode podem deve devem sempre realmente ainda"
        ),
    ),
    "nl": ("niet geen nooit zonder noch niemand nauwelijks", "de het een te meer altijd ooit"),
    "sv": (
        "inte ej icke ingen inget inga aldrig utan knappast",
        "en ett den det de att är var varit har hade får kan längre alltid",
    ),
    "da": (
        "ikke ej ingen intet aldrig uden næppe",
        "en et den det de at er var været har havde må kan længere altid",
    ),
    "nb": (
        "ikke ingen intet aldri uten neppe",
        "en et ei den det de å er var vært har hadde må kan lenger alltid",
    ),
    "fi": (
        "ei eivät emme ette et älä älkää ilman tuskin",
        "ole olla ollut olleet saa saanut voi voinut koskaan enää vielä aina",
    ),
    "pl": (
        "nie bez nigdy ani żaden żadna żadne brak",
        "się jest są był była było były będzie będą został została zostało zostały może mogą",
    ),
    "cs": (
        (
            "není nejsou nebyl nebyla nebylo nebyly nebude nebudou nesmí nesmějí nemůže nemohou "
            "nemá nemají bez nikdy ani žádný žádná žádné sotva"
        ),
        "se být",
    ),
    "sk": (
        (
            "nie nebol nebola nebolo neboli nebude nebudú nesmie nesmú nemôže nemôžu nemá nemajú "
            "bez nikdy ani žiadny žiadna žiadne"
        ),
        "sa je sú byť",
    ),
    "ro": (
        "nu fără nici niciun nicio niciodată",
        (
            "se un o a au am ai fi fost este e sunt era erau mai va vor poate pot trebuie nu "
            "să îi le"
        ),
    ),
    "hu": ("nem ne sem nincs nincsenek soha aligha", "a az egy volt voltak lesz lehet szabad kell"),
    "ru": (
        "не нет без ни никогда нельзя",
        "был была было были будет будут быть может могут",
    ),
    "uk": ("не немає без ні ніколи", "був була було були буде будуть бути може можуть"),
    "bg": ("не няма без нито никога", "се е са беше бяха бил била било били може трябва да"),
    "el": (
        "δεν δε μη μην χωρίς όχι ποτέ κανένας καμία κανένα",
        "ο η το οι τα είναι ήταν έχει έχουν είχε είχαν θα να μπορεί πρέπει",
    ),
    "tr": ("hiçbir asla", ""),
    "ar": ("لا لم لن ليس ليست غير بدون دون", "يكن تكن يتم تتم"),
    "fa": ("بدون هیچ هرگز نباید نخواهد نمی‌توان نمی‌تواند", ""),
    "he": ("לא אין בלי אינו אינה אינם אל ללא", "את היה הייתה היתה היו יהיה תהיה יהיו"),
    "hi": ("नहीं मत न बिना", ""),
    "bn": ("না নেই", ""),
    "ko": ("안 못", ""),
    "id": ("tidak bukan jangan tanpa belum", "pernah akan lagi ada boleh dapat bisa"),
    "vi": ("không chưa chẳng đừng", "được bị phải có là hề bao giờ"),
}
#: Words that mean something else in another language ("Mai 2020", "sin egen"): in a text of an
#: unknown language they negate nothing, unless something else tells the language.
AMBIGUOUS: Final = frozenset("mai nu sin ei et sem ej né ni ne noch".split())
#: The same in scripts without spaces, where a negation ends right before the quote.
SPACELESS_NEGATIONS: Final = tuple(
    "不得 不能 不要 不可 不可以 不准 不许 不許 不允许 不允許 不会 不會 不应 不應 不应该 不應該 "
    "不必 不是 并非 並非 没有 沒有 禁止 严禁 嚴禁 请勿 請勿 切勿 不再 无法 無法 从不 從不 从未 "
    "從未 尚未 ไม่ ห้าม มิได้ ไม่ได้ ไม่มี ไม่เคย ไม่ควร ไม่ต้อง ไม่สามารถ ไม่อาจ ไม่ใช่ ไม่ถูก อย่า ปราศจาก".split()
)
LATIN_NOT: Final = ("n't", "n\u2019t")
#: In many languages a second negation denies nothing: "Nul | ne sera tenu".
SECOND_NEGATIONS: Final = frozenset("ne n no non não nu nie nem не ні δεν δε μην".split())


def folded_word(word: str) -> str:
    """Return a word as it is compared with these lists."""
    if word.isascii():
        return word.lower()
    word = INVISIBLE.sub("", word)
    return unicodedata.normalize("NFC", unicodedata.normalize("NFKC", word).casefold())


def _folded_words(words: str) -> frozenset[str]:
    return frozenset(map(folded_word, words.split()))


#: Negations that are a whole answer, too: "Pets: no".
ANSWERS: Final = _folded_words("no none non não nu nie nem ei нет не όχι لا לא tidak không")
NEGATIONS: Final = {code: _folded_words(negations) for code, (negations, _) in _WORDS.items()}
BETWEEN: Final = {code: _folded_words(between) for code, (_, between) in _WORDS.items()}
#: Words that nearly negate, and also say "as soon as": "hardly had he left when".
NEARLY: Final = _folded_words(
    "hardly scarcely kaum nauwelijks knappast næppe neppe tuskin sotva aligha"
)
ANY_NEGATION: Final = frozenset().union(*NEGATIONS.values())
ANY_BETWEEN: Final = frozenset().union(*BETWEEN.values())
