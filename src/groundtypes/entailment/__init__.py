"""Entailment: do the references entail a text, sentence by sentence?

`questions` pairs each sentence with the evidence selected for it, and an NLI engine scores the
pairs. `differences` says what differs when a sentence is laid beside the closest ones of the
references (`alignment`, `word_classes`), and `evidence_model` makes one probability of scores and
differences; for engines without its weights, `merging` has a rule. `decision` runs these steps,
`reasons` and `excerpts` show what weighed. Before them, `pronouns` can make the sentences
self-contained: an LLM replaces their pronouns with nouns.
"""

from groundtypes.entailment.decision import Entailment, aentail, entail

__all__ = [
    "Entailment",
    "aentail",
    "entail",
]
