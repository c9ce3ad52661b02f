"""`CausalNLI` on tiny checkpoints that are built here. Needs torch, transformers and peft."""

import json
import pickle
import platform
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from groundtypes import Label, NLIScores, Pair
from groundtypes.backends.score_cache import MemoryScoreCache
from groundtypes.entailment import entail
from groundtypes.errors import BackendError, ContextError
from groundtypes.testing import ENTAILED, ScriptedNLI, check_scorer

pytestmark = [
    pytest.mark.torch,
    # Libraries that are not ours warn of their own future.
    pytest.mark.filterwarnings("default"),
]

TEXT = "The bridge was opened in 1932. It is 503 metres long, and nobody pays to cross it. " * 4
CLAIMS = [
    "The bridge is 503 metres long.",
    "It was opened in 1931.",
    "Nobody pays.",
    "Trains cross it every day, and so do pedestrians who come from the north.",
]
PAIRS = [
    *(Pair(TEXT, claim) for claim in CLAIMS),
    *(Pair(TEXT, claim, "The bridge is old.") for claim in CLAIMS),
    Pair("A shop sells tea.", "The shop sells tea."),
    Pair("A shop sells tea.", "The shop is shut.", "Tea is sold."),
    Pair("Another shop sells coffee, at a high price.", "The shop sells tea."),
]
#: Tokens of a chat, tokens that are added without being special, and one of white space.
SPECIAL = ("<|im_start|>", "<|im_end|>", "<|endoftext|>")
ADDED = ("<tool_call>", "</tool_call>", "<|fim_prefix|>", "ab<", "<ab")
CHAT = (
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n{{ message['content'] }}"
    "<|im_end|>\n{% endfor %}<|im_start|>assistant\n"
)


def tokenizer(*, chat: str | None = CHAT) -> Any:
    """Return a tokenizer of bytes, of which some common words are single tokens."""
    from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, trainers  # noqa: PLC0415 # needs torch's extra
    from transformers import PreTrainedTokenizerFast  # noqa: PLC0415 # the same

    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=600, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False
    )
    made.train_from_iterator(
        [TEXT, *CLAIMS, "yes", "no", "unknown", " yes no unknown"] * 9, trainer
    )
    made.add_special_tokens([AddedToken(text, special=True) for text in SPECIAL])
    made.add_tokens([AddedToken(text, special=False) for text in ADDED])
    names = {"eos_token": "<|im_end|>", "pad_token": "<|endoftext|>"}
    fast = PreTrainedTokenizerFast(tokenizer_object=made, **names)
    fast.chat_template = chat
    return fast


def save(
    folder: Path, *, config: Any = None, chat: str | None = CHAT, seed: int = 0, **sizes: int
) -> Path:
    """Save a tiny network of random weights, with its tokenizer."""
    import torch  # noqa: PLC0415 # the extra
    from transformers import AutoModelForCausalLM, Qwen2Config  # noqa: PLC0415 # the same

    torch.manual_seed(seed)
    words = tokenizer(chat=chat)
    words.save_pretrained(folder)
    shape = {
        "vocab_size": len(words),
        "hidden_size": 32,
        "intermediate_size": 64,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "max_position_embeddings": 1024,
        "initializer_range": 0.3,
        "tie_word_embeddings": False,
        **sizes,
    }
    network = AutoModelForCausalLM.from_config(config or Qwen2Config(**shape))
    network.save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save(tmp_path_factory.mktemp("causal") / "tiny")


def engine(base: Path, adapter: Path | None = None, **options: Any) -> Any:
    from groundtypes.backends.nli_causal import CausalNLI  # noqa: PLC0415 # needs torch

    defaults = {"device": "cpu", "dtype": "float32", "window": 512, "cache": MemoryScoreCache(0)}
    return CausalNLI(base, adapter, **{**defaults, **options})


def far(first: Sequence[NLIScores], second: Sequence[NLIScores]) -> float:
    gaps: list[float] = [
        abs(getattr(a, name) - getattr(b, name))
        for a, b in zip(first, second, strict=True)
        for name in ("entailment", "neutral", "contradiction")
    ]
    return max(gaps)


