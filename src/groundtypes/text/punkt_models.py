"""NLTK's Punkt models of other languages, where the user has them.

`pip install 'groundtypes[nltk]'`, and NLTK's data "punkt_tab" in one of the folders that NLTK reads
(`nltk.download("punkt_tab")`, or `NLTK_DATA`). Nothing is downloaded here. Of a model its
parameters are used, by the algorithm of `groundtypes.text.punkt`: it knows more closing marks,
terminators and kinds of abbreviations than NLTK's, and takes linear time on every text.
"""

import os
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from groundtypes.text.language_detection import is_plainly_english, most_probable_language
from groundtypes.text.punkt import Parameters, english_parameters

__all__ = ["NLTK_NAMES", "parameters_of"]

#: The languages of NLTK's models that cut better than the English parameters: its code -> its name
#: in NLTK. Of Russian there is a model too, which cuts worse (`docs/sentences.md`).
NLTK_NAMES: Final = {
    "cs": "czech", "da": "danish", "de": "german", "el": "greek", "es": "spanish",
    "et": "estonian", "fi": "finnish", "fr": "french", "it": "italian", "nb": "norwegian",
    "nl": "dutch", "pl": "polish", "pt": "portuguese", "sl": "slovene", "sv": "swedish",
    "tr": "turkish",
}  # fmt: skip
_CANDIDATES: Final = ("en", *NLTK_NAMES)
#: The flags of a word in NLTK's `ortho_context`, from Kiss and Strunk (2006), section 4.3.
_CAPITALISED_INSIDE: Final = 4
_LOWER_CASE: Final = 16 | 32 | 64


def parameters_of(text: str) -> Parameters | None:
    """Return the parameters of NLTK's model for the language of a text.

    `None` if the text is English, too short to tell, or the user has no model of its language.
    """
    if is_plainly_english(text) or not _may_have_models():
        return None
    language = most_probable_language(text, _CANDIDATES)
    return None if language is None or language == "en" else _load(NLTK_NAMES[language])


def _may_have_models() -> bool:
    """Return whether NLTK has been imported, or is installed and has models in a usual folder.

    Importing NLTK takes seconds, which somebody who has it for another reason need not wait for.
    Folders that a program adds to `nltk.data.path` are seen once it has imported NLTK.
    """
    return "nltk.data" in sys.modules or _has_models()


@cache
def _has_models() -> bool:
    if find_spec("nltk") is None:
        return False
    given = (Path(folder) for folder in os.environ.get("NLTK_DATA", "").split(os.pathsep) if folder)
    roots = (Path(sys.prefix), Path("/usr"), Path("/usr/local"))
    windows = (os.environ.get("APPDATA"), "C:\\", "D:\\", "E:\\")
    folders = (
        *given,
        Path("~/nltk_data").expanduser(),
        *(root / part / "nltk_data" for root in roots for part in ("", "share", "lib")),
        *(Path(folder) / "nltk_data" for folder in windows if folder and os.name == "nt"),
    )
    return any((folder / "tokenizers" / "punkt_tab").is_dir() for folder in folders)


@cache
def _load(name: str) -> Parameters | None:
    """Return the parameters of a model, read once; `None` if the user does not have it."""
    from nltk.data import find  # noqa: PLC0415 # an extra, and slow to import
    from nltk.tokenize.punkt import load_punkt_params  # noqa: PLC0415 # the same

    try:
        model = load_punkt_params(find(f"tokenizers/punkt_tab/{name}/"))
    except LookupError:
        return None
    lower: set[str] = set()
    either: set[str] = set()
    for word, flags in model.ortho_context.items():
        if flags & _LOWER_CASE and word[:1].isalpha():
            (either if flags & _CAPITALISED_INSIDE else lower).add(word)
    english = english_parameters()
    return Parameters(
        english.abbreviations | model.abbrev_types,
        english.starters | model.sent_starters,
        frozenset(lower),
        frozenset(either),
    )
