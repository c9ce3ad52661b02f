"""What claims cost: calls and input tokens for an answer, and time with a slow endpoint.

    python -m benchmarks.claims_cost --data FOLDER [--answers 50]

The same answers (RAGTruth QA) with the same claims, two for each sentence, are judged in our flows
(`Supported()`, `Supported(calls="two")`) and in those of others: RefChecker's (a call that
extracts, one for each triplet with the whole reference), Opik's (a call for each field, with the
whole context), and that of instructor's blog and `llm_validator` (the same, with a shorter prompt).
A field is here a sentence. For others the sizes of their prompts were measured, data apart, with
the same tokenizer; schemas that a client adds are left out for all. The endpoint is a scripted one
that takes 200 ms for each answer.
"""

import argparse
import json
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import fmean
from typing import Annotated, Any

from pydantic import BaseModel
from tokenizers import Tokenizer

import groundtypes
import groundtypes.prompts.response_models
from benchmarks import machine
from corpora import nli_sets
from groundtypes import Grounded, Judges, Supported, audit_many
from groundtypes.prompts.response_models import (
    Claim,
    ClaimLabels,
    Claims,
    NumberedLabel,
    StatementLabel,
    Statements,
)
from groundtypes.scoring import Question
from groundtypes.testing import ScriptedLLM
from groundtypes.text.hypotheses import hypotheses

#: Tokens of the prompts of others without any data, in WordPieces of the bundled tokenizer:
#: RefChecker (arXiv:2405.14486), Opik 2.2.122, instructor 1.17.0.
REFCHECKER_EXTRACT = 401
REFCHECKER_CHECK = 234
OPIK = 413 + 80
VALIDATOR = 125
LATENCY = 0.2


class Answer(Grounded):
    """An answer whose claims are judged."""

    text: Annotated[str, Supported()]


class Extracting(Grounded):
    """An answer whose claims are extracted in one call, and judged in another."""

    text: Annotated[str, Supported(calls="two")]


#: Our flows, by the model that declares them.
OURS = {"Supported()": Answer, 'Supported(calls="two")': Extracting}


