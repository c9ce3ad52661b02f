"""`OnnxNLI.large()`: the larger model, which is a package of its own."""

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from groundtypes import LanguageError, Pair
from groundtypes.backends.nli_onnx import OnnxNLI
from groundtypes.backends.score_cache import MemoryScoreCache
from groundtypes.entailment import entail
from groundtypes.errors import BackendError, MissingJudgeError

TINY = Path(__file__).parent / "tiny"
PACKAGE = Path(__file__).parents[2] / "research" / "models" / "groundtypes-nli-large" / "src"
PAIRS = [Pair("the sun is red.", "the sun is not red."), Pair("a cat runs.", "a cat sleeps.")]
NAME = "groundtypes_nli_large"


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of a package that can be imported, and is forgotten after the test."""
    monkeypatch.delitem(sys.modules, NAME, raising=False)
    monkeypatch.syspath_prepend(tmp_path)
    folder = tmp_path / NAME
    folder.mkdir()
    yield folder
    sys.modules.pop(NAME, None)


@pytest.fixture
def package(path: Path) -> Path:
    """A package with a tiny model."""
    (path / "__init__.py").write_text(
        "from pathlib import Path\n\nFOLDER = Path(__file__).parent / 'model'\n", encoding="utf-8"
    )
    shutil.copytree(TINY, path / "model")
    return path


def test_without_the_package_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, NAME, None)
    with pytest.raises(MissingJudgeError, match="pip install groundtypes-nli-large"):
        OnnxNLI.large()


def test_a_package_that_lacks_something_else_says_so_itself(path: Path) -> None:
    (path / "__init__.py").write_text("import no_such_module\n", encoding="utf-8")
    with pytest.raises(ModuleNotFoundError, match="no_such_module"):
        OnnxNLI.large()


@pytest.mark.usefixtures("package")
def test_it_scores_with_the_model_of_the_package() -> None:
    found = OnnxNLI.large(cache=MemoryScoreCache(0)).score(PAIRS)
    assert found == OnnxNLI(TINY, cache=MemoryScoreCache(0)).score(PAIRS)


@pytest.mark.usefixtures("package")
def test_it_takes_the_settings_of_every_engine() -> None:
    seen: list[tuple[int, int]] = []
    engine = OnnxNLI.large(max_length=8, threads=1, progress=lambda *done: seen.append(done))
    assert engine.score(PAIRS) == OnnxNLI(TINY, max_length=8).score(PAIRS)
    assert engine.score(PAIRS) != OnnxNLI(TINY).score(PAIRS)
    assert seen[-1] == (2, 2)


@pytest.mark.usefixtures("package")
def test_it_reads_english_unless_told_otherwise() -> None:
    german = "Hunde sind im Turm nicht erlaubt.", "Hunde sind im Turm erlaubt."
    with pytest.raises(LanguageError, match="reads English"):
        entail(*german, nli=OnnxNLI.large())
    assert entail(*german, nli=OnnxNLI.large(languages="any"))


def test_a_changed_file_of_the_package_is_refused(package: Path) -> None:
    config = package / "model" / "config.json"
    config.write_text(config.read_text(encoding="utf-8") + " ", encoding="utf-8")
    with pytest.raises(BackendError, match=r"config.json of .* is not the file"):
        OnnxNLI.large().load()


@pytest.mark.skipif(not PACKAGE.exists(), reason="the sdist has no other packages")
def test_the_package_of_this_repository_names_its_model(path: Path) -> None:
    shutil.copy(PACKAGE / NAME / "__init__.py", path)
    shutil.copytree(TINY, path / "model")
    assert OnnxNLI.large().score(PAIRS) == OnnxNLI(TINY).score(PAIRS)
