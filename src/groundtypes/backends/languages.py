"""Which languages an engine reads, and the check that it is asked only about texts in these.

A model that is shown another language returns scores that mean nothing. So a text that is clearly
in none of the languages is a mistake, and neither a pass nor a fault of the answer.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, lru_cache
from typing import Any, Final, TypeAlias

from groundtypes.errors import BackendError, ContextError, LanguageError
from groundtypes.scoring import EngineWrapper, NLIScorer, Pair, asked_engine
from groundtypes.text.message_excerpts import excerpt

#: One or more ISO 639 codes, or "any"; `None` if it is not known what an engine reads.
Languages: TypeAlias = str | Iterable[str] | None

#: What the judge reads, by ISO 639 codes: the languages for which it was measured.
JUDGE_LANGUAGES: Final = tuple("en de fr es it pt nl pl sv ru uk tr cs zh ja ko ar".split())

_CODE: Final = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]+)*")
_JUDGE: Final = "Judges(nli=CausalNLI.judge()), which needs pip install 'groundtypes[judge]'"
#: How many characters of a text a message shows.
_EXCERPT: Final = 80
#: How many characters of a text are read.
_READ: Final = 2_000


def language_codes(languages: Languages) -> tuple[str, ...] | None:
    """Return the codes of languages in lower case; `None` if any language may be read."""
    if languages is None:
        return None
    several = list(languages) if isinstance(languages, Iterable) else []
    codes: list[Any] = [languages] if isinstance(languages, str) else several
    if "any" in codes:
        return None
    if not codes or not all(isinstance(code, str) and _CODE.fullmatch(code) for code in codes):
        raise ContextError(
            f'languages is {languages!r}; pass codes of ISO 639 such as ["en", "de"], or "any"'
        )
    return tuple(dict.fromkeys(code.lower() for code in codes))


class DeclaredLanguages(EngineWrapper):
    """An NLI engine of which somebody else says what it reads."""

    def __init__(self, engine: NLIScorer, languages: Languages) -> None:
        super().__init__(engine)
        self.languages = language_codes(languages)

    @cached_property
    def stages(self) -> tuple[Any, Any, tuple[float, float]]:
        """Those of a cascade: of these languages the first engine reads its own, the second all."""
        from groundtypes.text.language_detection import name_of_language  # noqa: PLC0415 # as below

        engine: Any = self.engine
        first, then, between = engine.stages
        last = DeclaredLanguages(then, self.languages)
        own = engine_languages(first)
        if self.languages is None or own is None:
            return DeclaredLanguages(first, own or self.languages), last, between
        named = set(map(name_of_language, self.languages))
        common = [code for code in own if name_of_language(code) in named]
        return DeclaredLanguages(first, common) if common else last, last, between

    def __repr__(self) -> str:
        return f"{self.engine!r} for {self.languages or 'any language'}"


def check_languages(
    engine: Any, questions: Sequence[Any], around: Callable[[str], str] | None = None
) -> None:
    """Raise a `LanguageError` if a text of a pair is clearly in none of the engine's languages.

    `around` returns what stands around a premise or a hypothesis in the text that it is from: the
    language of a sentence is hard to tell from the sentence alone.
    """
    languages = engine_languages(engine)
    if languages is None:
        return
    texts: dict[str, str] = {}
    for question in questions:
        if isinstance(question, Pair):
            texts.setdefault(question.hypothesis, "statement")
            texts.setdefault(question.premise, "passage of the references")
    for text, role in texts.items():
        found = _foreign_language(text[:_READ], languages)
        if found is not None and around is not None:
            found = _foreign_part(text, languages, around(text))
        if found is not None:
            raise LanguageError(_message(engine, languages, found, role, text))


def engine_languages(engine: Any) -> tuple[str, ...] | None:
    """Return the languages that an engine says it reads; `None` if it says nothing, or any."""
    return language_codes(getattr(engine, "languages", None))


def is_in_other_language(text: str, languages: tuple[str, ...], around: Callable[[], str]) -> bool:
    """Whether a text is clearly in none of the languages, as what stands around it confirms."""
    found = _foreign_language(text[:_READ], languages)
    return found is not None and _foreign_part(text, languages, around()) is not None


def _foreign_part(text: str, languages: tuple[str, ...], around: str) -> str | None:
    """Return the name of a text's language if it is clearly none, with what stands around it."""
    among_readable = seems_to_be_in(around, languages)
    return _foreign_language(text[:_READ], languages, among_readable=among_readable)


def seems_to_be_in(text: str, languages: tuple[str, ...]) -> bool:
    """Whether a text says enough to be in one of the languages rather than in any other."""
    from groundtypes.text.language_detection import seems_readable  # noqa: PLC0415 # seldom needed

    return seems_readable(text[:_READ], languages)


def check_user_questions(engine: Any, questions: Iterable[str | None]) -> None:
    """Raise a `LanguageError` if a user's question before premises is in a language not read."""
    languages = engine_languages(engine)
    if languages is None:
        return
    for question in dict.fromkeys(questions):
        found = _foreign_language(question[:_READ], languages) if question else None
        if question is not None and found is not None:
            raise LanguageError(_message(engine, languages, found, "question", question))


@lru_cache(maxsize=2048)
def _foreign_language(
    text: str, languages: tuple[str, ...], *, among_readable: bool = False
) -> str | None:
    """Return the name of a text's language if it is clearly none of the languages."""
    from groundtypes.text.language_detection import foreign_language  # noqa: PLC0415 # seldom needed

    try:
        return foreign_language(text, languages, among_readable=among_readable)
    except (OSError, ValueError) as error:
        raise BackendError(
            "The table of languages shipped with groundtypes is damaged; reinstall groundtypes."
        ) from error


def _message(engine: object, languages: Sequence[str], found: str, role: str, text: str) -> str:
    from groundtypes.text.language_detection import name_of_language  # noqa: PLC0415 # as above

    names = " and ".join(dict.fromkeys(map(name_of_language, languages)))
    is_judged = _foreign_language(text[:_READ], JUDGE_LANGUAGES) is None
    other = _JUDGE if is_judged else "Judges(nli=...)"
    name = type(asked_engine(engine)).__name__
    return (
        f"{name} reads {names}, and this {role} seems to be in {found}: "
        f"{excerpt(text, _EXCERPT)}. Translate it or leave it out, or name an engine that reads "
        f'it: {other}. If the engine does read it, say so: Judges(nli=..., languages="any").'
    )
