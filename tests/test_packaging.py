"""The package is light, typed, and exports what it says."""

import ast
import re
import subprocess
import sys
import tomllib
from importlib import import_module
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from types import ModuleType

import pytest

import groundtypes

HEAVY = (
    "instructor",
    "nltk",
    "numpy",
    "onnxruntime",
    "openai",
    "opentelemetry",
    "pyarrow",
    "rich",
    "sqlite3",
    "tokenizers",
    "torch",
    "transformers",
    "typer",
)
LIGHT = [
    "groundtypes",
    "groundtypes.batch",
    "groundtypes.models",
    "groundtypes.dataset",
    "groundtypes.integrations.telemetry",
    "groundtypes.testing",
]
USUAL = "from groundtypes import Entailed, Grounded, Judges, Quote, verify"


def loaded(statement: str) -> set[str]:
    """Return the modules that a new Python process has loaded after a statement."""
    program = f"import sys\n{statement}\nprint(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


@pytest.mark.parametrize("statement", [*(f"import {module}" for module in LIGHT), USUAL])
def test_importing_loads_no_engine_and_no_extra(statement: str) -> None:
    assert loaded(statement) & set(HEAVY) == set()


def test_the_front_door_is_light() -> None:
    ours = {name for name in loaded("import groundtypes") if name.startswith("groundtypes")}
    assert len(ours) <= 60


def test_the_usual_names_load_neither_the_searches_nor_asyncio() -> None:
    modules = loaded(USUAL)
    assert len({name for name in modules if name.startswith("groundtypes")}) <= 64
    assert "asyncio" not in modules


def test_the_version_is_that_of_the_distribution_or_marked_as_unknown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert groundtypes.__version__ == version("groundtypes")

    def missing(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr("importlib.metadata.version", missing)
    assert vars(groundtypes)["_version"]() == "0+unknown"


def test_every_exported_name_is_there_and_documented() -> None:
    assert len(set(groundtypes.__all__)) == len(groundtypes.__all__)
    for name in groundtypes.__all__:
        assert getattr(groundtypes, name).__doc__ or name == "Quote", name
    assert set(groundtypes.__all__) <= set(dir(groundtypes))


@pytest.mark.parametrize("package", [groundtypes.batch, groundtypes.dataset])
def test_the_names_of_a_package_are_those_of_its_stub(package: ModuleType) -> None:
    modules = _modules_of_the_stub(package)
    assert sorted(modules) == package.__all__
    for name, module in modules.items():
        assert getattr(package, name) is getattr(import_module(module), name)
        assert name in dir(package)
    with pytest.raises(AttributeError, match="no_such_name"):
        getattr(package, "no_such_name")  # noqa: B009 # type checkers know that it is missing


def test_a_package_is_an_attribute_that_needs_no_import_of_its_own() -> None:
    packages = [name for name, module in _modules_of_the_stub().items() if module == "groundtypes"]
    assert "testing" in packages
    for package in packages:
        assert getattr(groundtypes, package) is sys.modules[f"groundtypes.{package}"]


def test_every_name_of_the_stub_is_that_of_its_module() -> None:
    for name, module in _modules_of_the_stub().items():
        if module != "groundtypes":
            assert getattr(groundtypes, name) is getattr(import_module(module), name)


def _modules_of_the_stub(package: ModuleType = groundtypes) -> dict[str, str]:
    """Return the module of each name, as a type checker reads the stub."""
    assert package.__file__ is not None
    stub = Path(package.__file__).with_name("__init__.pyi").read_text(encoding="utf-8")
    return {
        alias.asname or alias.name: node.module or ""
        for node in ast.parse(stub).body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no_such_name"):
        getattr(groundtypes, "no_such_name")  # noqa: B009 # type checkers know that it is missing


def test_the_core_needs_three_packages_only() -> None:
    core = [need for need in requires("groundtypes") or () if "extra ==" not in need]
    assert sorted(re.split("[<>]", need)[0] for need in core) == [
        "filelock",
        "pydantic",
        "rapidfuzz",
    ]


#: Extras that are not tested beside the oldest dependencies.
APART = {
    *("deepeval", "inspect-ai", "judge", "langfuse", "langsmith", "mcp", "mlflow", "phoenix"),
    *("pydantic-evals", "ray", "torch"),
}


def test_the_oldest_dependencies_are_the_lower_bounds() -> None:
    root = Path(__file__).parents[1]
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    bounds = {
        name: version
        for extra in (
            project["dependencies"],
            *(extras[name] for name in extras.keys() - APART),
        )
        for name, bound, version in (need.partition(">=") for need in extra)
        if bound and name != "groundtypes-nli"
    }
    lines = (root / "tests" / "oldest.txt").read_text(encoding="utf-8").splitlines()
    pinned = dict(line.split("==") for line in lines if not line.startswith("#"))
    for name, bound in bounds.items():
        lowest = bound.partition(",")[0]  # pydantic has an upper bound, too
        assert f"{pinned[name]}.".startswith(f"{lowest}."), name


def test_the_changelog_opens_with_this_version() -> None:
    changelog = Path(__file__).parent.with_name("CHANGELOG.md").read_text(encoding="utf-8")
    newest = next(line for line in changelog.splitlines() if line.startswith("## "))
    assert newest.split()[1] == version("groundtypes")
