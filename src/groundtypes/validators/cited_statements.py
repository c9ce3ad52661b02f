"""What a validated answer cites: each statement with the place in a reference that proves it.

`cited_statements` reads a validated model, whose quotes have spans. `verified_citations` reads the
verdicts of an audit, which also know the evidence of checks that leave no span in the answer.
"""

import dataclasses
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from pydantic import BaseModel, RootModel

from groundtypes.citations.markers.cited_text import CitedText
from groundtypes.references import References, Span
from groundtypes.references.spans import PageNumber
from groundtypes.scoring import Label
from groundtypes.validators.annotations import annotation_parts, field_annotations
from groundtypes.validators.check import Check
from groundtypes.validators.quoted import Quoted, QuotedText
from groundtypes.verdicts import Loc, Verdict

#: Answers that are nested more deeply are not read further.
_MAX_DEPTH: Final = 200
_QUOTED: Final = Quoted().name
_UNPROVEN: Final = frozenset({Label.NEUTRAL.value, Label.CONTRADICTION.value})


@dataclass(frozen=True, slots=True, kw_only=True)
class CitedStatement:
    """A statement of an answer, and the place in a reference that proves it.

    Attributes:
        field: The field of the statement, such as `facts.0.statement`.
        statement: The statement: a text of the answer, or one sentence or figure of it.
        span: The place in the references.
        page: The page of the reference on which that place starts, if the reference has pages.
        quote: The reference's own words at that place.
        loc: The field as field names and list positions.
    """

    field: str
    statement: str
    span: Span
    page: PageNumber | None
    quote: str
    loc: Loc


def cited_statements(answer: object) -> tuple[CitedStatement, ...]:
    """Return what the quotes in a validated answer prove, in the order of the answer.

    A quote proves the statements whose checks name it, as `Entailed(by="quote")` and
    `Figures(by="quote")` do. A quote that no check names is a statement of its own. A sentence of a
    `CitedText` is a statement, and so often as it has evidence. Nothing is validated here: only
    values that `Quoted` or `Cited` has judged have spans.

    Args:
        answer: A model, a dataclass, or a list or mapping of such.

    Examples:
        >>> from groundtypes import Grounded, Quote, Reference, cited_statements
        >>> class Answer(Grounded):
        ...     quote: Quote
        >>> guide = Reference("guide", "It is tall.", pages=[(0, 7)])
        >>> answer = Answer.model_validate({"quote": "is tall"}, context={"references": [guide]})
        >>> [(cited.field, cited.statement, cited.page) for cited in cited_statements(answer)]
        [('quote', 'is tall', 7)]
    """
    return tuple(dict.fromkeys(_citations_in(answer)))


def verified_citations(
    judged: Iterable[tuple[Verdict, str | None]], references: References | None
) -> tuple[CitedStatement, ...]:
    """Return what the passing verdicts of an audit prove, in the order of the answer."""
    if references is None:
        return ()
    return tuple(dict.fromkeys(_proven_by_verdicts(list(judged), references)))


@dataclass(frozen=True, slots=True)
class _Proven:
    """A statement with the quotes that prove it, while an answer is read."""

    statement: str
    quotes: tuple[QuotedText, ...]


def _citations_in(answer: object) -> Iterator[CitedStatement]:
    #: Values that are still to be read, the next one last: their locations, and the containers that
    #: they are in.
    stack: list[tuple[Loc, object, tuple[int, ...]]] = [((), answer, ())]
    while stack:
        loc, value, ancestors = stack.pop()
        if isinstance(value, _Proven):
            for quote in value.quotes:
                yield _cited(loc, value.statement, quote.span, str(quote))
        elif isinstance(value, QuotedText):
            yield _cited(loc, str(value), value.span, str(value))
        elif isinstance(value, CitedText):
            for citation in value.citations:
                sentence = str(value)[slice(*citation.sentence)]
                # Citations that a program has made may have places without words.
                for span, words in zip(citation.spans, citation.quotes, strict=False):
                    yield _cited(loc, sentence, span, words)
        elif id(value) not in ancestors and len(ancestors) < _MAX_DEPTH:
            inner = (*ancestors, id(value))
            parts = [((*loc, *step), part, inner) for step, part in _parts(value)]
            stack.extend(reversed(parts))


def _cited(loc: Loc, statement: str, span: Span, quote: str) -> CitedStatement:
    return CitedStatement(
        field=".".join(map(str, loc)),
        statement=statement,
        span=span,
        page=span.page,
        quote=quote,
        loc=loc,
    )


def _parts(value: Any) -> Iterator[tuple[Loc, object]]:
    """Yield the parts of a container, each with the steps that lead to it."""
    if isinstance(value, RootModel):
        yield (), value.root
    elif isinstance(value, BaseModel):
        # Not `getattr`, which a property of the user's could answer.
        yield from _parts_of_fields(type(value), {**vars(value), **(value.model_extra or {})})
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        names = [field.name for field in dataclasses.fields(value)]
        fields = {name: getattr(value, name) for name in names if hasattr(value, name)}
        yield from _parts_of_fields(type(value), fields)
    elif isinstance(value, Mapping):
        yield from (((key if isinstance(key, int) else str(key),), value[key]) for key in value)
    elif isinstance(value, list | tuple | set | frozenset | deque):
        yield from (((number,), item) for number, item in enumerate(value))


