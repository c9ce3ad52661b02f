"""The training of the bundled model, on a handful of rows: it runs, and goes on."""

import gzip
import json
import random
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch", reason="the training needs torch")

from tokenizers import BertWordPieceTokenizer
from transformers import (
    BertConfig,
    BertModel,
    BertTokenizerFast,
    MPNetConfig,
    MPNetModel,
    MPNetTokenizerFast,
)

from corpora.rows import read_rows
from groundtypes import NLIScores
from training import (
    agreement,
    everyday_opinions,
    export_onnx,
    held_out_pairs,
    rows,
    teacher_pairs,
    train,
)
from training.long_premises import Corpus, listed, sentences_of, synthesised
from training.mixture import mixture, teacher_mixture
from training.negations import negated, paraphrased_negations
from training.word_swaps import swapped
from training.wordnet import Lexicon

pytestmark = pytest.mark.torch

_NOUNS = """\
00000001 03 n 02 dog 0 hound 0 001 @ 00000003 n 0000 | a dog
00000002 03 n 01 cat 0 001 @ 00000003 n 0000 | a cat
00000003 03 n 01 animal 0 000 | an animal
"""
_NOUN_INDEX = """\
dog n 1 1 @ 1 0 00000001
hound n 1 1 @ 1 0 00000001
cat n 1 1 @ 1 0 00000002
animal n 1 0 1 0 00000003
"""
_ADJECTIVES = """\
00000011 00 a 01 big 0 001 ! 00000012 a 0101 | big
00000012 00 a 01 small 0 001 ! 00000011 a 0101 | small
"""
_ADJECTIVE_INDEX = """\
big a 1 1 ! 1 0 00000011
small a 1 1 ! 1 0 00000012
"""


