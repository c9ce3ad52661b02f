"""Judges of the hub in their own forms, on tiny checkpoints with random weights. Needs torch.

What each engine returns is compared with what the model's own published way of asking it returns.
"""

import math
from pathlib import Path
from typing import Any

import pytest

from groundtypes import Pair
from groundtypes.backends.label_adapters import TwoLabels
from groundtypes.backends.score_cache import MemoryScoreCache
from groundtypes.errors import BackendError, ContextError
from groundtypes.scoring import MarkedScores, window_of_reader
from groundtypes.testing import check_scorer

pytestmark = [
    pytest.mark.torch,
    # Libraries that are not ours warn of their own future.
    pytest.mark.filterwarnings("default"),
]

WORDS = (
    "the tower is tall old grey wide a of and it was built in by king bridge river stone predict : "
    "premise hypothesis determine if true given ? choose your answer yes no think i output text "
    'summarize following " . ,'
).split()
PAIRS = [
    Pair("The tower is tall and grey.", "The tower is tall."),
    Pair("The bridge was built by the king.", "It is wide."),
    Pair("It is old.", "It is a grey stone bridge in the river."),
]


def tokenizer(folder: Path, separator: str | None) -> Any:
    """Save a tokenizer of words, whose texts end in </s> or stand between [CLS] and [SEP]."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors  # noqa: PLC0415
    from transformers import PreTrainedTokenizerFast  # noqa: PLC0415

    special = ["<pad>", "</s>", "<unk>", "[CLS]", "[SEP]"]
    vocabulary = {word: at for at, word in enumerate([*special, *dict.fromkeys(WORDS)])}
    made = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))  # noqa: S106 # a word
    made.normalizer = normalizers.Lowercase()
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    names: dict[str, str] = {"pad_token": "<pad>", "unk_token": "<unk>", "eos_token": "</s>"}
    if separator is None:
        made.post_processor = processors.TemplateProcessing(
            single="$A </s>", pair="$A </s> $B </s>", special_tokens=[("</s>", 1)]
        )
    else:
        names |= {"cls_token": "[CLS]", "sep_token": "[SEP]"}
        made.post_processor = processors.TemplateProcessing(
            single="[CLS] $A [SEP]",
            pair="[CLS] $A [SEP] $B [SEP]",
            special_tokens=[("[CLS]", 3), ("[SEP]", 4)],
        )
    fast = PreTrainedTokenizerFast(tokenizer_object=made, **names)
    fast.save_pretrained(folder)
    return fast


def t5_config(**more: Any) -> Any:
    from transformers import T5Config  # noqa: PLC0415

    return T5Config(
        vocab_size=80,
        d_model=16,
        d_kv=8,
        d_ff=32,
        num_layers=2,
        num_heads=2,
        decoder_start_token_id=0,
        **more,
    )


@pytest.fixture(autouse=True)
def _seed() -> None:
    import torch  # noqa: PLC0415

    torch.manual_seed(7)


def free(**options: Any) -> dict[str, Any]:
    return {"device": "cpu", "cache": MemoryScoreCache(0), **options}


def bert(folder: Path, kind: str, **options: Any) -> tuple[Any, Any]:
    import transformers  # noqa: PLC0415

    words = tokenizer(folder, "[SEP]")
    config = transformers.BertConfig(
        vocab_size=80,
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=128,
        **options,
    )
    network = getattr(transformers, kind)(config).eval()
    network.save_pretrained(folder)
    return words, network


# --- one text in the place of two -----------------------------------------------------------------


def test_a_template_is_encoded_as_one_text(tmp_path: Path) -> None:
    import torch  # noqa: PLC0415

    from groundtypes.backends.nli_torch import TransformersNLI  # noqa: PLC0415

    words, network = bert(tmp_path, "BertForSequenceClassification", num_labels=2)
    template = '{premise}\n\nChoose your answer: is "{hypothesis}" true?\n\nI think the answer is '
    engine = TransformersNLI(tmp_path, adapter=TwoLabels(1), template=template, **free())
    for pair, score in zip(PAIRS, engine.score(PAIRS), strict=True):
        text = template.replace("{premise}", pair.premise)
        text = text.replace("{hypothesis}", pair.hypothesis)
        with torch.inference_mode():
            logits = network(**words(text, return_tensors="pt")).logits[0]
        assert score.entailment == pytest.approx(logits.softmax(-1)[1].item(), abs=1e-5)
        assert score.contradiction == 0.0
    check_scorer(engine)
    pairwise = TransformersNLI(tmp_path, adapter=TwoLabels(1), **free())
    assert pairwise.identity != engine.identity


def test_a_template_may_separate_the_texts_by_one_token(tmp_path: Path) -> None:
    from groundtypes.backends.nli_torch import TransformersNLI  # noqa: PLC0415

    bert(tmp_path, "BertForSequenceClassification", num_labels=2, type_vocab_size=1)
    template = "{premise}{sep}{hypothesis}"
    written = TransformersNLI(tmp_path, adapter=TwoLabels(1), template=template, **free())
    paired = TransformersNLI(tmp_path, adapter=TwoLabels(1), **free())
    for first, second in zip(written.score(PAIRS), paired.score(PAIRS), strict=True):
        assert first.entailment == pytest.approx(second.entailment, abs=1e-6)


@pytest.mark.parametrize(
    "template", ["{premise}", "{hypothesis}", "{premise}{premise}{hypothesis}"]
)
def test_a_template_without_both_texts_is_refused(template: str) -> None:
    from groundtypes.backends.nli_torch import TransformersNLI  # noqa: PLC0415

    with pytest.raises(ContextError):
        TransformersNLI("name", template=template)


def test_long_texts_are_cut_to_the_window(tmp_path: Path) -> None:
    from groundtypes.backends.nli_torch import TransformersNLI  # noqa: PLC0415

    bert(tmp_path, "BertForSequenceClassification", num_labels=2)
    engine = TransformersNLI(
        tmp_path,
        adapter=TwoLabels(1),
        template="{premise} ? {hypothesis} true ?",
        max_length=24,
        **free(),
    )
    tokens = engine._model().tokenizer.tokenize(  # type: ignore[attr-defined]
        [
            Pair("the tower is tall " * 500, "it is old"),
            Pair("it", "the bridge is wide " * 500),
            Pair("the tower " * 90, "the bridge is wide " * 90),
        ]
    )
    assert all(len(pair.ids) <= 24 for pair in tokens)
    assert [pair.cut for pair in tokens] == [False, True, True]
    (score,) = engine.score([Pair("it", "the bridge is wide " * 500)])
    assert score.entailment == 0.0


@pytest.mark.parametrize(
    "hostile", ["</s>", "[SEP]", "{sep}", "{premise}", "<pad>", "\ud800", "\0"]
)
def test_no_text_becomes_a_token_or_a_placeholder(tmp_path: Path, hostile: str) -> None:
    from groundtypes.backends.nli_torch import TransformersNLI  # noqa: PLC0415

    words, _ = bert(tmp_path, "BertForSequenceClassification", num_labels=2)
    engine = TransformersNLI(
        tmp_path, adapter=TwoLabels(1), template="{premise}{sep}{hypothesis}", **free()
    )
    (pair,) = engine._model().tokenizer.tokenize(  # type: ignore[attr-defined]
        [Pair(f"tower {hostile} tall", f"old {hostile} grey")]
    )
    for token in ("</s>", "<pad>"):
        assert words.convert_tokens_to_ids(token) not in pair.ids
    assert pair.ids.count(words.convert_tokens_to_ids("[SEP]")) == 2
    assert pair.ids.count(words.convert_tokens_to_ids("tower")) == 1


# --- sequence to sequence -------------------------------------------------------------------------


def seq2seq(folder: Path) -> tuple[Any, Any]:
    from transformers import T5ForConditionalGeneration  # noqa: PLC0415

    words = tokenizer(folder, None)
    network = T5ForConditionalGeneration(t5_config()).eval()
    network.save_pretrained(folder)
    return words, network


def test_minicheck_t5_answers_by_its_first_token(tmp_path: Path) -> None:
    import torch  # noqa: PLC0415

    from groundtypes.backends.nli_checkers import Seq2SeqNLI  # noqa: PLC0415

    words, network = seq2seq(tmp_path)
    engine = Seq2SeqNLI(
        tmp_path, answers=(20, 10), template="predict: {premise}{sep}{hypothesis}", **free()
    )
    for pair, score in zip(PAIRS, engine.score(PAIRS), strict=True):
        text = f"predict: {words.eos_token.join([pair.premise, pair.hypothesis])}"
        inputs = words(text, return_tensors="pt", return_token_type_ids=False)
        with torch.inference_mode():
            logits = network(
                **inputs, decoder_input_ids=torch.zeros((1, 1), dtype=torch.long)
            ).logits
        expected = logits[0, 0, [20, 10]].softmax(-1)[0].item()
        assert score.entailment == pytest.approx(expected, abs=1e-5)
    check_scorer(engine)


def test_tokens_that_a_model_lacks_are_named(tmp_path: Path) -> None:
    from groundtypes.backends.nli_checkers import Seq2SeqNLI  # noqa: PLC0415

    seq2seq(tmp_path)
    engine = Seq2SeqNLI(
        tmp_path, answers=(209_000, 3), template="{premise}{sep}{hypothesis}", **free()
    )
    with pytest.raises(BackendError, match="209000"):
        engine.score(PAIRS)


@pytest.mark.parametrize("answers", [(-1, 3), (3, 3), (1, 2, 3)])
def test_two_tokens_are_answers(answers: Any) -> None:
    from groundtypes.backends.nli_checkers import Seq2SeqNLI  # noqa: PLC0415

    with pytest.raises(ContextError, match="ids of two tokens"):
        Seq2SeqNLI("m", answers=answers, template="{premise}{sep}{hypothesis}", **free())


# --- HHEM -----------------------------------------------------------------------------------------


def test_hhem_is_loaded_without_its_own_code(tmp_path: Path) -> None:
    import torch  # noqa: PLC0415
    from safetensors.torch import save_file  # noqa: PLC0415
    from transformers import T5ForTokenClassification  # noqa: PLC0415

    from groundtypes.backends.nli_checkers import hub_checker  # noqa: PLC0415

    base, folder = tmp_path / "base", tmp_path / "hhem"
    folder.mkdir()
    words = tokenizer(base, None)
    config = t5_config(num_labels=2)
    config.save_pretrained(base)
    network = T5ForTokenClassification(config).eval()
    weights = {f"t5.{name}": value.clone() for name, value in network.state_dict().items()}
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    (folder / "config.json").write_text(
        '{"model_type": "HHEMv2Config", "architectures": ["HHEMv2ForSequenceClassification"], '
        '"auto_map": {"AutoConfig": "configuration_hhem_v2.HHEMv2Config"}}',
        encoding="utf-8",
    )
    engine = hub_checker(
        "vectara/hallucination_evaluation_model", checkpoint=folder, base=base, **free()
    )
    for pair, score in zip(PAIRS, engine.score(PAIRS), strict=True):
        text = (
            "<pad> Determine if the hypothesis is true given the premise?\n\n"
            f"Premise: {pair.premise}\n\nHypothesis: {pair.hypothesis}"
        )
        inputs = words(text, return_tensors="pt", return_token_type_ids=False)
        assert inputs["input_ids"][0, 0] == 0
        with torch.inference_mode():
            logits = network(**inputs).logits[0, 0]
        assert score.entailment == pytest.approx(logits.softmax(-1)[1].item(), abs=1e-5)


# --- token classifiers ----------------------------------------------------------------------------


def test_a_claim_is_as_bad_as_its_worst_token(tmp_path: Path) -> None:
    import torch  # noqa: PLC0415

    from groundtypes.backends.nli_checkers import TokenClassifierNLI  # noqa: PLC0415

    words, network = bert(tmp_path, "BertForTokenClassification", num_labels=2, type_vocab_size=1)
    template = "Summarize the following text:\n{premise}\noutput:{sep}{hypothesis}"
    engine = TokenClassifierNLI(tmp_path, template=template, **free())
    for pair, score in zip(PAIRS, engine.score(PAIRS), strict=True):
        prompt = f"Summarize the following text:\n{pair.premise}\noutput:"
        inputs = words(prompt, pair.hypothesis, return_tensors="pt", return_token_type_ids=False)
        claim = len(words(pair.hypothesis, add_special_tokens=False)["input_ids"])
        with torch.inference_mode():
            faults = network(**inputs).logits[0].softmax(-1)[:, 1]
        worst = faults[-claim - 1 : -1].max().item()
        assert score.entailment == pytest.approx(1 - worst, abs=1e-5)
        assert math.isclose(score.neutral, worst, abs_tol=1e-5)
        marked = [bool(share >= 0.5) for share in faults[-claim - 1 : -1]]
        [scores] = engine.marks.score([pair])
        assert isinstance(scores, MarkedScores)
        assert bool(scores.unsupported) == any(marked)
        offsets = words(pair.hypothesis, add_special_tokens=False, return_offsets_mapping=True)
        for (start, end), is_marked in zip(offsets["offset_mapping"], marked, strict=True):
            inside = any(low <= start and end <= high for low, high in scores.unsupported)
            assert inside == is_marked
    check_scorer(engine)


def test_the_template_of_a_token_classifier_ends_with_the_claim() -> None:
    from groundtypes.backends.nli_checkers import TokenClassifierNLI  # noqa: PLC0415

    with pytest.raises(ContextError, match="ends with"):
        TokenClassifierNLI("name", template="{hypothesis}{sep}{premise}")


# --- known checkpoints, and wrong ones ------------------------------------------------------------


def test_every_known_checkpoint_makes_an_engine_of_its_form() -> None:
    from groundtypes.backends.by_name import nli_by_name  # noqa: PLC0415
    from groundtypes.backends.nli_checkers import hub_checkers  # noqa: PLC0415

    for name, form in hub_checkers().items():
        engine: Any = nli_by_name(f"hub:{name}", device="cpu")
        assert window_of_reader(engine) == form["window"] == engine._max_length
    other: Any = nli_by_name("hub:cross-encoder/nli-deberta-v3-base", device="cpu")
    assert window_of_reader(other) is None
    assert type(other).__name__ == "TransformersNLI"


def test_a_checkpoint_of_another_kind_is_refused(tmp_path: Path) -> None:
    from groundtypes.backends.nli_checkers import Seq2SeqNLI, TokenClassifierNLI  # noqa: PLC0415

    classifier, generator = tmp_path / "bert", tmp_path / "t5"
    bert(classifier, "BertForSequenceClassification", num_labels=2)
    seq2seq(generator)
    template = "{premise}{sep}{hypothesis}"
    for engine in (
        Seq2SeqNLI(classifier, answers=(1, 2), template=template, **free()),
        TokenClassifierNLI(classifier, template=template, **free()),
        TokenClassifierNLI(generator, template=template, **free()),
    ):
        with pytest.raises(BackendError):
            engine.score(PAIRS)
