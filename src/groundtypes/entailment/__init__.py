"""Entailment: do the references entail a text, sentence by sentence?"""

from groundtypes.entailment.decision import Entailment, entail

__all__ = [
    "Entailment",
    "entail",
]
