"""Entailment: do the references entail a text, sentence by sentence?

`questions` pairs each sentence with the evidence selected for it; `decision` has an NLI engine
score the pairs and makes one verdict of its scores, and `whole_text_judgement` does so for engines
that read whole texts. `abstentions` are asked about apart.
"""

from groundtypes.entailment.decision import aentail, entail
from groundtypes.entailment.entailments import Entailment

__all__ = [
    "Entailment",
    "aentail",
    "entail",
]
