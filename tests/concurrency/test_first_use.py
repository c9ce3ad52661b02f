"""Under `nonblocking`, the first validation imports and compiles in a thread, not on the loop."""

import json
import subprocess
import sys

#: It prints what is imported and compiled by the thread of the event loop.
PROGRAM = """
import asyncio, json, re._compiler, sys, threading
from typing import Annotated
from groundtypes import (
    Answered, Cited, Entailed, Figures, Grounded, Judges, NLIScores, Quote, Reference, nonblocking
)

class Words:
    def score(self, pairs, /):
        yes, no = NLIScores(0.9, 0.08, 0.02), NLIScores(0.02, 0.08, 0.9)
        return [yes if pair.hypothesis in pair.premise else no for pair in pairs]

class Answer(Grounded):
    quote: Quote
    text: Annotated[str, Entailed(), Figures()]
    cited: Annotated[str, Cited()]
    reply: Annotated[str, Answered()]

loop_thread, found, watching = threading.current_thread(), [], False
compile_pattern = re._compiler.compile

def note(event, arguments):
    if watching and event == "import" and threading.current_thread() is loop_thread:
        found.append(arguments[0])

def compile_and_note(pattern, *flags):
    if watching and threading.current_thread() is loop_thread:
        found.append(str(pattern))
    return compile_pattern(pattern, *flags)

sys.addaudithook(note)
re._compiler.compile = compile_and_note
TABLE = Reference.of_table("prices", "| what | price |\\n|---|---|\\n| a ticket | 5 euros |")

async def ask(sentence):
    answer = {"quote": sentence, "text": sentence, "cited": f"{sentence} [1].", "reply": sentence}
    references = ["The tower is tall. A ticket costs 5 euros.", TABLE]
    context = {"references": references, "judges": Judges(nli=Words())}
    try:
        Answer.model_validate(answer, context=context)
    except ValueError as error:
        return len(error.errors())
    return 0

async def main():
    global watching
    watching = True
    faults = [await nonblocking(ask(text)) for text in ("A ticket costs 5 euros.", "It costs 6.")]
    watching = False
    print(json.dumps([faults, found]))

asyncio.run(main())
"""


def test_nothing_is_imported_or_compiled_on_the_event_loop() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    faults, found = json.loads(done.stdout)
    assert faults[1] > 0  # both ways are gone: what holds, and messages of what does not
    assert found == []
