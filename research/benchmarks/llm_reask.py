"""How often a language model quotes incorrectly, and which fault wordings make it correct a quote.

    python -m benchmarks.llm_reask --base-url http://127.0.0.1:8115/v1 [--model NAME] [--part tune]

Measures, over real questions with real references (`research/benchmarks/data/llm_questions.md`):

1. the share of faulty first answers, with and without the sentence that the markers add to the
   JSON schema (`Quoted(describe=...)`), in instructor's JSON mode, where the model reads it;
2. the share of faulty answers that one re-ask repairs, for several wordings of the faults, in
   JSON_SCHEMA mode.

Every answer is stored in a file at once, so that an interrupted run can be resumed. Wordings are
compared on the part `tune`; the part `test` is for the wording that was chosen.
"""

import argparse
import json
import platform
import time
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any
from unittest.mock import patch

import openai
from pydantic import BaseModel, Field, ValidationError

from groundtypes import Grounded, Quoted, errors

DATA = Path(__file__).parent / "data" / "llm_questions.jsonl"
_RULE = "Copy the quote word for word from one of the references."

#: name -> the wordings that differ from the shipped ones. Answers are stored under these names:
#: delete those of "shipped" after a change of `errors.FAULTS`.
WORDINGS: dict[str, dict[str, str]] = {
    "shipped": {},
    "sentence": {
        "quote_altered": (
            "This is not word for word: {difference}. Reference {reference} reads: {passage} "
            "Copy those words exactly, without changing any."
        ),
        "quote_not_found_nearest": (
            "These words stand in no reference. The closest passage is in reference {reference}: "
            "{passage} Copy a quote from there word for word, or remove this item."
        ),
        "quote_not_found": (
            "These words stand in no reference. Copy the quote word for word from one of the "
            "references, or remove this item."
        ),
    },
    "passage only": {
        "quote_altered": (
            "Not in the references. Closest passage, in reference {reference}: {passage}"
        ),
        "quote_not_found_nearest": (
            "Not in the references. Closest passage, in reference {reference}: {passage}"
        ),
        "quote_not_found": "Not in the references.",
    },
    "replace by": {
        "quote_altered": "Replace this quote by these exact words of {reference}: {passage}",
        "quote_not_found_nearest": (
            "Replace this quote by words that stand in a reference, such as these of {reference}: "
            "{passage}"
        ),
        "quote_not_found": f"Replace this quote by words that stand in a reference. {_RULE}",
    },
    "wrong and right": {
        "quote_altered": (
            "WRONG: {difference}. RIGHT: {passage} Use the RIGHT words, exactly as they are."
        ),
        "quote_not_found_nearest": (
            "WRONG: no reference has these words. RIGHT, for example: {passage} Use words of a "
            "reference, exactly as they are."
        ),
        "quote_not_found": "WRONG: no reference has these words. " + _RULE,
    },
    "rule only": {
        "quote_altered": "The quote is not word for word. " + _RULE,
        "quote_not_found_nearest": "The quote is in no reference. " + _RULE,
        "quote_not_found": "The quote is in no reference. " + _RULE,
    },
    "change to": {
        "quote_altered": (
            "Wrong: {difference}. Change the quote to these words of reference {reference}: "
            "{passage}"
        ),
        "quote_not_found_nearest": (
            "Wrong: no reference has these words. Change the quote to words of a reference, for "
            "example of reference {reference}: {passage}"
        ),
        "quote_not_found": (
            "Wrong: no reference has these words. Change the quote to words that stand in a "
            "reference, or remove this item."
        ),
    },
    "not again": {
        "quote_altered": (
            "Do not send this quote again. WRONG: {difference}. RIGHT: {passage} Send these words "
            "of reference {reference} instead, exactly as they are."
        ),
        "quote_not_found_nearest": (
            "Do not send this quote again. WRONG: no reference has these words. RIGHT, for "
            "example, from reference {reference}: {passage} Send words of a reference instead, "
            "exactly as they are, or remove this item."
        ),
        "quote_not_found": (
            "Do not send this quote again. WRONG: no reference has these words. Send words of a "
            "reference instead, exactly as they are, or remove this item."
        ),
        "quote_too_long": (
            "Do not send this quote again. WRONG: it has {count} words, and at most {limit} are "
            "allowed. Send one sentence of it instead."
        ),
    },
}
TASK = (
    "Answer the question from the references. Give one or two findings; each has a statement in "
    "your own words, and a quote of at most 30 words from the reference that proves it."
)


