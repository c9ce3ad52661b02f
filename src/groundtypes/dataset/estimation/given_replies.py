"""A function of the user's that models the replies of an LLM, checked where it is called."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from pydantic import BaseModel

from groundtypes.errors import DatasetError
from groundtypes.scoring import Question
from groundtypes.shown_text import clip

__all__ = ["REPLY_FAULT", "GivenReplies"]

#: How a message begins that blames the function, and neither the model nor a row.
REPLY_FAULT: Final = "`reply`"


@dataclass(frozen=True, slots=True)
class GivenReplies:
    """Calls the function, and checks what it returns; it can be sent to another process."""

    function: Callable[[Question], Any]

    def __call__(self, question: Question) -> BaseModel:
        """Return the reply to a question.

        Raises:
            DatasetError: The function raised, or returned something else than a reply.
        """
        try:
            answer = self.function(question)
        except Exception as error:
            raise DatasetError(
                f"{REPLY_FAULT} raised {type(error).__name__} for a question of the prompt "
                f"{question.prompt}: {clip(str(error), 300)}"
            ) from error
        wanted = question.response_model
        if not isinstance(answer, wanted):
            raise DatasetError(
                f"{REPLY_FAULT} returned an object of type {type(answer).__name__} for a question "
                f"of the prompt {question.prompt}; it must return a {wanted.__name__}"
            )
        return answer
