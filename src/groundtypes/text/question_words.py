"""Patterns of English questions: verbs that stand in front of the subject, and subjects."""

from typing import Final

#: A verb that makes a question when it stands in front of the subject.
AUXILIARY: Final = (
    r"(?:is|are|was|were|am|do|does|did|has|have|had|can|could|may|might|must|shall|should|will|"
    r"would)"
)
#: A word that is a subject by itself. "One" is not here, because of "no one".
PRONOUN: Final = r"(?:it|they|he|she|we|you|there|i|this|that)"
#: "Not" joined to a verb, as in "isn't".
REDUCED_NOT: Final = r"n['\u2019]t"
#: What may stand before the verb of a question: "If you lose it, ".
LEADING_CLAUSE: Final = (
    r"(?:(?:if|when|in|on|at|after|before|during|for|with|without)\s[^,?]{1,150},\s)?"
)
