"""Entailment: do the references entail a text, sentence by sentence?

`questions` pairs each sentence with the passages selected for it, an NLI engine scores the pairs,
`merging` turns the scores of the passages into one label, and `decision` runs these steps. Before
them, `pronouns` can make the sentences self-contained: an LLM replaces their pronouns with nouns.
"""

from groundtypes.entailment.decision import Entailment, aentail, entail

__all__ = [
    "Entailment",
    "aentail",
    "entail",
]
