"""`estimate`: what checking a file of rows, or asking its questions, would take."""

import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from groundtypes.dataset.build.asked_questions import AskOptions
from groundtypes.dataset.build.repairs import Policy
from groundtypes.dataset.build.training_examples import ExampleOptions, PromptFunction, chat_prompt
from groundtypes.dataset.check.row_auditor import CheckOptions, ProcessorFactory
from groundtypes.dataset.estimation.check_estimate import Plan, estimate_checks
from groundtypes.dataset.estimation.question_estimate import estimate_questions
from groundtypes.dataset.estimation.sampling import Estimate
from groundtypes.errors import DatasetError
from groundtypes.judges import Judges
from groundtypes.rounds.row_mistakes import OnMistake, check_on_mistake
from groundtypes.row_files.answer_rows import Keys
from groundtypes.row_files.counts import Progress

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
        budget: After how many seconds no further batch of the sample is begun; three are always
            checked.
        seed: Another number gives another sample.
        progress: Receives the counts after each batch of the sample.

    Raises:
        DatasetError: An argument or the file is not what it should be; standard input and pipes
            have no places to choose rows from.
        Mistake: The model or an engine cannot be used.
    """
    _check_arguments(
        source,
        {"batch": batch, "workers": workers},
        {"call_seconds": call_seconds, "budget": budget},
    )
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
    plan = Plan(factory, path, batch, workers, outputs, call_seconds, budget, seed)
    found = estimate_checks(plan, progress)
    return found if policy is None else replace(found, notes=(*found.notes, _BUILDING))


def _check_arguments(
    source: str | Path, least: Mapping[str, int], seconds: Mapping[str, float | None]
) -> None:
    for name, number in least.items():
        if number < 1:
            raise DatasetError(f"`{name}` must be at least 1, not {number!r}")
    for name, value in seconds.items():
        if value is not None and not 0 <= value < math.inf:
            raise DatasetError(f"`{name}` must be a number of seconds, 0 or more, not {value!r}")
    if str(source) == "-":
        raise DatasetError(
            "An estimate reads rows from places all over a file, and standard input has none: "
            "write the rows to a file first."
        )
