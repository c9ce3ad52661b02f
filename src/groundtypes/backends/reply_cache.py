"""Caches of the replies of LLMs, so that no question is paid for twice.

A key is a hash of the endpoint, the mode and the model, the prompt with its version, the schema of
the reply and the content. The reply itself is stored as JSON: it is what the LLM wrote, and may
repeat words of references.
"""

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final, Protocol

from pydantic import BaseModel

from groundtypes.backends.score_cache import content_key
from groundtypes.backends.sqlite_table import SQLiteTable
from groundtypes.concurrency.bounded_cache import BoundedCache
from groundtypes.scoring import Question

#: About how many characters of replies are in memory, which a server may have made long.
_MAX_CHARACTERS: Final = 100_000_000
#: What a key is made of; another recipe has another name.
_VERSION: Final = "reply/2"


class ReplyCache(Protocol):
    """Where an engine stores replies as JSON; called from many threads at once."""

    def get(self, keys: Sequence[bytes], /) -> Mapping[bytes, str]:
        """Return the replies under those keys that are stored."""
        ...

    def put(self, replies: Mapping[bytes, str], /) -> None:
        """Store the replies under their keys."""


def reply_key(llm: str, question: Question) -> bytes:
    """Return the key of a question to an LLM: the endpoint, the mode, the model and the options."""
    examples = (part for example in question.examples for part in example)
    schema = _schema(question.response_model)
    asked = (question.prompt, question.instructions, schema, question.content, *examples)
    return content_key((_VERSION, llm, *asked))


@lru_cache(maxsize=64)
def _schema(response_model: type[BaseModel]) -> str:
    return json.dumps(response_model.model_json_schema(), sort_keys=True)


class MemoryReplyCache:
    """The replies used last, in memory."""

    def __init__(self, max_entries: int = 20_000) -> None:
        """Make an empty cache of at most `max_entries` replies."""
        self._replies = BoundedCache[bytes, str](
            max_entries, max_weight=_MAX_CHARACTERS, weigh=lambda _, reply: len(reply)
        )

    def get(self, keys: Sequence[bytes], /) -> Mapping[bytes, str]:
        """Return the replies under those keys that are stored."""
        return self._replies.get_many(keys)

    def put(self, replies: Mapping[bytes, str], /) -> None:
        """Store the replies, and forget those over the bound that were used longest ago."""
        self._replies.put_many(replies)


class DiskReplyCache:
    """Replies in an SQLite file, which processes of one machine share and later runs read.

    Raises:
        BackendError: The file cannot be read or written, or is not a reply cache.
    """

    def __init__(self, path: str | Path, *, max_entries: int = 1_000_000) -> None:
        """Store the path of the file, and about how many replies it may hold."""
        self.path = Path(path)
        self._table = SQLiteTable(self.path, "replies", {"answer": "TEXT"}, max_entries)

    def get(self, keys: Sequence[bytes], /) -> Mapping[bytes, str]:
        """Return the replies under those keys that are stored."""
        return {key: str(reply) for key, (reply,) in self._table.get(keys).items()}

    def put(self, replies: Mapping[bytes, str], /) -> None:
        """Store the replies; when there are too many, the oldest tenth is deleted."""
        self._table.put({key: (reply,) for key, reply in replies.items()})

    def close(self) -> None:
        """Close the file; the next use opens it again."""
        self._table.close()
