"""Replies of LLMs kept by content, so that no question is paid for twice.

A key is a hash of the model, the prompt's version and words, and the content. The answer itself is
kept as JSON: it is what the model wrote, and may repeat words of references.
"""

import hashlib
import json
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Protocol

from pydantic import BaseModel

from groundtypes.backends.forks import renew_in_child
from groundtypes.backends.sqlite_table import SQLiteTable
from groundtypes.scoring import Question

__all__ = ["DiskReplyCache", "MemoryReplyCache", "ReplyCache", "reply_key"]


class ReplyCache(Protocol):
    """Where an engine keeps answers, as JSON; called from many threads at once."""

    def get(self, keys: Sequence[bytes], /) -> Mapping[bytes, str]:
        """Return the answers under those keys that are known."""
        ...

    def put(self, answers: Mapping[bytes, str], /) -> None:
        """Keep answers."""
        ...


def reply_key(identity: str, question: Question) -> bytes:
    """Return the key of a question: 16 bytes of BLAKE2b."""
    schema = _schema(question.response_model)
    digest = hashlib.blake2b(digest_size=16)
    examples = (part for example in question.examples for part in example)
    told = (identity, question.prompt, question.instructions, schema, question.content)
    for part in (*told, *examples):
        data = part.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "big"))
        digest.update(data)
    return digest.digest()


@lru_cache(maxsize=64)
def _schema(answer: type[BaseModel]) -> str:
    return json.dumps(answer.model_json_schema(), sort_keys=True)


class MemoryReplyCache:
    """The answers used last, in memory; in a forked child it starts empty."""

    def __init__(self, answers: int = 20_000) -> None:
        """Take the number of answers to keep."""
        self._limit = answers
        self._answers: OrderedDict[bytes, str] = OrderedDict()
        self._lock = threading.Lock()
        renew_in_child(self)

    def get(self, keys: Sequence[bytes], /) -> Mapping[bytes, str]:
        """Return the answers under those keys that are known."""
        with self._lock:
            found = {key: self._answers[key] for key in keys if key in self._answers}
            for key in found:
                self._answers.move_to_end(key)
            return found

    def put(self, answers: Mapping[bytes, str], /) -> None:
        """Keep answers, and forget those over the limit that were used longest ago."""
        with self._lock:
            self._answers.update(answers)
            while len(self._answers) > self._limit:
                self._answers.popitem(last=False)

    def renew(self) -> None:
        """Start empty in a forked child: another thread may have been writing."""
        self._lock = threading.Lock()
        self._answers = OrderedDict()


class DiskReplyCache:
    """Answers in an SQLite file, shared by processes on one machine and kept between runs.

    Raises:
        BackendError: The file cannot be read or written, or is no such cache.
    """

    def __init__(self, path: str | Path, *, answers: int = 1_000_000) -> None:
        """Take the file, which is made if it is not there, and about how many answers to keep."""
        self.path = Path(path)
        self._table = SQLiteTable(self.path, "replies", {"answer": "TEXT"}, answers)

    def get(self, keys: Sequence[bytes], /) -> Mapping[bytes, str]:
        """Return the answers under those keys that are known."""
        return {key: str(answer) for key, (answer,) in self._table.get(keys).items()}

    def put(self, answers: Mapping[bytes, str], /) -> None:
        """Keep answers; over the limit, the oldest tenth goes."""
        self._table.put({key: (answer,) for key, answer in answers.items()})

    def close(self) -> None:
        """Close the file; the next use opens it again."""
        self._table.close()