@pytest.fixture(scope="session")
def wordnet(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write three nouns and two adjectives in the format of WordNet."""
    folder = tmp_path_factory.mktemp("wordnet")
    texts = {"data.noun": _NOUNS, "index.noun": _NOUN_INDEX}
    texts |= {"data.adj": _ADJECTIVES, "index.adj": _ADJECTIVE_INDEX}
    for name in ("data.noun", "index.noun", "data.adj", "index.adj", "data.verb", "index.verb"):
        (folder / name).write_text(texts.get(name, ""), encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a few rows for each set."""
    folder = tmp_path_factory.mktemp("data") / "nli"
    folder.mkdir()
    rng = random.Random(3)
    animals = ("dog", "cat", "hound", "horse", "goat", "bird")
    for name in rows.TRAINED:
        with gzip.open(folder / f"{name}.jsonl.gz", "wt", encoding="utf-8") as file:
            for number in range(90):
                animal, year = rng.choice(animals), rng.randint(1900, 2020)
                row = {
                    "id": f"{name}{number}",
                    "premise": f"The big {animal} was born in Leeds in {year} and is very old.",
                    "hypothesis": f"The {animal} was born in {year}.",
                    "label": rng.choice(["entailment", "neutral", "contradiction"]),
                    "split": "dev" if number % 9 == 0 else "train",
                }
                file.write(json.dumps(row) + "\n")
    return folder.parent


@pytest.fixture
def everyday_data(data: Path, tmp_path: Path) -> Path:
    """The same sets, with those of the runs on everyday text beside them."""
    folder = tmp_path / "data"
    shutil.copytree(data, folder)
    (folder / "grounded").mkdir()
    dog = "The big dog was born in Leeds in 1950."
    rows_of = {
        "nli/infotabs": [
            {"premise": dog, "hypothesis": "The dog is old.", "label": "neutral", "split": "train"}
        ],
        "nli/help": [
            {"premise": dog, "hypothesis": "It was born.", "label": "entailment", "split": "train"}
        ],
        "grounded/cg2c_doc": [
            {"context": dog, "claim": "A dog was born.", "label": "supported", "split": "train"}
        ],
    }
    for name, given in rows_of.items():
        with gzip.open(folder / f"{name}.jsonl.gz", "wt", encoding="utf-8") as file:
            file.writelines(json.dumps(row) + "\n" for row in given)
    return folder


@pytest.fixture(scope="session")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build a tiny encoder with a vocabulary of its own."""
    folder = tmp_path_factory.mktemp("encoder")
    words = BertWordPieceTokenizer(lowercase=True)
    words.train_from_iterator(["the big dog was born in 1950 and is very old"] * 3, vocab_size=200)
    words.save_model(str(folder))
    tokenizer = BertTokenizerFast.from_pretrained(folder)
    tokenizer.save_pretrained(folder)
    config = BertConfig(
        vocab_size=len(tokenizer),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=256,
    )
    BertModel(config).save_pretrained(folder)
    return folder


@pytest.fixture(scope="session")
def large_encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build an encoder of the teacher's kind, which has no sides and pads with another token."""
    folder = tmp_path_factory.mktemp("large")
    special = ["<s>", "<pad>", "</s>", "<unk>", "[UNK]", "<mask>"]
    words = "the big dog cat bird was born in leeds and is very old . 1 9 2 0".split()
    (folder / "vocab.txt").write_text("\n".join(special + words), encoding="utf-8")
    MPNetTokenizerFast.from_pretrained(folder).save_pretrained(folder)
    config = MPNetConfig(
        vocab_size=len(special) + len(words),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=256,
    )
    MPNetModel(config).save_pretrained(folder)
    return folder


def test_words_have_opposites_sisters_and_kinds(wordnet: Path) -> None:
    lexicon = Lexicon(wordnet, ["dog", "hound", "cat", "animal", "big", "small"])
    assert lexicon.antonyms("big") == ["small"]
    assert lexicon.synonyms("dog") == ["hound"]
    assert lexicon.wider("dog") == ["animal"]
    assert lexicon.sisters("dog") == ["cat"]
    assert lexicon.narrower("animal") == ["cat", "dog", "hound"]


def test_a_changed_word_has_the_label_of_its_relation(wordnet: Path) -> None:
    lexicon = Lexicon(wordnet, ["dog", "hound", "cat", "animal", "big", "small"])
    counts = {"group": 1, "opposed": 1, "sister": 1, "same": 1, "wider": 1, "narrower": 0}
    found = list(swapped(random.Random(1), ["A big dog sleeps here."], lexicon, counts))
    assert {row.origin: row.target for row in found} == {
        "swap group": rows.CONTRADICTION,
        "swap opposed": rows.CONTRADICTION,
        "swap sister": rows.CONTRADICTION,
        "swap same": rows.ENTAILMENT,
        "swap wider": rows.ENTAILMENT,
    }
    assert all(row.hypothesis != row.premise for row in found)


def test_a_denied_hypothesis_is_contradicted_and_a_denied_premise_tells_little() -> None:
    known = [rows.Row("A dog is asleep.", "An animal is there.", rows.ENTAILMENT, "x")] * 90
    kinds = set()
    for row in negated(random.Random(2), known, 90):
        denied = tuple(map(denies, (row.premise, row.hypothesis)))
        assert sum(row.target) == pytest.approx(1)
        if denied == (False, True):
            assert row.target == rows.CONTRADICTION
        else:
            assert row.target[0] <= 0.15
        kinds.add(denied)
    assert kinds == {(False, True), (True, False), (True, True)}


def denies(text: str) -> bool:
    return (
        any(f" {word} " in f" {text} " for word in ("not", "never", "no longer")) or "n't" in text
    )


def test_two_sentences_that_say_the_same_are_denied_alike() -> None:
    known = [rows.Row("A dog is asleep here.", "The dog is asleep here.", rows.ENTAILMENT, "x")]
    found = [
        row
        for row in negated(random.Random(2), known * 90, 90)
        if denies(row.premise) and denies(row.hypothesis)
    ]
    assert found
    assert all(row.target[0] > 0.5 for row in found)


def test_a_denial_said_again_is_entailed_and_refutes_what_it_denies(wordnet: Path) -> None:
    lexicon = Lexicon(wordnet, ["dog", "hound", "cat", "animal"])
    sentences = ["The animal is asleep.", "You may not feed the animal.", "It sleeps."]
    found = [
        row
        for seed in range(60)
        for row in paraphrased_negations(random.Random(seed), sentences, lexicon, 3)
    ]
    targets = {(row.premise, row.hypothesis): row.target for row in found}
    asleep = "The animal is asleep."
    assert targets["The animal is not asleep.", asleep] == rows.CONTRADICTION
    assert targets["The animal is not asleep.", "The animal isn't asleep."] == rows.ENTAILMENT
    assert targets["You may not feed the animal.", "You may not feed the dog."] == rows.ENTAILMENT
    assert (
        targets["You may not feed the animal.", "You must not feed the animal."] == rows.ENTAILMENT
    )
    assert all(row.premise != row.hypothesis for row in found)


def test_a_known_pair_stands_among_sentences_on_other_things(wordnet: Path) -> None:
    known = [
        rows.Row("A dog sleeps.", "An animal sleeps.", rows.ENTAILMENT, "x"),
        rows.Row("Two men cook rice", "Nobody cooks.", rows.CONTRADICTION, "x"),
        rows.Row("The river is wide.", "The river has fish.", rows.NEUTRAL, "x"),
    ]
    targets = {row.hypothesis: row.target for row in known}
    found = list(listed(random.Random(7), known * 40, Lexicon(wordnet, ["dog", "hound"]), 120))
    assert len(found) == 120
    assert any(row.origin == "listed: the same" for row in found)
    for row in found:
        if row.origin == "listed: the same":
            assert row.target == rows.ENTAILMENT
        else:
            [own] = [one for one in known if one.hypothesis == row.hypothesis]
            assert own.premise in row.premise
            assert row.target == targets[row.hypothesis]
    assert any(row.premise.count(".") > 1 for row in found)


def test_statements_made_from_a_passage_stand_in_it_or_are_marked_as_changed(wordnet: Path) -> None:
    text = (
        "The bridge was opened in 1932 by Mary Smith in Sydney. The river is 12 miles long near "
        "Paris. The company was not sold to John Brown before 1950. It has 300 members in Leeds."
    )
    corpus = Corpus(sentences_of(text))
    found = list(synthesised(random.Random(4), corpus, Lexicon(wordnet, []), 60))
    assert {row.target for row in found} >= {rows.ENTAILMENT, rows.CONTRADICTION}
    for row in found:
        if row.origin == "made: changed":
            assert row.hypothesis not in row.premise


def test_no_row_of_a_reported_split_is_trained_on(data: Path) -> None:
    assert len(rows.train_rows(data)) > 0
    tuned = {row for held in rows.tune_rows(data).values() for row in held}
    ids = {(row.premise, row.hypothesis) for row in tuned}
    assert ids
    assert all(row["split"] != "dev" for row in _used(data))


def _used(data: Path) -> list[dict[str, Any]]:
    wanted = {(row.premise, row.hypothesis, row.origin) for row in rows.train_rows(data)}
    found = [
        row
        for name in rows.TRAINED
        for row in read_rows(data / "nli" / f"{name}.jsonl.gz")
        if row["split"] == "train" and (row["premise"], row["hypothesis"], name) in wanted
    ]
    assert len(found) >= len(wanted)
    return found


@pytest.mark.parametrize("make", [mixture, teacher_mixture])
def test_the_mixture_is_the_same_each_time(make: Any, data: Path, wordnet: Path) -> None:
    assert make(data, wordnet, 5, 0.02) == make(data, wordnet, 5, 0.02)


def test_pairs_of_a_teacher_take_the_place_of_what_people_labelled(
    data: Path, wordnet: Path
) -> None:
    taught = [rows.Row("A dog sleeps.", "It sleeps.", (0.5, 0.4, 0.1), "taught: known")] * 3
    found = mixture(data, wordnet, 5, 0.02, taught)
    assert [row for row in found if row.origin == "taught: known"] == taught
    assert not {row.origin for row in found} & {"snli_train_slice", "mnli_subset", "cad_snli"}


def test_pairs_of_a_teacher_are_made_from_training_texts(data: Path) -> None:
    near = {"born": ["died", "grown"], "very": ["much"]}
    found = teacher_pairs.pairs_to_label(data, near)
    assert found == teacher_pairs.pairs_to_label(data, near)
    kinds = {row.origin for row in found}
    assert kinds >= {"known", "reversed", "other words", "part", "near", "known snli"}
    trained = {row.premise for row in rows.train_rows(data, {"mnli_subset": 1.0})}
    for row in found:
        assert (row.target == teacher_pairs.UNKNOWN) == (not row.origin.startswith("known"))
        assert row.premise in trained or row.hypothesis in trained
        if row.origin == "other words":
            assert re.search("died|grown", row.hypothesis)


def test_more_pairs_are_others(data: Path) -> None:
    near = {"born": ["died", "grown"], "very": ["much"]}
    first = teacher_pairs.pairs_to_label(data, near)
    found = teacher_pairs.more_pairs_to_label(data, near, first)
    assert found == teacher_pairs.more_pairs_to_label(data, near, first)
    pairs = {(row.premise, row.hypothesis) for row in found}
    assert len(pairs) == len(found) > 0
    assert not pairs & {(row.premise, row.hypothesis) for row in first}
    assert {row.target for row in found} == {teacher_pairs.UNKNOWN}
    kinds = {row.origin for row in found}
    assert kinds >= {"other words 2", "other premise", "near 2", "snli reversed", "wiki other"}


def test_a_part_of_a_sentence_is_a_clause_or_a_run_of_its_words() -> None:
    text = "The dog barked at the moon, and the cat slept in the sun all day"
    parts = {teacher_pairs.part(random.Random(seed), text) for seed in range(20)}
    assert parts == {"The dog barked at the moon.", "The cat slept in the sun all day."}
    text = "one two three four five six seven eight nine ten"
    for seed in range(20):
        run = teacher_pairs.part(random.Random(seed), text)
        assert run is not None
        assert run in text
        assert run != text
    assert teacher_pairs.part(random.Random(1), "Too short.") is None


def test_near_words_are_whole_words_and_not_the_word_itself(encoder: Path) -> None:
    near = teacher_pairs.near_words(str(encoder))
    assert near
    for word, others in near.items():
        assert word not in others
        assert all(other.isalpha() and len(other) >= 4 for other in others)


def test_a_teacher_is_trained_and_what_it_says_is_learned(
    data: Path,
    wordnet: Path,
    encoder: Path,
    large_encoder: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    common = ["--data", str(data), "--wordnet", str(wordnet), "--scale", "0.02"]
    folder = Path(train.__file__).parent
    teacher, file = tmp_path / "teacher", tmp_path / "teacher_pairs.jsonl"
    config = ["--config", str(folder / "teacher.toml")]
    train.main([*common, *config, "--encoder", str(large_encoder), "--out", str(teacher)])
    asked = ["--data", str(data), "--scale", "0.2", "--encoder", str(encoder)]
    teacher_pairs.main([*asked, "--teacher", str(teacher / "averaged"), "--out", str(file)])
    taught = rows.read_teacher_pairs(file)
    assert {row.origin for row in taught} > {"taught: known", "taught: reversed"}
    for row in taught:
        assert sum(row.target) == pytest.approx(1, abs=0.001)
        if row.origin == "taught: known":
            assert max(row.target) >= teacher_pairs.KNOWN - 0.001
    out = tmp_path / "student"
    learn = ["--encoder", str(encoder), "--teacher-pairs", str(file), "--out", str(out)]
    train.main([*common, *learn])
    assert (out / "averaged" / "model.safetensors").is_file()
    pairs = [{"premise": row.premise, "hypothesis": row.hypothesis} for row in taught[:40]]
    model = tmp_path / "model"
    export_onnx.export(out / "averaged", model, pairs, max_length=64, agreement=0)
    asked = ["--data", str(data), "--encoder", str(encoder)]
    agreement.main([*asked, "--teacher", str(teacher / "averaged"), str(model)])
    printed = capsys.readouterr().out.splitlines()
    assert printed[-3].startswith("| model | all | ")
    assert all(0 <= float(cell) <= 100 for cell in printed[-1].strip("| ").split(" | ")[1:])


def test_a_student_learns_what_a_teacher_says_of_written_claims(
    everyday_data: Path, wordnet: Path, encoder: Path, tmp_path: Path
) -> None:
    tokenizer, model = train.start(str(encoder))
    model.save_pretrained(tmp_path / "checkpoint")
    tokenizer.save_pretrained(tmp_path / "checkpoint")
    pairs = [{"premise": "It rains.", "hypothesis": f"{word} rains."} for word in ("It", "He")]
    teacher = tmp_path / "teacher"
    export_onnx.export(tmp_path / "checkpoint", teacher, pairs, max_length=64, agreement=0)
    file = tmp_path / "opinions.jsonl"
    asked = ["--teacher", str(teacher), "--out", str(file), "--scale", "0.002"]
    everyday_opinions.main(asked)
    taught = rows.read_teacher_pairs(file)
    assert {"taught: other sentence", "taught: claims: decides"} <= {row.origin for row in taught}
    assert all(sum(row.target) == pytest.approx(1, abs=0.001) for row in taught)
    everyday_opinions.main([*asked, "--seed", "92"])
    others = rows.read_teacher_pairs(file)
    assert {row.hypothesis for row in others} != {row.hypothesis for row in taught}
    config = Path(train.__file__).parent / "everyday_opinions.toml"
    learn = ["--data", str(everyday_data), "--wordnet", str(wordnet), "--encoder", str(encoder)]
    out = ["--out", str(tmp_path / "student"), "--stop-after", "1"]
    train.main([*learn, *out, "--teacher-pairs", str(file), "--config", str(config)])
    assert (tmp_path / "student" / "state.pt").is_file()


def test_pairs_that_were_kept_back_are_of_no_premise_that_is_trained(data: Path) -> None:
    near = {"born": ["died", "grown"], "very": ["much"]}
    found = agreement.kept_back(data, near)
    assert found == agreement.kept_back(data, near)
    trained = {row.premise for row in rows.train_rows(data, {"mnli_subset": 1.0})}
    known = {row.premise for row in found if row.origin in {"known", "snli"}}
    assert known
    assert not known & {row.premise for row in teacher_pairs.pairs_to_label(data, near)}
    assert not known & trained - {row.premise for row in rows.tune_rows(data)["fever_rte"]}


def test_the_scales_of_int8_are_set_with_pairs_that_were_kept_back(
    data: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "data"
    shutil.copytree(data, folder)
    (folder / "grounded").mkdir()
    for name in ("attributionbench", "begin"):
        row = {"context": f"Said in {name}.", "response": "It was said.", "label": "supported"}
        with gzip.open(folder / "grounded" / f"{name}.jsonl.gz", "wt", encoding="utf-8") as file:
            file.write("".join(json.dumps(row | {"split": split}) + "\n" for split in ("dev", "x")))
    file_of_pairs = tmp_path / "pairs.jsonl"
    held_out_pairs.main(["--data", str(folder), str(file_of_pairs)])
    found = [json.loads(line) for line in file_of_pairs.read_text().splitlines()]
    told = [one["premise"] for one in found]
    assert told.count("Said in begin.") == told.count("Said in attributionbench.") == 1
    tuned = rows.tune_rows(folder)
    assert len(told) == 2 + sum(min(100, len(one)) for one in tuned.values())
    assert {*told} - {row.premise for one in tuned.values() for row in one} == {
        "Said in begin.",
        "Said in attributionbench.",
    }


def test_agreement_is_of_the_likeliest_labels() -> None:
    taught = [
        rows.Row("a", "b", (0.6, 0.3, 0.1), "near"),
        rows.Row("a", "b", (0.1, 0.3, 0.6), "near"),
        rows.Row("a", "b", (0.2, 0.7, 0.1), "part"),
    ]
    said = [NLIScores(0.4, 0.35, 0.25), NLIScores(0.0, 0.9, 0.1), NLIScores(0.3, 0.4, 0.3)]
    found = agreement.agreement(said, taught)
    assert found == {"all": pytest.approx(2 / 3), "near": 0.5, "part": 1.0}


def test_an_interrupted_training_goes_on_and_ends_with_a_model(
    data: Path, wordnet: Path, encoder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "config.toml"
    given = (Path(train.__file__).parent / "config.toml").read_text(encoding="utf-8")
    config.write_text(re.sub("save_seconds = .*", "save_seconds = 0", given), encoding="utf-8")
    common = ["--data", str(data), "--wordnet", str(wordnet), "--encoder", str(encoder)]
    common += ["--out", str(tmp_path / "out"), "--config", str(config), "--scale", "0.02"]
    train.main([*common, "--stop-after", "2"])
    assert not (tmp_path / "out" / "averaged").exists()
    train.main([*common, "--resume"])
    assert "from 2" in capsys.readouterr().out
    written = {path.name for path in (tmp_path / "out" / "averaged").iterdir()}
    assert {"config.json", "model.safetensors", "tokenizer.json"} <= written
    labels = json.loads((tmp_path / "out" / "averaged" / "config.json").read_text())["id2label"]
    assert labels == {"0": "entailment", "1": "neutral", "2": "contradiction"}
