"""What can be had of an answer when its re-asks are used up."""

from groundtypes.integrations.attempts.keep import KeptAnswer, LeftOut
from groundtypes.integrations.attempts.last_attempt import (
    abest_attempt,
    akeep_valid,
    best_attempt,
    keep_valid,
)
from groundtypes.integrations.attempts.policy import (
    LeftOutWarning,
    keep_valid_answers,
    warn_of_left_out,
)

__all__ = [
    "KeptAnswer",
    "LeftOut",
    "LeftOutWarning",
    "abest_attempt",
    "akeep_valid",
    "best_attempt",
    "keep_valid",
    "keep_valid_answers",
    "warn_of_left_out",
]
