"""Which engines judge an answer, and the engine that judges where none is named.

The engines are imported when the first check needs one: they load numpy, ONNX Runtime or
instructor, which not every installation has.
"""

import threading
from collections import OrderedDict
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from groundtypes.errors import MissingJudgeError
from groundtypes.scoring import LLM, NLIScorer

__all__ = ["Judges", "default_nli", "llm_engine", "nli_engine"]

#: The engines of the clients used last are kept, up to this number.
_MAX_CLIENTS: Final = 16


@dataclass(frozen=True, slots=True)
class Judges:
    """Which engines judge; for an NLI engine that is left out the bundled one does.

    There is no LLM unless one is named: an engine, an instructor client, an OpenAI client together
    with `model`, or the name of a provider and a model ("openai/gpt-5-mini"). `checker` is what
    labels claims: an engine of either kind, by default the LLM that extracts them.
    """

    nli: NLIScorer | None = None
    llm: Any = None
    model: str | None = None
    checker: Any = None


def nli_engine(judges: Judges) -> NLIScorer:
    """Return the NLI engine of the judges, by default the bundled one.

    Raises:
        MissingJudgeError: No engine is named, and what the bundled one needs is not installed.
    """
    return default_nli() if judges.nli is None else judges.nli


def default_nli() -> NLIScorer:
    """Return the bundled NLI engine, which is created once for each process.

    Raises:
        MissingJudgeError: What it needs is not installed.
    """
    with _lock:
        try:
            return _bundled_nli()
        except ImportError as error:
            raise MissingJudgeError(
                "This check needs an NLI engine. Install the one that is bundled with "
                "pip install 'groundtypes[nli]', or name one: "
                "context={'judges': Judges(nli=...)}."
            ) from error


def llm_engine(client: Any, model: str | None = None) -> LLM:
    """Return the client itself if it is an engine, else an engine that sends it the questions.

    The engine of a client is created once.

    Raises:
        MissingJudgeError: There is no client, or what it needs is not installed.
        ContextError: The client is of no known kind.
    """
    if client is None:
        raise MissingJudgeError(
            "This check needs an LLM. Name one: "
            "context={'judges': Judges(llm='openai/gpt-5-mini')}, or Judges(llm=client)."
        )
    if isinstance(client, LLM):
        return client
    # The client is kept beside its engine, so that no other object can take over its `id()`.
    key = (client if isinstance(client, str) else id(client), model)
    with _lock:
        if key not in _llm_engines:
            _llm_engines[key] = (client, _instructor_llm(client, model))
            while len(_llm_engines) > _MAX_CLIENTS:
                _llm_engines.popitem(last=False)
        _llm_engines.move_to_end(key)
        return _llm_engines[key][1]


_lock: Final = threading.Lock()
_llm_engines: Final[OrderedDict[tuple[object, str | None], tuple[Any, LLM]]] = OrderedDict()


@cache
def _bundled_nli() -> NLIScorer:
    from groundtypes.backends.nli_onnx import OnnxNLI  # noqa: PLC0415 # needs an extra

    return OnnxNLI()


def _instructor_llm(client: Any, model: str | None) -> LLM:
    try:
        from groundtypes.backends.llm import InstructorLLM  # noqa: PLC0415 # needs an extra

        return InstructorLLM(client, model)
    except ImportError as error:
        raise MissingJudgeError(
            "An LLM is asked through instructor: pip install 'groundtypes[instructor]'."
        ) from error