def adapted(
    base: Path, folder: Path, *, scale: float = 0.5, targets: Sequence[str] = ("q_proj",)
) -> Path:
    """Save a LoRA of random weights for a base model."""
    import torch  # noqa: PLC0415 # the extra
    from peft import LoraConfig, get_peft_model  # noqa: PLC0415 # the same
    from transformers import AutoModelForCausalLM  # noqa: PLC0415 # the same

    network = AutoModelForCausalLM.from_pretrained(base)
    lora = get_peft_model(
        network, LoraConfig(r=2, target_modules=list(targets), task_type="CAUSAL_LM")
    )
    torch.manual_seed(3)
    with torch.no_grad():
        for name, weights in lora.named_parameters():
            if "lora_B" in name:
                weights.copy_(torch.randn_like(weights) * scale)
    lora.save_pretrained(folder)
    return folder


def test_it_keeps_the_contract_of_every_engine(checkpoint: Path) -> None:
    check_scorer(engine(checkpoint))


def test_scores_do_not_depend_on_what_is_asked_together(checkpoint: Path) -> None:
    judge = engine(checkpoint)
    together = judge.score(PAIRS)
    alone = [judge.score([pair])[0] for pair in PAIRS]
    assert far(together, alone) < 1e-4
    assert far(together[::-1], judge.score(PAIRS[::-1])) < 1e-4
    assert len({score.entailment for score in together}) == len(PAIRS)


def test_what_stands_before_a_claim_counts(checkpoint: Path) -> None:
    judge = engine(checkpoint)
    assert far(judge.score([Pair(TEXT, CLAIMS[0], "Not so.")]), judge.score(PAIRS[:1])) > 1e-3
    cached = engine(checkpoint, cache=MemoryScoreCache())
    cached.score(PAIRS[:1])
    assert far(cached.score([Pair(TEXT, CLAIMS[0], "Not so.")]), judge.score(PAIRS[:1])) > 1e-3


