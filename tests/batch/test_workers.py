"""The callable is sent to other processes, and loads its model and its engines there."""

import multiprocessing
import os
import pickle
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from groundtypes import Judges
from groundtypes.batch import AuditRows
from groundtypes.errors import ContextError, DatasetError
from groundtypes.testing import ScriptedNLI
from tests.batch import models
from tests.batch.models import Fact, Statement

ROWS: dict[str, list[Any]] = {
    "quote": ["is tall", "is small"],
    "references": ["It is tall.", "It is tall."],
}
STATEMENTS: dict[str, list[Any]] = {"text": ["It is tall."], "references": ["It is tall."]}


def _pickled(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))  # noqa: S301 # its own


@pytest.mark.parametrize("model", [Fact, "tests.batch.models:Fact"])
def test_a_copy_does_the_same_before_and_after_the_first_batch(model: Any) -> None:
    audit = AuditRows(model, keep=["quote"])
    expected = _pickled(audit)(ROWS)
    assert audit(ROWS) == _pickled(audit)(ROWS) == expected
    assert pickle.dumps(audit) == pickle.dumps(_pickled(audit))
    assert expected["ok"] == [True, False]


def test_cloudpickle_sends_a_model_of_a_script_and_a_function_by_value() -> None:
    cloudpickle = pytest.importorskip("cloudpickle")
    names: dict[str, Any] = {"__name__": "__main__"}
    source = Path(models.__file__).read_text(encoding="utf-8")
    exec(compile(source, "script.py", "exec"), names)  # noqa: S102 # our own
    audit = AuditRows(names["Statement"], judges=names["judges"])
    again = cloudpickle.loads(cloudpickle.dumps(audit))
    assert again(STATEMENTS)["ok"] == [True]


def test_a_named_function_makes_the_engines_once_in_a_process_and_not_before_a_batch(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path])
    name = f"{Path(models.__file__)}:judges"  # a name that no other test has loaded
    copies = [_pickled(AuditRows(Statement, judges=name)) for _ in range(3)]
    assert "models" not in sys.modules
    try:
        assert [copy(STATEMENTS)["ok"] for copy in copies] == [[True]] * 3
        assert sys.modules["models"].MADE == ["judges"]
    finally:
        sys.modules.pop("models", None)


def test_another_process_that_imports_everything_anew_judges_the_same() -> None:
    audit = AuditRows("tests.batch.models:Statement", judges="tests.batch.models:judges")
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        [result] = pool.map(audit, [STATEMENTS])
    assert result["ok"] == [True]


def test_a_file_is_found_from_another_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = "from groundtypes import Grounded, Quote\nclass A(Grounded):\n    quote: Quote\n"
    (tmp_path / "answers_of_a_file.py").write_text(source, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    audit = AuditRows("./answers_of_a_file.py:A")
    monkeypatch.chdir(os.sep)
    assert _pickled(audit)(ROWS)["ok"] == [True, False]


def test_a_model_that_a_worker_cannot_import_is_a_mistake_that_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = "from groundtypes import Grounded, Quote\nclass A(Grounded):\n    quote: Quote\n"
    (tmp_path / "answers_of_a_driver.py").write_text(source, encoding="utf-8")
    with monkeypatch.context() as driver:
        driver.setattr(sys, "path", [*sys.path, str(tmp_path)])
        pickled = pickle.dumps(AuditRows("answers_of_a_driver:A"))
    spawned = multiprocessing.get_context("spawn").Pool(1)
    with spawned as pool, pytest.raises(DatasetError) as caught:
        pool.apply(_judge, (pickled,))
    assert "A worker cannot load the model answers_of_a_driver:A" in str(caught.value)
    assert "No module named 'answers_of_a_driver'" in str(caught.value)


def _judge(pickled: bytes) -> Any:
    return pickle.loads(pickled)(ROWS)  # noqa: S301 # its own


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("no_such_module:Answer", "Cannot import no_such_module"),
        ("tests.batch.models:Answer", "has no Answer"),
        ("tests.batch.models:NOT_JUDGES", "not a model class"),
        ("./no_such_file.py:Answer", "there is no file"),
        ("Answer", "model is 'Answer'; it must read"),
    ],
)
def test_a_model_that_cannot_be_imported_is_a_mistake_before_a_run(name: str, message: str) -> None:
    with pytest.raises(DatasetError, match=message):
        AuditRows(name)


@pytest.mark.parametrize(
    ("name", "mistake"),
    [
        ("no_such_module:judges", DatasetError),
        ("tests.batch.models:nothing", DatasetError),
        ("tests.batch.models:NOT_JUDGES", ContextError),
    ],
)
def test_engines_that_cannot_be_made_are_a_mistake_of_the_worker(
    name: str, mistake: type[Exception]
) -> None:
    audit = _pickled(AuditRows(Statement, judges=name))
    for _ in range(2):
        with pytest.raises(mistake):
            audit(STATEMENTS)


def test_judges_that_cannot_be_pickled_are_a_mistake_that_says_what_to_do() -> None:
    engine = ScriptedNLI()
    assert isinstance(engine._lock, type(threading.Lock()))
    audit = AuditRows(Statement, judges=Judges(nli=engine))
    assert audit(STATEMENTS)["ok"] == [True]
    with pytest.raises(ContextError, match="judges='module:name'"):
        pickle.dumps(audit)
    assert _pickled(AuditRows(Fact, judges=Judges()))(ROWS)["ok"] == [True, False]
