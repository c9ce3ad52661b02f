"""The judges that a command line names."""

import os
from pathlib import Path
from typing import Any

from groundtypes.errors import ContextError, MissingJudgeError, Mistake
from groundtypes.judges import Judges, default_nli

__all__ = ["judges_of"]


def judges_of(
    llm: str,
    *,
    base_url: str | None = None,
    mode: str | None = None,
    by_nli: bool = False,
    cache: Path | None = None,
    concurrency: int = 16,
    most_calls: int | None = None,
) -> Judges:
    """Return the judges that a command line names: an LLM, and perhaps NLI to label claims.

    `llm` is "provider/model", or with `base_url` the name of a model at an endpoint that speaks as
    OpenAI's does. The key is the one in the environment.

    Raises:
        MissingJudgeError: instructor is not installed.
        ContextError: There is no such provider or mode.
    """
    try:
        import instructor  # noqa: PLC0415 # an extra
        import openai  # noqa: PLC0415 # the same

        from groundtypes.backends.llm import Budget, InstructorLLM  # noqa: PLC0415 # the same
        from groundtypes.backends.reply_cache import DiskReplyCache  # noqa: PLC0415 # the same
    except ImportError as error:
        raise MissingJudgeError(
            "An LLM is asked through instructor: pip install 'groundtypes[instructor]'."
        ) from error
    client: Any = llm
    if base_url is not None:
        # An endpoint of one's own may want no key, but the client does.
        key = os.environ.get("OPENAI_API_KEY", "-")
        client = openai.OpenAI(base_url=base_url, api_key=key)
    try:
        engine = InstructorLLM(
            client,
            llm if base_url is not None else None,
            mode=None if mode is None else instructor.Mode[mode.upper()],
            concurrency=concurrency,
            budget=Budget(calls=most_calls),
            cache=None if cache is None else DiskReplyCache(cache),
        )
    except KeyError as error:
        raise ContextError(f"instructor has no mode {mode!r}") from error
    except ImportError as error:
        raise MissingJudgeError(f"{llm} needs a package that is not installed: {error}") from error
    except Mistake:
        raise
    except Exception as error:
        raise ContextError(f"{llm} cannot be asked: {type(error).__name__}") from error
    return Judges(llm=engine, checker=default_nli() if by_nli else None)
