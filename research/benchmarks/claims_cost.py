"""What claims cost: calls and input tokens for an answer, and time with a slow endpoint.

    python -m benchmarks.claims_cost --data FOLDER [--answers 50]

The same answers (RAGTruth QA) with the same claims, two for each sentence, are checked by
groundtypes (`Supported()`, `Supported(calls="two")`) and by the methods of other tools: RefChecker
(one call that extracts, and one for each triplet with the whole reference), Opik (one call for each
field, with the whole context), and instructor's blog and `llm_validator` (the same, with a shorter
prompt). Here, a field is a sentence. The sizes of the other tools' prompts were measured without
data, with the same tokenizer; schemas that a client adds are not counted for any tool. The endpoint
is a scripted one that takes 200 ms for each answer.
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
from groundtypes_nli import NLI

#: Tokens of the other tools' prompts without data, in WordPieces of the bundled tokenizer:
#: RefChecker (arXiv:2405.14486), Opik 2.2.122, instructor 1.17.0.
REFCHECKER_EXTRACT = 401
REFCHECKER_CHECK = 234
OPIK = 413 + 80
VALIDATOR = 125
LATENCY = 0.2


class Answer(Grounded):
    """An answer whose claims are extracted and labelled in one call."""

    text: Annotated[str, Supported()]


class AnswerInTwoCalls(Grounded):
    """An answer whose claims are extracted in one call and labelled in another."""

    text: Annotated[str, Supported(calls="two")]


#: The calls that groundtypes makes -> the model that declares them.
FLOW_MODELS = {"Supported()": Answer, 'Supported(calls="two")': AnswerInTwoCalls}


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
    folder = NLI
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()

    def count(text: str) -> int:
        return len(tokenizer.encode(text, add_special_tokens=False).ids)

    ours: dict[str, list[tuple[int, int]]] = {name: [] for name in FLOW_MODELS}
    peers: dict[str, list[tuple[int, int]]] = {"RefChecker": [], "Opik": [], "llm_validator": []}
    claims, sentences = [], []
    for row in rows:
        for name, model in FLOW_MODELS.items():
            llm = ScriptedLLM(_two_claims)
            context = {"references": list(row.references), "question": row.question}
            [audit] = audit_many(
                model, [{"text": row.text}], context=context | {"judges": Judges(llm=llm)}
            )
            questions = [question for batch in llm.batches for question in batch]
            ours[name].append((len(questions), sum(map(count, _prompt_texts(questions)))))
            if model is Answer:
                claim_tokens = [count(verdict.reason or "") for verdict in audit.verdicts]
        claims.append(len(claim_tokens))
        sentence_claims = [item.text for item in hypotheses(row.text) if item.is_claim]
        sentences.append(len(sentence_claims))
        context_tokens = count(" ".join(row.references)) + count(row.question or "")
        peers["RefChecker"].append(
            (
                1 + len(claim_tokens),
                REFCHECKER_EXTRACT
                + count(row.text)
                + sum(REFCHECKER_CHECK + context_tokens + item for item in claim_tokens),
            )
        )
        for name, prompt in (("Opik", OPIK), ("llm_validator", VALIDATOR)):
            tokens = sum(prompt + context_tokens + count(piece) for piece in sentence_claims)
            peers[name].append((len(sentence_claims), tokens))
    print(
        f"{len(rows)} answers, {fmean(sentences):.1f} sentences, {fmean(claims):.1f} claims each\n"
    )
    print(
        "| flow | calls for an answer, at most "
        "| input tokens for an answer | ratio to groundtypes |"
    )
    print("|---|---|---|---|")
    means = [fmean(tokens for _, tokens in costs) for costs in ours.values()]
    for name, costs in (ours | peers).items():
        calls = [item for item, _ in costs]
        mean_tokens = fmean(item for _, item in costs)
        shares = ", ".join(f"{mean_tokens / mean:.2f}" for mean in means)
        print(f"| {name} | {fmean(calls):.2f}, {max(calls)} | {mean_tokens:,.0f} | {shares} |")


def _prompt_texts(questions: Sequence[Question]) -> Iterator[str]:
    """Yield all text that the LLM reads."""
    for question in questions:
        yield from (
            question.instructions,
            question.content,
            *(part for turn in question.examples for part in turn),
        )


def _two_claims(question: Question) -> Any:
    if question.response_model in (Claims, Statements):
        lines = question.content.split("[sentences ")[1].split("[end ")[0].splitlines()[1:]
        halves = [
            (number, words)
            for number, line in enumerate(lines, 1)
            for words in _halves(line.split(". ", 1)[1].split())
        ]
    if question.response_model is Statements:
        return Statements(
            labels=[
                StatementLabel(
                    sentence=number, statement=" ".join(words)[:400], label="supported", passage=1
                )
                for number, words in halves
            ]
        )
    if question.response_model is Claims:
        claims = [
            Claim(
                sentence=number,
                subject=words[0][:400],
                predicate="",
                object=" ".join(words[1:])[:400],
            )
            for number, words in halves
        ]
        return Claims(claims=claims[:200])
    if question.response_model is ClaimLabels:
        count = len(question.content.split("[claims ")[1].split("[end ")[0].splitlines()) - 1
        return ClaimLabels(
            labels=[
                NumberedLabel(claim=number, passage=1, label="supported")
                for number in range(1, count + 1)
            ]
        )
    return question.response_model.model_validate({"label": "supported", "passage": 1})


def _halves(words: list[str]) -> list[list[str]]:
    half = max(1, len(words) // 2)
    return [part for part in (words[:half], words[half:]) if part]


# --- time -----------------------------------------------------------------------------------


class _SlowEndpoint(BaseHTTPRequestHandler):
    """An endpoint that answers after 200 ms."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *args: object) -> None:
        """Log nothing."""

    def do_POST(self) -> None:  # the name that http.server calls
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        time.sleep(LATENCY)
        system, user = body["messages"][0]["content"], body["messages"][-1]["content"]
        models: dict[str, type[BaseModel]] = {
            "You take": Claims,
            "You check claims": ClaimLabels,
            "You check sentences": Statements,
        }
        model = next(
            (
                response_model
                for start, response_model in models.items()
                if system.startswith(start)
            ),
            None,
        )
        answer = model or groundtypes.prompts.response_models.ClaimLabel
        arguments = _two_claims(Question("", system, user, answer)).model_dump_json()
        tool = body["tools"][0]["function"]["name"]
        call = {"id": "1", "type": "function", "function": {"name": tool, "arguments": arguments}}
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
    import openai  # noqa: PLC0415 # imported before the measurement starts

    from groundtypes.backends.llm import InstructorLLM  # noqa: PLC0415 # the same

    server = type("Server", (ThreadingHTTPServer,), {"request_queue_size": 128})
    endpoint = server(("127.0.0.1", 0), _SlowEndpoint)
    threading.Thread(target=endpoint.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{endpoint.server_address[1]}/v1"
    print(
        "\n| client | flow | 20 answers of 10 claims | calls | one call after another would take |"
    )
    print("|---|---|---|---|---|")
    for name, client in (("OpenAI", openai.OpenAI), ("AsyncOpenAI", openai.AsyncOpenAI)):
        for flow, model in FLOW_MODELS.items():
            best = None
            for attempt in range(3):
                # New words each time, so that nothing is cached.
                tag = f"{name}{flow}{attempt}".replace("(", "").replace(")", "")
                llm = InstructorLLM(client(base_url=url, api_key="-"), "m", concurrency=16)
                rows = [
                    {
                        "text": " ".join(
                            f"Part {part} of {tag} {number} stands and wall {part} is red."
                            for part in range(5)
                        )
                    }
                    for number in range(20)
                ]
                contexts = [
                    {
                        "references": f"Tower {tag} {number} has many parts.",
                        "judges": Judges(llm=llm),
                    }
                    for number in range(20)
                ]
                start = time.perf_counter()
                audits = audit_many(model, rows, context=contexts)
                seconds = time.perf_counter() - start
                assert all(len(audit.verdicts) == 10 for audit in audits)
                best = seconds if best is None else min(best, seconds)
                calls = llm.usage.calls
                llm.close()
            print(f"| {name} | {flow} | {best:.2f} s | {calls} | {calls * LATENCY:.1f} s |")
    endpoint.shutdown()
    sys.stdout.flush()


if __name__ == "__main__":
    main()
