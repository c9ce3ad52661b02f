"""Engines by name: what a name makes, and what is said of one that makes nothing."""

import pickle
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import pytest

from groundtypes import Entailed, Grounded, Judges, audit
from groundtypes.backends import by_name
from groundtypes.backends.by_name import NLI_NAMES, checked_nli_name, is_nli_name, nli_by_name
from groundtypes.claims.label import resolve_checker
from groundtypes.errors import BackendError, ContextError, MissingJudgeError
from groundtypes.judges import configured_nli, default_nli, judges_for, nli_engine
from groundtypes.testing import ScriptedLLM, ScriptedNLI
from tests.whole_texts import WholeTextNLI, install_judge

LLM = ScriptedLLM(lambda question: None)


class Plain(Grounded):
    text: Annotated[str, Entailed()]


class Own(Grounded, judges=Judges(nli=ScriptedNLI(), llm=LLM, checker=ScriptedNLI())):
    text: Annotated[str, Entailed()]


def test_bundled_is_the_engine_that_checks_share() -> None:
    assert nli_by_name("bundled") is default_nli()
    assert nli_by_name("bundled", threads=1) is not default_nli()


def test_an_exported_model_and_one_of_the_hub_are_named_with_where_they_are(tmp_path: Path) -> None:
    onnx = nli_by_name(f"onnx:{tmp_path}")
    assert type(onnx).__name__ == "OnnxNLI"
    pytest.importorskip("torch")
    assert type(nli_by_name("hub:some/model")).__name__ == "TransformersNLI"


