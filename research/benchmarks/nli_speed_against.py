"""How fast an answer is judged beside an earlier revision, and how many tokens are scored for it.

    python -m benchmarks.nli_speed_against REVISION [--rounds 5] [--references 10] [--words 500]

The revision is checked out into a temporary worktree. Both judge the same answer of six sentences
with their own code and their own bundled model, in fresh processes, one after the other in each
round, with nothing cached. Half of the sentences stand in the references, half do not. The best
round of either is shown, because other programs can only make a round slower.
"""

import argparse
from typing import Any

from tokenizers import Tokenizer

from benchmarks import machine
from benchmarks.nli_speed import sentences
from benchmarks.revisions import measured, sources
from groundtypes_nli import NLI

#: What each process runs. It uses only what both revisions have.
PROGRAM = """
import json, sys, time
from typing import Annotated
from groundtypes import Entailed, Grounded, Judges, audit
from groundtypes.backends.nli_onnx import OnnxNLI

class NoCache:
    def get(self, keys, /): return {}
    def put(self, scores, /): pass

class Counting(OnnxNLI):
    pairs = []
    def score(self, pairs, /):
        self.pairs = [*self.pairs, *pairs]
        return super().score(pairs)

class Answer(Grounded):
    text: Annotated[str, Entailed()]

given = json.load(sys.stdin)
times = []
for _ in range(4):
    # A new engine and other ids, so that nothing is known or indexed yet; the model stays loaded.
    engine = Counting(cache=NoCache())
    texts = {f"{time.monotonic_ns()} {n}": text for n, text in enumerate(given["references"])}
    context = {"references": texts, "judges": Judges(nli=engine)}
    begun = time.perf_counter()
    report = audit(Answer, {"text": given["answer"]}, context=context)
    times.append(time.perf_counter() - begun)
pairs = [(pair.premise, pair.hypothesis) for pair in engine.pairs]
statements = sum(verdict.check == "Entailed" for verdict in report.verdicts)
print(json.dumps({"seconds": min(times[1:]), "pairs": pairs, "statements": statements}))
"""


def case(references: int, words: int) -> dict[str, Any]:
    """Return references and an answer, of which every second sentence stands in them."""
    known = sentences()
    texts, at = [], 0
    for _ in range(references):
        text: list[str] = []
        while len(text) < words:
            text += known[at].split()
            at += 1
        texts.append(" ".join(text))
    answer = " ".join(known[place] for place in (3, at + 5, at // 2, at + 9, at - 4, at + 20))
    return {"references": texts, "answer": answer}


def tokens_of(pairs: list[tuple[str, str]]) -> int:
    """Return how many tokens pairs have, in the words of the bundled model."""
    tokenizer = Tokenizer.from_file(str(NLI / "tokenizer.json"))
    return sum(len(tokenizer.encode(premise, hypothesis).ids) for premise, hypothesis in pairs)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("revision")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--references", type=int, default=10)
    parser.add_argument("--words", type=int, default=500)
    options = parser.parse_args()
    print(machine.show(machine.describe(("onnxruntime", "tokenizers"))))
    given = case(options.references, options.words)
    with sources(options.revision) as folders:
        rounds: list[dict[str, Any]] = [
            {name: measured(source, PROGRAM, given) for name, source in folders.items()}
            for _ in range(options.rounds)
        ]
    print("\n| | best time | pairs | tokens | tokens a statement |\n|---|---|---|---|---|")
    for name in rounds[0]:
        best = min((each[name] for each in rounds), key=lambda one: one["seconds"])
        tokens = tokens_of(best["pairs"])
        print(
            f"| {name} | {1000 * best['seconds']:.0f} ms | {len(best['pairs'])} | {tokens} "
            f"| {tokens / best['statements']:.0f} |"
        )


if __name__ == "__main__":
    main()
