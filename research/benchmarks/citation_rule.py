"""Whether a language model cites as the rule in the JSON schema says, and what a re-ask repairs.

    python -m benchmarks.citation_rule --base-url http://127.0.0.1:8115/v1 [--model NAME]
        [--questions 24] [--judged 10]

Measures, over questions with four to six sources each (`research/benchmarks/data/cited_answers.md`,
of the split `tune` two for each domain):

1. first answers with and without the sentence that `Cited` adds to the JSON schema
   (`describe=False`), in JSON mode, where the model reads the schema: how many have markers, cite
   known sources only, cite something for each statement, and hold;
2. how many hold after the faults were sent back once;
3. with `--judged`, what the same model says of answers that were written with and without a fault
   (`Cited(by="llm")`).

Every answer is stored in a file at once, so that an interrupted run can be resumed.
"""

import argparse
import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from itertools import islice, zip_longest
from pathlib import Path
from typing import Annotated, Any, Final

import instructor
import openai
from pydantic import BaseModel, ValidationError

from benchmarks import machine
from benchmarks.citation_quality import is_supported
from benchmarks.llm_reask import AnswerStore, Endpoint
from corpora.cited_answers import CitedRow, load_answers
from groundtypes import Cited, Grounded, Judges, audit
from groundtypes.backends.llm import InstructorLLM
from groundtypes.errors import BackendError

__all__ = ["main", "measure_answer", "questions"]

TASK: Final = "Answer the question from the references, in two to four sentences."
_FAULT: Final = "Correct your JSON ONLY RESPONSE, based on the following errors:\n"


class Answer(Grounded):
    """The answer to the question."""

    text: Annotated[str, Cited()]


class BareAnswer(Grounded):
    """The answer to the question."""

    text: Annotated[str, Cited(describe=False)]


class JudgedAnswer(Grounded):
    """An answer whose citations an LLM judges."""

    text: Annotated[str, Cited(by="llm")]


@dataclass(frozen=True)
class Measured:
    """What is true of one answer, or of how many."""

    is_json: int = 0
    has_markers: int = 0
    all_known: int = 0
    all_cited: int = 0
    holds: int = 0

    def __add__(self, other: "Measured") -> "Measured":
        pairs = ((getattr(self, each.name), getattr(other, each.name)) for each in fields(self))
        return Measured(*(first + second for first, second in pairs))


def questions(rows: Sequence[CitedRow], most: int) -> list[CitedRow]:
    """Return one answer for each set of sources: of every domain the first set, then the next."""
    sets: dict[str, dict[tuple[str, ...], CitedRow]] = {}
    for row in rows:
        by_texts = sets.setdefault(row.domain, {})
        by_texts.setdefault(tuple(row.texts.values()), row)
    rounds = zip_longest(*(list(each.values()) for each in sets.values()))
    return list(islice((row for each in rounds for row in each if row is not None), most))


def measure_answer(text: str, row: CitedRow) -> tuple[Measured, ValidationError | None]:
    """Return what is true of an answer, and its faults as they are sent back."""
    context = {"references": row.texts, "question": row.question}
    try:
        value = Answer.model_validate_json(text, context=context)
    except ValidationError as error:
        slugs = {each["type"] for each in error.errors()}
        if not all(slug.startswith("citation_") for slug in slugs):
            return Measured(), error
        answer = BaseAnswer.model_validate_json(text).text
        found = audit(Answer, {"text": answer}, context=context)
        cites = any(each.citations or each.label == "unknown" for each in found.verdicts)
        known = cites and "citation_unknown" not in slugs
        return Measured(1, cites, known, "citation_missing" not in slugs), error
    cites = bool(value.text.citations)  # type: ignore[attr-defined] # the check makes a CitedText
    return Measured(1, cites, cites, 1, 1), None


class BaseAnswer(BaseModel):
    """An answer of which nothing is checked."""

    text: str


