"""How a judge on a server is asked whether a text entails a claim, and where its answer stands.

The probabilities of an answer are read from the log-probabilities that the server returns for the
token at which the answer begins.
"""

import json
import math
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final

from groundtypes.backends.causal_prompts import JUDGE_TEMPLATE, Template
from groundtypes.backends.label_adapters import Probabilities, ThreeLabels, TwoLabels, probabilities
from groundtypes.backends.tokenization import encodable
from groundtypes.errors import BackendError, ContextError
from groundtypes.scoring import Pair
from groundtypes.text.message_excerpts import clip

#: The templates of judges that others have trained.
_FILE: Final = Path(__file__).with_suffix(".toml")
_PLACEHOLDER: Final = re.compile(r"\{(text|before|claim)\}")
#: What a tokenizer may take for one of its control tokens, such as <|im_end|>, </s> and [/INST].
_CONTROL: Final = re.compile(
    r"<(?=[^<>\s]{1,60}>)"
    r"|\[(?=/?(?:[A-Z_][A-Z0-9_]{1,39}|gMASK|control_\d{1,4}|\|[^\[\]\s]{1,40}\|)\])"
    r"|\[(?=e~\[)|\](?=~!?b[\[\]])"  # those of MiniMax
)
#: The least probability that all answers of a template have together, else it was not understood.
_LEAST_ANSWERED: Final = 0.5
#: The most; servers round.
_MOST_ANSWERED: Final = 1.05
#: The most that an answer which is not among those listed may change a probability.
_MOST_UNSEEN: Final = 0.02


@dataclass(frozen=True, slots=True, kw_only=True)
class ServedTemplate:
    """What a judge on a server is asked, and what it answers.

    Attributes:
        messages: The messages, each a role and a text. `{text}` is the premise, `{claim}` the
            hypothesis, `{before}` what stands before it in its answer.
        before: How `{before}` is shown where something stands before the claim; has it once.
        documents: Whether the premise is sent as the request's `documents` and not in a message.
        answers: The words for supported and not supported, or for entailment, neutral and
            contradiction. Letter case does not count.
        behind: The answer is the first word behind the last of these texts in the reply; by default
            the reply begins with it.
        max_tokens: How many tokens the reply may have.
        fields: Further fields of the request, such as `{"chat_template_kwargs": {...}}`.

    Raises:
        ContextError: A placeholder is missing or occurs twice, or the answers are not two or three
            different words.
    """

    messages: tuple[tuple[str, str], ...]
    answers: tuple[str, ...]
    before: str = ""
    documents: bool = False
    behind: str = ""
    max_tokens: int = 1
    fields: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._check_types()
        together = "".join(text for _, text in self.messages)
        for name, count in (("text", int(not self.documents)), ("claim", 1)):
            if together.count(f"{{{name}}}") != count:
                times = "exactly once" if count else "nowhere, since it is sent as a document"
                raise ContextError(f"The messages of a template must have {{{name}}} {times}.")
        shown = together.count("{before}")
        if shown != self.before.count("{before}") or shown > 1:
            raise ContextError(
                "{before} must stand once in the messages and in `before`, or never."
            )
        words = {answer.strip().casefold() for answer in self.answers}
        if len(self.answers) not in (2, 3) or len(words) != len(self.answers) or "" in words:
            raise ContextError("The answers of a template are two or three different words.")
        if self.max_tokens < 1:
            raise ContextError(f"max_tokens is {self.max_tokens}; it must be positive")

    def _check_types(self) -> None:
        """Refuse here what could not be sent later."""
        parts: list[Any]
        try:
            parts = [part for role, text in self.messages for part in (role, text)]
            json.dumps(dict(self.fields))
        except (TypeError, ValueError):
            parts = [None]
        if not all(isinstance(part, str) for part in (*parts, *self.answers, self.behind)):
            raise ContextError(
                "messages are pairs of a role and a text, answers and `behind` are texts, and "
                "`fields` can be written as JSON"
            )

    @classmethod
    def of(cls, template: Template) -> "ServedTemplate":
        """Return the template of `CausalNLI` as a server is asked it."""
        system = (("system", template.system),) if template.system else ()
        user = f"{template.text}{{before}}{template.claim}"
        return cls(
            messages=(*system, ("user", user)), before=template.before, answers=template.answers
        )

    def request(self, pair: Pair) -> dict[str, Any]:
        """Return the fields of the request that ask about a pair.

        Nothing in the texts of a pair becomes a placeholder, or a control token of the model.
        """
        texts = {"text": _plain(pair.premise), "claim": _plain(pair.hypothesis)}
        before = _plain(pair.before)
        texts["before"] = self.before.replace("{before}", before) if before else ""
        messages = [
            {"role": role, "content": _PLACEHOLDER.sub(lambda found: texts[found[1]], text)}
            for role, text in self.messages
        ]
        fields = dict(self.fields)
        if self.documents:
            fields["documents"] = [{"doc_id": "0", "text": texts["text"]}]
        return {"messages": messages, "max_tokens": self.max_tokens, "extra_body": fields}

    def read(self, completion: Any, temperature: float) -> Probabilities:
        """Return the probabilities of the three labels, from the log-probabilities of a reply.

        Raises:
            BackendError: The reply has no answer, or too few log-probabilities to tell.
        """
        tokens = _tokens_of(completion, self)
        words = [answer.strip().casefold() for answer in self.answers]
        listed = _listed(tokens[_answer_at(tokens, self.behind)])
        found: list[list[float]] = [[] for _ in words]
        for token, logprob in listed:
            # A word may have several tokens, of which the first is listed.
            begun = [at for at, word in enumerate(words) if token and word.startswith(token)]
            whole = [at for at, word in enumerate(words) if token == word]
            if len(at := whole or begun) == 1:
                found[at[0]].append(math.exp(logprob))
        shares = [math.fsum(each) for each in found]
        total = math.fsum(shares)
        if total > _MOST_ANSWERED:
            raise BackendError(
                "The log-probabilities that the server returned are none: together, the answers "
                f"would have a probability of {total:.2f}."
            )
        if total < _LEAST_ANSWERED:
            said = clip(repr(str(tokens[0].token)), 40)
            raise BackendError(
                f"The served model did not answer {' or '.join(self.answers)}, but {said}. It is "
                "another model than the template is for, or its chat template is."
            )
        least = math.exp(min(logprob for _, logprob in listed))
        if 0.0 in shares and least / total > _MOST_UNSEEN:
            raise BackendError(
                f"The server returned the log-probabilities of {len(listed)} tokens, among which "
                "are not all answers of the template. Have it return more of them."
            )
        # What is not listed is less probable than all that is.
        logits = [math.log(share or least) for share in shares]
        adapter = ThreeLabels(entailment=0, neutral=1, contradiction=2)
        if len(words) == 2:
            return probabilities(TwoLabels(entailment=0), logits, temperature)
        return probabilities(adapter, logits, temperature)


