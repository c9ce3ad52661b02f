"""What became of a value: stated, or how it differs from the candidates, and what to write."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final, NamedTuple, Protocol

from groundtypes.text.bm25 import terms
from groundtypes.validators.typed.candidates import Candidate, Place, Source, is_loss, is_of_time
from groundtypes.validators.typed.former import denied, with_successors
from groundtypes.validators.typed.labels import content_words, labelled
from groundtypes.words import all_words, words_of

#: So many candidates are shown.
_MOST_SHOWN: Final = 3
#: The kinds of the words of fields whose values are a bound or the end of a range: "max_users",
#: "start_date"; the last ones name the ends of dates and times alone.
_ENDS: Final = {
    "first": ("at least", "range start", "start of a time"),
    "last": ("at most", "range end", "end of a time"),
}


class Finding(NamedTuple):
    """What became of a value: its fault, the figure, what to write, and what else may be meant."""

    fault: str | None
    candidate: Candidate | None = None
    write: str | None = None
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Options:
    """The options of `Figures` for one value."""

    of: tuple[str, ...] = ()
    name: str = ""
    within: Fraction = Fraction(0)
    is_share: bool = False
    bounds: bool = False
    is_positive: bool = False

    def tolerance(self, stated: Fraction) -> Fraction:
        """Return by how much a value may be off from what is stated."""
        return self.within * abs(stated) if self.is_share else self.within

    @property
    def names(self) -> str:
        """The name of the field, and what its value is a value of."""
        return " ".join((self.name, *self.of))

    @property
    def names_fall(self) -> bool:
        """Whether a positive value is one of a loss, or of what falls, by the name of the field."""
        return self.is_positive or is_loss(self.names)

    @property
    def names_former(self) -> bool:
        """Whether the value is a past one, by the name of the field: "previous_limit"."""
        return not all_words("former").isdisjoint(self.names.lower().split())

    def end_for(self, candidate: Candidate) -> tuple[str, Collection[str]]:
        """Return the end or bound that the field is by its name, and the terms that say so."""
        return _end_named(self.names, is_time=is_of_time(candidate.figure))


@lru_cache(maxsize=1024)
def _end_named(name: str, *, is_time: bool) -> tuple[str, Collection[str]]:
    named = f" {' '.join(terms(name))} "
    found: dict[str, list[str]] = {}
    for end, kinds in _ENDS.items():
        for kind in kinds if is_time else kinds[:2]:
            for words in map(terms, words_of(kind).get("en", ())):
                if f" {' '.join(words)} " in named:
                    found.setdefault(end, []).extend(words)
    return next(iter(found.items())) if len(found) == 1 else ("", ())


class _Comparison(Protocol):
    def equals(self, amount: Any) -> bool: ...

    def difference(self, amount: Any) -> str | None: ...

    def write(self, amount: Any) -> str: ...


_Known = Sequence[tuple[Candidate, Sequence[Any]]]


def choose(known: _Known, source: Source, options: Options, to: _Comparison) -> Finding:
    """Return what becomes of a value beside candidates with their amounts."""
    fitting = [one for one, amounts in known if any(each.fits is not False for each in amounts)]
    named = {one.key for one in fitting}
    past = set() if options.names_former else denied(fitting, source)
    if options.of:
        asked = [(one, *options.end_for(one)) for one in fitting]
        ended = {one.key: said for one, end, said in asked if end and end == one.limit}
        named = labelled(options.of, fitting, source, ended)
    elif source.is_quote and options.name:
        named = _by_name(options.name, fitting, source) or named
    named = with_successors(named, past, fitting, source) - past
    pairs = [(one, amount) for one, amounts in known for amount in amounts]
    equal = [pair for pair in pairs if to.equals(pair[1]) and not _is_wrong_sign(*pair, options)]
    faults: list[Finding] = []
    for one, amount in sorted(equal, key=lambda pair: pair[1].fits is False):
        fault = _fault(one, amount, options, is_named=one.key in named)
        if fault is None:
            return _unless_ambiguous(one, amount, known, named, source, options, to)
        faults.append(Finding(fault, one))
    eligible = [  # what the field may have
        (one, amount)
        for one, amount in pairs
        if one.key in named
        and not one.figure.incidental
        and _fault(one, amount, options) is None
        and not (one.negative and amount.value and (amount.value > 0) != options.names_fall)
    ]
    best = min(faults, key=lambda each: _ORDER.index(each.fault or ""), default=None)
    return _with_advice(best or _nearest((eligible, pairs), options, to), eligible, to)


#: The faults of a value that is stated somehow, the one that says most first.
_ORDER: Final = ("value_bounded", "value_in_range", "value_of_other", "value_wrong_unit")


def _fault(one: Candidate, amount: Any, options: Options, *, is_named: bool = True) -> str | None:
    if amount.fits is False:
        return "value_wrong_unit"
    if not is_named:
        return "value_of_other"
    end, _ = options.end_for(one)
    if one.range_end and end:
        return None if one.range_end == end else "value_of_other"
    if not one.limit or options.bounds or one.limit == end:
        return None
    return "value_in_range" if one.range_end else "value_bounded"


def _is_wrong_sign(one: Candidate, amount: Any, options: Options) -> bool:
    return one.negative and amount.value > 0 and not options.names_fall


def _by_name(name: str, candidates: Sequence[Candidate], source: Source) -> set[Place]:
    """Return the candidates whose labels have most words of a field's name; none if none has."""
    scores = Counter[Place]()
    for word in dict.fromkeys(content_words(name)):
        scores.update(labelled([word], candidates, source, {}))
    best = max(scores.values(), default=0)
    return {key for key, score in scores.items() if score == best}


