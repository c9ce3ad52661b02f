"""Whether a text answers, refuses, or says that the information is missing.

`detect_refusal` reads the opening of the text and decides by rules for the simple cases (an empty
text, "n/a"), else by the models. What declines is judged a second time without a polite ending. An
LLM can decide instead:
`refusal_question` builds the question for it and `parse_refusal` reads its reply.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

from groundtypes.concurrency.threads import run_in_thread
from groundtypes.errors import ContextError
from groundtypes.judges import llm_engine
from groundtypes.ledger import Ledger
from groundtypes.prompts.prompt import REPLY_KIND
from groundtypes.prompts.prompt_texts import question_text
from groundtypes.prompts.response_models import ReplyKind
from groundtypes.refusals.closings import end_before_closing
from groundtypes.refusals.english_features import (
    is_english,
    may_be_english,
    may_decline,
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
    BRIEF_TEXT,
    decline_probability,
    english_outputs,
    most_probable_kind,
    outputs_in_any_language,
)
from groundtypes.refusals.opening import opening_spans
from groundtypes.refusals.partial_answers import halves_of_partial_answer
from groundtypes.refusals.refusal import Refusal, RefusalKind, certain, reason_for
from groundtypes.refusals.short_replies import kind_of_short_reply
from groundtypes.refusals.transformer import opening_text
from groundtypes.scoring import Question, Reply

_Span = tuple[int, int]
#: The lowest probability at which a text is not taken for a plain answer.
_THRESHOLD: Final = 0.5
#: How many characters of a text, and of the user's question, an LLM is shown.
_MAX_TEXT: Final = 3_000
_MAX_QUESTION: Final = 2_000
#: A sentence of more characters that also occurs in the question is ignored as a repetition.
_MIN_REPEATED: Final = 8


_ANSWER: Final = Refusal(RefusalKind.ANSWER, 0.0)
_EMPTY: Final = Refusal(RefusalKind.ABSTENTION, 1.0, None, "there is no word in it")


def detect_refusal(text: str, question: str | None = None, *, llm: Any = None) -> Refusal:
    """Return whether a text answers, refuses, abstains, or answers in part.

    Linear models decide (`research/notes/refusal-model.md`): those of short and of long English
    texts, within microseconds, and that of other languages. If `groundtypes[nli]` is installed, a
    transformer decides with them, within milliseconds: on texts in another language, and on English
    ones of up to 200 characters of which they are not sure. They read the first three sentences, or
    the whole of a short text, and use the length of the text and whether it contains a list. A
    sentence that repeats a part of the `question` is ignored, and so are quotations in English, and
    a polite ending. A text without any letter or digit abstains. If `llm` is given (as for
    `Judges(llm=...)`), the LLM decides; the score is then 0 or 1.

    Examples:
        >>> detect_refusal("Sorry, but I can't assist with that.").kind
        <RefusalKind.REFUSAL: 'refusal'>
        >>> detect_refusal("The passage does not say when he was born.").kind
        <RefusalKind.ABSTENTION: 'abstention'>
        >>> detect_refusal("I cannot recommend it enough.").kind
        <RefusalKind.ANSWER: 'answer'>

    Raises:
        ContextError: The question is not text.
        Mistake: The LLM is missing or fails, or the file of a model is damaged.
    """
    if question is not None and not isinstance(question, str):
        raise ContextError(f"the question is of type {type(question).__name__}, not text")
    if llm is not None and has_letters_or_digits(text):
        [reply] = Ledger().ask_now(llm_engine(llm), [refusal_question(text, question)])
        return parse_refusal(text, reply)
    return _detect_twice(text, question)


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
        span = max(spans, key=partial(_declining_of_sentence, _linear_model(text), text))
    return Refusal(kind, float(declines), span, " ".join(answer.reason.split()) or None)


def _detect_twice(text: str, user_question: str | None) -> Refusal:
    """Return what the models say; what declines is judged again without its polite ending."""
    found = _detect_by_model(text, user_question)
    if found.kind is RefusalKind.ANSWER or found is _EMPTY:
        return found
    spans = opening_spans(text)
    end = end_before_closing(text) if spans[-1][1] >= len(text.rstrip()) else None
    if end is not None:  # all of it is read
        again = _detect_by_model(text[:end], user_question)
        if again.kind is RefusalKind.ANSWER:
            return again
    return _with_answer_beside(found, text)


def _with_answer_beside(found: Refusal, text: str) -> Refusal:
    """Return `found`, as a partial answer if a part of the text declines and another answers."""
    halves = halves_of_partial_answer(text, is_refusal=found.kind is RefusalKind.REFUSAL)
    if found.kind is RefusalKind.PARTIAL or halves is None:
        return found
    declining, answering = halves
    if not _declines(declining) or _declines(answering):
        return found
    kind = RefusalKind.PARTIAL
    return replace(found, kind=kind, reason=found.span and reason_for(kind, text, found.span))


def _declines(part: str) -> bool:
    found = _detect_by_model(part, None)
    return found is not _EMPTY and found.kind is not RefusalKind.ANSWER


def _detect_by_model(text: str, user_question: str | None) -> Refusal:
    spans = opening_spans(text)
    # Most texts begin with a letter.
    if not (spans and text[spans[0][0]].isalnum()) and not any(
        character.isalnum() for start, end in spans for character in text[start:end]
    ):
        return _EMPTY
    if user_question is not None:
        spans = [span for span in spans if not _repeats(text[span[0] : span[1]], user_question)]
    opening = normalise(text, spans)
    short = kind_of_short_reply(opening)
    if short is not None:
        return certain(RefusalKind(short), text, spans[0])
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
    ngrams = model.find_ngrams([*to_tokens(outside, is_whole=is_whole), *shape_features(text)])
    outputs = model.outputs(ngrams)
    # The other models are no help in longer texts, and do not know quotations and idioms.
    if len(text) <= BRIEF_TEXT and outside is words:
        outputs = english_outputs(outputs, _joined(text, spans), opening_text(text, spans))
    return _refusal(outputs, text, spans, partial(_declining_of_sentence, model, text))


def _detect_in_any_language(text: str, spans: Sequence[_Span], *, perhaps_english: bool) -> Refusal:
    """Return what the multilingual models say; `spans` are the sentences that they read."""
    outputs = outputs_in_any_language(
        _joined(text, spans), opening_text(text, spans), perhaps_english=perhaps_english
    )
    model = load_hashed_model()
    return _refusal(outputs, text, spans, lambda span: model.outputs(text[slice(*span)])[0])


def _refusal(
    outputs: Sequence[float],
    text: str,
    spans: Sequence[_Span],
    declining: Callable[[_Span], float],
) -> Refusal:
    """Return what outputs say; its span is the sentence of which `declining` is highest."""
    score = decline_probability(outputs)
    if score < _THRESHOLD:
        return Refusal(RefusalKind.ANSWER, score)
    kind = RefusalKind(most_probable_kind(outputs))
    span = max(spans, key=declining) if len(spans) > 1 else spans[0]
    return Refusal(kind, score, span, reason_for(kind, text, span))


def _joined(text: str, spans: Sequence[_Span]) -> str:
    return " ".join(text[start:end] for start, end in spans)


def _repeats(sentence: str, user_question: str) -> bool:
    return len(sentence) > _MIN_REPEATED and sentence.rstrip(".!?") in user_question


def _linear_model(text: str) -> LinearModel:
    return load_short_model() if len(text) <= SHORT_TEXT else load_long_model()


def _declining_of_sentence(model: LinearModel, text: str, span: _Span) -> float:
    """Return the output of a linear model on a sentence alone."""
    sentence = normalise(text, [span])
    words = words_outside_quotations(sentence, split_words(sentence))
    return model.outputs(model.find_ngrams(to_tokens(words, is_whole=True)))[0]