def test_the_judge_takes_its_base_from_the_name(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    made = install_judge(monkeypatch)
    monkeypatch.chdir(tmp_path)
    nli_by_name("judge")
    nli_by_name("judge:models/base.gguf")
    assert [engine.base for engine in made] == [None, str(tmp_path / "models" / "base.gguf")]


def test_the_home_folder_is_known(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    assert checked_nli_name("onnx:~/model") == f"onnx:{tmp_path / 'model'}"


def test_a_name_means_the_same_file_in_a_worker_with_another_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    judges = Judges(nli="judge:base.gguf", checker="onnx:model")
    assert (judges.nli, judges.checker) == (
        f"judge:{tmp_path / 'base.gguf'}",
        f"onnx:{tmp_path / 'model'}",
    )
    assert pickle.loads(pickle.dumps(judges)) == judges  # noqa: S301 # its own


@pytest.mark.parametrize(
    "name", ["", "Bundled", "bundled:x", "hub", "hub:", "judge:", "onnx:", "served", "a/b", ":x"]
)
def test_a_name_of_no_engine_is_a_mistake_that_lists_the_names(name: str) -> None:
    assert not is_nli_name(name)
    for take in (checked_nli_name, nli_by_name, lambda name: Judges(nli=name)):
        with pytest.raises(ContextError) as raised:
            take(name)
        assert NLI_NAMES in str(raised.value)


@pytest.mark.parametrize(
    ("missing", "name", "command"),
    [
        ("groundtypes.backends.nli_causal", "judge", "groundtypes[judge]"),
        ("onnxruntime", "bundled", "groundtypes[nli]"),
        ("torch", "hub:a/b", "groundtypes[torch]"),
        ("groundtypes_nli_large", "large", "groundtypes-nli-large"),
    ],
)
def test_an_engine_that_is_not_installed_is_a_mistake_that_names_the_command(
    missing: str, name: str, command: str
) -> None:
    program = f"""
import sys
sys.modules[{missing!r}] = None
from groundtypes.backends.by_name import nli_by_name
from groundtypes.errors import MissingJudgeError
try:
    nli_by_name({name!r})
except MissingJudgeError as error:
    print(error)
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=120
    )
    assert f"pip install {command}" in done.stdout.replace("'", "")


def test_no_module_of_the_working_folder_is_imported_for_a_name(tmp_path: Path) -> None:
    (tmp_path / "hub.py").write_text("print('imported')", encoding="utf-8")
    (tmp_path / "bundled.py").write_text("print('imported')", encoding="utf-8")
    program = """
import sys
from groundtypes import Judges
from groundtypes.judges import nli_engine
sys.path = [entry for entry in sys.path if entry]
before = list(sys.path)
nli_engine(Judges(nli="bundled"))
print(sys.path == before)
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    assert done.stdout.split() == ["True"]


def test_the_engine_of_a_name_is_one_object(monkeypatch: pytest.MonkeyPatch) -> None:
    made = install_judge(monkeypatch)
    judges = Judges(nli="judge")
    assert made == []  # until a check needs it
    assert nli_engine(judges) is nli_engine(Judges(nli="judge")) is configured_nli(judges)
    assert resolve_checker("judge") is nli_engine(judges)
    assert len(made) == 1
    declared: Any = nli_engine(Judges(nli="judge", languages="any"))
    assert declared.engine is made[0]


def test_a_check_asks_the_engine_that_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    [*_, made] = [install_judge(monkeypatch)]
    context = {"references": "The tower is tall.", "judges": Judges(nli="judge")}
    assert audit(Plain, {"text": "The tower is tall."}, context=context).ok
    assert not audit(Plain, {"text": "The tower is red."}, context=context).ok
    [engine] = made
    assert isinstance(engine, WholeTextNLI)
    assert engine.calls == 2


def test_a_missing_engine_is_a_mistake_of_the_check(monkeypatch: pytest.MonkeyPatch) -> None:
    install_judge(monkeypatch)
    monkeypatch.setitem(sys.modules, "groundtypes.backends.nli_causal", None)
    context = {"references": "The tower is tall.", "judges": Judges(nli="judge")}
    with pytest.raises(MissingJudgeError):
        audit(Plain, {"text": "The tower is tall."}, context=context)


def test_a_name_replaces_the_nli_engine_of_a_model_and_not_its_llm() -> None:
    own = judges_for(Own, "large")
    assert own is not None
    assert (own.nli, own.llm, own.checker) == ("large", LLM, "large")
    assert judges_for(Plain, "large") == Judges(nli="large")
    assert judges_for(Own, None) is None
    given = Judges()
    assert judges_for(Own, given) is given


@pytest.mark.parametrize("url", ["http://me:s3cret@gpu/v1", "https://gpu/v1?api_key=s3cret#m"])
def test_the_name_of_a_server_holds_no_key(url: str) -> None:
    with pytest.raises(ContextError, match="nothing secret") as caught:
        checked_nli_name(f"served:{url}")
    assert "s3cret" not in str(caught.value)
    for name in ("served:http://gpu/v1?version=2#qwen@q4_k_m", "served:http://gpu:8000/v1"):
        assert checked_nli_name(name) == name


@pytest.fixture
def others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Another package that brings engines."""
    (tmp_path / "other_engine.py").write_text(
        "from groundtypes.testing import ScriptedNLI\n"
        "def make(argument, **options):\n"
        "    engine = ScriptedNLI()\n"
        "    engine.made_of = (argument, options)\n"
        "    return engine\n"
        "def fail(argument):\n"
        "    import no_such_library\n"
        "def nothing(argument):\n"
        "    pass\n",
        encoding="utf-8",
    )
    facts = tmp_path / "other_engine-1.0.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text("Name: other-engine\nVersion: 1.0\n", encoding="utf-8")
    (facts / "entry_points.txt").write_text(
        "[groundtypes.engines]\nother = other_engine:make\nlacking = other_engine:fail\n"
        "absent = other_engine:gone\nempty = other_engine:nothing\n",
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    by_name._engines_of_others.cache_clear()
    yield
    by_name._engines_of_others.cache_clear()


@pytest.mark.usefixtures("others")
def test_another_package_can_bring_an_engine() -> None:
    engine: Any = Judges.from_name("other:small", threads=2).nli
    assert engine.made_of == ("small", {"threads": 2})
    assert Judges(nli="other").nli == "other"
    with pytest.raises(ContextError, match="no NLI engine"):
        nli_by_name("another:small")


@pytest.mark.usefixtures("others")
@pytest.mark.parametrize(
    ("name", "mistake", "text"),
    [
        ("lacking", MissingJudgeError, "needs what is not installed: .*no_such_library"),
        ("empty:x", BackendError, "is a NoneType"),
        ("empty", BackendError, "cannot be made: TypeError"),
        ("absent", BackendError, "entry point other_engine:gone.* cannot be made: AttributeError"),
    ],
)
def test_an_engine_of_another_package_that_cannot_be_made_is_a_mistake(
    name: str, mistake: type[Exception], text: str
) -> None:
    options = {"colour": 1} if name == "empty" else {}
    with pytest.raises(mistake, match=text):
        nli_by_name(name, **options)
    with pytest.raises((BackendError, MissingJudgeError)):
        audit(Plain, {"text": "x"}, context={"references": "x", "judges": Judges(nli=name)})