def main(argv: Sequence[str] | None = None) -> None:
    """Print both tables as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--answers", type=int, default=50)
    args = parser.parse_args(argv)
    print(machine.show(machine.describe(["instructor", "openai"])) + "\n")
    rows = nli_sets.labelled_texts(args.data, "ragtruth_qa_test", "public", args.answers)
    _tokens(rows)
    _time()


# --- calls and tokens -----------------------------------------------------------------------


def _tokens(rows: Sequence[nli_sets.LabelledText]) -> None:
    folder = Path(groundtypes.__file__).parent / "backends" / "bundled_nli"
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()

    def count(text: str) -> int:
        return len(tokenizer.encode(text, add_special_tokens=False).ids)

    ours: dict[str, list[tuple[int, int]]] = {name: [] for name in OURS}
    peers: dict[str, list[tuple[int, int]]] = {"RefChecker": [], "Opik": [], "llm_validator": []}
    claims, sentences = [], []
    for row in rows:
        for name, model in OURS.items():
            llm = ScriptedLLM(_two_claims)
            context = {"references": list(row.references), "question": row.question}
            [audit] = audit_many(
                model, [{"text": row.text}], context=context | {"judges": Judges(llm=llm)}
            )
            asked = [question for batch in llm.batches for question in batch]
            ours[name].append((len(asked), sum(map(count, _told(asked)))))
            if model is Answer:
                each = [count(verdict.reason or "") for verdict in audit.verdicts]
        claims.append(len(each))
        pieces = [one.text for one in hypotheses(row.text) if one.is_claim]
        sentences.append(len(pieces))
        context_tokens = count(" ".join(row.references)) + count(row.question or "")
        peers["RefChecker"].append(
            (
                1 + len(each),
                REFCHECKER_EXTRACT
                + count(row.text)
                + sum(REFCHECKER_CHECK + context_tokens + one for one in each),
            )
        )
        for name, prompt in (("Opik", OPIK), ("llm_validator", VALIDATOR)):
            tokens = sum(prompt + context_tokens + count(piece) for piece in pieces)
            peers[name].append((len(pieces), tokens))
    print(
        f"{len(rows)} answers, {fmean(sentences):.1f} sentences, {fmean(claims):.1f} claims each\n"
    )
    print("| flow | calls for an answer, at most | input tokens for an answer | of ours |")
    print("|---|---|---|---|")
    means = [fmean(tokens for _, tokens in found) for found in ours.values()]
    for name, found in (ours | peers).items():
        calls = [one for one, _ in found]
        told = fmean(one for _, one in found)
        shares = ", ".join(f"{told / mean:.2f}" for mean in means)
        print(f"| {name} | {fmean(calls):.2f}, {max(calls)} | {told:,.0f} | {shares} |")


def _told(asked: Sequence[Question]) -> Iterator[str]:
    """Yield all that the LLM reads."""
    for one in asked:
        yield from (
            one.instructions,
            one.content,
            *(part for turn in one.examples for part in turn),
        )


def _two_claims(question: Question) -> Any:
    if question.response_model in (Claims, Statements):
        lines = question.content.split("[sentences ")[1].split("[end ")[0].splitlines()[1:]
        halves = [
            (number, some)
            for number, line in enumerate(lines, 1)
            for some in _halves(line.split(". ", 1)[1].split())
        ]
    if question.response_model is Statements:
        return Statements(
            labels=[
                StatementLabel(
                    sentence=n, statement=" ".join(some)[:400], label="supported", passage=1
                )
                for n, some in halves
            ]
        )
    if question.response_model is Claims:
        found = [
            Claim(sentence=n, subject=some[0][:400], predicate="", object=" ".join(some[1:])[:400])
            for n, some in halves
        ]
        return Claims(claims=found[:200])
    if question.response_model is ClaimLabels:
        count = len(question.content.split("[claims ")[1].split("[end ")[0].splitlines()) - 1
        return ClaimLabels(
            labels=[
                NumberedLabel(claim=n, passage=1, label="supported") for n in range(1, count + 1)
            ]
        )
    return question.response_model.model_validate({"label": "supported", "passage": 1})


def _halves(words: list[str]) -> list[list[str]]:
    half = max(1, len(words) // 2)
    return [some for some in (words[:half], words[half:]) if some]


# --- time -----------------------------------------------------------------------------------


class _Slow(BaseHTTPRequestHandler):
    """An endpoint that answers after 200 ms."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *args: object) -> None:
        """Stay quiet."""

    def do_POST(self) -> None:  # the name that http.server calls
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        time.sleep(LATENCY)
        system, user = body["messages"][0]["content"], body["messages"][-1]["content"]
        kinds: dict[str, type[BaseModel]] = {
            "You take": Claims,
            "You check claims": ClaimLabels,
            "You check sentences": Statements,
        }
        kind = next((one for start, one in kinds.items() if system.startswith(start)), None)
        answer = kind or groundtypes.prompts.response_models.ClaimLabel
        said = _two_claims(Question("", system, user, answer)).model_dump_json()
        tool = body["tools"][0]["function"]["name"]
        call = {"id": "1", "type": "function", "function": {"name": tool, "arguments": said}}
        message = {"role": "assistant", "content": None, "tool_calls": [call]}
        data = json.dumps(
            {
                "id": "1",
                "object": "chat.completion",
                "created": 0,
                "model": "m",
                "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}],
                "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
            }
        ).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def _time() -> None:
    import openai  # noqa: PLC0415 # loaded before the clock starts

    from groundtypes.backends.llm import InstructorLLM  # noqa: PLC0415 # the same

    server = type("Server", (ThreadingHTTPServer,), {"request_queue_size": 128})
    endpoint = server(("127.0.0.1", 0), _Slow)
    threading.Thread(target=endpoint.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{endpoint.server_address[1]}/v1"
    print(
        "\n| client | flow | 20 answers of 10 claims | calls | one call after another would take |"
    )
    print("|---|---|---|---|---|")
    for name, kind in (("OpenAI", openai.OpenAI), ("AsyncOpenAI", openai.AsyncOpenAI)):
        for flow, model in OURS.items():
            best = None
            for attempt in range(3):
                # New words each time: nothing is remembered.
                tag = f"{name}{flow}{attempt}".replace("(", "").replace(")", "")
                llm = InstructorLLM(kind(base_url=url, api_key="-"), "m", concurrency=16)
                rows = [
                    {
                        "text": " ".join(
                            f"Part {part} of {tag} {n} stands and wall {part} is red."
                            for part in range(5)
                        )
                    }
                    for n in range(20)
                ]
                contexts = [
                    {"references": f"Tower {tag} {n} has many parts.", "judges": Judges(llm=llm)}
                    for n in range(20)
                ]
                begun = time.perf_counter()
                audits = audit_many(model, rows, context=contexts)
                seconds = time.perf_counter() - begun
                assert all(len(audit.verdicts) == 10 for audit in audits)
                best = seconds if best is None else min(best, seconds)
                calls = llm.usage.calls
                llm.close()
            print(f"| {name} | {flow} | {best:.2f} s | {calls} | {calls * LATENCY:.1f} s |")
    endpoint.shutdown()
    sys.stdout.flush()


if __name__ == "__main__":
    main()
