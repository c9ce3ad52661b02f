"""`Calibration`: the threshold of one NLI engine, fitted to texts that people have labelled.

It may have a `ReviewBand`, the scores at which a person should look. It belongs to one engine and
one version, because a score of another engine means something else.
"""

import hashlib
import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, Final, Self

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError, with_config
from pydantic_core import from_json, to_json

from groundtypes.errors import CalibrationError
from groundtypes.scoring import EngineWrapper, NLIScorer
from groundtypes.text.message_excerpts import clip
from groundtypes.verdicts import Decision

_FORMAT: Final = "groundtypes calibration 1"
#: The largest file that is read, in bytes; a calibration has less than one thousand.
_MAX_BYTES: Final = 2**16

_STRICT: Final = ConfigDict(extra="forbid", allow_inf_nan=False)
_Share = Annotated[float, Field(ge=0.0, le=1.0)]
_Count = Annotated[int, Field(ge=0, strict=True)]
_Name = Annotated[str, Field(min_length=1, max_length=200)]


@with_config(_STRICT)
@dataclass(frozen=True, slots=True)
class EngineId:
    """Which engine a calibration belongs to: its class, and a hash of its weights and settings."""

    name: _Name
    digest: _Name

    def __str__(self) -> str:
        return f"{self.name} {self.digest[:12]}"


@with_config(_STRICT)
@dataclass(frozen=True, slots=True)
class Estimate:
    """A share that is expected of new rows, and its 95 % interval."""

    value: _Share
    low: _Share
    high: _Share


@with_config(_STRICT)
@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewBand:
    """The scores between which a person should look at a text.

    Scores from `high` on are accepted, those up to `low` rejected. `None` is a side of which the
    labels show too little, so that nothing is accepted or rejected there. With a probability of at
    least 1 - `delta`, at most the share `risk` of what is accepted is wrong, and at most that share
    of what is rejected is right.
    """

    low: _Share | None
    high: _Share | None
    risk: _Share
    delta: _Share

    def decision(self, score: float) -> Decision:
        """Return what is to be done with a text that has this score."""
        if self.high is not None and score >= self.high:
            return "accept"
        return "reject" if self.low is not None and score <= self.low else "review"


@with_config(_STRICT)
@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """The operating point of one engine: its threshold, and what is expected of it.

    `threshold` is compared with the engine's own score. `goal` says by what it was chosen;
    `precision` and `recall` are expected of new rows like the labelled ones, of which `supported`
    and `unsupported` are the numbers. `version` is the version of groundtypes. `band` says which
    scores a person should look at.

    Raises:
        CalibrationError: The threshold is not greater than 0 and at most 1, or not in the band.
    """

    threshold: float
    engine: EngineId
    goal: _Name
    precision: Estimate
    recall: Estimate
    supported: _Count
    unsupported: _Count
    version: _Name
    band: ReviewBand | None = None

    def __post_init__(self) -> None:
        if not 0.0 < self.threshold <= 1.0:
            raise CalibrationError(
                f"The threshold of a calibration is {self.threshold!r}; it must be greater than 0 "
                "and at most 1."
            )
        low, high = (None, None) if self.band is None else (self.band.low, self.band.high)
        # What is accepted is valid, and what is rejected is not.
        if not (-1.0 if low is None else low) < self.threshold <= (1.0 if high is None else high):
            raise CalibrationError(
                f"The threshold {self.threshold!r} is not above {low!r} and at most {high!r}, "
                "between which scores are reviewed."
            )

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read the file that `save` has written, or raise a `CalibrationError`."""
        try:
            with Path(path).open("rb") as file:
                data = file.read(_MAX_BYTES + 1)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise CalibrationError(f"Cannot read the calibration {path}: {reason}.") from error
        if len(data) > _MAX_BYTES:
            raise CalibrationError(f"{path} is too large to be a calibration.")
        try:
            return cls._from_json(data)
        except ValueError as error:  # also what Pydantic raises
            raise CalibrationError(f"{path} is not a calibration: {_reason(error)}.") from error

    @classmethod
    def _from_json(cls, data: bytes) -> Self:
        content = from_json(data)
        if not isinstance(content, dict) or content.pop("format", None) != _FORMAT:
            raise ValueError(f"it has not the format {_FORMAT!r}")
        # Strict JSON: a number in quotation marks is no number.
        calibration: Self = TypeAdapter(cls).validate_json(to_json(content), strict=True)
        return calibration

    def save(self, path: str | Path) -> None:
        """Write the calibration as JSON that `load` and `Judges(calibration=)` read."""
        text = json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False, indent=2)
        try:
            Path(path).write_text(text + "\n", encoding="utf-8", newline="\n")
        except OSError as error:
            raise CalibrationError(f"Cannot write {path}: {error.strerror}.") from error

    def to_dict(self) -> dict[str, Any]:
        """Return the calibration as plain data that JSON can hold."""
        return {"format": _FORMAT, **asdict(self)}

    def threshold_for(self, nli: NLIScorer) -> float:
        """Return the threshold; a `CalibrationError` if it is for another engine or version."""
        engine = engine_id(nli)
        if engine != self.engine:
            raise CalibrationError(
                f"The calibration belongs to another engine: it was made for {self.engine}, and "
                f"the engine is {engine}. Run `groundtypes calibrate` with this engine."
            )
        from groundtypes import __version__ as version  # noqa: PLC0415 # slow to look up

        if _series(version) != _series(self.version):
            raise CalibrationError(
                f"The calibration was made with groundtypes {clip(self.version, 40)}, and this is "
                f"{version}, which may score differently. Run `groundtypes calibrate` again."
            )
        return self.threshold


def read_calibration(source: object) -> Calibration:
    """Return the calibration, read from its file if `source` is a path."""
    if isinstance(source, Calibration):
        return source
    if isinstance(source, str | os.PathLike):
        return Calibration.load(Path(source))
    raise CalibrationError(
        f"calibration is of type {type(source).__name__}; pass a Calibration, or the path of its "
        "file."
    )


def engine_id(nli: NLIScorer) -> EngineId:
    """Return which engine this is: by its `identity` if that is a text, else by its class."""
    # A wrapper that scores otherwise than its engine has an identity of its own.
    while isinstance(nli, EngineWrapper) and not hasattr(type(nli), "identity"):
        nli = nli.engine
    kind = type(nli)
    identity = getattr(nli, "identity", None)
    if not isinstance(identity, str):
        identity = f"{kind.__module__}.{kind.__qualname__}"
    data = identity.encode("utf-8", "surrogatepass")
    return EngineId(clip(kind.__qualname__, 100), hashlib.sha256(data).hexdigest())


def _series(version: str) -> list[str]:
    """Return major and minor version: a patch release changes no scores."""
    return version.split(".")[:2]


def _reason(error: ValueError) -> str:
    """Return the first fault of a validation, or the message of another error."""
    if not isinstance(error, ValidationError):
        return clip(str(error), 200)
    first = error.errors(include_url=False, include_input=False)[0]
    place = ".".join(map(str, first["loc"]))
    return clip(f"{place}: {first['msg']}" if place else first["msg"], 200)
