"""Whether a text answers, refuses, or says that the information is missing.

`detect_refusal` reads the opening of the text and decides by rules for the simple cases (an empty
text, "n/a", a known phrase of another language), else by the linear model. An LLM can decide
instead: `refusal_question` builds the question for it and `parse_refusal` reads its reply.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import Any, Final, TypeVar

from groundtypes.errors import BackendError, clip
from groundtypes.judges import llm_engine
from groundtypes.ledger import Ledger
from groundtypes.prompts.prompt import REPLY_KIND
from groundtypes.prompts.prompt_texts import question_text
from groundtypes.prompts.response_models import ReplyKind
from groundtypes.refusals.closings import end_before_closing, says_more_than_courtesy
from groundtypes.refusals.english import is_english, may_be_english
from groundtypes.refusals.features import (
    SENTENCE_START,
    normalise,
    shape_features,
    split_words,
    to_tokens,
    words_outside_quotations,
)
from groundtypes.refusals.hashed_model import load_hashed_model
from groundtypes.refusals.linear_model import (
    SHORT_TEXT,
    LinearModel,
    load_long_model,
    load_short_model,
)
from groundtypes.refusals.mixture import (
    decline_probability,
    english_outputs,
    english_outputs_with_transformer,
    most_probable_kind,
    multilingual_outputs,
    outputs_with_transformer,
    score_of_sure_answer,
)
from groundtypes.refusals.opening import opening_spans
from groundtypes.refusals.short_replies import kind_of_short_reply
from groundtypes.refusals.transformer import opening_text
from groundtypes.refusals.vocabulary import may_decline
from groundtypes.scoring import Question, Reply
from groundtypes.threads import run_in_thread

__all__ = [
    "Refusal",
    "RefusalKind",
    "adetect_refusal",
    "detect_refusal",
    "has_letters_or_digits",
    "parse_refusal",
    "refusal_question",
]

_Model = TypeVar("_Model")
#: The lowest probability at which a text is not taken for a plain answer.
_THRESHOLD: Final = 0.5
#: How many characters of a sentence a reason quotes.
_MAX_QUOTED: Final = 160
#: How many characters of a text, and of the user's question, an LLM is shown.
_MAX_TEXT: Final = 3_000
_MAX_QUESTION: Final = 2_000
#: A sentence of more characters that also occurs in the question is ignored as a repetition.
_MIN_REPEATED: Final = 8


class RefusalKind(StrEnum):
    """What a text does with its question."""

    ANSWER = "answer"
    REFUSAL = "refusal"
    ABSTENTION = "abstention"
    PARTIAL = "partial"


@dataclass(frozen=True, slots=True)
class Refusal:
    """What a text does with its question.

    `kind`: it answers, refuses (will not), abstains (cannot: the information is missing), or
    answers in part, after or beside a refusal. `score` is the probability, from 0 to 1, that it is
    anything but a plain answer. `span` is the sentence that declines: start and end in code points
    of the text; `None` for an answer. `reason` is for people.
    """

    kind: RefusalKind
    score: float
    span: tuple[int, int] | None = None
    reason: str | None = None


_ANSWER: Final = Refusal(RefusalKind.ANSWER, 0.0)
_EMPTY: Final = Refusal(RefusalKind.ABSTENTION, 1.0, None, "there is no word in it")
_DESCRIPTIONS: Final = {
    RefusalKind.REFUSAL: "refuses",
    RefusalKind.ABSTENTION: "says that the information is missing",
    RefusalKind.PARTIAL: "refuses in part",
}


def detect_refusal(text: str, question: str | None = None, *, llm: Any = None) -> Refusal:
    """Return whether a text answers, refuses, abstains, or answers in part.

    Small models decide (`docs/refusal-model.md`): linear ones for short and for long English texts,
    within microseconds, and two more for other languages and for short English texts of which the
    first is not sure. If `groundtypes[nli]` is installed, a transformer decides with them, within
    milliseconds: on every text in another language, and on short English ones of which they are
    not sure. They read the first three sentences, or the whole of a short text, and use the length
    of the text and whether it contains a list. A sentence that repeats a part of the `question` is
    ignored. A text without any letter or digit abstains. If `llm` is given (as for
    `Judges(llm=...)`), the LLM decides; the score is then 0 or 1.

    Examples:
        >>> detect_refusal("Sorry, but I can't assist with that.").kind
        <RefusalKind.REFUSAL: 'refusal'>
        >>> detect_refusal("The passage does not say when he was born.").kind
        <RefusalKind.ABSTENTION: 'abstention'>
        >>> detect_refusal("I cannot recommend it enough.").kind
        <RefusalKind.ANSWER: 'answer'>

    Raises:
        Mistake: The LLM is missing or fails, or the file of a model is damaged.
    """
    if llm is not None and has_letters_or_digits(text):
        [reply] = Ledger().ask_now(llm_engine(llm), [refusal_question(text, question)])
        return parse_refusal(text, reply)
    found = _detect_by_model(text, question)
    if found.kind is RefusalKind.ANSWER or found is _EMPTY:
        return found
    return _without_closing(text, question) or found


async def adetect_refusal(text: str, question: str | None = None, *, llm: Any = None) -> Refusal:
    """Return what `detect_refusal` returns, without blocking the event loop."""
    return await run_in_thread(detect_refusal, text, question, llm=llm)


def has_letters_or_digits(text: str) -> bool:
    """Return whether the part of a text that an LLM is shown has any letter or digit.

    Without any there is nothing to ask an LLM about.
    """
    return any(map(str.isalnum, text[:_MAX_TEXT]))


def refusal_question(text: str, user_question: str | None) -> Question:
    """Return the question that asks an LLM what a text does with the user's question."""
    spans = opening_spans(text)
    end = min(spans[-1][1], _MAX_TEXT) if spans else 0
    return REPLY_KIND.question(question_text(user_question, _MAX_QUESTION), ("reply", text[:end]))


