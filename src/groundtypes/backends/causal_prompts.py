"""How a causal LLM is asked whether a text entails a claim, and the tokens of such a question.

All claims on one text begin with the same tokens, which need to be computed only once. Texts are
hostile: one that spells a special token of the model must stay plain text. They are encoded apart
from the template, and cut inside of whatever the tokenizer would take for an added token.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from groundtypes.backends.tokenization import encodable
from groundtypes.errors import BackendError, ContextError
from groundtypes.scoring import Pair

#: At most this many characters for each token of the window are tokenized, so that a text of
#: millions of characters costs no more than the part that is read.
_CHARACTERS_PER_TOKEN: Final = 12
#: A text of ordinary letters that no chat template contains or changes.
_CONTENT: Final = "groundtypesQuestionStandsHere"
#: The share of the window that what stands before a claim may take up, at most.
_BEFORE_SHARE: Final = 0.25


@dataclass(frozen=True, slots=True, kw_only=True)
class Template:
    """What a causal LLM is asked, and the three answers whose probabilities are read.

    `text`, `before` and `claim` are joined in this order, and become the user's message of the
    model's chat template; `before` is left out where nothing stands before a claim.

    Attributes:
        system: The system message; `""` for none.
        text: How the premise is shown; has `{text}` once.
        before: How what stands before the claim is shown; has `{before}` once.
        claim: How the claim is shown, and what is asked; has `{claim}` once.
        answers: What the model answers for entailment, neutral and contradiction; each must be a
            single token at the beginning of its reply.

    Raises:
        ContextError: A placeholder is missing or occurs twice, or the answers are not three
            different words.
    """

    system: str = ""
    text: str = "Text:\n{text}\n\n"
    before: str = "Before the claim: {before}\n\n"
    claim: str
    answers: tuple[str, str, str] = ("yes", "unknown", "no")

    def __post_init__(self) -> None:
        for name in ("text", "before", "claim"):
            if getattr(self, name).count(f"{{{name}}}") != 1:
                raise ContextError(f"{name} of a template must have {{{name}}} exactly once.")
        if len(self.answers) != 3 or len(set(self.answers)) != 3 or not all(self.answers):
            raise ContextError("The answers of a template are three different words.")


#: What the judge of `groundtypes-judge` was trained with.
JUDGE_TEMPLATE: Final = Template(
    system="You compare a claim with a text. You use nothing but the text.",
    claim="Claim: {claim}\n\nDoes the text say so? Answer yes, no or unknown.",
)


@dataclass(frozen=True, slots=True)
class Prompt:
    """The token ids of a question's text and claim; not all of the claim is read if it is `cut`."""

    text: tuple[int, ...]
    claim: tuple[int, ...]
    cut: bool = False

    def __len__(self) -> int:
        return len(self.text) + len(self.claim)


