"""How accurately claims are labelled by an LLM and the NLI model, and extracted by an LLM.

    python -m benchmarks.claims_quality --data FOLDER [--base-url URL --model NAME] [--most 60]

`--data` is the folder of the public sets (research/notes/benchmarks.md). Without `--base-url` only
the bundled NLI model labels claims. The replies of the LLM are stored in `--cache`, so that an
interrupted run can be resumed. `--tune` labels the sets that prompts were chosen on instead of the
reported ones.

The claims of a text are labelled in one call (`joint`) or in one call each (`single`), with the
examples of the prompts and without (`zero-shot`). They are also joined to one text, as
`Supported()` checks it: claims are extracted and labelled in one call (`text`) or in two
(`text, extracted first`).
"""

import argparse
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Annotated, Any, Literal

from benchmarks import machine
from benchmarks.claims_sets import (
    EXAMPLES,
    REPORTED,
    TUNED,
    ClaimGroup,
    claim_groups,
    human_facts,
    injections,
    llm_triplets,
)
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

#: The F1 of shared content words from which an extracted claim matches a reference claim.
MATCH = 0.6


class ZeroShot:
    """An LLM that gets the prompts without their examples."""

    def __init__(self, llm: LLM) -> None:
        self._llm = llm

    def answer(self, questions: Sequence[Question], /) -> Sequence[Reply]:
        """Return the replies to the questions without their examples."""
        return self._llm.answer([replace(question, examples=()) for question in questions])


