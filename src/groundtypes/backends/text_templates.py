"""Pairs of texts written into one text, for judges that were trained on such a text."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from groundtypes.backends.tokenization import Encode, TokenizedPair, encodable
from groundtypes.errors import BackendError, ContextError
from groundtypes.scoring import Pair

_PLACEHOLDER: Final = re.compile(r"\{(premise|hypothesis)\}")
_TOKEN: Final = re.compile(r"(\{(?:sep|pad)\})")
#: At most this many characters for each token of the window are tokenized.
_CHARACTERS_PER_TOKEN: Final = 12


class TemplateTokenizer:
    """Writes each pair into a template, within a window; a premise that is too long is truncated.

    `{premise}` and `{hypothesis}` stand for the texts, `{sep}` and `{pad}` for the tokens of these
    names. What stands between two such tokens is encoded as one text, as where the model was
    trained. The hypothesis may take up half of the window.

    Raises:
        ContextError: A placeholder is missing or occurs twice.
        BackendError: The tokenizer has no such token, or the window is too small.
    """

    def __init__(
        self,
        encode: Encode,
        encode_text: Callable[[str], Sequence[int]],
        tokens: Mapping[str, int | None],
        template: str,
        window: int,
    ) -> None:
        """Store the template; `encode_text` adds special tokens, whose ids `tokens` names."""
        check_template(template)
        self._encode = encode
        probe = "word"
        plain, whole = list(encode([probe])[0]), list(encode_text(probe))
        starts = [
            at for at in range(len(whole) - len(plain) + 1) if whole[at : at + len(plain)] == plain
        ]
        if not starts:
            raise BackendError("The tokenizer of the model changes a text between special tokens.")
        self._opening, self._closing = whole[: starts[0]], whole[starts[0] + len(plain) :]
        self._parts: list[str | int] = []
        for part in _TOKEN.split(template):
            if _TOKEN.fullmatch(part):
                if (token := tokens.get(part[1:-1])) is None:
                    raise BackendError(f"The tokenizer of the model has no token for {part}.")
                self._parts.append(token)
            elif part:
                self._parts.append(part)
        self._max_characters = window * _CHARACTERS_PER_TOKEN
        self._window = window
        self._own = len(self._join(Pair("", ""))[0])
        if window - self._own < 2:
            raise BackendError(f"A window of {window} tokens holds no pair.")

    def tokenize(self, pairs: Sequence[Pair]) -> list[TokenizedPair]:
        """Return the tokens of each pair; `span` is where the hypothesis is, if it stands alone."""
        return [self._fitted(pair) for pair in pairs]

    def _fitted(self, pair: Pair) -> TokenizedPair:
        premise = encodable(pair.premise[: self._max_characters])
        hypothesis = encodable(pair.hypothesis[: self._max_characters])
        cut = len(pair.hypothesis) > self._max_characters
        most = self._own + (self._window - self._own) // 2
        while len(ids := self._join(Pair("", hypothesis))[0]) > most and hypothesis:
            cut = True
            hypothesis = hypothesis[: len(hypothesis) * most // len(ids) - 1]
        while True:
            ids, span = self._join(Pair(premise, hypothesis))
            if len(ids) <= self._window or not premise:
                return TokenizedPair(ids, [0] * len(ids), cut, span)
            rest = len(self._join(Pair("", hypothesis))[0])
            share = (self._window - rest) / max(1, len(ids) - rest)
            premise = premise[: max(0, min(len(premise) - 1, int(len(premise) * share)))]

    def _join(self, pair: Pair) -> tuple[list[int], tuple[int, int]]:
        texts = {"premise": pair.premise, "hypothesis": pair.hypothesis}
        ids, span = list(self._opening), (0, 0)
        for part in self._parts:
            if isinstance(part, int):
                ids.append(part)
                continue
            written = _PLACEHOLDER.sub(lambda found: texts[found[1]], part)
            start = len(ids)
            ids += self._encode([written])[0] if written else []
            if part == "{hypothesis}":
                span = (start, len(ids))
        return ids + self._closing, span


def check_template(template: str) -> None:
    """Raise a `ContextError` unless a template has each text once."""
    for name in ("premise", "hypothesis"):
        if template.count(f"{{{name}}}") != 1:
            raise ContextError(f"A template must have {{{name}}} exactly once.")
