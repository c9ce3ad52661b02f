"""The folders of `research` import in one direction: data sets, then training, then its users."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
#: Folder -> the other folders that it may import from. All may import groundtypes.
ALLOWED = {
    "src": set[str](),
    "cookbook": set[str](),
    "research/corpora": set[str](),
    "research/tables": set[str](),
    "research/training": {"corpora"},
    "research/scripts": {"corpora", "training"},
    # `benchmarks.effect` judges the tables of the tests, too.
    "research/benchmarks": {"corpora", "tests", "training"},
    "tests": {"benchmarks", "corpora", "scripts", "tables", "training"},
}


def imported(path: Path) -> Iterator[str]:
    """Yield the top-level packages that a module imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.partition(".")[0]


@pytest.mark.parametrize("folder", ALLOWED)
def test_a_folder_imports_only_from_those_below_it(folder: str) -> None:
    modules = sorted((ROOT / folder).rglob("*.py"))
    assert modules
    others = {Path(name).name for name in ALLOWED.keys() - {folder}} - ALLOWED[folder]
    assert {
        f"{path.relative_to(ROOT)} imports {name}"
        for path in modules
        for name in imported(path)
        if name in others
    } == set()


def test_every_folder_with_python_modules_has_its_place() -> None:
    tops = {path.relative_to(ROOT).parts[0] for path in ROOT.glob("[!.]*/**/*.py")}
    assert tops - {"build", "dist", "site"} == {Path(name).parts[0] for name in ALLOWED}
    parts = {path.relative_to(ROOT).parts[1] for path in ROOT.glob("research/*/**/*.py")}
    assert parts - {"models"} == {
        Path(name).name for name in ALLOWED if name.startswith("research")
    }