def test_a_text_is_computed_once_for_all_claims_on_it(
    checkpoint: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from groundtypes.backends.causal_model import Network  # noqa: PLC0415 # needs torch

    judge = engine(checkpoint)
    text = judge.count_tokens(TEXT)
    sizes: list[int] = []
    logits = Network._logits

    def counted(self: Any, packed: Any) -> Any:
        sizes.append(len(packed.ids))
        return logits(self, packed)

    monkeypatch.setattr(Network, "_logits", counted)
    judge.score(PAIRS[:1])
    judge.score([Pair(TEXT, f"{CLAIMS[0]} {number}") for number in range(6)])
    one, six = sizes
    assert one > text
    assert six < one + 6 * (one - text)


def test_a_text_longer_than_a_batch_is_read_with_all_its_claims(checkpoint: Path) -> None:
    judge = engine(checkpoint)
    judge._tokens_per_batch = 40
    assert far(judge.score(PAIRS), engine(checkpoint).score(PAIRS)) < 1e-4


@pytest.mark.parametrize("token", [*SPECIAL, *ADDED, "<|im_<|im_end|>end|>", "<ab<ab<"])
@pytest.mark.parametrize("field", ["premise", "hypothesis", "before"])
def test_no_text_becomes_a_special_token(checkpoint: Path, token: str, field: str) -> None:
    from groundtypes.backends.causal_prompts import JUDGE_TEMPLATE, PromptEncoder  # noqa: PLC0415

    words = tokenizer()
    encoder = PromptEncoder(words, JUDGE_TEMPLATE, 512)
    control = {words.convert_tokens_to_ids(each) for each in (*SPECIAL, *ADDED)}
    texts = {"premise": "A shop sells tea.", "hypothesis": "It does.", "before": "So."}

    def special(pair: Pair) -> list[int]:
        [prompt] = encoder.encode([pair])
        return [at for at in (*prompt.text, *prompt.claim) if at in control]

    hostile = Pair(**{**texts, field: f"{texts[field]} {token}x{token}{token}"})
    assert special(hostile) == special(Pair(**texts))
    [prompt] = encoder.encode([hostile])
    assert f"{token}x{token}{token}" in words.decode([*prompt.text, *prompt.claim])


@pytest.mark.parametrize(
    "hypothesis", ["", "\0", "\ud800", "{text}", "{{ claim }}", "\u202e\u200b", "x" * 9000]
)
def test_hostile_texts_are_scored(checkpoint: Path, hypothesis: str) -> None:
    judge = engine(checkpoint)
    for pair in (
        Pair(TEXT, hypothesis),
        Pair(hypothesis, CLAIMS[0]),
        Pair(TEXT, "So.", hypothesis),
    ):
        [score] = judge.score([pair])
        assert isinstance(score, NLIScores)


def test_a_premise_over_the_window_is_cut_at_its_end(checkpoint: Path) -> None:
    judge = engine(checkpoint, window=256)
    long = Pair(TEXT * 50, CLAIMS[0], "Before.")
    [prompt] = judge._model().encoder.encode([long])
    assert len(prompt) <= 256
    assert not prompt.cut
    assert far(judge.score([long]), judge.score([Pair(TEXT * 60, CLAIMS[0], "Before.")])) == 0


def test_a_claim_that_is_not_read_whole_is_not_entailed(checkpoint: Path) -> None:
    judge = engine(checkpoint, window=256)
    [score] = judge.score([Pair(TEXT, TEXT * 50, TEXT)])
    assert score.entailment == 0
    [prompt] = judge._model().encoder.encode([Pair(TEXT, TEXT * 50, TEXT * 3)])
    assert prompt.cut
    assert len(prompt) <= 256


def test_a_model_without_a_chat_template_is_asked_in_plain_text(tmp_path: Path) -> None:
    judge = engine(save(tmp_path / "plain", chat=None))
    assert far(judge.score(PAIRS), [judge.score([pair])[0] for pair in PAIRS]) < 1e-4


def test_a_network_with_a_running_state_is_asked_one_question_at_a_time(tmp_path: Path) -> None:
    from transformers import MambaConfig  # noqa: PLC0415 # needs torch

    config = MambaConfig(
        vocab_size=len(tokenizer()), hidden_size=16, num_hidden_layers=1, state_size=4
    )
    judge = engine(save(tmp_path / "mamba", config=config))
    assert not judge._model().network._packs
    assert far(judge.score(PAIRS[:3]), [judge.score([pair])[0] for pair in PAIRS[:3]]) < 1e-5


def test_a_lora_changes_the_scores_as_it_does_unmerged(checkpoint: Path, tmp_path: Path) -> None:
    import torch  # noqa: PLC0415 # the extra
    from peft import PeftModel  # noqa: PLC0415 # the same
    from transformers import AutoModelForCausalLM  # noqa: PLC0415 # the same

    lora = adapted(checkpoint, tmp_path / "lora")
    judge = engine(checkpoint, lora)
    assert far(judge.score(PAIRS), engine(checkpoint).score(PAIRS)) > 1e-3
    [prompt] = judge._model().encoder.encode(PAIRS[:1])
    unmerged = PeftModel.from_pretrained(AutoModelForCausalLM.from_pretrained(checkpoint), lora)
    ids = torch.tensor([[*prompt.text, *prompt.claim]])
    with torch.inference_mode():
        logits = unmerged.eval()(input_ids=ids).logits[0, -1, list(judge._model().encoder.answers)]
    expected = NLIScores(*torch.softmax(logits.double(), -1).tolist())
    assert far(judge.score(PAIRS[:1]), [expected]) < 1e-4


def test_what_lies_beside_a_lora_does_not_change_what_is_cached(
    checkpoint: Path, tmp_path: Path
) -> None:
    lora = adapted(checkpoint, tmp_path / "lora")
    other = tmp_path / "other"
    other.mkdir()
    for path in lora.iterdir():
        (other / path.name).write_bytes(path.read_bytes())
    (other / "judge.json").write_text("{}")
    assert engine(checkpoint, lora).identity == engine(checkpoint, other).identity
    another = adapted(checkpoint, tmp_path / "another", scale=0.25)
    identities = {engine(checkpoint, adapter).identity for adapter in (None, lora, another)}
    assert len(identities) == 3


@pytest.mark.skipif(
    platform.libc_ver()[0] != "glibc", reason="other C libraries do not keep freed memory"
)
def test_freed_memory_goes_back_to_the_system() -> None:
    from groundtypes.backends.causal_model import release_freed_memory  # noqa: PLC0415 # needs torch

    def resident() -> int:
        return int(Path("/proc/self/statm").read_text().split()[1]) * 4096

    pieces = [bytes(bytearray(b"x" * 60_000)) for _ in range(4_000)]
    kept = pieces[::40]  # so that what lies between them cannot simply be cut off
    del pieces
    before = resident()
    release_freed_memory()
    assert resident() < before - 100_000_000
    assert len(kept) == 100


def test_a_lora_of_another_base_is_refused(checkpoint: Path, tmp_path: Path) -> None:
    other = save(tmp_path / "other", hidden_size=64)
    with pytest.raises(BackendError, match=r"does not fit|other weights"):
        engine(checkpoint, adapted(other, tmp_path / "lora")).load()
    deeper = save(tmp_path / "deeper", num_hidden_layers=3)
    with pytest.raises(BackendError, match=r"does not fit|other weights"):
        engine(checkpoint, adapted(deeper, tmp_path / "deep")).load()


def test_the_judge_refuses_another_base(checkpoint: Path) -> None:
    from groundtypes.backends.nli_causal import CausalNLI  # noqa: PLC0415 # needs torch

    with pytest.raises(BackendError, match=r"does not fit|other weights|not the base model"):
        CausalNLI.judge(checkpoint, device="cpu", window=512).load()


def test_a_base_of_the_same_sizes_and_other_weights_is_told_apart(checkpoint: Path) -> None:
    from safetensors.torch import load_file, save_file  # noqa: PLC0415 # needs torch
    from transformers import AutoModelForCausalLM  # noqa: PLC0415 # the same

    from groundtypes.backends.causal_model import norms_digest  # noqa: PLC0415 # the same

    other = checkpoint.parent / "tuned"
    other.mkdir()
    for path in checkpoint.iterdir():
        (other / path.name).write_bytes(path.read_bytes())
    weights = load_file(other / "model.safetensors")
    weights["model.norm.weight"][0] += 0.125
    save_file(weights, other / "model.safetensors", {"format": "pt"})
    network, tuned = map(AutoModelForCausalLM.from_pretrained, (checkpoint, other))
    assert norms_digest(network) != norms_digest(tuned)
    judge = engine(other)
    judge._base_digest = norms_digest(network)
    with pytest.raises(BackendError, match="not the base model"):
        judge.load()


def test_half_a_checkpoint_is_refused(checkpoint: Path, tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file  # noqa: PLC0415 # needs torch

    for path in checkpoint.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    weights = load_file(tmp_path / "model.safetensors")
    del weights["model.layers.1.mlp.up_proj.weight"]
    save_file(weights, tmp_path / "model.safetensors", {"format": "pt"})
    with pytest.raises(BackendError, match="up_proj"):
        engine(tmp_path).load()


def test_numbers_that_are_none_are_a_mistake(checkpoint: Path, tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file  # noqa: PLC0415 # needs torch

    for path in checkpoint.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    weights = load_file(tmp_path / "model.safetensors")
    weights["model.norm.weight"][:] = float("nan")
    save_file(weights, tmp_path / "model.safetensors", {"format": "pt"})
    with pytest.raises(BackendError, match="NaN"):
        engine(tmp_path).score(PAIRS[:1])


def test_memory_that_runs_out_halves_the_batch(
    checkpoint: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from groundtypes.backends.causal_model import Network  # noqa: PLC0415 # needs torch

    judge = engine(checkpoint)
    expected = judge.score(PAIRS)
    run = Network.run

    def small(self: Any, prompts: Sequence[Any]) -> Any:
        if len(prompts) > 2:
            raise RuntimeError("CUDA out of memory. Tried to allocate 2 GiB")
        return run(self, prompts)

    monkeypatch.setattr(Network, "run", small)
    assert far(judge.score(PAIRS), expected) < 1e-4


def test_a_device_that_is_gone_is_a_mistake(
    checkpoint: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from groundtypes.backends.causal_model import Network  # noqa: PLC0415 # needs torch

    judge = engine(checkpoint)
    judge.load()

    def gone(self: Any, packed: Any) -> Any:
        raise RuntimeError("CUDA error: device-side assert triggered")

    monkeypatch.setattr(Network, "_logits", gone)
    with pytest.raises(BackendError, match="device-side"):
        judge.score(PAIRS)


def test_answers_that_are_no_single_tokens_are_refused(checkpoint: Path) -> None:
    from groundtypes.backends.nli_causal import Template  # noqa: PLC0415 # needs torch

    template = Template(claim="{claim}?", answers=("entailed", "open question", "no"))
    with pytest.raises(BackendError, match="single token"):
        engine(checkpoint, template=template).load()


@pytest.mark.parametrize(
    "parts",
    [
        {"claim": "Is it so?"},
        {"claim": "{claim}{claim}"},
        {"claim": "{claim}", "text": "Text:"},
        {"claim": "{claim}", "before": ""},
        {"claim": "{claim}", "answers": ("yes", "no", "no")},
    ],
)
def test_a_template_needs_each_placeholder_once(parts: dict[str, Any]) -> None:
    from groundtypes.backends.causal_prompts import Template  # noqa: PLC0415

    with pytest.raises(ContextError):
        Template(**parts)


def test_a_window_that_the_model_or_the_template_does_not_fit_is_refused(checkpoint: Path) -> None:
    with pytest.raises(BackendError, match="1024"):
        engine(checkpoint, window=2000).load()
    with pytest.raises(BackendError, match="holds no question"):
        engine(checkpoint, window=20).load()
    with pytest.raises(ContextError):
        engine(checkpoint, window=0)


def test_a_base_that_is_not_there_is_a_mistake(tmp_path: Path) -> None:
    with pytest.raises(BackendError):
        engine(tmp_path / "nothing.gguf").load()
    with pytest.raises(BackendError):
        engine(tmp_path).load()


def test_a_pickled_engine_scores_the_same(checkpoint: Path) -> None:
    judge = engine(checkpoint)
    assert far(pickle.loads(pickle.dumps(judge)).score(PAIRS), judge.score(PAIRS)) == 0  # noqa: S301 # our own


def test_the_judge_says_what_it_reads(checkpoint: Path) -> None:
    from groundtypes.backends.nli_causal import CausalNLI  # noqa: PLC0415 # needs torch

    judge = CausalNLI.judge(checkpoint, device="cpu", window=512)
    assert {"en", "de", "ja", "ar"} <= set(judge.languages or ())
    assert judge.window == 512
    assert CausalNLI.judge(checkpoint, languages="any").languages is None


def test_the_files_of_the_judge_are_what_their_checksums_say() -> None:
    import hashlib  # noqa: PLC0415 # of this test alone

    from groundtypes_judge import FOLDER  # noqa: PLC0415 # a package of its own

    lines = (FOLDER / "SHA256SUMS").read_text().splitlines()
    named = {name: digest for digest, name in (line.split() for line in lines)}
    assert set(named) == {path.name for path in FOLDER.iterdir()} - {"SHA256SUMS"}
    for name, digest in named.items():
        assert hashlib.sha256((FOLDER / name).read_bytes()).hexdigest() == digest
    assert json.loads((FOLDER / "judge.json").read_text())["temperature"] > 0


def test_the_weights_of_the_judge_are_those_that_are_read() -> None:
    from groundtypes_judge import FOLDER  # noqa: PLC0415 # a package of its own

    nli = ScriptedNLI(lambda _: ENTAILED, window=2048)
    weights = json.loads((FOLDER / "judge.json").read_text())["weights"]
    nli.evidence_weights = weights  # type: ignore[attr-defined] # as an engine of its own has it
    for text in (CLAIMS[0], " ".join(CLAIMS)):
        found = entail(TEXT, text, nli=nli)
        assert {each.label for each in found} == {Label.ENTAILMENT}