class PromptEncoder:
    """Turns pairs into the tokens of questions, within the window of a model.

    It raises a `BackendError` if the chat template drops or changes the question, an answer is not
    a single token, or the window is too small for the template.
    """

    def __init__(self, tokenizer: Any, template: Template, window: int) -> None:
        """Store the tokenizer of transformers, the template, and how many tokens are read."""
        self._tokenizer = tokenizer
        added = tokenizer.added_tokens_decoder
        contents = sorted({token.content for token in added.values()}, key=len, reverse=True)
        #: Added tokens of one character cannot be cut, and structure nothing.
        spelled = [re.escape(content) for content in contents if len(content) > 1]
        self._added = re.compile("|".join(spelled)) if spelled else None
        self._control = {at for at, token in added.items() if len(token.content.strip()) > 1}
        opening, closing, space = _around_content(tokenizer, template.system)
        self._opening = tuple(self._ids(opening))
        self._closing = tuple(self._ids(closing))
        self._text_parts = template.text.split("{text}")
        self._before_parts = template.before.split("{before}")
        self._claim_parts = template.claim.split("{claim}")
        #: The token ids of the answers for entailment, neutral and contradiction.
        self.answers = tuple(self._answer(closing, space + answer) for answer in template.answers)
        if len(set(self.answers)) != 3:
            raise BackendError("The answers of the template begin with the same token.")
        self._free = window - len(self._opening) - len(self._closing)
        self._max_characters = window * _CHARACTERS_PER_TOKEN
        if self._free < 8 + len(self._plain("".join((*self._text_parts, *self._claim_parts)))):
            raise BackendError(f"A window of {window} tokens holds no question.")

    def encode(self, pairs: Sequence[Pair]) -> list[Prompt]:
        """Return the tokens of each pair; a premise that is too long is cut at its end."""
        texts: dict[tuple[str, int], tuple[int, ...]] = {}
        prompts = []
        for pair in pairs:
            claim, cut = self._claim(pair)
            free = self._free - len(claim)
            key = pair.premise, free
            if key not in texts:
                known = texts.get((pair.premise, -1))
                if known is None:
                    known = self._text(pair.premise)
                    texts[pair.premise, -1] = known
                texts[key] = known if len(known) <= free else self._cut_text(pair.premise, free)
            prompts.append(Prompt(self._opening + texts[key], claim + self._closing, cut))
        return prompts

    def count_tokens(self, text: str) -> int:
        """Return how many tokens a text has; of a very long one at least as many as are read."""
        return len(self._plain(text[: self._max_characters]))

    def _text(self, premise: str) -> tuple[int, ...]:
        head, tail = self._text_parts
        return tuple(self._plain(f"{head}{premise[: self._max_characters]}{tail}"))

    def _cut_text(self, premise: str, free: int) -> tuple[int, ...]:
        head, tail = self._text_parts
        end = self._plain(tail)
        ids = self._plain(f"{head}{premise[: self._max_characters]}")
        return (*ids[: max(0, free - len(end))], *end)

    def _claim(self, pair: Pair) -> tuple[tuple[int, ...], bool]:
        before = ""
        if pair.before:
            head, tail = self._before_parts
            limit = int(self._free * _BEFORE_SHARE)
            kept = pair.before[-self._max_characters :]
            # What is closest to the claim is kept.
            while (ids := self._plain(f"{head}{kept}{tail}")) and len(ids) > limit and kept:
                kept = kept[len(kept) - len(kept) * limit // len(ids) + 1 :]
            before = f"{head}{kept}{tail}" if kept else ""
        head, tail = self._claim_parts
        claim = pair.hypothesis[: self._max_characters]
        cut = len(claim) < len(pair.hypothesis)
        limit = int(self._free * (_BEFORE_SHARE if before else 0.0)) + self._free // 2
        while len(ids := self._plain(f"{before}{head}{claim}{tail}")) > limit and claim:
            cut = True
            claim = claim[: len(claim) * limit // len(ids) - 1]
        return tuple(ids), cut

    def _plain(self, text: str) -> list[int]:
        """Return the tokens of a text in which no added token of the tokenizer is recognised."""
        ids: list[int] = []
        for piece in self._pieces(encodable(text)):
            ids += self._ids(piece)
        # A tokenizer that normalises a text before it looks for added tokens may still find one.
        return [at for at in ids if at not in self._control]

    def _pieces(self, text: str) -> Iterator[str]:
        """Yield the text in pieces, cut behind the first character of each added token in it."""
        start = 0
        while self._added is not None and (match := self._added.search(text, start)) is not None:
            end = match.start() + 1
            yield text[start:end]
            start = end
        if start < len(text):
            yield text[start:]

    def _ids(self, text: str) -> list[int]:
        encoding = self._tokenizer(
            text, add_special_tokens=False, return_attention_mask=False, verbose=False
        )
        ids: list[int] = encoding["input_ids"]
        return ids

    def _answer(self, closing: str, answer: str) -> int:
        alone, together = self._ids(closing), self._ids(closing + answer)
        if together[: len(alone)] != alone or len(together) != len(alone) + 1:
            raise BackendError(
                f"The answer {answer!r} is not a single token of this model's tokenizer. Pass a "
                "template with other answers."
            )
        return together[-1]


def _around_content(tokenizer: Any, system: str) -> tuple[str, str, str]:
    """Return what stands around a user's message, and what separates the answer from it."""
    if not getattr(tokenizer, "chat_template", None):
        begins = tokenizer("a", verbose=False)["input_ids"]
        bos = getattr(tokenizer, "bos_token", None)
        first = bos if bos and begins and begins[0] == tokenizer.bos_token_id else ""
        return f"{first}{system}\n\n" if system else first, "\nAnswer:", " "
    user = {"role": "user", "content": _CONTENT}
    messages = [{"role": "system", "content": system}, user] if system else [user]
    rendered = _rendered(tokenizer, messages)
    if rendered is None and system:  # some chat templates have no system message
        rendered = _rendered(tokenizer, [{**user, "content": f"{system}\n\n{_CONTENT}"}])
    if rendered is None or rendered.count(_CONTENT) != 1:
        raise BackendError("The chat template of this model does not show the user's message once.")
    opening, closing = rendered.split(_CONTENT)
    return opening, closing, ""


def _rendered(tokenizer: Any, messages: list[dict[str, str]]) -> str | None:
    try:
        text: str = tokenizer.apply_chat_template(
            messages, tokenize=False, add_generation_prompt=True, enable_thinking=False
        )
    except Exception as error:  # a template of Jinja may raise anything
        if len(messages) > 1:
            return None
        raise BackendError(f"The chat template of this model failed: {error}") from error
    return text
