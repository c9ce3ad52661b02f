"""The transformer of refusals: when it is asked, what it reads, and what happens without it."""

import json
import math
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundtypes import detect_refusal
from groundtypes.errors import BackendError
from groundtypes.refusals import mixture, transformer
from groundtypes.refusals.hashed_model import load_hashed_model
from groundtypes.refusals.opening import opening_spans
from groundtypes.refusals.transformer import opening_text

pytest.importorskip("onnxruntime")

from groundtypes.backends import reply_classifier
from groundtypes.backends.model_folder import ModelFolder
from groundtypes.backends.nli_engine import LoadedModels
from groundtypes.backends.reply_classifier import ReplyClassifier
from groundtypes_nli import REFUSALS

UNSURE = "Er zijn geen resultaten gevonden over de bouwkosten van de spoorbrug."
#: Replies of some of which the linear model says something else.
HARD = {
    "Dutch": (UNSURE, "abstention"),
    "Hungarian": ("Diákigazolványt nem hamisítok, és ebben tanácsot sem adok.", "refusal"),
    "Arabic": ("أعتذر، فقوائم الركاب سرية ولا أشاركها.", "refusal"),
    "Arabic abstention": ("لا تتوفر لديّ مواعيد هذا الخط.", "abstention"),
    "Ukrainian": ("У наданих матеріалах немає відповіді.", "abstention"),
    "Korean": (
        "라운지는 3층 동쪽에 있습니다. 이용 요금은 자료에 없어서 알 수 없습니다.",
        "partial",
    ),
    "Swedish": (
        "Olyckan skedde på E18 vid Köping. Klockslaget framgår inte av notisen.",
        "partial",
    ),
    "Swedish instruction": ("Skriv ut blanketten i A4 och vik den inte.", "answer"),
    "Polish": ("Za siódmą górą mieszkał szewc, który nie umiał kłamać.", "answer"),
    "Czech": ("Ne, sběratelské mince se nečistí, ztrácejí tím hodnotu.", "answer"),
    "Chinese": ("逾期提交的申请一律不予受理。", "answer"),
    "Turkish": ("Hayır, kayıt ücreti taksitlendirilemiyor.", "answer"),
    "Italian": ("I pensionati non pagano la quota.", "answer"),
}
HOSTILE = {
    "one word": "a" * 2_000_000,
    "one word of another script": "ж" * 2_000_000,
    "Chinese without an end": "不" * 2_000_000,
    "a surrogate": "Das weiß \ud800 ich nicht.",
    "null characters": "Das weiß\x00 ich\x00 nicht.",
    "special tokens": "<s> </s> <pad> <unk> <mask> weiß ich nicht",
    "combining marks": "a" + "\u0301" * 5_000,
    "expanding ligatures": "\ufdfa" * 700,
    "emoji": "😀👍 " * 300,
}


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let there be no transformer."""
    monkeypatch.setattr(transformer, "_loader", lambda: None)


@pytest.fixture
def classifier() -> ReplyClassifier:
    return reply_classifier.reply_classifier()


@pytest.mark.parametrize(("text", "kind"), HARD.values(), ids=HARD)
def test_it_knows_what_is_hard(text: str, kind: str) -> None:
    assert detect_refusal(text).kind == kind


@pytest.mark.usefixtures("without")
def test_it_decides_where_the_linear_model_is_wrong() -> None:
    assert any(detect_refusal(text).kind != kind for text, kind in HARD.values())


@pytest.mark.usefixtures("without")
def test_without_it_the_linear_models_decide() -> None:
    hashed = load_hashed_model().outputs(UNSURE)
    assert mixture.outputs_in_any_language(UNSURE, UNSURE, perhaps_english=False) == hashed


def test_an_english_text_is_read_if_the_linear_model_is_not_sure(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(mixture, "transformer_outputs", lambda _: [0.0, 2.0, 0.0, 0.0])
    answers, may_answer = [-2.5, 0.0, 0.0, 0.0], [-1.5, 0.0, 0.0, 0.0]
    declines, of_either_kind = [3.5, 4.0, 0.0, 0.0], [3.5, 4.0, 3.5, 0.0]

    for sure in (answers, declines):
        assert mixture.english_outputs(sure, UNSURE, UNSURE) == sure
    for unsure in (may_answer, of_either_kind):
        assert mixture.english_outputs(unsure, UNSURE, UNSURE) != unsure


@pytest.mark.parametrize("missing", ["onnxruntime", "tokenizers", "numpy"])
def test_a_core_installation_detects_refusals(missing: str) -> None:
    texts = [UNSURE, "Sorry, but I can't assist with that.", "Das wissen wir hier nicht."]
    program = f"""
import sys
sys.modules[{missing!r}] = None
from groundtypes import detect_refusal
print(*(detect_refusal(text).kind for text in {texts!r}))
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.split()[1:] == ["refusal", "abstention"]
    assert len(done.stdout.split()) == len(texts)
    assert done.stderr == ""


