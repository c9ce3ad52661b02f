"""Run with a built wheel and nothing else: it is whole, light, and does its job."""

import importlib
import sys
from importlib.metadata import entry_points, version
from importlib.resources import files

import groundtypes

HEAVY = {
    "instructor",
    "nltk",
    "numpy",
    "onnxruntime",
    "openai",
    "rich",
    "tokenizers",
    "torch",
    "transformers",
    "typer",
}


class Answer(groundtypes.Grounded):
    """An answer with a quote."""

    quote: groundtypes.Quote


def main() -> None:
    """Import, look around, and check an answer."""
    loaded = HEAVY & set(sys.modules)
    assert not loaded, f"import groundtypes loads {loaded}"
    assert version("groundtypes")
    [plugin] = entry_points(group="pytest11", name="groundtypes.pytest_plugin")
    assert plugin.value == "groundtypes.pytest_plugin"
    assert files("groundtypes").joinpath("py.typed").is_file()
    assert "src" not in str(groundtypes.__file__)
    context = {"references": ["The treatment was long and hard."]}
    answer = Answer.model_validate({"quote": "the treatment was long"}, context=context)
    assert answer.quote == "The treatment was long"
    match = groundtypes.find_quote("The treatmnt was long", context["references"], fuzzy=True)
    assert match is not None
    try:
        importlib.import_module("groundtypes.cli")
    except ImportError as error:
        assert "pip install 'groundtypes[cli]'" in str(error)
    else:
        raise AssertionError("the command line came without its extra")
    print("The wheel works.")


if __name__ == "__main__":
    main()
