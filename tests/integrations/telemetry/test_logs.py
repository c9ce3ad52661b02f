"""What is logged with the standard library: nothing is shown that nobody asked for."""

import logging
import subprocess
import sys

import pytest

from groundtypes import Judges, audit, verify
from groundtypes.errors import BackendError
from tests.integrations.telemetry.answers import BAD, GOOD, Answer, DeadNLI, context


def test_runs_and_calls_are_logged_for_debugging(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "groundtypes")
    audit(Answer, BAD, context=context())
    names = [record.name for record in caplog.records]
    assert names == ["groundtypes.backends.engine_calls", "groundtypes.rounds.runner"]
    assert {record.levelno for record in caplog.records} == {logging.DEBUG}
    assert "ScriptedNLI, 1 questions: answered" in caplog.text
    assert "audit: 1 answers, 1 questions asked" in caplog.text
    assert "331" not in caplog.text


def test_a_failing_engine_is_logged_by_the_kind_of_its_mistake(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG, "groundtypes")
    with pytest.raises(BackendError):
        verify(Answer, GOOD, context=context(judges=Judges(nli=DeadNLI())))
    assert "DeadNLI, 1 questions: BackendError" in caplog.text
    assert "canary" not in caplog.text


PROGRAM = """
import logging
from groundtypes import Grounded, Quote, audit
from groundtypes.backends.logs import Log
class Answer(Grounded):
    quote: Quote
audit(Answer, {"quote": "It is tall"}, context={"references": "It is tall."})
Log("groundtypes.tests").warning("A warning of %s.", "the package")
"""


@pytest.mark.parametrize(
    ("configured", "shown"),
    [("", False), ("logging.basicConfig(level='DEBUG')", True)],
    ids=["not configured", "configured"],
)
def test_nothing_is_shown_unless_logging_is_configured(configured: str, shown: bool) -> None:
    program = PROGRAM.replace("import logging\n", f"import logging\n{configured}\n")
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == ""
    assert ("A warning of the package." in done.stderr) is shown
    assert ("audit: 1 answers" in done.stderr) is shown
