"""The one place that says which engine judges where none is named, and how a client is asked."""

from typing import Any

from groundtypes.scoring import LLM, NLIScorer, bundled_nli, llm_of

__all__ = ["offer_engines"]


def _bundled() -> NLIScorer:
    # Imported when the first check needs it: it loads numpy and ONNX Runtime.
    from groundtypes.backends.nli_onnx import OnnxNLI  # noqa: PLC0415

    return OnnxNLI()


def _asked(client: Any, model: str | None) -> LLM:
    from groundtypes.backends.llm import InstructorLLM  # noqa: PLC0415 # it needs instructor

    return InstructorLLM(client, model)


def offer_engines() -> None:
    """Let checks fall back on the model that comes in the box, and ask clients of LLMs."""
    bundled_nli.offer(_bundled)
    llm_of.offer(_asked)