def _plain(text: str) -> str:
    """Return a text that spells no control token: such a sign is followed by a space."""
    return _CONTROL.sub(lambda found: f"{found[0]} ", encodable(text))


def _answer_at(tokens: Sequence[Any], behind: str) -> int:
    """Return the position of the token at which the answer begins."""
    written, start = "", 0
    if behind:
        ends = []
        for token in tokens:
            written += str(token.token)
            ends.append(len(written))
        found = written.rfind(behind)
        if found < 0:
            raise BackendError(
                f"The reply of the served model has no {behind!r}: it is another model than the "
                "template is for, or max_tokens is too small."
            )
        end = found + len(behind)
        start = next(at for at, length in enumerate(ends) if length >= end) + 1
    for at in range(start, len(tokens)):
        if any(map(str.isalnum, str(tokens[at].token))):
            return at
    raise BackendError("The reply of the served model has no answer.")


def _listed(token: Any) -> list[tuple[str, float]]:
    """Return the tokens that might stand in the place of one, with their log-probabilities."""
    listed = list(getattr(token, "top_logprobs", None) or [token])
    # Some servers list the token that was chosen twice.
    read: dict[tuple[str, float], None] = {}
    for one in listed:
        text: Any = getattr(one, "token", None)
        logprob: Any = getattr(one, "logprob", None)
        is_number = isinstance(text, str) and isinstance(logprob, int | float)
        if not is_number or not logprob <= 1e-3:  # NaN is not, either
            raise BackendError("The log-probabilities that the server returned are none.")
        read[text, max(float(logprob), -700.0)] = None
    return [(text.strip().strip("\"'▁Ġ").casefold(), logprob) for text, logprob in read]


@cache
def served_templates() -> Mapping[str, ServedTemplate]:
    """Return the templates by the names that `ServedNLI(template=...)` takes."""
    # That of the judge is the one that `CausalNLI` uses in this process.
    templates = {"judge": ServedTemplate.of(JUDGE_TEMPLATE)}
    for name, fields in tomllib.loads(_FILE.read_text("utf-8")).items():
        messages = tuple((message["role"], message["text"]) for message in fields.pop("messages"))
        answers = tuple(fields.pop("answers"))
        templates[name] = ServedTemplate(messages=messages, answers=answers, **fields)
    return templates


def _tokens_of(completion: Any, template: ServedTemplate) -> Sequence[Any]:
    """Return the tokens of a completion with their log-probabilities."""
    choices = getattr(completion, "choices", None)
    if not choices or not isinstance(choices, list):
        raise BackendError(
            "The reply of the server has no choices, so it is no chat completion: base_url may "
            "need /v1 at its end, or the server has not loaded the model."
        )
    if template.behind and getattr(choices[0], "finish_reason", None) == "length":
        # What looks like an answer may be a quotation in the reasons.
        raise BackendError(
            f"The reply of the served model was cut after {template.max_tokens} tokens, before it "
            "was complete: the template needs more max_tokens, or the server a longer context."
        )
    tokens = getattr(getattr(choices[0], "logprobs", None), "content", None)
    if not tokens:
        raise BackendError(
            "The server returned no log-probabilities, which ServedNLI needs: vLLM, llama.cpp and "
            "SGLang return them."
        )
    if not all(isinstance(getattr(token, "token", None), str) for token in tokens):
        raise BackendError("The log-probabilities that the server returned are none.")
    return list(tokens)