class Finding(BaseModel):
    """A statement with its proof."""

    statement: str
    quote: Annotated[str, Quoted()]


class Answer(Grounded):
    """The answer to the question."""

    findings: Annotated[list[Finding], Field(min_length=1, max_length=2)]


class BareFinding(BaseModel):
    """A statement with its proof."""

    statement: str
    quote: Annotated[str, Quoted(describe=False)]


class BareAnswer(Grounded):
    """The answer to the question."""

    findings: Annotated[list[BareFinding], Field(min_length=1, max_length=2)]


class AnswerStore:
    """Answers by their key, in a JSON Lines file that is only appended to."""

    def __init__(self, path: Path) -> None:
        self._path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        self._known = {row["key"]: row["text"] for row in map(json.loads, lines)}

    def get(self, key: str) -> str | None:
        return self._known.get(key)

    def add(self, key: str, text: str) -> None:
        self._known[key] = text
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"key": key, "text": text}) + "\n")


class Endpoint:
    """Sends each prompt to the endpoint once, and stores the answer."""

    def __init__(self, base_url: str, model: str, answers: AnswerStore) -> None:
        self._client = openai.OpenAI(base_url=base_url, api_key="-", timeout=600, max_retries=0)
        self._model = model
        self._kept = answers

    def ask(self, key: str, messages: list[Any], response_format: Any) -> str:
        """Return the answer's text."""
        key = f"{self._model}/{key}"
        if (stored := self._kept.get(key)) is not None:
            return stored
        completion = self._client.chat.completions.create(
            model=self._model,
            messages=messages,
            response_format=response_format,
            temperature=0,
            max_tokens=300,
        )
        text = completion.choices[0].message.content or ""
        self._kept.add(key, text)
        return text


def _prompt(row: Mapping[str, Any]) -> str:
    references = "\n\n".join(
        f"[{reference['id']}] {reference['title']}\n{reference['text']}"
        for reference in row["references"]
    )
    return f"{references}\n\nQuestion: {row['question']}\n\n{TASK}"


def _fault(model: type[BaseModel], text: str, row: Mapping[str, Any]) -> ValidationError | None:
    try:
        model.model_validate_json(text, context={"references": row["references"]})
    except ValidationError as error:
        return error
    return None


def _schema_format(model: type[BaseModel]) -> dict[str, Any]:
    schema = {"name": model.__name__, "schema": model.model_json_schema()}
    return {"type": "json_schema", "json_schema": schema}


def first_json(
    endpoint: Endpoint, row: Mapping[str, Any], *, describe: bool
) -> ValidationError | None:
    """Ask in JSON mode, with the schema in the system message; return the faults of the answer."""
    model: type[BaseModel] = Answer if describe else BareAnswer
    schema = json.dumps(model.model_json_schema(), indent=2)
    system = f"Answer with JSON that matches this json_schema:\n\n{schema}\n"
    messages = [
        {"role": "system", "content": system.replace("BareAnswer", "Answer")},
        {"role": "user", "content": _prompt(row)},
    ]
    key = f"json/{'described' if describe else 'bare'}/{row['id']}"
    return _fault(model, endpoint.ask(key, messages, {"type": "json_object"}), row)


