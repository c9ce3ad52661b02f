"""Greetings, and sentences that say that something is not known, in some other languages.

As in English, each pattern is closed: it matches a whole clause, in which nothing is claimed.
"""

from typing import Final

__all__ = ["CLAUSES", "GREETINGS"]

_GERMAN_SOURCES: Final = (
    r"(?:(?:den|die|der|dem|diesen?|dieser|deinen|ihren|vorliegenden|gegebenen|bereitgestellten|"
    r"angegebenen) ){1,2}(?:dokumente?n?|quellen?|texte?n?|unterlagen?|referenzen|passagen?|"
    r"ausz\u00fcgen?)"
)
_FRENCH_SOURCES: Final = (
    r"(?:les?|la|ces?|cette|vos|mes) (?:documents?|sources?|textes?|passages?|extraits?|"
    r"r\u00e9f\u00e9rences?)(?: (?:fournis?|fournies?|donn\u00e9s?|donn\u00e9es?))?"
)
_SPANISH_SOURCES: Final = (
    r"(?:los|las|el|la|estos|estas|este|esta) (?:documentos?|fuentes?|textos?|pasajes?|extractos?|"
    r"referencias?)(?: (?:proporcionad|dad|disponible)[oa]?s?)?"
)
_ABOUT_THIS: Final = r"(?: (?:dazu|dar\u00fcber|hierzu|davon|leider|jedoch|aber))*"
_NOTHING: Final = r"(?:nichts|keine (?:angaben?|informationen?|aussagen?|auskunft))"
_GERMAN: Final = (
    (
        rf"(?:dazu|dar\u00fcber|hierzu|davon) (?:steht|findet sich)(?: leider| jedoch)? {_NOTHING}"
        rf" in {_GERMAN_SOURCES}"
    ),
    (
        rf"(?:in )?{_GERMAN_SOURCES} (?:sagen|sagt|enth\u00e4lt|enthalten|nennen|nennt|geben|gibt|"
        rf"machen|steht|findet sich){_ABOUT_THIS} {_NOTHING}{_ABOUT_THIS}"
    ),
    rf"{_GERMAN_SOURCES} (?:erw\u00e4hnen|nennen|sagen) (?:das|dies|es)(?: leider| jedoch)? nicht",
    r"(?:das |dies )?wei(?:\u00df|ss) ich(?: es| das)?(?: leider)? nicht",
    r"ich wei(?:\u00df|ss)(?: es| das| die antwort(?: darauf)?)?(?: leider)? nicht",
)
_FRENCH: Final = (
    (
        rf"{_FRENCH_SOURCES} (?:n'|ne )(?:le |la |les |l'|en )?(?:mentionne|pr\u00e9cise|indique|"
        r"parle|dise|dit|contienne)(?:nt)?(?: pas| rien)(?: cela| ceci| \u00e0 ce sujet|"
        r" l\u00e0-dessus)?"
    ),
    r"je (?:ne )?(?:le )?sais pas",
)
_SPANISH: Final = (
    (
        rf"{_SPANISH_SOURCES} no (?:lo |la )?(?:mencionan?|dicen?|indican?|contienen?|especifican?|"
        r"informan?)(?: nada)?(?: (?:al respecto|sobre (?:esto|eso|ello)))?"
    ),
    r"no (?:lo )?s\u00e9",
)
#: Clauses that claim nothing.
CLAUSES: Final = (*_GERMAN, *_FRENCH, *_SPANISH, r"non (?:lo )?so", r"(?:eu )?n\u00e3o sei")
#: What stands before a sentence, or alone, and says nothing.
GREETINGS: Final = (
    r"hallo|guten (?:tag|morgen|abend)|gerne?|nat\u00fcrlich|selbstverst\u00e4ndlich|"
    r"gr\u00fc\u00df gott|bonjour|bonsoir|salut|bien s\u00fbr|volontiers|avec plaisir|"
    r"\u00a1?hola|\u00a1?buenos d\u00edas|\u00a1?buenas (?:tardes|noches)|por supuesto|con gusto|"
    r"ciao|buongiorno|buonasera|certamente|volentieri|ol\u00e1|bom dia|boa (?:tarde|noite)|"
    r"goedendag|goedemorgen|natuurlijk"
)