def _parts_of_fields(cls: type, fields: Mapping[str, object]) -> Iterator[tuple[Loc, object]]:
    """Yield the fields of a model; quotes that prove another field are given with that field."""
    proofs: dict[str, tuple[QuotedText, ...]] = {}
    used: set[str] = set()
    for name, siblings in _evidence_fields(cls).items():
        quotes = {sibling: tuple(_quotes(fields.get(sibling))) for sibling in siblings}
        if any(quotes.values()) and any(True for _ in _statements(fields.get(name))):
            proofs[name] = tuple(quote for found in quotes.values() for quote in found)
            used.update(sibling for sibling, found in quotes.items() if found)
    for name, value in fields.items():
        for steps, statement in _statements(value) if name in proofs else ():
            yield (name, *steps), _Proven(statement, proofs[name])
        if name not in used and (name not in proofs or any(True for _ in _quotes(value))):
            yield (name,), value


@lru_cache(maxsize=1024)
def _evidence_fields(cls: type) -> dict[str, tuple[str, ...]]:
    """Return the fields of a class whose checks read sibling fields, each with these."""
    siblings: dict[str, tuple[str, ...]] = {}
    for name, annotation in field_annotations(cls).items():
        checks = [part for part in annotation_parts(annotation) if isinstance(part, Check)]
        names = [
            sibling
            for check in checks
            if not isinstance(check, Quoted)  # whose sibling names a reference
            for sibling in check.siblings
        ]
        if names:
            siblings[name] = tuple(dict.fromkeys(names))
    return siblings


def _quotes(value: object) -> Iterator[QuotedText]:
    if isinstance(value, QuotedText):
        yield value
    elif isinstance(value, list | tuple | set | frozenset):
        yield from (item for item in value if isinstance(item, QuotedText))


def _statements(value: object) -> Iterator[tuple[Loc, str]]:
    """Yield the texts of a field, each with the steps that lead to it."""
    if isinstance(value, str):
        yield (), str(value)
    elif isinstance(value, list | tuple):
        for number, item in enumerate(value):
            if isinstance(item, str):
                yield (number,), str(item)


def _proven_by_verdicts(
    judged: Sequence[tuple[Verdict, str | None]], references: References
) -> Iterator[CitedStatement]:
    """Yield what passing verdicts prove; a quote that proves a statement comes with it alone."""
    removed = {_item_of(verdict.loc) for verdict, _ in judged if verdict.dropped} - {()}
    kept = [
        (verdict, statement, verdict.span)
        for verdict, statement in judged
        if verdict.ok and verdict.span is not None and verdict.label not in _UNPROVEN
        if not any(verdict.loc[: len(item)] == item for item in removed)
    ]
    quotes = {verdict.loc: span for verdict, _, span in kept if verdict.check == _QUOTED}
    proven: list[tuple[Loc, str | None, Span]] = []
    used: set[Loc] = set()
    for verdict, statement, span in kept:
        if verdict.check == _QUOTED:
            # Of a quote across two chunks, each half is in a place of its own.
            proven.extend((verdict.loc, None, place) for place in verdict.spans or (span,))
            continue
        quote = _quote_named(verdict.loc, span, quotes)
        if quote is not None:
            used.add(quote)
        places = verdict.spans or (span,) if quote is None else (quotes[quote],)
        proven.extend(
            (verdict.loc, statement, place)
            for place in places
            if statement is not None and place.reference in references
        )
    for loc, statement, span in proven:
        words = references[span.reference].text[span.start : span.end]
        if statement is not None or loc not in used:
            yield _cited(loc, words if statement is None else statement, span, words)


def _quote_named(loc: Loc, span: Span, quotes: Mapping[Loc, Span]) -> Loc | None:
    """Return the location of the quote that is the evidence of a statement beside it.

    A check with `by` names its evidence by the sibling field, such as `quote` or `quotes.0`. A
    reference may have such an id, too: a span that does not fit into the quote is in that.
    """
    steps: Loc = tuple(
        int(step) if step.isdecimal() and len(step) < 9 else step
        for step in span.reference.split(".")
    )
    parent = next((n for n in range(len(loc), 0, -1) if isinstance(loc[n - 1], str)), 1) - 1
    quote = (*loc[:parent], *steps)
    named = quotes.get(quote)
    fits = named is not None and quote != loc and span.end <= named.end - named.start
    return quote if fits else None


def _item_of(loc: Loc) -> Loc:
    """Return the location of the innermost list item that contains a location."""
    positions = [number for number, step in enumerate(loc) if isinstance(step, int)]
    return loc[: positions[-1] + 1] if positions else ()
