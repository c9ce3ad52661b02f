"""What became of a value: stated, or how it differs from the candidates, and what to write."""

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, NamedTuple, Protocol

from groundtypes.figures.figure import Comparison
from groundtypes.validators.typed.candidates import Candidate, Place, Source, is_loss
from groundtypes.validators.typed.labels import content_words, labelled
from groundtypes.words import words_of

#: So many candidates are shown.
_MOST_SHOWN: Final = 3
_WORD: Final = re.compile(r"[^\W_]+")
#: The kinds of the words of fields whose values are a bound or the end of a range: "max_users",
#: "start_date".
_ENDS: Final = {"first": ("at least", "range start"), "last": ("at most", "range end")}


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
    def range_end(self) -> str | None:
        """The end of a range, or the bound, that the field is by its name: "max_users"."""
        words = set(_WORD.findall(" ".join((self.name, *self.of)).lower()))
        found = [
            end
            for end, kinds in _ENDS.items()
            if any(not words.isdisjoint(words_of(kind).get("en", ())) for kind in kinds)
        ]
        return found[0] if len(found) == 1 else None

    @property
    def names_fall(self) -> bool:
        """Whether a positive value is one of a loss, or of what falls, by the name of the field."""
        return self.is_positive or is_loss(" ".join((self.name, *self.of)))


class _Comparison(Protocol):
    def equals(self, amount: Any) -> bool: ...

    def difference(self, amount: Any) -> str | None: ...

    def write(self, amount: Any) -> str: ...


_Known = Sequence[tuple[Candidate, Sequence[Any]]]


def choose(known: _Known, source: Source, options: Options, to: _Comparison) -> Finding:
    """Return what becomes of a value beside candidates with their amounts."""
    fitting = [one for one, amounts in known if any(each.fits is not False for each in amounts)]
    named = {one.key for one in fitting}
    if options.of:
        named = labelled(options.of, fitting, source)
    elif source.is_quote and options.name:
        named = _by_name(options.name, fitting, source) or named
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
    if one.range_end and options.range_end:
        return None if one.range_end == options.range_end else "value_of_other"
    if options.bounds:
        return None
    if one.range_end and one.figure.kind != "date":
        return "value_in_range"
    end = "first" if one.bound.upwards else "last"
    if one.bound is not Comparison.EXACTLY and options.range_end != end:
        return "value_bounded"
    return None


def _is_wrong_sign(one: Candidate, amount: Any, options: Options) -> bool:
    return one.negative and amount.value > 0 and not options.names_fall


def _by_name(name: str, candidates: Sequence[Candidate], source: Source) -> set[Place]:
    """Return the candidates whose labels have most words of a field's name; none if none has."""
    scores = Counter[Place]()
    for word in dict.fromkeys(content_words(name)):
        scores.update(labelled([word], candidates, source))
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
        and one.bound is Comparison.EXACTLY
        and one.figure.unit == found.figure.unit
        and (one.group != found.group or one.figure.kind == "date")
        and not (one.range_end and options.range_end)
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
