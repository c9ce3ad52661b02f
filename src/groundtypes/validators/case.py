"""What a check reads in addition to the value: context, references, sibling fields, engines."""

import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final, TypeVar, overload

from groundtypes.backends.languages import check_languages
from groundtypes.backends.operating_point import Calibration
from groundtypes.errors import ContextError, MarkerError, MissingReferencesError
from groundtypes.judges import Judges, entailment_threshold, llm_engine, nli_engine
from groundtypes.ledger import CheckQuestions, Ledger, Scorer, Unsettled
from groundtypes.references import References
from groundtypes.rounds.state import CheckCall, ValidationState
from groundtypes.scoring import LLM, NLIScorer, Question, Reply, window_of_reader
from groundtypes.validators.marked_field import MarkedField
from groundtypes.verdicts import Decision

#: A text without any of these has no citation marker, and the readers of markers are not loaded.
_SIGNS: Final = re.compile(
    r"[\[(<\uff08\uff3b\u3010\ue200\u00b9\u00b2\u00b3\u2070\u2074-\u2079]|https?:|\{\{|\\|##"
)
_Q = TypeVar("_Q", bound=Hashable)
_A = TypeVar("_A")


def held_value(value: Any) -> Any:
    """Return what a field holds, which of a member of an enumeration is its value."""
    return value.value if isinstance(value, Enum) else value


class SkipCheck(Exception):
    """Raised to skip a check because a sibling field that it reads is already at fault.

    Only the sibling's fault is reported.
    """


@dataclass(slots=True)
class Case:
    """What a check may read in addition to the value: context, references, siblings, engines."""

    context: Any
    _data: Mapping[str, Any] | None
    _field: MarkedField
    _ledger: Ledger
    _state: ValidationState | None = None
    _previous_call: CheckCall | None = None

    def check_context(self) -> None:
        """Check what every check may read, also if the one that is called does not read it.

        Raises:
            ContextError: The context is no mapping, its question is not text, or its judges are
                not a `Judges` object.
        """
        if self.context is not None and not isinstance(self.context, Mapping):
            raise ContextError(
                f"The validation context is a mapping, not an object {_type_name(self.context)}."
            )
        _ = self.question, self.judges

    @property
    def references(self) -> References:
        """The references of the context.

        Raises:
            MissingReferencesError: The context has none; an empty collection is fine.
        """
        if self._state is not None:
            return self._state.references
        return References.from_context(self.context)

    def without_markers(self, text: str) -> str:
        """Return a text without its citation markers, which claim nothing.

        It is empty if it has no words but markers.
        """
        if _SIGNS.search(text) is None:
            return text
        from groundtypes.citations.markers.marker_reader import without_markers  # noqa: PLC0415 # slow to load

        try:
            references = self.references
        except MissingReferencesError:  # a check of sibling fields needs none
            references = References((), ())
        plain = without_markers(text, references).plain
        return plain if plain == text or any(map(str.isalnum, plain)) else ""

    @property
    def question(self) -> str | None:
        """The question that was asked, or `None` if the context has none.

        Raises:
            ContextError: The question is not text.
        """
        question = self.context.get("question") if isinstance(self.context, Mapping) else None
        if question is not None and not isinstance(question, str):
            raise ContextError(
                f"the context's 'question' is {_type_name(question)}; pass the question as text"
            )
        return question

    @property
    def judges(self) -> Judges:
        """The engines: those of the context, else those of the model class.

        Raises:
            ContextError: The context's `judges` are not a `Judges` object.
        """
        judges = self.context.get("judges") if isinstance(self.context, Mapping) else None
        if judges is None:
            judges = self._state.judges if self._state is not None else None
        if judges is None:
            return Judges()
        if not isinstance(judges, Judges):
            raise ContextError(
                f"the context's 'judges' is {_type_name(judges)}; pass Judges(nli=..., llm=...)"
            )
        return judges

    @property
    def nli(self) -> NLIScorer:
        """The NLI engine: the configured one, else the bundled one.

        Raises:
            MissingJudgeError: None is configured, and the bundled one is not installed.
        """
        return nli_engine(self.judges)

    @property
    def reader(self) -> NLIScorer | None:
        """The configured NLI engine if it reads whole texts, else `None`; nothing is loaded."""
        judges = self.judges
        if judges.nli is None:
            return None
        engine = nli_engine(judges)
        return None if window_of_reader(engine) is None else engine

    def threshold(self, threshold: float | None = None) -> float:
        """Return the threshold that is given, else that of the judges' calibration, else 0.5.

        Raises:
            CalibrationError: The calibration belongs to another engine or version.
        """
        return entailment_threshold(self.judges, threshold)

    def decision(self, score: float, *, ok: bool) -> Decision | None:
        """Return what the band of the judges' calibration says of a score; `None` without a band.

        Where it disagrees with whether the check holds, `ok`, a person decides.
        """
        calibration = self.judges.calibration
        if not isinstance(calibration, Calibration) or calibration.band is None:
            return None
        decision = calibration.band.decision(score)
        return "review" if decision == ("reject" if ok else "accept") else decision

    @property
    def llm(self) -> LLM:
        """The configured LLM.

        Raises:
            MissingJudgeError: None is configured.
        """
        judges = self.judges
        return llm_engine(judges.llm, judges.model)

    @overload
    def ask(
        self, engine: LLM, questions: Sequence[Question], check: CheckQuestions = ...
    ) -> list[Reply]: ...

    @overload
    def ask(
        self, engine: Scorer[_Q, _A], questions: Sequence[_Q], check: CheckQuestions = ...
    ) -> list[_A]: ...

    def ask(
        self, engine: Any, questions: Sequence[Any], check: CheckQuestions = check_languages
    ) -> list[Any]:
        """Return an engine's results for the questions, in order.

        Pass all questions that do not depend on each other's results in one call: the first round
        only notes the questions, and `judge` runs again when their results are known. `check`
        raises a mistake if the engine cannot be asked, by default because of a text's language.
        """
        return self._ledger.ask(engine, questions, check)

    @property
    def field(self) -> MarkedField:
        """The field that the value is in."""
        return self._field

    def has_field(self, name: str) -> bool:
        """Whether the model has a field of this name, as far as it is known."""
        names = self._field.field_names
        return name in (names if names is not None else self._data or ())

    def sibling(self, name: str) -> Any:
        """Return the value of another field of the same model, even of one declared later.

        If the sibling itself is at fault, this call does not return: the check is skipped.

        Raises:
            MarkerError: The sibling is declared later, and the model is validated on its own,
                where a field sees only those declared before it; the arguments of a function see
                none.
        """
        previous_data = self._previous_call.data if self._previous_call is not None else None
        for data in (self._data, previous_data):
            if data is not None and name in data:
                return data[name]
        state = self._state
        declared_later = self._field.precedes(name)
        if state is None:
            if declared_later is False:
                if self._field.may_lack(name):
                    return None
                raise SkipCheck
            raise MarkerError(
                f"field {self._field.name!r} reads its sibling {name!r}, which is declared later, "
                "or is an argument of the same function. Declare it before in a model, derive the "
                "model from Grounded, or use verify()."
            )
        if state.missing_is_none:
            return None
        if self._previous_call is None and declared_later is not False:
            raise Unsettled  # the next round knows the values of this one
        state.skipped += 1
        raise SkipCheck


def _type_name(value: object) -> str:
    return f"of type {type(value).__name__}"