def faults_by_round(
    endpoint: Endpoint, row: Mapping[str, Any], wording: str, rounds: int
) -> Iterator[ValidationError | None]:
    """Yield the faults of the first answer and of each re-ask, as instructor would send them."""
    messages: list[Any] = [{"role": "user", "content": _prompt(row)}]
    key = f"schema/{row['id']}"
    for number in range(rounds + 1):
        text = endpoint.ask(key, messages, _schema_format(Answer))
        error = _fault(Answer, text, row)
        yield error
        if error is None:
            return
        messages += [
            {"role": "assistant", "content": text},
            {
                "role": "user",
                "content": "Correct your JSON ONLY RESPONSE, based on the following errors:\n"
                f"{error}",
            },
        ]
        key = f"schema/{row['id']}/{wording}/{number + 1}"


def _share(part: int, whole: int) -> str:
    return f"{part} of {whole} ({part / whole:.0%})" if whole else "none"


def measure_schema(endpoint: Endpoint, rows: list[dict[str, Any]]) -> None:
    """Print the shares of faulty first answers."""
    print("\n| schema sentence | faulty first answers |\n|---|---|")
    for describe in (True, False):
        faults = [first_json(endpoint, row, describe=describe) for row in rows]
        faulty = sum(error is not None for error in faults)
        print(f"| {'on' if describe else 'off'} | {_share(faulty, len(rows))} |", flush=True)


def measure_wordings(
    endpoint: Endpoint, rows: list[dict[str, Any]], names: list[str], rounds: int
) -> None:
    """Print the shares of faulty answers that re-asks repair."""
    # All wordings of one question in a row: the endpoint caches the common start of the prompt.
    outcomes: dict[str, list[list[ValidationError | None]]] = {name: [] for name in names}
    for row in rows:
        for name in names:
            with patch.object(errors, "FAULTS", {**errors.FAULTS, **WORDINGS[name]}):
                outcomes[name].append(list(faults_by_round(endpoint, row, name, rounds)))
    slugs: dict[str, int] = {}
    headings = "".join(f" repaired by re-ask {number + 1} |" for number in range(rounds))
    print(f"\n| wording | faulty first answers |{headings}\n|---|---|{'---|' * rounds}")
    for name in names:
        faulty = [answer_errors for answer_errors in outcomes[name] if answer_errors[0] is not None]
        for answer_errors in faulty:
            for item in answer_errors[0].errors() if answer_errors[0] else ():
                slugs[item["type"]] = slugs.get(item["type"], 0) + (name == names[0])
        cells = [
            _share(
                sum(None in answer_errors[: number + 2] for answer_errors in faulty), len(faulty)
            )
            for number in range(rounds)
        ]
        print(f"| {name} | {_share(len(faulty), len(rows))} | {' | '.join(cells)} |", flush=True)
    print("\nFaults of the first answers:", dict(sorted(slugs.items(), key=lambda item: -item[1])))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--base-url", required=True)
    parser.add_argument("--model", default="local")
    parser.add_argument("--part", choices=("tune", "test"), default="tune")
    parser.add_argument("--questions", type=int, default=48, help="the largest number of questions")
    parser.add_argument("--rounds", type=int, default=1, help="re-asks of a faulty answer")
    parser.add_argument("--wordings", nargs="*", default=list(WORDINGS), choices=list(WORDINGS))
    parser.add_argument("--schema", action="store_true", help="measure the schema sentence as well")
    parser.add_argument("--kept", type=Path, default=Path("build/llm_reask.jsonl"))
    options = parser.parse_args()
    rows = [json.loads(line) for line in DATA.read_text(encoding="utf-8").splitlines()]
    rows = [row for row in rows if row["part"] == options.part][: options.questions]
    endpoint = Endpoint(options.base_url, options.model, AnswerStore(options.kept))
    print(
        f"{datetime.now(UTC):%Y-%m-%d}, {platform.platform()}, Python {platform.python_version()}, "
        f"groundtypes {version('groundtypes')}, pydantic {version('pydantic')}; "
        f"model {options.model}; {len(rows)} questions of the part {options.part}"
    )
    start = time.monotonic()
    measure_wordings(endpoint, rows, options.wordings, options.rounds)
    if options.schema:
        measure_schema(endpoint, rows)
    print(f"\n{time.monotonic() - start:.0f} s")


if __name__ == "__main__":
    main()