def answers(
    endpoint: Endpoint, row: CitedRow, *, describe: bool, rounds: int
) -> Iterator[tuple[Measured, ValidationError | None]]:
    """Yield what is true of the first answer and of those after each re-ask."""
    model: type[BaseModel] = Answer if describe else BareAnswer
    schema = json.dumps(model.model_json_schema()).replace("BareAnswer", "Answer")
    references = "\n\n".join(
        f"Reference {number} ({id_}): {text}"
        for number, (id_, text) in enumerate(row.texts.items(), 1)
    )
    # The references come first, so that the endpoint reads them once for both schemas.
    system = f"{references}\n\nAnswer with JSON that matches this json_schema:\n{schema}"
    messages: list[Any] = [
        {"role": "system", "content": system},
        {"role": "user", "content": f"Question: {row.question}\n\n{TASK}"},
    ]
    key = f"cited/{'described' if describe else 'bare'}/{row.id}"
    for number in range(rounds + 1):
        text = endpoint.ask(key, messages, {"type": "json_object"})
        measured, error = measure_answer(text, row)
        yield measured, error
        if error is None:
            return
        messages += [
            {"role": "assistant", "content": text},
            {"role": "user", "content": f"{_FAULT}{error}"},
        ]
        key = f"{key}/{number + 1}"


def measure_rule(endpoint: Endpoint, rows: Sequence[CitedRow]) -> None:
    """Print how first answers cite, with and without the rule, and how many hold after a re-ask."""
    first = {True: Measured(), False: Measured()}
    last = {True: Measured(), False: Measured()}
    for row in rows:
        for describe in (True, False):
            found = [each for each, _ in answers(endpoint, row, describe=describe, rounds=1)]
            first[describe] += found[0]
            last[describe] += found[-1]
    print("| rule | JSON | markers | known only | all statements cited | holds | after a re-ask |")
    print("|---|---|---|---|---|---|---|")
    for describe, name in ((True, "yes"), (False, "no")):
        cells = [getattr(first[describe], each.name) for each in fields(Measured)]
        cells.append(last[describe].holds)
        print(f"| {name} | {' | '.join(f'{cell} of {len(rows)}' for cell in cells)} |")


def measure_judge(base_url: str, model: str, rows: Sequence[CitedRow]) -> None:
    """Print what an LLM says of answers that were written, half of them with a fault."""
    client = openai.OpenAI(base_url=base_url, api_key="-", timeout=600, max_retries=0)
    llm = InstructorLLM(
        client,
        model,
        mode=instructor.Mode.JSON_SCHEMA,
        timeout=600,
        concurrency=1,
        options={"temperature": 0, "max_tokens": 800},
    )
    accepted: dict[bool, list[bool]] = {True: [], False: []}
    failed = 0
    for row in rows:
        context = {"references": row.texts, "question": row.question, "judges": Judges(llm=llm)}
        try:
            found = audit(JudgedAnswer, {"text": row.answer}, context=context)
        except BackendError as error:
            failed += 1
            print(f"no judgement of {row.id}: {error}", flush=True)
            continue
        for start, end, sentence in row.placed_sentences():
            if sentence["supported"] is not None and sentence["claims"]:
                is_accepted = is_supported(found.verdicts, start, end, scored=False)
                accepted[sentence["supported"]].append(is_accepted)
    llm.close()
    for supported, said in accepted.items():
        kind = "supported" if supported else "unsupported"
        print(f"- {kind} sentences accepted: {sum(said)} of {len(said)}")
    print(f"- answers without a judgement: {failed} of {len(rows)}")
    print(f"- calls: {llm.usage.calls}")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--base-url", required=True)
    parser.add_argument("--model", default="local")
    parser.add_argument("--questions", type=int, default=24)
    parser.add_argument("--judged", type=int, default=0)
    parser.add_argument("--kept", type=Path, default=Path("build/citation_rule.jsonl"))
    options = parser.parse_args()
    print(machine.show(machine.describe(["openai", "instructor"])))
    rows = load_answers("tune")
    chosen = questions(rows, options.questions)
    print(f"\nmodel {options.model}, {len(chosen)} questions\n")
    start = time.monotonic()
    measure_rule(Endpoint(options.base_url, options.model, AnswerStore(options.kept)), chosen)
    if options.judged:
        print(f'\nCited(by="llm"), {options.judged} answers\n')
        unsupported = [row for row in rows if row.fault in ("unsupported", "wrong_source")]
        half = options.judged // 2
        right = [row for row in rows if row.fault is None]
        judged = questions(unsupported, half) + questions(right, options.judged - half)
        measure_judge(options.base_url, options.model, judged)
    print(f"\n{time.monotonic() - start:.0f} s")


if __name__ == "__main__":
    main()
