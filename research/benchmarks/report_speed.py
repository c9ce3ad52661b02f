"""What a page of many answers costs: to make, to keep, to open and to scroll.

    python -m benchmarks.report_speed [--answers 5000] [--rounds 5] [--json FILE]

Each answer has three references of its own, made of real passages, and four quotes of them; one
quote in ten is altered. The page opens from disk in Chromium (`chromium`, or what
GROUNDTYPES_CHROMIUM names), which Playwright drives, in a new context each time. Open: from the
call until the first lines of the list are painted, and the processor time that the page's process
took until then, which a busy machine changes less. Scroll: the list from its top to its end in 300
steps, one in each frame.
"""

import argparse
import json
import os
import random
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from benchmarks import machine
from benchmarks.texts import text_of
from groundtypes import audit_many
from groundtypes.models import CitedAnswer
from groundtypes.report import Report

_SEED = 20261121
#: Frames of a list that is scrolled step by step, in milliseconds.
_SCROLL = """() => new Promise((done) => {
  const list = document.getElementById("list");
  const gaps = [];
  let step = 0;
  let last = performance.now();
  const go = (now) => {
    gaps.push(now - last);
    last = now;
    if (step === 300) return done(gaps.slice(2));
    list.scrollTop = (list.scrollHeight * ++step) / 300;
    requestAnimationFrame(go);
  };
  requestAnimationFrame(go);
})"""
_PAINTED = """() => new Promise((done) =>
  requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now()))))"""


def rows_of(count: int) -> Iterator[dict[str, Any]]:
    """Yield the rows of so many audits."""
    passages = [text for text in text_of(1_500_000).split("\n") if len(text) > 300]
    chance = random.Random(_SEED)
    answers, contexts = [], []
    for number in range(count):
        texts = [f"{text} ({number})" for text in chance.sample(passages, 3)]
        citations = []
        for _ in range(4):
            words = chance.choice(texts).split()
            start = chance.randrange(len(words) - 20)
            quoted = words[start : start + 15]
            if chance.random() < 0.1:
                quoted[7] = "otherwise"
            citations.append({"statement": f"So it is: {number}.", "quote": " ".join(quoted)})
        answers.append({"answer": "An answer.", "citations": citations})
        contexts.append({"references": texts, "question": f"What of {passages[number % 99][:80]}?"})
    for audit in audit_many(CitedAnswer, answers, context=contexts):
        yield audit.to_row()


def _seconds(call: Callable[[], Any]) -> float:
    started = time.perf_counter()
    call()
    return time.perf_counter() - started


def _processor_seconds(session: Any) -> float:
    """Return the processor time that the page's process has taken so far."""
    metrics = session.send("Performance.getMetrics")["metrics"]
    found: float = next(item["value"] for item in metrics if item["name"] == "ProcessTime")
    return found


def in_chromium(path: Path, rounds: int) -> dict[str, float]:
    """Return medians of opening, showing an answer, searching and scrolling."""
    times: dict[str, list[float]] = {
        name: [] for name in ("open", "processor", "answer", "search", "frame")
    }
    longest: list[float] = []
    found = os.environ.get("GROUNDTYPES_CHROMIUM") or shutil.which("chromium")
    if found is None:
        raise SystemExit("Chromium is not installed: apt-get install chromium")
    with sync_playwright() as playwright:
        options = [] if os.geteuid() else ["--no-sandbox"]
        browser = playwright.chromium.launch(executable_path=found, args=options)
        for _ in range(rounds + 1):
            context = browser.new_context(viewport={"width": 1440, "height": 900})
            page = context.new_page()
            page.set_default_timeout(120_000)

            def opened(page: Any = page) -> None:
                page.goto(path.as_uri())
                page.locator("#line-0").wait_for()
                page.evaluate(_PAINTED)

            session = context.new_cdp_session(page)
            session.send("Performance.enable", {"timeDomain": "threadTicks"})
            before = _processor_seconds(session)
            times["open"].append(_seconds(opened))
            times["processor"].append(_processor_seconds(session) - before)
            gaps = page.evaluate(_SCROLL)
            times["frame"].append(statistics.median(gaps) / 1e3)
            longest.append(max(gaps) / 1e3)

            def chosen(page: Any = page) -> None:
                page.locator("#list").press("Home")
                page.locator("#answer-title").wait_for()
                page.evaluate(_PAINTED)

            times["answer"].append(_seconds(chosen))

            def searched(page: Any = page) -> None:
                page.locator("#filter-text").fill("otherwise")
                page.wait_for_function(
                    "() => document.getElementById('found').textContent.includes(' of ')"
                )

            times["search"].append(_seconds(searched))
            context.close()
        browser.close()
    # The first round warms the disk and the browser.
    medians = {name: statistics.median(values[1:]) for name, values in times.items()}
    return {**medians, "longest frame": statistics.median(longest[1:])}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--answers", type=int, default=5_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    described = machine.describe(["playwright"])
    print(machine.show(described))
    rows = list(rows_of(options.answers))
    started = time.process_time()
    text = Report(rows).to_html()
    made = time.process_time() - started
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "report.html"
        path.write_text(text, encoding="utf-8")
        size = path.stat().st_size
        found = in_chromium(path, options.rounds)
    print(f"\n{options.answers:,} answers, medians of {options.rounds} rounds:\n")
    print("| what | |\n|---|---|")
    print(f"| make the page, processor time | {made:.2f} s |")
    print(f"| its size | {size / 1e6:.1f} MB |")
    print(f"| open it | {found['open']:.2f} s |")
    print(f"| open it, processor time | {found['processor']:.2f} s |")
    print(f"| show an answer | {found['answer'] * 1e3:.0f} ms |")
    print(f"| search all texts, first time | {found['search'] * 1e3:.0f} ms |")
    print(f"| a frame while scrolling | {found['frame'] * 1e3:.1f} ms |")
    print(f"| the longest frame | {found['longest frame'] * 1e3:.1f} ms |")
    if options.json:
        report = {"machine": described, "make": made, "bytes": size, "seconds": found}
        options.json.write_text(json.dumps(report, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
