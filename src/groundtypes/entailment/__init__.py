"""Entailment: do the references entail a text, sentence by sentence?

`questions` pairs each sentence with the evidence selected for it, and an NLI engine scores the
pairs. `differences` says which words of a sentence the closest ones of the references lack, and
`evidence_model` makes one probability of scores and missing words; for engines without its weights,
`merging` has a rule. `same_words` finds sentences that are copied or denied, and `other_records`
values that another row or object has. `decision` runs these steps, `excerpts` shows what decided.
Before them, `pronouns` can make the sentences self-contained: an LLM replaces their pronouns with
nouns.
"""

from groundtypes.entailment.decision import aentail, entail
from groundtypes.entailment.entailments import Entailment

__all__ = [
    "Entailment",
    "aentail",
    "entail",
]
