"""`ServedNLI`: NLI by a judge on a server, which many users can share.

`pip install 'groundtypes[instructor]'`.
"""

import contextlib
import os
import re
import threading
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, ClassVar, Final, Self, TypedDict, Unpack
from urllib.parse import parse_qsl, urlsplit

import openai

from groundtypes.backends.connections import CONNECTIONS
from groundtypes.backends.engine_calls import is_outage
from groundtypes.backends.judge_files import judge_facts
from groundtypes.backends.label_adapters import Probabilities, without_entailment
from groundtypes.backends.languages import JUDGE_LANGUAGES, Languages
from groundtypes.backends.llm_calls import LLMCall, watch_requests
from groundtypes.backends.llm_limits import Budget, Usage, UsageMeter
from groundtypes.backends.nli_engine import Calibrate, LoadedModel, NLIEngine, Progress
from groundtypes.backends.redaction import endpoint_name, learn, learn_from_url
from groundtypes.backends.requests_at_once import RequestsAtOnce
from groundtypes.backends.score_cache import ScoreCache, score_key
from groundtypes.backends.served_templates import ServedTemplate, served_templates
from groundtypes.concurrency.forking import renew_in_child
from groundtypes.errors import BackendError, ContextError
from groundtypes.scoring import Pair

__all__ = ["Budget", "ServedNLI", "ServedTemplate", "Usage", "served_templates"]

#: How many tokens of a question are read unless it is said: what the judge was trained with.
_WINDOW: Final = 2048
#: About so many characters of a hypothesis are a token; of a longer one the end is not sent.
_CHARACTERS_PER_TOKEN: Final = 4
#: How many questions of a check are sent before others have their turn, for each slot.
_QUESTIONS_PER_SLOT: Final = 8


class _Settings(TypedDict, total=False):
    api_key: str | None
    window: int
    concurrency: int
    timeout: float
    attempts: int
    budget: Budget | None
    top_logprobs: int
    cache: ScoreCache | None
    calibrate: Calibrate | None
    progress: Progress | None
    languages: Languages


