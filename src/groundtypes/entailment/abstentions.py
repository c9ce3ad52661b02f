"""Whether the references contain what a text says that they do not: an abstention may be wrong.

"The documents do not say when the contract was signed" is right unless they say it. So an engine is
asked about "when the contract was signed" alone, and entailment of that is a fault.
"""

from typing import Final

from groundtypes.scoring import THRESHOLD, NLIScores

#: A passage that entails with at least this probability what an abstention denies says it: for
#: engines that read whole texts, and for others. Chosen on RAG answers with wrong abstentions.
_SAID_BY_READER: Final = THRESHOLD
SAID: Final = 0.6


def scores_of_abstention(said: float, *, reads: bool) -> NLIScores:
    """Return the scores of an abstention, given the probability that the references say it.

    Args:
        said: The probability of entailment of what the sentence denies.
        reads: Whether it is that of an engine which reads whole texts.
    """
    limit = _SAID_BY_READER if reads else SAID
    wrong = min(1.0, said * THRESHOLD / limit)
    return NLIScores(entailment=1.0 - wrong, neutral=0.0, contradiction=wrong)
