"""Snippets that need a key or a network are not run, but what they import exists."""

import ast
import importlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
_SKIPPED = re.compile(r'^```python \{test="skip"\}\n(.*?)^```$', re.MULTILINE | re.DOTALL)


def _imports_of(page: Path) -> set[tuple[str, str]]:
    snippets = _SKIPPED.findall(page.read_text(encoding="utf-8"))
    return {
        (node.module, alias.name)
        for snippet in snippets
        for node in ast.walk(ast.parse(snippet))
        if isinstance(node, ast.ImportFrom)
        and node.module
        and node.module.startswith("groundtypes")
        for alias in node.names
    }


IMPORTS = sorted(set[tuple[str, str]]().union(*map(_imports_of, PAGES)))


@pytest.mark.parametrize(("module", "name"), IMPORTS, ids=[".".join(names) for names in IMPORTS])
def test_what_a_skipped_snippet_imports_exists(module: str, name: str) -> None:
    try:
        # The names of some packages are imported when they are first used.
        exists = hasattr(importlib.import_module(module), name)
    except ImportError as error:
        if "pip install" not in str(error):
            raise
        pytest.skip(f"needs an extra: {error}")
    assert exists