def parse_refusal(text: str, reply: Reply) -> Refusal:
    """Return the kind that an LLM replied; the linear model locates the sentence that declines."""
    answer = reply.answer
    assert isinstance(answer, ReplyKind)  # noqa: S101 # the engine answers with the model asked for
    kind = RefusalKind(answer.kind)
    declines = kind is not RefusalKind.ANSWER
    spans = opening_spans(text)
    span = None
    if declines and spans:
        opening = normalise(text, spans)
        tokens = to_tokens(words_outside_quotations(opening, split_words(opening)), is_whole=False)
        model = _linear_model(text)
        span = _deciding_sentence(model, tokens, *model.find_ngrams(tokens), spans)
    return Refusal(kind, float(declines), span, " ".join(answer.reason.split()) or None)


def _without_closing(text: str, user_question: str | None) -> Refusal | None:
    """Return the answer that a text is without its polite ending; `None` if that declines, too."""
    spans = opening_spans(text)
    if spans[-1][1] < len(text.rstrip()):
        return None
    end = end_before_closing(text)
    if end is None or not says_more_than_courtesy(text[:end]):
        return None
    found = _detect_by_model(text[:end], user_question)
    return found if found.kind is RefusalKind.ANSWER else None


def _detect_by_model(text: str, user_question: str | None) -> Refusal:
    spans = opening_spans(text)
    if not any(character.isalnum() for start, end in spans for character in text[start:end]):
        return _EMPTY
    if user_question is not None:
        spans = [span for span in spans if not _repeats(text[span[0] : span[1]], user_question)]
    opening = normalise(text, spans)
    short = kind_of_short_reply(opening)
    if short is not None:
        kind = RefusalKind(short)
        return Refusal(kind, 1.0, spans[0], _reason(kind, text, spans[0]))
    words = split_words(opening)
    is_ascii = opening.isascii()
    if not is_english(words, is_ascii=is_ascii):
        perhaps_english = may_be_english(words, is_ascii=is_ascii)
        return _detect_in_any_language(text, spans, perhaps_english=perhaps_english)
    if not may_decline(words, opening):
        return _ANSWER
    model = _linear_model(text)
    is_whole = spans[-1][1] >= len(text.rstrip())
    outside = words_outside_quotations(opening, words)
    tokens = to_tokens(outside, is_whole=is_whole)
    ngrams, starts = model.find_ngrams([*tokens, *shape_features(text)])
    score_of_answer = score_of_sure_answer(model.decline_output(ngrams), len(text))
    if score_of_answer is not None:
        return Refusal(RefusalKind.ANSWER, score_of_answer)
    outputs = model.outputs(ngrams)
    # The other models are no help in long texts, and do not know quotations and idioms.
    if len(text) <= SHORT_TEXT and outside is words:
        outputs = _short_english_outputs(outputs, text, spans)
    score = decline_probability(outputs)
    if score < _THRESHOLD:
        return Refusal(RefusalKind.ANSWER, score)
    kind = RefusalKind(most_probable_kind(outputs))
    span = _deciding_sentence(model, tokens, ngrams, starts, spans)
    return Refusal(kind, score, span, _reason(kind, text, span))


