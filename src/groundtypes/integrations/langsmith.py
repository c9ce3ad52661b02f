"""LangSmith and openevals: an evaluator for `langsmith.evaluate`.

They call an evaluator with the inputs and outputs of a run, and take dictionaries with `key`,
`score` and `comment`. Nothing of them is imported here.
"""

from collections.abc import Callable, Mapping
from typing import Any

from groundtypes.integrations.feedback import Auditing
from groundtypes.judges import Judges


def evaluator(
    model: Any,
    *,
    references: str | Callable[[Mapping[str, Any], Mapping[str, Any]], Any] = "references",
    answer: str | None = None,
    question: str | None = None,
    judges: Judges | str | None = None,
) -> Callable[..., dict[str, Any]]:
    """Return an evaluator for LangSmith: it audits the outputs of a run.

    The arguments are those of `Auditing`; a function `references` is called with the inputs and
    the outputs.

    Examples:
        >>> from groundtypes import Quote
        >>> from pydantic import create_model
        >>> grounded = evaluator(create_model("Answer", quote=(Quote, ...)))
        >>> found = grounded({"references": ["It is tall."]}, {"quote": "It is wide"})
        >>> [(each["key"], each["score"]) for each in found["results"]]
        [('Quoted', 0.0)]

    Raises:
        ContextError: When it is called: a key is missing.
        Mistake: When it is called: the answer cannot be judged.
    """
    auditing = Auditing(model, references, answer, question, judges)

    def evaluate(inputs: Mapping[str, Any], outputs: Mapping[str, Any], **_: Any) -> dict[str, Any]:
        found = auditing.feedback(outputs, inputs, source=(inputs, outputs))
        return {"results": [each.to_dict() for each in found]}

    return evaluate