def _unless_ambiguous(
    found: Candidate,
    amount: Any,
    known: _Known,
    named: Collection[Place],
    source: Source,
    options: Options,
    to: _Comparison,
) -> Finding:
    """Return that the value is stated, unless the quote states others of the same kind."""
    if not source.is_quote or options.of:
        return Finding(None, found)
    others = [
        one
        for one, amounts in known
        if one.key in named
        and not one.figure.incidental
        and not one.limit
        and one.figure.unit == found.figure.unit
        and one.group != found.group
        and any(each.kind == amount.kind and each.fits is amount.fits for each in amounts)
        and not any(to.equals(each) for each in amounts)
    ]
    if not others:
        return Finding(None, found)
    shown = dict.fromkeys(one.words for one in (found, *others))
    return Finding("value_ambiguous", found, None, tuple(shown)[:_MOST_SHOWN])


def _nearest(
    groups: Sequence[Sequence[tuple[Candidate, Any]]], options: Options, to: _Comparison
) -> Finding:
    """Return the fault of a value that is not stated."""
    for pairs in groups:
        for one, amount in pairs:
            if to.equals(amount) and _is_wrong_sign(one, amount, options):
                return Finding("value_wrong_sign", one)
        for one, amount in pairs:
            if fault := to.difference(amount):
                return Finding(fault, one)
    return Finding("value_not_stated")


def _with_advice(
    finding: Finding, eligible: Sequence[tuple[Candidate, Any]], to: _Comparison
) -> Finding:
    """Add what to write where only one value can be meant, else the figures that may be."""
    of_one = [pair for pair in eligible if pair[0] is finding.candidate]
    pairs = of_one if len({to.write(amount) for _, amount in of_one}) == 1 else eligible
    writes = dict.fromkeys(to.write(amount) for _, amount in pairs)
    shown = tuple(dict.fromkeys(one.words for one, _ in pairs))
    if len(writes) == 1 or (len(shown) == 1 and writes):
        return finding._replace(write=next(iter(writes)), others=shown[:1])
    return finding._replace(others=shown[:_MOST_SHOWN])