def main(argv: Sequence[str] | None = None) -> None:
    """Print the tables as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--base-url", help="an OpenAI-compatible endpoint")
    parser.add_argument("--model", default="local")
    parser.add_argument("--mode", default="JSON_SCHEMA", help="instructor's mode")
    parser.add_argument("--cache", type=Path, default=Path("build/claims_quality.sqlite"))
    parser.add_argument("--concurrency", type=int, default=4)
    parser.add_argument("--most", type=int, default=60, help="claims of each set at most")
    parser.add_argument("--tune", action="store_true")
    parser.add_argument("--sets", nargs="*", help="measure only these sets")
    parser.add_argument("--checkers", nargs="*", help="measure only these checkers")
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
    import instructor  # noqa: PLC0415 # needed only with an endpoint
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
    from groundtypes.backends.nli_onnx import OnnxNLI  # noqa: PLC0415 # loaded on demand

    return OnnxNLI()


# --- labels ---------------------------------------------------------------------------------


def _labels(args: argparse.Namespace, llm: LLM | None) -> None:
    print(
        "`failed` counts texts whose LLM reply was cut off; their claims are not supported.\n"
        "\n| claims | rows | checker | accuracy | balanced accuracy | macro-F1 | failed | seconds |"
        "\n|---|---|---|---|---|---|---|---|"
    )
    for name, split in (TUNED if args.tune else REPORTED).items():
        if args.sets and name not in args.sets:
            continue
        groups = claim_groups(args.data, name, split, args.most)
        truth = [supported for group in groups for supported in group.supported]
        for checker, judge in _checkers(llm):
            if args.checkers and checker not in args.checkers:
                continue
            start = time.perf_counter()
            predicted: list[bool] = []
            failed = 0
            for group in groups:
                try:
                    predicted += judge(group)
                except BackendError:
                    failed += 1
                    predicted += [False] * len(group.claims)
            seconds = time.perf_counter() - start
            cells = " | ".join(f"{100 * cell:.1f}" for cell in _accuracies(predicted, truth))
            print(
                f"| {name} | {len(truth)} | {checker} | {cells} | {failed} | {seconds:.0f} |",
                flush=True,
            )


#: Returns for each claim of a group whether the references support it.
SupportJudge = Callable[[ClaimGroup], list[bool]]


def _checkers(llm: LLM | None) -> Iterator[tuple[str, SupportJudge]]:
    yield "everything is supported", lambda group: [True] * len(group.claims)
    yield "bundled NLI", _judge_of_claims(_nli())
    if llm is not None:
        yield "LLM, joint", _judge_of_claims(llm, calls="one")
        yield "LLM, single", _judge_of_claims(llm, calls="per_claim")
        yield "LLM, joint, zero-shot", _judge_of_claims(ZeroShot(llm), calls="one")
        yield "LLM, single, zero-shot", _judge_of_claims(ZeroShot(llm), calls="per_claim")
        yield "LLM, text", _judge_of_texts(llm, _at_once)
        yield "LLM, text, extracted first", _judge_of_texts(llm, _extracted_first)
        yield "LLM, text, zero-shot", _judge_of_texts(ZeroShot(llm), _at_once)


def _judge_of_claims(engine: Any, *, calls: Literal["one", "per_claim"] = "one") -> SupportJudge:
    def judge(group: ClaimGroup) -> list[bool]:
        checked_claims = check_claims(
            group.claims,
            list(group.references),
            question=group.question,
            checker=engine,
            calls=calls,
        )
        return [claim.label is Label.ENTAILMENT for claim in checked_claims]

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


def _judge_of_texts(llm: LLM, flow: Flow) -> SupportJudge:
    """Return a judge that joins claims to a text; one is supported if its sentence is entailed."""

    def judge(group: ClaimGroup) -> list[bool]:
        sentences = [
            sentence if sentence.rstrip().endswith((".", "!", "?")) else f"{sentence}."
            for sentence in group.claims
        ]
        text = " ".join(sentences)
        checked_claims = flow(text, References.of(list(group.references)), group.question, llm)
        predicted, start = [], 0
        for sentence in sentences:
            labels = [
                claim.label
                for claim in checked_claims
                if claim.start < start + len(sentence) and start < claim.end
            ]
            predicted.append(bool(labels) and all(label is Label.ENTAILMENT for label in labels))
            start += len(sentence) + 1
        return predicted

    return judge


def _accuracies(predicted: Sequence[bool], truth: Sequence[bool]) -> tuple[float, float, float]:
    outcomes = list(zip(predicted, truth, strict=True))
    accuracy = fmean(guess == actual for guess, actual in outcomes)
    rates = [
        fmean(guess == actual for guess, actual in outcomes if actual is value)
        for value in set(truth)
    ]
    scores = []
    for value in (True, False):
        true_positives = sum(guess is value and actual is value for guess, actual in outcomes)
        total = sum(guess is value for guess, _ in outcomes) + sum(
            actual is value for _, actual in outcomes
        )
        scores.append(2 * true_positives / total if total else 0.0)
    return accuracy, fmean(rates), fmean(scores)


def _examples(llm: LLM | None) -> None:
    print("\n| example | claim | wanted | bundled NLI | LLM |\n|---|---|---|---|---|")
    nli = _nli()
    for number, (reference, claims) in enumerate(EXAMPLES, 1):
        triplets = [ClaimTriplet(*triplet_parts) for triplet_parts, _ in claims]
        by_nli = check_claims(triplets, reference, checker=nli)
        by_llm = check_claims(triplets, reference, checker=llm) if llm else [None] * len(triplets)
        for triplet, (_, wanted), nli_claim, llm_claim in zip(
            triplets, claims, by_nli, by_llm, strict=True
        ):
            llm_label = llm_claim.label if llm_claim else ""
            print(f"| {number} | {triplet.text} | {wanted} | {nli_claim.label} | {llm_label} |")


# --- extraction -----------------------------------------------------------------------------


def _extraction(args: argparse.Namespace, llm: LLM) -> None:
    print(
        f"\nA claim matches one reference claim, from an F1 of content words of {MATCH} on.\n"
        "\n| set | texts | failed | reference claims | claims | dropped | precision | recall |"
        "\n|---|---|---|---|---|---|---|---|"
    )
    texts = max(5, args.most // 4)
    for name, rows in (
        ("factscore_facts", human_facts(args.data, texts)),
        ("refchecker_triplets_noref", llm_triplets(args.data, texts)),
    ):
        for variant, engine in (("", llm), (", zero-shot", ZeroShot(llm))):
            extracted = expected = matched = dropped = failed = 0
            for text, facts in rows:
                try:
                    claims = extract_claims(text, llm=engine)
                except BackendError:  # the reply was cut off
                    failed += 1
                    claims = ExtractedClaims()
                extracted += len(claims)
                dropped += len(claims.dropped)
                expected += len(facts)
                matched += _matched_pairs([claim.text for claim in claims], facts)
            print(
                f"| {name}{variant} | {len(rows)} | {failed} | {expected} | {extracted} "
                f"| {dropped} | {100 * matched / max(1, extracted):.1f} "
                f"| {100 * matched / expected:.1f} |",
                flush=True,
            )


def _matched_pairs(claims: Iterable[str], facts: Sequence[str]) -> int:
    """Return how many claims can be paired with facts, the most similar pairs first."""
    scored = sorted(
        (
            (_content_f1(claim, fact), claim_number, fact_number)
            for claim_number, claim in enumerate(claims)
            for fact_number, fact in enumerate(facts)
        ),
        reverse=True,
    )
    used: set[tuple[str, int]] = set()
    matched = 0
    for score, claim_number, fact_number in scored:
        if score < MATCH:
            break
        if ("claim", claim_number) not in used and ("fact", fact_number) not in used:
            used |= {("claim", claim_number), ("fact", fact_number)}
            matched += 1
    return matched


def _content_f1(claim: str, fact: str) -> float:
    claim_terms, fact_terms = content_terms(claim), content_terms(fact)
    return (
        2 * len(claim_terms & fact_terms) / (len(claim_terms) + len(fact_terms))
        if claim_terms and fact_terms
        else 0.0
    )


# --- injections -----------------------------------------------------------------------------


def _injections(llm: LLM | None) -> None:
    rows = injections()
    print(
        "\n| attempts in | rows | checker | entailed without them | with them "
        "| changed by an injection |"
        "\n|---|---|---|---|---|---|"
    )
    engines: list[tuple[str, Any]] = [("bundled NLI", _nli())]
    engines += [("LLM", llm)] if llm else []
    for name, engine in engines:
        for place in ("claim", "reference", "question"):
            selected = [row for row in rows if row["in"] == place]
            without_attempt = [_is_entailed(row, engine, attempt=False) for row in selected]
            with_attempt = [_is_entailed(row, engine, attempt=True) for row in selected]
            _print_injected(place, name, without_attempt, with_attempt)
    if llm is not None:
        selected = [row for row in rows if row["in"] == "claim"]
        for flow, model in (("Supported()", Answer), ('Supported(calls="two")', AnswerInTwoCalls)):
            without_attempt = [_passes(model, row, llm, attempt=False) for row in selected]
            with_attempt = [_passes(model, row, llm, attempt=True) for row in selected]
            _print_injected(f"answer, through `{flow}`", "LLM", without_attempt, with_attempt)


def _print_injected(
    place: str, name: str, without_attempt: Sequence[bool], with_attempt: Sequence[bool]
) -> None:
    changed = sum(
        after and not before for before, after in zip(without_attempt, with_attempt, strict=True)
    )
    print(
        f"| {place} | {len(without_attempt)} | {name} | {sum(without_attempt)} "
        f"| {sum(with_attempt)} | {changed} |",
        flush=True,
    )


class Answer(Grounded):
    """An answer whose claims are extracted and labelled in one call."""

    text: Annotated[str, Supported()]


class AnswerInTwoCalls(Grounded):
    """An answer whose claims are extracted in one call and labelled in another."""

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
    except BackendError:  # the reply was cut off: no verdict, so nothing passes
        return False


def _is_entailed(row: dict[str, str], engine: Any, *, attempt: bool) -> bool:
    texts = {
        place: row[place] + (row["attempt"] if attempt and row["in"] == place else "")
        for place in ("claim", "reference", "question")
    }
    [checked_claim] = check_claims(
        [texts["claim"]], texts["reference"], question=texts["question"], checker=engine
    )
    return checked_claim.label is Label.ENTAILMENT


if __name__ == "__main__":
    main()
