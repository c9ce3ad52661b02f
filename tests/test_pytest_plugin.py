"""The plugin, in runs of pytest of its own."""

import sys
import tomllib
from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

PLUGIN = "groundtypes.pytest_plugin"
TESTS = """
    import asyncio
    import pytest
    from pydantic import BaseModel
    from groundtypes import Judges, Quote
    from groundtypes.errors import MissingReferencesError
    from groundtypes.rounds.grounding import current_grounding
    from groundtypes.testing import ScriptedNLI, assert_grounded

    GUIDE = {"guide": "The bridge was opened in 1932."}
    NLI = Judges(nli=ScriptedNLI())

    class Answer(BaseModel):
        quote: Quote

    @pytest.fixture
    def guide(grounded_references):
        return grounded_references(GUIDE, judges=NLI)

    @pytest.fixture
    def yielded(grounded_references):
        yield grounded_references(GUIDE, judges=NLI)

    def test_models_find_the_references(grounded_references):
        with pytest.raises(MissingReferencesError):
            Answer(quote="opened in 1932")
        references = grounded_references(GUIDE)
        assert references.ids == ("guide",)
        assert Answer(quote="opened in 1932").quote.span.reference == "guide"

    def test_they_end_with_the_test():
        assert current_grounding() is None

    def test_a_fixture_may_give_them(guide):
        assert_grounded("The bridge was opened in 1932.")

    def test_a_fixture_that_yields_may_too(yielded):
        assert_grounded("The bridge was opened in 1932.")

    def test_the_last_call_counts(guide, grounded_references):
        grounded_references("It rains.", judges=NLI)
        assert_grounded("It rains.")

    def test_coroutines_see_them(guide):
        async def check():
            return Answer(quote="opened in 1932")
        assert asyncio.run(check()).quote == "opened in 1932"

    @pytest.mark.anyio
    async def test_async_tests_see_them(grounded_references):
        grounded_references(GUIDE, judges=NLI)
        assert_grounded("The bridge was opened in 1932.")

    @pytest.mark.anyio
    async def test_async_tests_see_those_of_fixtures(guide):
        assert_grounded("The bridge was opened in 1932.")

    @pytest.fixture
    def anyio_backend():
        return "asyncio"

    def test_and_async_ones_end_too():
        assert current_grounding() is None

    def test_a_fault_is_shown(guide):
        assert_grounded("The bridge was opened in 1933.")
"""


@pytest.fixture
def _source(monkeypatch: pytest.MonkeyPatch) -> None:
    root = Path(__file__).parents[1]
    monkeypatch.setenv("PYTHONPATH", str(root / "src"))
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")


@pytest.mark.usefixtures("_source")
def test_the_fixture_gives_references_to_one_test(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(TESTS)
    done = pytester.runpytest_subprocess("-p", PLUGIN, "-p", "anyio.pytest_plugin", "-W", "error")
    done.assert_outcomes(passed=9, failed=1)
    done.stdout.fnmatch_lines(
        [
            '*assert_grounded("The bridge was opened in 1933.")',
            "E  *AssertionError: assert 'The bridge was opened in 1933.' is grounded in 1 ref*",
            "E  *1 of 1 sentences is not entailed (-reference +answer)",
            "E  *- The bridge was opened in 1932.",
            "E  *+ The bridge was opened in 1933.",
        ]
    )
    assert "assertions.py" not in done.stdout.str()  # the line of the test is shown, not ours


@pytest.mark.usefixtures("_source")
def test_the_plugin_is_light(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import sys
        def test_light():
            ours = {name for name in sys.modules if name.startswith("groundtypes")}
            assert ours <= {"groundtypes", "groundtypes.pytest_plugin"}
            assert "pydantic" not in sys.modules
        """
    )
    pytester.runpytest_subprocess("-p", PLUGIN).assert_outcomes(passed=1)
    fixtures = pytester.runpytest_subprocess("-p", PLUGIN, "--fixtures").stdout
    fixtures.fnmatch_lines(["grounded_references*", "*Give references to the rest of a test*"])


def test_pytest_finds_the_plugin_where_groundtypes_is_installed() -> None:
    root = Path(__file__).parents[1]
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["entry-points"]["pytest11"] == {PLUGIN: PLUGIN}
    assert sys.modules.get(PLUGIN) or __import__(PLUGIN)
