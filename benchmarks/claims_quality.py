"""How right claims are: labelled by an LLM and by the NLI model, and extracted by an LLM.

    python -m benchmarks.claims_quality --data FOLDER [--base-url URL --model NAME] [--most 60]

`--data` is the folder of the public sets (docs/benchmarks.md). Without `--base-url` the bundled
NLI model alone labels. The answers of the LLM are kept in `--cache`, so that an interrupted run
goes on where it ended. `--tune` labels the sets that prompts were chosen on instead of those that
are reported. Claims of one text are asked about together (`joint`) and one by one (`single`), with
the prompts' examples and, as `zero-shot`, without; and joined to one text, as `Supported()` judges
it: taken apart and labelled in one call, or in one call and another (`text`, `extracted first`).
"""

import argparse
import json
import random
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from statistics import fmean
from typing import Annotated, Any, Literal

from benchmarks import machine
from corpora import nli_sets
from corpora.rows import read_rows
from groundtypes import Grounded, Judges, Label, NLIScorer, Supported, audit
from groundtypes.claims import CheckedClaim, ClaimTriplet, check_claims, extract_claims
from groundtypes.claims.attribution import claims_and_uncovered_sentences
from groundtypes.claims.claim import ExtractedClaims
from groundtypes.claims.extract import extract_triplets
from groundtypes.claims.extract_and_label import extract_and_label
from groundtypes.claims.label import label_claims
from groundtypes.errors import BackendError
from groundtypes.ledger import Ledger
from groundtypes.references import References
from groundtypes.scoring import LLM, Question, Reply
from groundtypes.text.coverage import content_terms

INJECTIONS = Path(__file__).parent / "data" / "injections.jsonl"
REPORTED = {"factscore_claims": "public", "factcheckgpt_stance": "public"}
TUNED = {"cad_snli": "dev", "wice_claims": "dev", "attributionbench": "dev"}
#: An extracted claim and a person's are the same from this share of common telling words on (F1).
MATCH = 0.6
#: The examples that the project began from: references, and claims with the labels they must get.
EXAMPLES: Sequence[tuple[str, Sequence[tuple[tuple[str, str, str], Label]]]] = (
    (
        (
            "`` I Dreamed a Dream '' is a song from the musical Les Misérables . It is a solo that "
            "is sung by the character Fantine during the first act . The music is by Claude - "
            "Michel Schönberg , with orchestrations by John Cameron . The English lyrics are by "
            "Neil Diamond And Herbert Kretzmer , based on the original French libretto by Alain "
            "Boublil and Jean - Marc Natel from the original French production ."
        ),
        (
            (
                ("I Dreamed a Dream", "originally from", "the stage musical Les Misérables"),
                Label.ENTAILMENT,
            ),
            (
                ("I Dreamed a Dream", "written by", "Claude-Michel Schönberg and Alain Boublil"),
                Label.CONTRADICTION,
            ),
            (
                (
                    "Anne Hathaway",
                    "sang I Dreamed a Dream in",
                    "the 2012 film adaptation of Les Misérables",
                ),
                Label.NEUTRAL,
            ),
        ),
    ),
    (
        (
            "Common side effects of ibuprofen are headaches, dizziness and nausea. Difficulty "
            "breathing is not a common side effect."
        ),
        (
            (("Ibuprofen", "is", "nonsteroidal anti-inflammatory drug (NSAID)"), Label.NEUTRAL),
            (("Ibuprofen", "helps reduce", "inflammation"), Label.NEUTRAL),
            (("Ibuprofen", "helps reduce", "pain"), Label.NEUTRAL),
            (("Ibuprofen", "helps reduce", "fever"), Label.NEUTRAL),
            (("Ibuprofen", "common side effects include", "nausea"), Label.ENTAILMENT),
            (("Ibuprofen", "common side effects include", "giddiness"), Label.NEUTRAL),
            (
                ("Ibuprofen", "common side effects include", "respiratory trouble"),
                Label.CONTRADICTION,
            ),
        ),
    ),
)


class ZeroShot:
    """An LLM that is asked without the prompts' examples."""

    def __init__(self, llm: LLM) -> None:
        self._llm = llm

    def answer(self, questions: Sequence[Question], /) -> Sequence[Reply]:
        """Return the replies to the questions, asked without their examples."""
        return self._llm.answer([replace(one, examples=()) for one in questions])


@dataclass(frozen=True)
class Judged:
    """Claims on one text of references, and which of them people find supported."""

    references: tuple[str, ...]
    claims: tuple[str, ...]
    supported: tuple[bool, ...]
    question: str | None


