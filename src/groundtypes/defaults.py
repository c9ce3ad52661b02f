"""The one place that says which engine judges where none is named."""

from groundtypes.scoring import NLIScorer, bundled_nli

__all__ = ["offer_bundled"]


def _bundled() -> NLIScorer:
    # Imported when the first check needs it: it loads numpy and ONNX Runtime.
    from groundtypes.backends.nli_onnx import OnnxNLI  # noqa: PLC0415

    return OnnxNLI()


def offer_bundled() -> None:
    """Let checks fall back on the model that comes in the box."""
    bundled_nli.offer(_bundled)