class ServedNLI(NLIEngine):
    """A judge on any server of OpenAI's chat completions that returns log-probabilities.

    vLLM, llama.cpp, SGLang and others do. It reads all references of an answer at once, like
    `CausalNLI`. Questions are asked concurrently, and asked again after an outage; replies are
    cached, and a budget bounds them. What the server does not answer is a mistake, never a fault of
    an answer.

    Examples:
        >>> from groundtypes import Judges
        >>> judges = Judges(nli=ServedNLI.judge("http://gpu:8000/v1", model="groundtypes-judge"))

    Raises:
        BackendError: At the first pair: the server does not answer, returns no log-probabilities,
            or another model answers than the template is for.
    """

    #: Questions of several calls need not wait for each other: each is a request of its own.
    calls_at_once: ClassVar[int | None] = None

    def __init__(
        self,
        base_url: str,
        model: str,
        *,
        template: ServedTemplate | str = "yes-no",
        window: int = _WINDOW,
        api_key: str | None = None,
        concurrency: int = 16,
        timeout: float = 60.0,
        attempts: int = 4,
        budget: Budget | None = None,
        top_logprobs: int = 20,
        temperature: float = 1.0,
        cache: ScoreCache | None = None,
        calibrate: Calibrate | None = None,
        progress: Progress | None = None,
        languages: Languages = None,
    ) -> None:
        """Store the settings; nothing is asked yet.

        Args:
            base_url: The address of the server, such as `http://localhost:8000/v1`.
            model: The name by which the server knows the model.
            template: How the model is asked: a `ServedTemplate`, or the name of one in
                `served_templates()`.
            window: About how many tokens of a question are sent. References that are longer are
                represented by their best passages.
            api_key: The key of the server; by default `OPENAI_API_KEY` of the environment, where
                there is one.
            concurrency: The most questions that are asked at the same time, in all calls together.
            timeout: Seconds for a question with all its attempts; only a wait that the server asks
                for is not counted.
            attempts: How often a question is asked at most.
            budget: What may be spent: a request that would exceed it is not sent, and raises
                `BudgetError`.
            top_logprobs: For how many tokens the server is asked to return log-probabilities.
            temperature: What the logits of the answers are divided by.
            cache: Where scores are cached; by default in memory.
            calibrate: Returns the final scores of each pair, given those of the model.
            progress: Called with how many pairs are done, and how many there are.
            languages: What the model reads, as ISO 639 codes; by default it is not known, and
                nothing is checked.

        Raises:
            ContextError: The address is none, a number is not positive, or there is no template of
                this name.
        """
        super().__init__(cache=cache, calibrate=calibrate, progress=progress, languages=languages)
        _split_address(base_url)
        if not model or not isinstance(model, str):
            raise ContextError("model must be the name by which the server knows the model")
        if not isinstance(template, str | ServedTemplate):
            raise ContextError(
                f"template is of type {type(template).__name__}; pass a ServedTemplate or the name "
                "of one"
            )
        if isinstance(template, str):
            named = served_templates().get(template)
            if named is None:
                names = ", ".join(served_templates())
                raise ContextError(f"There is no template of this name. The names are {names}.")
            template = named
        numbers = {"window": window, "concurrency": concurrency, "timeout": timeout}
        numbers |= {"attempts": attempts, "top_logprobs": top_logprobs, "temperature": temperature}
        for name, number in numbers.items():
            if not isinstance(number, int | float) or not number > 0:
                raise ContextError(f"{name} is {number}; it must be positive")
        self._base_url = base_url
        self._model_name = model
        self._template = template
        #: How many tokens of a question are read.
        self.window = window
        self._api_key = api_key
        self._temperature = temperature
        self._top_logprobs = top_logprobs
        self._concurrency = concurrency
        self._attempts = attempts
        self._timeout = timeout
        self._weights: Mapping[str, Any] | None = None
        self._budget = budget or Budget()
        self.renew()
        renew_in_child(self)

    @classmethod
    def judge(
        cls, base_url: str, model: str = "groundtypes-judge", **settings: Unpack[_Settings]
    ) -> Self:
        """Return the judge that groundtypes has trained, as it is served.

        The package `groundtypes-judge` says how its scores are read; its weights are the server's.

        Args:
            base_url: The address of the server.
            model: The name by which the server knows the judge.
            **settings: See `ServedNLI`.

        Raises:
            MissingJudgeError: The package is not installed.
        """
        facts = judge_facts()
        if settings.get("languages") is None:
            settings["languages"] = JUDGE_LANGUAGES
        engine = cls(
            base_url, model, template="judge", temperature=facts["temperature"], **settings
        )
        engine._weights = facts["weights"]
        return engine

    @property
    def usage(self) -> Usage:
        """What was used so far."""
        return self._meter.usage

    @property
    def questions_at_once(self) -> int:
        """How many pairs are sent before others have their turn."""
        return self._concurrency * _QUESTIONS_PER_SLOT

    def renew(self) -> None:
        """Open connections of its own in a forked child."""
        self._lock = threading.Lock()
        self._served: _ServedModel | None = None
        self._meter = UsageMeter(self._budget)

    def close(self) -> None:
        """Close the connections, unless other engines use them; it can be asked again."""
        with self._lock:
            self._served = None
        CONNECTIONS.leave(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def _settings(self) -> Hashable:
        return self._base_url, self._model_name, id(self)

    def _model(self) -> "_ServedModel":
        # Its own, unlike models in memory: other engines have other keys and budgets.
        with self._lock:
            if self._served is None:
                self._served = self._load()
            return self._served

    def _load(self) -> "_ServedModel":
        key = (self._api_key or os.environ.get("OPENAI_API_KEY", "")).strip() or "-"
        learn_from_url(self._base_url)
        learn(key)
        if not (key.isascii() and key.isprintable()):
            raise ContextError("The key of the server has characters that no request can hold.")
        CONNECTIONS.enter(self)
        address, query = _split_address(self._base_url)
        client = openai.AsyncOpenAI(
            base_url=address,
            default_query=query,
            api_key=key,
            max_retries=0,
            timeout=self._timeout,
            http_client=CONNECTIONS.client(asynchronous=True),
        )
        watch_requests(client)
        server = endpoint_name(self._base_url)
        name = f"served {server} {self._model_name} {self._template!r} {self.window}"
        return _ServedModel(
            identity=name,
            temperature=self._temperature,
            evidence_weights=self._weights,
            client=client,
            server=server,
            model=self._model_name,
            template=self._template,
            top_logprobs=self._top_logprobs,
            window=self.window,
            requests=RequestsAtOnce[Pair, Probabilities](
                self._meter,
                concurrency=self._concurrency,
                attempts=self._attempts,
                seconds=self._timeout,
            ),
        )

    def __getstate__(self) -> dict[str, Any]:
        # Connections, locks and what was used belong to this process.
        left_out = {"_served", "_lock", "_meter"}
        state = super().__getstate__()
        return {name: value for name, value in state.items() if name not in left_out}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.renew()
        renew_in_child(self)

    def __repr__(self) -> str:
        return f"ServedNLI({endpoint_name(self._base_url)!r}, {self._model_name!r})"


@dataclass(frozen=True, slots=True, kw_only=True)
class _ServedModel(LoadedModel):
    """A model on a server: the client that asks it, and how."""

    client: openai.AsyncOpenAI
    server: str
    model: str
    template: ServedTemplate
    top_logprobs: int
    window: int
    requests: RequestsAtOnce[Pair, Probabilities] = field(repr=False)

    def score(
        self,
        pairs: Sequence[Pair],
        tokens_per_batch: int,  # noqa: ARG002 # the server makes its own batches
        at_once: int,  # noqa: ARG002
    ) -> Iterator[tuple[list[int], list[Probabilities]]]:
        """Yield the probabilities of each pair as they arrive."""
        keys = [score_key(self.identity, pair) for pair in pairs]
        questions = dict(zip(keys, pairs, strict=True))
        places: dict[bytes, list[int]] = {}
        for at, key in enumerate(keys):
            places.setdefault(key, []).append(at)
        with contextlib.closing(
            self.requests.ask(questions, self._ask, model=f"{self.model} at {self.server}")
        ) as arrived:
            for key, row, _ in arrived:
                yield places[key], [row] * len(places[key])

    async def _ask(self, pair: Pair, call: LLMCall) -> Probabilities:
        longest = self.window * _CHARACTERS_PER_TOKEN // 2
        is_cut = len(pair.hypothesis) > longest
        if is_cut:
            pair = replace(pair, hypothesis=pair.hypothesis[:longest])
        row = await self._answer(pair, call)
        return without_entailment(row) if is_cut else row

    async def _answer(self, pair: Pair, call: LLMCall) -> Probabilities:
        send = partial(
            self.client.chat.completions.create,
            model=self.model,
            temperature=0.0,
            logprobs=True,
            top_logprobs=self.top_logprobs,
            **self.template.request(pair),
        )
        refusal = None
        try:
            completion = await send()
        except openai.APIStatusError as error:
            refusal = self._refusal(error)
            if refusal is None:
                raise
        if refusal is not None:  # raised here, it has no context, which holds what the server sent
            raise refusal
        call.count_tokens(completion)
        return self.template.read(completion, self.temperature)

    def _refusal(self, error: openai.APIStatusError) -> BackendError | None:
        """Return what to do about a status that stays as it is, if that is known."""
        status = error.status_code
        if status in (400, 413, 422):
            text = (
                f"refused a question (status {status}): it may read fewer tokens than window, or "
                f"return fewer log-probabilities than {self.top_logprobs} (top_logprobs)."
            )
        elif status in (401, 403):
            text = (
                f"did not accept the key (status {status}): set OPENAI_API_KEY, or pass api_key=."
            )
        elif status in (404, 405):
            text = (
                f"knows no such model, or answers no chat at this address (status {status}). "
                "Addresses mostly end in /v1, behind which /models lists the models."
            )
        else:
            return None
        refusal = BackendError(f"The server of {self.model} at {self.server} {text}")
        refusal.is_outage = is_outage(error)
        return refusal


def _split_address(url: Any) -> tuple[str, dict[str, str]]:
    """Return the address of a server without its query, and the query.

    Raises:
        ContextError: It is no address. The message does not show it, since it may hold a key.
    """
    try:
        parts = urlsplit(url)
        is_address = parts.scheme in ("http", "https") and bool(parts.hostname)
        is_address = is_address and parts.port != 0 and not re.search(r"\s", url)
    except (AttributeError, TypeError, ValueError):
        is_address = False
    if not is_address:
        raise ContextError(
            "base_url must be the address of a server, such as http://localhost:8000/v1"
        )
    query = dict(parse_qsl(parts.query, keep_blank_values=True))
    return f"{parts.scheme}://{parts.netloc}{parts.path}", query
