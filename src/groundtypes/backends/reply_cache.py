"""Caches of the replies of LLMs, so that no question is paid for twice.

A key is a hash of the endpoint, the mode and the model, the prompt with its version, the schema of
the reply and the content. The reply itself is stored as JSON: it is what the LLM wrote, and may
repeat words of references.
"""

import json
from functools import lru_cache
from pathlib import Path
from typing import ClassVar, Final, TypeAlias

from pydantic import BaseModel

from groundtypes.backends.content_caches import Cache, DiskCache, MemoryCache, content_key
from groundtypes.scoring import Question

#: About how many characters of replies are in memory, which a server may have made long.
_MAX_CHARACTERS: Final = 100_000_000
#: What a key is made of; another recipe has another name.
_VERSION: Final = "reply/2"

#: Holds replies as JSON.
ReplyCache: TypeAlias = Cache[str]


def reply_key(llm: str, question: Question) -> bytes:
    """Return the key of a question to an LLM: the endpoint, the mode, the model and the options."""
    examples = (part for example in question.examples for part in example)
    schema = _schema(question.response_model)
    asked = (question.prompt, question.instructions, schema, question.content, *examples)
    return content_key((_VERSION, llm, *asked))


@lru_cache(maxsize=64)
def _schema(response_model: type[BaseModel]) -> str:
    return json.dumps(response_model.model_json_schema(), sort_keys=True)


class MemoryReplyCache(MemoryCache[str]):
    """The replies used last, in memory."""

    def __init__(self, max_entries: int = 20_000) -> None:
        """Make an empty cache of at most `max_entries` replies."""
        super().__init__(max_entries, _MAX_CHARACTERS, lambda _, reply: len(reply))


class DiskReplyCache(DiskCache[str]):
    """Replies in an SQLite file, which processes of one machine share and later runs read.

    Raises:
        BackendError: The file cannot be read or written, or is not a reply cache.
    """

    _table = "replies"
    _columns: ClassVar = {"answer": "TEXT"}

    def __init__(self, path: str | Path, *, max_entries: int = 1_000_000) -> None:
        """Store the path of the file, and about how many replies it may hold."""
        super().__init__(path, max_entries)
