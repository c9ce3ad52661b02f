"""`Judges`: which engines judge an answer; also the default engine, and engines of LLM clients.

The engines are imported when the first check needs one, because they load numpy, ONNX Runtime or
instructor, which not every installation has.
"""

import inspect
import math
import os
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from groundtypes.backends.by_name import NLI_NAMES, checked_nli_name, is_nli_name, nli_by_name
from groundtypes.backends.languages import DeclaredLanguages, Languages, language_codes
from groundtypes.backends.operating_point import Calibration, read_calibration
from groundtypes.concurrency.blocking import call_blocking
from groundtypes.concurrency.bounded_cache import BoundedCache
from groundtypes.errors import ContextError, MarkerError, MissingJudgeError
from groundtypes.scoring import LLM, THRESHOLD, NLIScorer
from groundtypes.text.message_excerpts import clip

__all__ = [
    "Judges",
    "check_threshold",
    "configured_nli",
    "default_nli",
    "entailment_threshold",
    "judges_for",
    "llm_engine",
    "named_nli",
    "nli_engine",
]

_BUNDLED: Final = "groundtypes.backends.bundled"


@dataclass(frozen=True, slots=True)
class Judges:
    """Which engines judge: an NLI engine, by default the bundled one, and perhaps an LLM.

    `nli` is an engine, or the name of one, such as "large" or "judge" (see `nli_by_name`). There is
    no LLM unless one is named: an engine, an instructor client, an OpenAI client together with
    `model`, or the name of a provider and a model ("openai/gpt-5-mini"). `checker` is what labels
    claims: an engine of either kind or its name, by default the LLM that extracts them.
    `calibration`, or the path of its file, gives the threshold of the NLI engine where a check
    names none.
    `languages` are those that the NLI engine reads (ISO 639 codes, or "any"), whatever it says
    itself; a text that is clearly in none of them is a `LanguageError`.

    Raises:
        CalibrationError: The calibration is not one, or its file cannot be read.
        ContextError: An engine is none, a name is that of none, or the languages are no codes.
    """

    nli: NLIScorer | str | None = None
    llm: Any = None
    model: str | None = None
    checker: Any = None
    calibration: Calibration | str | Path | None = None
    languages: Languages = None

    @classmethod
    def from_name(cls, name: str, **options: Any) -> "Judges":
        """Return the judges with the NLI engine of a name, which takes options of its own.

        Examples:
            >>> judges = Judges.from_name("bundled", threads=2)

        Raises:
            ContextError: There is no engine of this name.
            MissingJudgeError: What the engine needs is not installed.
        """
        return cls(nli=nli_by_name(name, **options))

    def __post_init__(self) -> None:
        object.__setattr__(self, "nli", _checked_nli(self.nli))
        _check_llm("llm", self.llm)
        if (name := _checked_name(self.checker)) is not None:
            object.__setattr__(self, "checker", name)
        elif not _has_method(self.checker, "score"):
            _check_llm("checker", self.checker)
        if self.calibration is not None:
            object.__setattr__(self, "calibration", read_calibration(self.calibration))
        if self.languages is not None:
            codes = language_codes(self.languages)
            object.__setattr__(self, "languages", "any" if codes is None else codes)


def _checked_nli(engine: Any) -> Any:
    """Return the engine, or its name with an absolute path."""
    if (name := _checked_name(engine)) is not None:
        return name
    if engine is not None and not _has_method(engine, "score"):
        raise ContextError(
            f"nli is {_described(engine, 'score')}. An NLI engine is an object with a method "
            "score(pairs), which is not async, such as OnnxNLI() or TransformersNLI('name'), or "
            f"the name of one: {NLI_NAMES}."
        )
    return engine


def _checked_name(engine: Any) -> str | None:
    """Return the name of an NLI engine with an absolute path, `None` if it is no such name."""
    if not isinstance(engine, str):
        return None
    return checked_nli_name(engine) if is_nli_name(engine) else None


def _check_llm(name: str, engine: Any) -> None:
    """Refuse what is no LLM, without an import; a client behind a proxy has its `__class__`."""
    if engine is None or _has_method(engine, "answer"):
        return
    if isinstance(engine, str):
        if "/" in engine:
            return
    elif not isinstance(engine, type):
        classes = (*type(engine).__mro__, *engine.__class__.__mro__)
        if not _CLIENTS.isdisjoint(cls.__module__.partition(".")[0] for cls in classes):
            return
    more = " A checker may be an NLI engine, too." if name == "checker" else ""
    raise ContextError(
        f"{name} is {_described(engine, 'answer')}. An LLM is the name of a provider and a model, "
        "such as 'openai/gpt-5-mini', a client of instructor or OpenAI, or an object with a method "
        f"answer(questions), which is not async.{more}"
    )


#: The packages of the clients that are asked through instructor.
_CLIENTS: Final = frozenset({"instructor", "openai"})


def _has_method(engine: Any, name: str) -> bool:
    """Return whether an engine can be called by this method; a class must be called first."""
    method = getattr(engine, name, None)
    if isinstance(engine, type) and inspect.isfunction(method):
        return False
    return callable(method) and not inspect.iscoroutinefunction(method)