def test_sure_and_long_english_texts_do_not_load_it() -> None:
    answer = "The bridge was opened in 1932 and is painted every seven years. "
    refusal = "I'm sorry, but I can't help with that."
    unclear = "It is difficult to say whether the bridge was closed. "
    texts = [
        answer,
        answer * 20,
        "Yes.",
        "42",
        "Paris",
        refusal,
        refusal + answer * 20,
        unclear * 20,
    ]
    program = f"""
import sys
from groundtypes import detect_refusal
for text in {texts!r}:
    detect_refusal(text)
print(*({{"numpy", "onnxruntime", "tokenizers"}} & set(sys.modules)))
detect_refusal({UNSURE!r})
print("onnxruntime" in sys.modules)
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout == "\nTrue\n"


@pytest.mark.parametrize(
    "text",
    ["Der Zug fährt um acht Uhr ab.", "Das wissen wir hier nicht.", f"{'Der Zug fährt. ' * 40}"],
)
def test_it_reads_any_text_in_another_language(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    known = type(transformer._known)(10)
    monkeypatch.setattr(transformer, "_known", known)
    detect_refusal(text)
    assert known.get(opening_text(text, opening_spans(text))) is not None


def test_what_it_reads_says_whether_the_text_goes_on() -> None:
    short = "Das wissen wir hier nicht. Fragen Sie bitte jemanden."
    assert opening_text(short, opening_spans(short)) == short
    sentence = "Dieser Satz ist nur da, damit der Text lang wird."
    long = f"{sentence} " * 20
    assert opening_text(long, opening_spans(long)) == f"{sentence} {sentence} {sentence} \u2026"
    assert opening_text("", []) == ""


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_any_opening_of_a_hostile_text_is_read(text: str, classifier: ReplyClassifier) -> None:
    assert all(map(math.isfinite, classifier.outputs(text)))
    found = detect_refusal(text)
    assert 0.0 <= found.score <= 1.0


@settings(deadline=None, max_examples=50)
@given(st.text(max_size=300))
def test_any_text_has_four_outputs(text: str) -> None:
    outputs = reply_classifier.reply_classifier().outputs(text)
    assert len(outputs) == 4
    assert all(map(math.isfinite, outputs))


def test_a_text_that_spells_special_tokens_is_plain_text(classifier: ReplyClassifier) -> None:
    ids = classifier._tokenizer.encode("<s> </s><pad> <unk>").ids
    assert (ids[0], ids[-1]) == (0, 2)
    assert not {0, 1, 2} & set(ids[1:-1])


def test_white_space_and_letters_of_another_width_do_not_matter(
    classifier: ReplyClassifier,
) -> None:
    plain = classifier.outputs("Das weiß ich nicht 12.")
    assert classifier.outputs(" Das\n\tweiß\u200b ich  nicht １２． ") == plain


def test_outputs_do_not_depend_on_what_was_read_before() -> None:
    texts = ["Das steht nicht im Text.", "資料には記載がありません。", "", "Nej, det ved jeg ikke."]
    fresh = ReplyClassifier(ModelFolder(REFUSALS))
    first = list(map(fresh.outputs, texts))
    assert [fresh.outputs(text) for text in reversed(texts)] == first[::-1]


def test_threads_load_it_once_and_get_the_same_outputs(monkeypatch: pytest.MonkeyPatch) -> None:
    loads: list[ModelFolder] = []
    real = ReplyClassifier.__init__

    def counting(self: ReplyClassifier, folder: ModelFolder) -> None:
        loads.append(folder)
        real(self, folder)

    monkeypatch.setattr(reply_classifier, "_LOADED", LoadedModels[ReplyClassifier](1))
    monkeypatch.setattr(ReplyClassifier, "__init__", counting)

    def outputs(number: int) -> list[float]:
        return reply_classifier.reply_classifier().outputs(f"Das weiß ich nicht {number % 3}.")

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(outputs, range(48)))
    assert len(loads) == 1
    assert found == [outputs(number) for number in range(48)]


@pytest.mark.parametrize("before", [f"detect_refusal({UNSURE!r}); hold()", "None"])
def test_a_forked_child_has_a_model_of_its_own(before: str) -> None:
    # In a process of its own: forking a process with threads is what is tested.
    program = f"""
import os, threading
from groundtypes import detect_refusal
from groundtypes.backends.reply_classifier import _LOADED

def hold():
    hold = _LOADED._models._lock.acquire  # held for ever
    threading.Thread(target=hold, daemon=True).start()

{before}
if (child := os.fork()) == 0:
    print(detect_refusal({UNSURE + " Leider."!r}).score, flush=True)
    os._exit(0)
print(os.waitpid(child, 0)[1], flush=True)
os._exit(0)
"""
    done = subprocess.run(
        [sys.executable, "-W", "ignore::DeprecationWarning", "-c", program],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout.split() == [str(detect_refusal(UNSURE + " Leider.").score), "0"]
    assert done.stderr == ""


def test_its_files_are_small_and_signed() -> None:
    assert sum(path.stat().st_size for path in REFUSALS.iterdir()) < 20 * 2**20
    lines = (REFUSALS / "SHA256SUMS").read_text(encoding="ascii").splitlines()
    assert {line.split()[1] for line in lines} == {"model.onnx", "tokenizer.json", "config.json"}
    config = json.loads((REFUSALS / "config.json").read_text(encoding="utf-8"))
    assert config["kinds"] == ["answer", "refusal", "abstention", "partial"]


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json", "config.json", "SHA256SUMS"])
def test_a_damaged_file_is_a_mistake(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    copy = tmp_path / "refusals"
    shutil.copytree(REFUSALS, copy)
    data = (copy / name).read_bytes()
    (copy / name).write_bytes(data[:-9] + bytes(9))
    monkeypatch.setattr(reply_classifier, "REFUSALS", copy)
    monkeypatch.setattr(reply_classifier, "_LOADED", LoadedModels[ReplyClassifier](1))
    monkeypatch.setattr(transformer, "_known", type(transformer._known)(10))
    with pytest.raises(BackendError):
        detect_refusal(UNSURE)


def test_lost_checksums_are_a_mistake(tmp_path: Path) -> None:
    copy = tmp_path / "refusals"
    shutil.copytree(REFUSALS, copy)
    (copy / "SHA256SUMS").unlink()
    with pytest.raises(BackendError, match="bundled refusal model has lost"):
        ReplyClassifier(ModelFolder(copy, "the bundled refusal model"))
