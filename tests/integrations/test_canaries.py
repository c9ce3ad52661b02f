"""What groundtypes relies on in other packages is still there: each test names what to look at.

A failure means that a release has changed an internal that one module of `integrations` reads.
"""

import inspect
import sys
from collections.abc import Iterator
from types import CodeType, FrameType
from typing import Any

import instructor
import openai
import pytest
from instructor.core.exceptions import InstructorRetryException

from groundtypes.integrations import instructor as ours
from groundtypes.integrations import pydantic_ai as pydantic_ais
from tests.integrations.instructor.clients import BAD, CONTEXT, GOOD, MESSAGES, Answer
from tests.scripted_openai import Say, ScriptedOpenAI


def client_of(server: ScriptedOpenAI) -> Any:
    return instructor.from_openai(openai.OpenAI(base_url=server.base_url, api_key="-"))


def ask(client: Any, model: Any = Answer, **options: Any) -> Any:
    return client.create(
        model="scripted", response_model=model, messages=MESSAGES, context=CONTEXT, **options
    )


@pytest.fixture
def client(server: ScriptedOpenAI) -> Any:
    return client_of(server)


def test_a_client_of_instructor_passes_its_hooks_to_the_function_of_its_requests(
    server: ScriptedOpenAI, client: Any
) -> None:
    server.script(Say(GOOD))
    assert ours.is_client(client)
    seen: list[Any] = []

    class Heard:
        def returned(self, value: Any) -> None:
            seen.append(type(value).__name__)

        def raised(self, error: BaseException) -> None:
            seen.append(error)

    def begin(options: dict[str, Any]) -> Heard:
        assert options["response_model"] is Answer and options["context"] is CONTEXT
        events = ("completion:kwargs", "completion:response", "completion:error", "parse:error")
        assert ours.add_hooks(options, dict.fromkeys(events, lambda *_, **__: seen.append("event")))
        return Heard()

    stop = ours.listen(client, begin)
    ask(client)
    assert seen == ["event", "event", "Answer"]
    before = client.create_fn
    stop()
    assert client.create_fn is not before


def test_an_exception_of_instructor_holds_its_attempts_and_the_arguments_of_the_call(
    server: ScriptedOpenAI, client: Any
) -> None:
    server.script(Say(BAD), Say(BAD))
    with pytest.raises(InstructorRetryException) as caught:
        ask(client, max_retries=1)
    error: Any = caught.value
    assert ours._is_used_up(error)
    assert [attempt.attempt_number for attempt in error.failed_attempts] == [1, 2]
    assert all(attempt.completion.id for attempt in error.failed_attempts)
    assert all(attempt.exception.errors() for attempt in error.failed_attempts)
    arguments = ours.call_arguments(error)
    assert arguments is not None
    assert issubclass(arguments["response_model"], Answer)
    assert arguments["context"] == CONTEXT and "strict" in arguments


def test_instructor_wraps_lists_and_simple_types_as_we_know(client: Any) -> None:
    from instructor.dsl.iterable import IterableModel  # noqa: PLC0415 # what is looked for
    from instructor.dsl.simple_type import ModelAdapter  # noqa: PLC0415 # the same

    many = IterableModel(Answer)(tasks=[])
    assert ours.unwrapped(many) == []
    adapter: Any = ModelAdapter[int]  # a class that is made by `__class_getitem__`
    one = adapter(content=3)
    assert ours.unwrapped(one) == 3


def test_instructor_reads_the_completion_where_we_write_it(
    server: ScriptedOpenAI, client: Any
) -> None:
    server.script(Say(GOOD))
    answer, completion = client.create_with_completion(
        model="scripted", response_model=Answer, messages=MESSAGES, context=CONTEXT
    )
    assert answer._raw_response is completion
    assert ours.with_completion([1], completion)._raw_response is completion


def test_instructor_makes_partial_answers_in_the_functions_that_we_know() -> None:
    from instructor.dsl import partial  # noqa: PLC0415 # what is looked for

    names = {code.co_name for code in _codes(partial)}
    assert partial.__name__ == "instructor.dsl.partial"
    assert {"model_from_chunks", "model_from_chunks_async"} <= names


def test_pydantic_ai_says_in_an_argument_whether_an_answer_is_whole() -> None:
    from pydantic_ai import _output  # noqa: PLC0415 # what is looked for

    drafts = [code for code in _codes(_output) if "allow_partial" in code.co_varnames]
    assert any("valid" in code.co_name for code in drafts)


def test_frames_of_others_say_nothing() -> None:
    frame: FrameType = sys._getframe()
    assert ours.is_part_of_stream(frame) is None
    assert pydantic_ais.is_draft(frame) is None


def _codes(module: Any) -> Iterator[CodeType]:
    """Yield the code of the functions and methods of a module."""
    for owner in (module, *(each for _, each in inspect.getmembers(module, inspect.isclass))):
        for value in vars(owner).values():
            function = inspect.unwrap(getattr(value, "__func__", value))
            if inspect.isfunction(function):
                yield function.__code__