def main(argv: Sequence[str] | None = None) -> None:
    """Print the tables as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--base-url", help="an endpoint that speaks as OpenAI's does")
    parser.add_argument("--model", default="local")
    parser.add_argument("--mode", default="JSON_SCHEMA", help="instructor's mode")
    parser.add_argument("--cache", type=Path, default=Path("build/claims_quality.sqlite"))
    parser.add_argument("--concurrency", type=int, default=4)
    parser.add_argument("--most", type=int, default=60, help="claims of each set")
    parser.add_argument("--tune", action="store_true")
    parser.add_argument("--sets", nargs="*", help="of the sets, these alone")
    parser.add_argument("--checkers", nargs="*", help="of what labels claims, these alone")
    parser.add_argument(
        "--only", nargs="*", default=["labels", "examples", "extract", "injections"]
    )
    args = parser.parse_args(argv)
    print(machine.show(machine.describe(["instructor", "openai", "onnxruntime"])) + "\n")
    llm = _llm(args) if args.base_url else None
    if "labels" in args.only:
        _labels(args, llm)
    if "examples" in args.only:
        _examples(llm)
    if llm is not None and "extract" in args.only and not args.tune:
        _extraction(args, llm)
    if "injections" in args.only and not args.tune:
        _injections(llm)
    if llm is not None:
        print(f"\n{llm.usage}")


def _llm(args: argparse.Namespace) -> Any:
    import instructor  # noqa: PLC0415 # only with an endpoint
    import openai  # noqa: PLC0415 # the same

    from groundtypes.backends.llm import InstructorLLM  # noqa: PLC0415 # the same
    from groundtypes.backends.reply_cache import DiskReplyCache  # noqa: PLC0415 # the same

    return InstructorLLM(
        openai.OpenAI(base_url=args.base_url, api_key="-"),
        args.model,
        mode=instructor.Mode[args.mode],
        concurrency=args.concurrency,
        timeout=600,
        cache=DiskReplyCache(args.cache),
        options={"temperature": 0, "max_tokens": 1500},
    )


def _nli() -> NLIScorer:
    from groundtypes.backends.nli_onnx import OnnxNLI  # noqa: PLC0415 # loaded when asked for

    return OnnxNLI()


# --- labels ---------------------------------------------------------------------------------


def _labels(args: argparse.Namespace, llm: LLM | None) -> None:
    print(
        "A text of which the LLM wrote without an end is `failed`, and counts as not supported.\n"
        "\n| claims | rows | checker | accuracy | balanced accuracy | macro-F1 | failed | seconds |"
        "\n|---|---|---|---|---|---|---|---|"
    )
    for name, split in (TUNED if args.tune else REPORTED).items():
        if args.sets and name not in args.sets:
            continue
        groups = _groups(args.data, name, split, args.most)
        truth = [one for group in groups for one in group.supported]
        for checker, judge in _checkers(llm):
            if args.checkers and checker not in args.checkers:
                continue
            begun = time.perf_counter()
            said: list[bool] = []
            failed = 0
            for group in groups:
                try:
                    said += judge(group)
                except BackendError:
                    failed += 1
                    said += [False] * len(group.claims)
            seconds = time.perf_counter() - begun
            cells = " | ".join(f"{100 * cell:.1f}" for cell in _right(said, truth))
            print(
                f"| {name} | {len(truth)} | {checker} | {cells} | {failed} | {seconds:.0f} |",
                flush=True,
            )


#: Says of each claim of a group whether the references support it.
Judge = Callable[[Judged], list[bool]]


def _checkers(llm: LLM | None) -> Iterator[tuple[str, Judge]]:
    yield "everything is supported", lambda group: [True] * len(group.claims)
    yield "bundled NLI", _by_claims(_nli())
    if llm is not None:
        yield "LLM, joint", _by_claims(llm, calls="one")
        yield "LLM, single", _by_claims(llm, calls="per_claim")
        yield "LLM, joint, zero-shot", _by_claims(ZeroShot(llm), calls="one")
        yield "LLM, single, zero-shot", _by_claims(ZeroShot(llm), calls="per_claim")
        yield "LLM, text", _by_text(llm, _at_once)
        yield "LLM, text, extracted first", _by_text(llm, _extracted_first)
        yield "LLM, text, zero-shot", _by_text(ZeroShot(llm), _at_once)


def _by_claims(engine: Any, *, calls: Literal["one", "per_claim"] = "one") -> Judge:
    def judge(group: Judged) -> list[bool]:
        found = check_claims(
            group.claims,
            list(group.references),
            question=group.question,
            checker=engine,
            calls=calls,
        )
        return [one.label is Label.ENTAILMENT for one in found]

    return judge


Flow = Callable[[str, References, str | None, LLM], Sequence[CheckedClaim]]


def _at_once(
    text: str, references: References, question: str | None, llm: LLM
) -> Sequence[CheckedClaim]:
    return extract_and_label(text, references, question, llm, Ledger().ask_now)[0]


def _extracted_first(
    text: str, references: References, question: str | None, llm: LLM
) -> Sequence[CheckedClaim]:
    claims, _ = extract_triplets(text, question, llm, Ledger().ask_now)
    hypotheses = claims_and_uncovered_sentences(text, claims)
    return label_claims(hypotheses, references, question, llm, Ledger().ask_now)


def _by_text(llm: LLM, flow: Flow) -> Judge:
    """Return what judges claims joined to a text: each by all that was said of its sentence."""

    def judge(group: Judged) -> list[bool]:
        texts = [
            one if one.rstrip().endswith((".", "!", "?")) else f"{one}." for one in group.claims
        ]
        text = " ".join(texts)
        found = flow(text, References.of(list(group.references)), group.question, llm)
        said, at = [], 0
        for one in texts:
            own = [each.label for each in found if each.start < at + len(one) and at < each.end]
            said.append(bool(own) and all(label is Label.ENTAILMENT for label in own))
            at += len(one) + 1
        return said

    return judge


def _groups(data: Path, name: str, split: str, most: int) -> list[Judged]:
    """Return claims in groups that share their references, about `most` claims in all."""
    read = _pairs if name == "cad_snli" else nli_sets.labelled_texts
    rows = read(data, name, split, None)
    groups: list[Judged] = []
    left = most
    ordered = [list(some) for _, some in groupby(rows, key=lambda row: row.references)]
    random.Random(20).shuffle(ordered)
    for some in ordered:
        if left <= 0:
            break
        some = some[: min(left, 8)]  # noqa: PLW2901 # cut
        left -= len(some)
        question = some[0].question if len(some) == 1 else None
        groups.append(
            Judged(
                some[0].references,
                tuple(row.text for row in some),
                tuple(row.supported for row in some),
                question,
            )
        )
    return groups


def _pairs(data: Path, name: str, split: str, most: int | None) -> list[nli_sets.LabelledText]:
    """Return sentences on pictures, together with the others on the same picture."""
    pairs = nli_sets.labelled_pairs(data, name, split, most)
    return [
        nli_sets.LabelledText((one.premise,), one.hypothesis, one.label == "entailment")
        for one in sorted(pairs, key=lambda one: one.premise)
    ]


def _right(said: Sequence[bool], truth: Sequence[bool]) -> tuple[float, float, float]:
    both = list(zip(said, truth, strict=True))
    accuracy = fmean(s == t for s, t in both)
    rates = [fmean(s == t for s, t in both if t is kind) for kind in set(truth)]
    scores = []
    for kind in (True, False):
        hit = sum(s is kind and t is kind for s, t in both)
        total = sum(s is kind for s, _ in both) + sum(t is kind for _, t in both)
        scores.append(2 * hit / total if total else 0.0)
    return accuracy, fmean(rates), fmean(scores)


def _examples(llm: LLM | None) -> None:
    print("\n| example | claim | wanted | bundled NLI | LLM |\n|---|---|---|---|---|")
    nli = _nli()
    for number, (reference, claims) in enumerate(EXAMPLES, 1):
        triplets = [ClaimTriplet(*parts) for parts, _ in claims]
        by_nli = check_claims(triplets, reference, checker=nli)
        by_llm = check_claims(triplets, reference, checker=llm) if llm else [None] * len(triplets)
        for triplet, (_, wanted), one, other in zip(triplets, claims, by_nli, by_llm, strict=True):
            told = other.label if other else ""
            print(f"| {number} | {triplet.text} | {wanted} | {one.label} | {told} |")


# --- extraction -----------------------------------------------------------------------------


def _extraction(args: argparse.Namespace, llm: LLM) -> None:
    print(
        f"\nA claim matches a person's from {MATCH} of common telling words on (F1), one to one.\n"
        "\n| set | texts | failed | claims of people | claims | dropped | precision | recall |"
        "\n|---|---|---|---|---|---|---|---|"
    )
    texts = max(5, args.most // 4)
    for name, rows in (
        ("factscore_facts", _facts(args.data, texts)),
        ("refchecker_triplets_noref", _triplets(args.data, texts)),
    ):
        for kind, engine in (("", llm), (", zero-shot", ZeroShot(llm))):
            found = wanted = hits = dropped = failed = 0
            for text, facts in rows:
                try:
                    claims = extract_claims(text, llm=engine)
                except BackendError:  # it wrote without an end
                    failed += 1
                    claims = ExtractedClaims()
                found += len(claims)
                dropped += len(claims.dropped)
                wanted += len(facts)
                hits += _matches([claim.text for claim in claims], facts)
            print(
                f"| {name}{kind} | {len(rows)} | {failed} | {wanted} | {found} | {dropped} "
                f"| {100 * hits / max(1, found):.1f} | {100 * hits / wanted:.1f} |",
                flush=True,
            )


def _facts(data: Path, most: int) -> list[tuple[str, list[str]]]:
    """Return sentences with the facts that people made of them."""
    rows = read_rows(data / "grounded" / "factscore_facts.jsonl.gz")
    kept = [
        (str(row["sentence"]), [str(fact) for fact, _ in row["human_facts"]])
        for row in rows
        if row["human_facts"] and len(row["human_facts"]) > 1
    ]
    return kept[1 :: max(2, len(kept) // most)][:most]


def _triplets(data: Path, most: int) -> list[tuple[str, list[str]]]:
    """Return answers with the triplets that another, much larger, LLM made of them."""
    rows = list(read_rows(data / "grounded" / "refchecker_triplets_noref.jsonl.gz"))
    grouped = [(text, list(some)) for text, some in groupby(rows, key=lambda r: r["response"])]
    kept = [
        (text, [" ".join(row["triplet"]) for row in some])
        for text, some in grouped
        if 2 < len(some) < 15 and len(text) < 900
    ]
    return kept[1 :: max(2, len(kept) // most)][:most]


def _matches(claims: Iterable[str], facts: Sequence[str]) -> int:
    """Return how many claims can be paired with facts, the nearest first."""
    scored = sorted(
        (
            (_shared(claim, fact), at, place)
            for at, claim in enumerate(claims)
            for place, fact in enumerate(facts)
        ),
        reverse=True,
    )
    used: set[tuple[str, int]] = set()
    hits = 0
    for score, at, place in scored:
        if score < MATCH:
            break
        if ("claim", at) not in used and ("fact", place) not in used:
            used |= {("claim", at), ("fact", place)}
            hits += 1
    return hits


def _shared(one: str, other: str) -> float:
    first, second = content_terms(one), content_terms(other)
    return 2 * len(first & second) / (len(first) + len(second)) if first and second else 0.0


# --- injections -----------------------------------------------------------------------------


def _injections(llm: LLM | None) -> None:
    rows = [json.loads(line) for line in INJECTIONS.read_text(encoding="utf-8").splitlines()]
    print(
        "\n| attempts in | rows | checker | entailed without them | with them | talked into it |"
        "\n|---|---|---|---|---|---|"
    )
    engines: list[tuple[str, Any]] = [("bundled NLI", _nli())]
    engines += [("LLM", llm)] if llm else []
    for name, engine in engines:
        for place in ("claim", "reference", "question"):
            some = [row for row in rows if row["in"] == place]
            plain = [_entailed(row, engine, attempt=False) for row in some]
            tried = [_entailed(row, engine, attempt=True) for row in some]
            _print_turned(place, name, plain, tried)
    if llm is not None:
        some = [row for row in rows if row["in"] == "claim"]
        for flow, model in (("Supported()", Answer), ('Supported(calls="two")', Extracting)):
            plain = [_passes(model, row, llm, attempt=False) for row in some]
            tried = [_passes(model, row, llm, attempt=True) for row in some]
            _print_turned(f"answer, through `{flow}`", "LLM", plain, tried)


def _print_turned(place: str, name: str, plain: Sequence[bool], tried: Sequence[bool]) -> None:
    turned = sum(after and not before for before, after in zip(plain, tried, strict=True))
    print(
        f"| {place} | {len(plain)} | {name} | {sum(plain)} | {sum(tried)} | {turned} |", flush=True
    )


class Answer(Grounded):
    """An answer whose claims are taken out and labelled in one call."""

    text: Annotated[str, Supported()]


class Extracting(Grounded):
    """An answer whose claims are extracted in one call, and labelled in another."""

    text: Annotated[str, Supported(calls="two")]


def _passes(model: type[Grounded], row: dict[str, str], llm: LLM, *, attempt: bool) -> bool:
    text = row["claim"] + (row["attempt"] if attempt else "")
    context = {
        "references": row["reference"],
        "question": row["question"],
        "judges": Judges(llm=llm),
    }
    try:
        return audit(model, {"text": text}, context=context).ok
    except BackendError:  # it wrote without an end: no verdict, so that nothing passes
        return False


def _entailed(row: dict[str, str], engine: Any, *, attempt: bool) -> bool:
    texts = {
        place: row[place] + (row["attempt"] if attempt and row["in"] == place else "")
        for place in ("claim", "reference", "question")
    }
    [found] = check_claims(
        [texts["claim"]], texts["reference"], question=texts["question"], checker=engine
    )
    return found.label is Label.ENTAILMENT


if __name__ == "__main__":
    main()