def _described(engine: Any, method: str) -> str:
    if isinstance(engine, str):
        return f"the text {clip(engine, 60)!r}"
    if isinstance(engine, type):
        return f"the class {engine.__name__}, not an object of it"
    named = f"an object of type {type(engine).__name__}"
    return f"{named} whose {method} is async" if hasattr(engine, method) else named


def nli_engine(judges: Judges) -> NLIScorer:
    """Return the NLI engine of the judges, with the languages that these say it reads."""
    engine = configured_nli(judges)
    if judges.languages is None:
        return engine
    codes = language_codes(judges.languages)
    # The engine is stored with its wrapper, so that no other object can get the same `id`; the
    # same wrapper each time, so that its questions share batches and results.
    _, declared = _declared_engines.get_or_create(
        (id(engine), codes), lambda: (engine, DeclaredLanguages(engine, codes))
    )
    return declared


def configured_nli(judges: Judges) -> NLIScorer:
    """Return the NLI engine of the judges itself, by default the bundled one."""
    if judges.nli is None:
        return default_nli()
    return named_nli(judges.nli) if isinstance(judges.nli, str) else judges.nli


def named_nli(name: str) -> NLIScorer:
    """Return the NLI engine of this name: the same object each time within a process."""
    name = checked_nli_name(name)
    return _named_engines.get_or_load(name, lambda: nli_by_name(name))


#: The engines used last that were named.
_named_engines: Final = BoundedCache[str, NLIScorer](16)


def judges_for(model: Any, judges: Judges | str | None) -> Judges | None:
    """Return the judges of the answers of a model; `None` leaves the model its own.

    A name is that of an NLI engine, which replaces the one in the model's own judges. Their LLM
    stays; their calibration and languages do not hold for another NLI engine.
    """
    if not isinstance(judges, str):
        return judges
    name = checked_nli_name(judges)
    own: Judges | None = getattr(model, "__groundtypes_judges__", None)
    if own is None:
        return Judges(nli=name)
    by_nli = isinstance(own.checker, NLIScorer) or _checked_name(own.checker) is not None
    checker = name if by_nli else own.checker
    return replace(own, nli=name, checker=checker, calibration=None, languages=None)


#: The engines used last whose languages `Judges` name.
_declared_engines: Final = BoundedCache[
    tuple[int, tuple[str, ...] | None], tuple[NLIScorer, NLIScorer]
](16)


def entailment_threshold(judges: Judges, threshold: float | None = None) -> float:
    """Return the threshold that is given, or that of the judges' calibration, or `THRESHOLD`."""
    check_threshold(threshold)
    if threshold is not None:
        return threshold
    if judges.calibration is None:
        return THRESHOLD
    return read_calibration(judges.calibration).threshold_for(configured_nli(judges))


def check_threshold(threshold: object) -> None:
    """Raise unless a threshold is `None` or a number greater than 0 and at most 1."""
    if threshold is None:
        return
    is_number = isinstance(threshold, int | float) and not isinstance(threshold, bool)
    if not is_number or math.isnan(threshold) or not 0.0 < threshold <= 1.0:  # type: ignore[arg-type,operator] # a number
        raise MarkerError(f"threshold must be greater than 0 and at most 1, not {threshold!r}")


def default_nli() -> NLIScorer:
    """Return the default engine, which is bundled: always the same object within a process."""
    if _BUNDLED in sys.modules:
        return _bundled_nli()
    return call_blocking(_bundled_nli)  # its imports take half a second


def _bundled_nli() -> NLIScorer:
    try:
        from groundtypes.backends.bundled import BUNDLED_NLI  # noqa: PLC0415 # needs an extra
    except ImportError as error:
        raise MissingJudgeError(
            "This check needs an NLI engine. Install what the bundled engine needs: "
            "pip install 'groundtypes[nli]'; or name another: "
            "context={'judges': Judges(nli=...)}."
        ) from error
    return BUNDLED_NLI


def llm_engine(client: Any, model: str | None = None) -> LLM:
    """Return the client itself if it is an engine, else an engine that asks it.

    The engines of the 16 clients used last are reused, with their caches and token counts.
    """
    if client is None:
        raise MissingJudgeError(
            "This check needs an LLM. Name one: "
            "context={'judges': Judges(llm='openai/gpt-5-mini')}, or Judges(llm=client)."
        )
    if isinstance(client, LLM):
        return client
    key = (_named(client) if isinstance(client, str) else id(client), model)
    # The client is stored with its engine, so that no other object can get the same `id`.
    return _llm_engines.get_or_load(key, lambda: (client, _instructor_llm(client, model)))[1]


def _named(name: str) -> tuple[str, int]:
    """Return the name of an LLM with a hash of what its provider reads from the environment."""
    provider = name.partition("/")[0].upper()
    variables = sorted(item for item in os.environ.items() if item[0].startswith(provider))
    return name, hash(tuple(variables))


#: The engines of the clients used last.
_llm_engines: Final = BoundedCache[tuple[object, str | None], tuple[Any, LLM]](16)


def _instructor_llm(client: Any, model: str | None) -> LLM:
    try:
        from groundtypes.backends.llm import InstructorLLM  # noqa: PLC0415 # needs an extra
    except ImportError as error:
        raise MissingJudgeError(
            "An LLM is asked through instructor: pip install 'groundtypes[instructor]'."
        ) from error
    return InstructorLLM(client, model)
