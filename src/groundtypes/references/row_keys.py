"""The keys of a row's parts, as this package, Ragas, TruLens and DeepEval name them.

Two keys of one part with different values are a mistake of the row: nothing chooses between them.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from groundtypes.errors import ContextError
from groundtypes.references.reading import CONTEXT_KEYS
from groundtypes.text.message_excerpts import clip

_MOST_SHOWN: Final = 20


@dataclass(frozen=True, slots=True)
class RowKey:
    """A part of a row: the option that names its key, and its usual keys, the preferred one first.

    A value under a usual key that is not the option itself is only one of this part if it has one
    of `types`: such a word as "input" stands for much else, too.
    """

    option: str
    names: tuple[str, ...]
    types: tuple[type, ...] = (object,)

    def named(self, key: str | None, others: Collection[str | None]) -> "RowKey":
        """Return this part under the key that was named for it, else without those of `others`."""
        return self.without(others) if key is None else RowKey(self.option, (key,))

    def without(self, keys: Collection[str | None], kept: Collection[str] = ()) -> "RowKey":
        """Return this part without some keys, such as fields of a model, but with those `kept`."""
        names = (name for name in self.names if name in kept or name not in keys)
        return replace(self, names=tuple(names))

    def find(
        self,
        row: Mapping[str, Any],
        read: Callable[[Any], Any] | None = None,
        *,
        first: bool = False,
    ) -> tuple[str | None, Any]:
        """Return the key of a row that holds this part, and its value, or what `read` makes of it.

        Both are `None` where no key has a value.

        Raises:
            ContextError: Two keys have different values, and not the `first` one is asked for.
        """
        found = [
            (name, row[name] if read is None else read(row[name]))
            for name in self.names
            if row.get(name) is not None
            and (name == self.option or isinstance(row[name], self.types))
        ]
        for name, value in () if first else found[1:]:
            if value != found[0][1]:
                raise ContextError(
                    f"the keys {found[0][0]!r} and {name!r} hold different values for "
                    f"`{self.option}`; name one of them by this option"
                )
        return found[0] if found else (None, None)

    def missing(self, row: Iterable[str]) -> str:
        """Return a text that says which keys are looked for, and which ones a row has."""
        keys = list(row)
        if empty := [name for name in self.names if name in keys]:
            return f"{shown_keys(empty)}, which holds none"
        wanted = " or ".join(clip(repr(name), 40) for name in self.names)
        return f"{wanted}, but {shown_keys(keys)}; the option `{self.option}` names another"


def shown_keys(keys: Iterable[object]) -> str:
    """Return the first keys of a row or columns of a table, to be shown in a message."""
    names = list(keys)
    more = ", …" if len(names) > _MOST_SHOWN else ""
    return (", ".join(clip(repr(str(name)), 40) for name in names[:_MOST_SHOWN]) or "none") + more


REFERENCES: Final = RowKey(
    "references", (*CONTEXT_KEYS, "contexts", "retrieved_contexts", "retrieval_context")
)
ANSWER: Final = RowKey(
    "answer", ("answer", "response", "output", "actual_output"), (str, dict, list)
)
QUESTION: Final = RowKey("question", ("question", "user_input", "query", "input"), (str,))
#: What an answer is compared with; `reference` is that of Ragas, and no reference text.
EXPECTED: Final = RowKey(
    "ground_truth", ("ground_truth", "reference", "expected_output", "expected_response"), (str,)
)
