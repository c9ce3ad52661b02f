"""`estimate`: what checking a file of rows, or asking its questions, would take."""

import math
import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel

from groundtypes.backends.by_name import NLI_NAMES, is_nli_name
from groundtypes.dataset.build.asked_questions import AskOptions
from groundtypes.dataset.build.prompts import PromptFunction, chat_prompt
from groundtypes.dataset.build.repairs import Policy
from groundtypes.dataset.build.training_examples import ExampleOptions
from groundtypes.dataset.check.processing import ProcessorFactory
from groundtypes.dataset.check.row_auditor import CheckOptions
from groundtypes.dataset.estimation.check_estimate import Plan, estimate_checks
from groundtypes.dataset.estimation.estimated_figures import Estimate
from groundtypes.dataset.estimation.modelled_replies import GivenReplies
from groundtypes.dataset.estimation.question_estimate import estimate_questions
from groundtypes.errors import DatasetError
from groundtypes.judges import Judges
from groundtypes.rounds.row_mistakes import OnMistake, check_on_mistake
from groundtypes.row_files.answer_rows import Keys
from groundtypes.row_files.progress import Progress
from groundtypes.scoring import Question

#: The outputs of `check`, and those that `build_dataset` makes of each row.
_CHECKED: Final = ("clean", "rejected", "audits")
_BUILT: Final = ("clean", "rejected")
#: What `build_dataset` does after the checks is not in the sample.
_BUILDING: Final = (
    "The time is that of the checks. To find duplicates and to write the files takes some 0.3 ms a "
    "row more."
)


def estimate(
    model: Any,
    source: str | Path,
    *,
    keys: Keys = Keys(),  # noqa: B008 # frozen
    judges: Judges | str | None = None,
    batch: int = 256,
    workers: int = 1,
    on_mistake: OnMistake = "raise",
    policy: Policy | None = None,
    prompt: PromptFunction = chat_prompt,
    ask: AskOptions | None = None,
    journal: str | Path | None = None,
    call_seconds: float | None = None,
    reply: Callable[[Question], BaseModel] | None = None,
    budget: float = 10.0,
    seed: int = 0,
    progress: Progress = Progress(),  # noqa: B008 # without state
) -> Estimate:
    """Return what it would take to check the rows of a file, before anything is spent.

    A sample of at most some 2,000 rows, from places all over the file, is checked as a run would:
    its rows are read, its quotes and figures searched for, and NLI engines on this machine asked.
    So it takes seconds, also for a file of several gigabytes. No LLM is called: questions to it are
    counted, and where further questions depend on its replies, these are modelled. What an LLM
    engine has in its cache of replies counts as answered.

    Args:
        model: The model that reads the answers.
        source: A file of JSON Lines.
        keys: The keys that hold the parts of a row, where they are not the usual ones.
        judges: The engines, or the name of an NLI engine; by default those of the model.
        batch: How many rows the run judges together.
        workers: How many processes judge; the measured time is divided by their number.
        on_mistake: What the run does with a row that cannot be judged, as in `audit_many`.
        policy: What `build_dataset` does to a faulty answer; `None` for a run that only checks.
        prompt: Makes the messages of a row, for `policy` and `ask`.
        ask: The rows are questions that are put to this LLM: what asking them takes is returned.
        journal: With `ask`, the recorded calls of an earlier run (`recordings.jsonl`): what they
            answer is not asked again, and requests and tokens are estimated by their means.
        call_seconds: How long one call of the LLM takes; without it, the time is that of the rest.
        reply: Returns what an LLM might reply to a question, in place of the built-in model.
        budget: After how many seconds no further batch of the sample is begun; three are always
            checked.
        seed: Another number gives another sample.
        progress: Receives the counts after each batch of the sample.

    Raises:
        DatasetError: An argument or the file is not what it should be; standard input and pipes
            have no places to choose rows from; or `reply` fails, or does not return a reply.
        Mistake: The model or an engine cannot be used.
    """
    _check_arguments(
        source=source, keys=keys, judges=judges, batch=batch, workers=workers, prompt=prompt,
        ask=ask, journal=journal, call_seconds=call_seconds, reply=reply, budget=budget, seed=seed,
        progress=progress,
    )  # fmt: skip
    check_on_mistake(on_mistake)
    path = Path(source)
    if ask is not None:
        return estimate_questions(
            ask,
            ExampleOptions(model, keys, policy or "reject", prompt, judges),
            path,
            None if journal is None else Path(journal),
            call_seconds=call_seconds,
            seed=seed,
            progress=progress,
        )
    factory: ProcessorFactory
    if policy is None:
        factory = CheckOptions(model, "", keys, on_mistake, judges)
    else:
        factory = ExampleOptions(model, keys, policy, prompt, judges, on_mistake)
    outputs = _CHECKED if policy is None else _BUILT
    replies = None if reply is None else GivenReplies(reply)
    plan = Plan(factory, path, batch, workers, outputs, replies, call_seconds, budget, seed)
    found = estimate_checks(plan, progress)
    return found if policy is None else replace(found, notes=(*found.notes, _BUILDING))


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_seconds(value: Any) -> bool:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return is_number and 0 <= value < math.inf


def _is_path(value: object) -> bool:
    return isinstance(os.fspath(value) if isinstance(value, os.PathLike) else value, str)


def _is_judges(value: object) -> bool:
    return is_nli_name(value) if isinstance(value, str) else isinstance(value, Judges)


#: What the arguments of `estimate` must be, and which of them may be `None`.
_ARGUMENTS: Final[Mapping[str, tuple[str, Callable[[Any], bool]]]] = {
    "source": ("the path of a file", _is_path),
    "batch": ("a whole number of at least 1", lambda value: _is_whole(value) and value >= 1),
    "workers": ("a whole number of at least 1", lambda value: _is_whole(value) and value >= 1),
    "seed": ("a whole number", _is_whole),
    "budget": ("a number of seconds, 0 or more", _is_seconds),
    "keys": ("of the type Keys", lambda value: isinstance(value, Keys)),
    "progress": ("of the type Progress", lambda value: isinstance(value, Progress)),
    "prompt": ("a function", callable),
    "journal": ("the path of a file", _is_path),
    "call_seconds": ("a number of seconds, 0 or more", _is_seconds),
    "judges": (f"of the type Judges or one of {NLI_NAMES}", _is_judges),
    "ask": ("of the type AskOptions", lambda value: isinstance(value, AskOptions)),
    "reply": ("a function", callable),
}
_OPTIONAL: Final = frozenset({"journal", "call_seconds", "judges", "ask", "reply"})


def _check_arguments(**given: Any) -> None:
    """Raise unless the arguments are what their types say, before anything is read."""
    for name, (expected, is_valid) in _ARGUMENTS.items():
        value = given[name]
        if not (is_valid(value) or (value is None and name in _OPTIONAL)):
            raise DatasetError(f"`{name}` must be {expected}, not {value!r}")
    if str(given["source"]) == "-":
        raise DatasetError(
            "An estimate reads rows from places all over a file, and standard input has none: "
            "write the rows to a file first."
        )