def _short_english_outputs(
    linear: list[float], text: str, spans: Sequence[tuple[int, int]]
) -> list[float]:
    """Return what all models say of a short English text of which the linear one says `linear`."""
    sentences = " ".join(text[start:end] for start, end in spans)
    outputs = _load(lambda: english_outputs(linear, sentences))
    return english_outputs_with_transformer(outputs, opening_text(text, spans))


def _detect_in_any_language(
    text: str, spans: Sequence[tuple[int, int]], *, perhaps_english: bool
) -> Refusal:
    """Return what the multilingual models say; `spans` are the sentences that they read."""
    sentences = [text[start:end] for start, end in spans]
    outputs = _load(
        lambda: multilingual_outputs(" ".join(sentences), perhaps_english=perhaps_english)
    )
    if spans:
        read = opening_text(text, spans)
        outputs = outputs_with_transformer(outputs, read, perhaps_english=perhaps_english)
    score = decline_probability(outputs)
    if score < _THRESHOLD:
        return Refusal(RefusalKind.ANSWER, score)
    kind = RefusalKind(most_probable_kind(outputs))
    model = load_hashed_model()
    scores = [model.outputs(sentence)[0] for sentence in sentences]
    span = spans[scores.index(max(scores))]
    return Refusal(kind, score, span, _reason(kind, text, span))


def _repeats(sentence: str, user_question: str) -> bool:
    return len(sentence) > _MIN_REPEATED and sentence.rstrip(".!?") in user_question


def _linear_model(text: str) -> LinearModel:
    return _load(load_short_model if len(text) <= SHORT_TEXT else load_long_model)


def _load(load: Callable[[], _Model]) -> _Model:
    try:
        return load()
    except (OSError, ValueError) as error:
        raise BackendError(
            "The refusal model shipped with groundtypes is damaged; reinstall groundtypes."
        ) from error


def _deciding_sentence(
    model: LinearModel,
    tokens: Sequence[str],
    ngrams: Sequence[int],
    starts: Sequence[int],
    spans: Sequence[tuple[int, int]],
) -> tuple[int, int]:
    """Return the span of the sentence whose n-grams make a refusal most probable."""
    if len(spans) == 1:
        return spans[0]
    inner_bounds = (position for position, token in enumerate(tokens) if token == SENTENCE_START)
    bounds = [0, *inner_bounds, len(tokens)]
    scores = [
        model.decline_probability(ngrams[starts[begin] : starts[end]])
        for begin, end in pairwise(bounds)
    ]
    return spans[min(scores.index(max(scores)), len(spans) - 1)]


def _reason(kind: RefusalKind, text: str, span: tuple[int, int]) -> str:
    sentence = clip(" ".join(text[span[0] : span[1]].split()), _MAX_QUOTED)
    return f'it {_DESCRIPTIONS[kind]}: "{sentence}"'
