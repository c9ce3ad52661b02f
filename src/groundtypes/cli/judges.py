"""The engines that a command line names."""

import logging
import os
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from groundtypes.backends.redaction import redact
from groundtypes.cli.options import LLMConnection
from groundtypes.errors import ContextError, DatasetError, MissingJudgeError, Mistake
from groundtypes.judges import Judges, entailment_threshold, judges_for, named_nli
from groundtypes.text.message_excerpts import clip

# instructor logs an error before it raises it; the command line prints what is raised.
logging.getLogger("instructor").addHandler(logging.NullHandler())


def available(judge: str | None) -> str | None:
    """Return the name of an NLI engine, once it is known that this engine can be made here.

    So a mistake is raised before a file is opened, also where workers make the engine later.
    """
    if judge is not None:
        named_nli(judge)
    return judge


def calibrated(model: Any, judge: str | None, path: Path | None) -> Judges | str | None:
    """Return the judges of a model's answers with the calibration in a file, if one is named."""
    if path is None:
        return judge
    own = judges_for(model, judge) or getattr(model, "__groundtypes_judges__", None) or Judges()
    judges = replace(own, calibration=path)
    entailment_threshold(judges)  # one of another engine is a mistake before a file is opened
    return judges


def llm_judges(
    llm: str,
    connection: LLMConnection,
    *,
    checker: str | None = None,
    concurrency: int = 16,
    most_calls: int | None = None,
) -> Judges:
    """Return judges with the LLM of this name, and the NLI engine that labels claims, if any.

    `llm` is "provider/model", or the name of a model where the connection has a base URL. The key
    is the one in the environment.
    """
    try:
        import instructor
        import openai

        from groundtypes.backends.llm import Budget, InstructorLLM
        from groundtypes.backends.reply_cache import DiskReplyCache
    except ImportError as error:
        raise MissingJudgeError(
            "An LLM is asked through instructor: pip install 'groundtypes[instructor]'."
        ) from error
    client: Any = llm
    if connection.base_url is not None:
        _check_address(connection.base_url)
    try:
        if connection.base_url is not None:
            # A server of one's own may need no key, but the client does.
            key = os.environ.get("OPENAI_API_KEY", "").strip() or "-"
            client = openai.OpenAI(base_url=connection.base_url, api_key=key)
        engine = InstructorLLM(
            client,
            llm if connection.base_url is not None else None,
            mode=None if connection.mode is None else instructor.Mode[connection.mode.upper()],
            concurrency=concurrency,
            budget=Budget(calls=most_calls),
            cache=None if connection.cache is None else DiskReplyCache(connection.cache),
        )
    except KeyError as error:
        raise ContextError(f"instructor has no mode {connection.mode!r} (--mode)") from error
    except ImportError as error:
        raise MissingJudgeError(f"{llm} needs a package that is not installed: {error}") from error
    except Mistake:
        raise
    except Exception as error:
        raise ContextError(f"{llm} cannot be asked: {type(error).__name__}") from error
    return Judges(nli=checker, llm=engine, checker=available(checker))


def _check_address(url: str) -> None:
    """Refuse what no request can be sent to. The message does not repeat it: it may hold a key."""
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # no port, or brackets without an end
        usable = False
    if not usable or any(map(str.isspace, url)):
        raise ContextError(
            "--base-url must be the address of a server, such as http://localhost:8000/v1"
        )


def instructor_client(llm: str) -> Any:
    """Return the instructor client for "provider/model"."""
    try:
        from groundtypes.backends.llm_clients import missing_key, provider_client
    except ImportError as error:
        raise MissingJudgeError(
            "--ask needs instructor: pip install 'groundtypes[instructor]'"
        ) from error
    try:
        return provider_client(llm, {})
    except Exception as error:
        if (variable := missing_key(error)) is not None:
            raise DatasetError(
                f"--ask {llm}: its key is missing. Set the environment variable {variable}."
            ) from error
        reason = f"{type(error).__name__}: {clip(redact(str(error)), 300)}"
        raise DatasetError(f"--ask {llm}: {reason}") from error
