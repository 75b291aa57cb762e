import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from deidstream.models.neural.engine_port import EngineOptions
from deidstream.models.neural.weights import digest
from deidstream.models.recognizers.tagger import Tagger, TaggerOptions
from deidstream.schemas.errors import InvalidSettings, MissingArtefact
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import RawNote
from deidstream.schemas.policy import Profile
from deidstream.schemas.span import Span
from deidstream.study.tagger.start import save, set_thresholds, start
from support.checkpoints import (
    BIO,
    byte_level_classifier,
    encoder,
    lexical_classifier,
    token_classifier,
)

CPU = EngineOptions(device="cpu", dtype="fp32")
SETTINGS = TaggerOptions(window=32, overlap=8, budget_tokens=128, run=CPU)
MEANINGS = {
    "john": "B-PATIENT",
    "smith": "I-PATIENT",
    "##hn": "I-PATIENT",
    "march": "B-DATE",
    "1": "B-DATE",
    "/": "I-DATE",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return lexical_classifier(tmp_path_factory.mktemp("lexical"), MEANINGS)


@pytest.fixture(scope="module")
def lexical(folder: Path) -> Tagger:
    return Tagger.load(str(folder), settings=replace(SETTINGS, threshold=0.4))


@pytest.fixture(scope="module", params=["bert fp32", "bert bf16", "roberta fp32"])
def arbitrary(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Tagger:
    model, dtype = request.param.split()
    write = {"bert": token_classifier, "roberta": byte_level_classifier}[model]
    folder = write(tmp_path_factory.mktemp("arbitrary"))
    return Tagger.load(str(folder), settings=replace(SETTINGS, run=replace(CPU, dtype=dtype)))


@pytest.fixture(scope="module")
def shaped(tmp_path_factory: pytest.TempPathFactory) -> Tagger:
    """A tagger that reads the shapes of words, with random weights."""
    plain = encoder(tmp_path_factory.mktemp("plain"))
    folder = tmp_path_factory.mktemp("shaped")
    model = start(plain, seed=3)
    with torch.no_grad():
        model.classifier.weight.normal_()
        model.base_model.embeddings.token_type_embeddings.weight.normal_()
    save(model, plain, folder)
    return Tagger.load(str(folder), settings=SETTINGS)


def _note(text: str) -> RawNote:
    return RawNote("n", "p", text)


def _found(tagger: Tagger, text: str) -> list[tuple[str, str]]:
    (spans,) = tagger.recognize([_note(text)])
    return [(text[span.start : span.end], span.label.value) for span in spans]


def test_neighbouring_words_of_one_label_are_one_span(lexical: Tagger) -> None:
    assert _found(lexical, "seen John  Smith march/1/1") == [
        ("John  Smith", "PATIENT"),
        ("march/1/1", "DATE"),
    ]


def test_dates_that_surely_begin_after_a_blank_are_apart(lexical: Tagger) -> None:
    assert _found(lexical, "seen march 1/1") == [("march", "DATE"), ("1/1", "DATE")]


@pytest.mark.parametrize("separator", ["\x0b", "\x0c", "\x85", "\x07", "\x1e", "\x7f"])
def test_a_control_separates_words_and_stays(lexical: Tagger, separator: str) -> None:
    assert _found(lexical, f"seen John{separator}seen") == [("John", "PATIENT")]


@pytest.mark.parametrize("hidden", ["\xad", "\u200b", "\ufffd"])
def test_an_invisible_character_separates_capitalised_words(lexical: Tagger, hidden: str) -> None:
    assert _found(lexical, f"seen John{hidden}Seen") == [("John", "PATIENT")]


def test_a_word_that_is_phi_in_part_is_phi_whole(lexical: Tagger) -> None:
    assert _found(lexical, "seen xhnzz,") == [("xhnzz", "PATIENT")]


def test_a_span_names_its_source_and_its_rounded_score(lexical: Tagger) -> None:
    (spans,) = lexical.recognize([_note("john")])
    assert [span.source for span in spans] == ["tagger"]
    assert [span.score for span in spans] == [round(span.score, 3) for span in spans]


def test_a_doubt_below_the_threshold_is_not_phi(folder: Path, lexical: Tagger) -> None:
    strict = Tagger.load(str(folder), settings=replace(SETTINGS, threshold=0.999))
    assert _found(lexical, "john")
    assert not _found(strict, "john")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("👩‍⚕️ 😀 John", "John"),
        ("e\u0301 naïve\u00a0John.", "John"),
        ("Jo\u0301hn", "Jo\u0301hn"),
        ("John\u0301 x", "John\u0301"),
        ("jo\u200bhn\u200d", "jo\u200bhn\u200d"),
        ("\u3000John\u2028", "John"),
    ],
)
def test_offsets_are_code_points(lexical: Tagger, text: str, found: str) -> None:
    assert _found(lexical, text) == [(found, "PATIENT")]


@pytest.mark.parametrize("text", ["", " \n\t ", "\u200b", "\x01"])
def test_notes_without_pieces_have_no_spans(lexical: Tagger, text: str) -> None:
    assert lexical.recognize([_note(text), _note("john")])[0] == ()


def test_no_notes_have_no_spans(lexical: Tagger) -> None:
    assert lexical.recognize([]) == []


@pytest.mark.slow
def test_a_planted_name_is_found_at_every_offset(lexical: Tagger) -> None:
    texts = ["x " * at + "John" + " x" * (90 - at) for at in range(91)]
    notes = [_note(text) for text in texts]
    expected = [[Span(2 * at, 2 * at + 4, PhiLabel.PATIENT)] for at in range(91)]
    found = [
        [Span(span.start, span.end, span.label) for span in spans]
        for spans in lexical.recognize(notes)
    ]
    assert found == expected


@pytest.mark.slow
def test_the_end_of_a_long_note_is_read(lexical: Tagger) -> None:
    assert _found(lexical, "x " * 5_000 + "John") == [("John", "PATIENT")]


@pytest.mark.slow
def test_a_note_alone_is_as_in_any_batch(arbitrary: Tagger) -> None:
    texts = ["John Smith, seen 01/02/2031. é😀 " * count for count in (1, 2, 3, 5, 9, 20)]
    notes = [_note(text + " x" * at) for at, text in enumerate([*texts, "", *texts])]
    alone = [arbitrary.recognize([note])[0] for note in notes]
    roomy = replace(arbitrary, layout=replace(arbitrary.layout, budget_tokens=4096))
    assert any(alone)
    assert arbitrary.recognize(notes) == alone
    assert roomy.recognize(notes[::-1]) == alone[::-1]


def test_the_same_word_in_another_case_or_after_another_gap_gets_another_score(
    shaped: Tagger,
) -> None:
    texts = ["seen john", "seen John", "seen JOHN", "seen  john", "seen\njohn"]
    _, scores = shaped.score(texts)
    assert len({score[1].tobytes() for score in scores}) == len(texts)


def test_an_uncased_tagger_without_shapes_knows_neither_case_nor_gaps(lexical: Tagger) -> None:
    _, (one, other) = lexical.score(["seen john", "seen\nJOHN"])
    assert not lexical.shaped
    assert (one == other).all()


@pytest.mark.slow
def test_a_note_alone_is_as_in_any_batch_also_with_shapes(shaped: Tagger) -> None:
    texts = ["John Smith,\nseen 01/02/2031. é😀  " * count for count in (1, 2, 3, 5, 9, 20)]
    texts = [text + " X" * at for at, text in enumerate([*texts, "", *texts])]
    alone = [shaped.score([text])[1][0].tolist() for text in texts]
    roomy = replace(shaped, layout=replace(shaped.layout, budget_tokens=4096))
    assert [score.tolist() for score in shaped.score(texts)[1]] == alone
    assert [score.tolist() for score in roomy.score(texts[::-1])[1]] == alone[::-1]


def test_a_piece_has_its_shape_in_every_window(shaped: Tagger) -> None:
    # What lies within the window is all alike; what the note is like beyond it does not count.
    text = "John Smith " * 60
    _, (scores,) = shaped.score([text])
    _, (longer,) = shaped.score([text * 2])
    assert (scores[:90] == longer[:90]).all()


def test_thresholds_of_the_checkpoint_come_before_the_setting(folder: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(folder, tmp_path / "copy"))
    set_thresholds(copy, {"PATIENT": 0.999})
    own = Tagger.load(str(copy), settings=replace(SETTINGS, threshold=0.4))
    # Apart, as a word beside a found one needs less.
    assert _found(own, "john") + _found(own, "march") == [("march", "DATE")]
    set_thresholds(copy, {"PATIENT": 0.4})
    own = Tagger.load(str(copy), settings=replace(SETTINGS, threshold=0.999))
    assert _found(own, "john") + _found(own, "march") == [("john", "PATIENT")]


def test_a_profile_changes_the_thresholds_and_shares_the_model(lexical: Tagger) -> None:
    strict, precise = (lexical.at_profile(each) for each in (Profile.STRICT, Profile.PRECISE))
    assert strict.model is precise.model is lexical.model
    assert strict.thresholds.by_label.max() <= 100
    assert precise.thresholds.by_label.min() >= 700
    assert (lexical.thresholds.by_label == lexical.own_thresholds).all()


@pytest.mark.parametrize(
    "said",
    [
        {"PATIENT": 0},
        {"PATIENT": -0.5},
        {"PATIENT": 1.5},
        {"PATIENT": float("nan")},
        {"PATIENT": "0.5"},
        {"PATIENT": None},
        {"NOBODY": 0.5},
        [0.5],
        0.5,
    ],
)
def test_bad_thresholds_of_a_checkpoint_are_refused(
    folder: Path, tmp_path: Path, said: object
) -> None:
    copy = Path(shutil.copytree(folder, tmp_path / "copy"))
    config = json.loads((copy / "config.json").read_text())
    (copy / "config.json").write_text(json.dumps({**config, "phi_thresholds": said}))
    with pytest.raises(MissingArtefact, match="phi_thresholds"):
        Tagger.load(str(copy), settings=SETTINGS)


def test_every_span_lies_on_letters(arbitrary: Tagger) -> None:
    text = " é😀 John\u00a0Smith \n\n 01/02 👩‍⚕️ " * 7
    (spans,) = arbitrary.recognize([_note(text)])
    assert spans
    for span in spans:
        assert not text[span.start].isspace()
        assert not text[span.end - 1].isspace()


def test_the_digest_must_match(folder: Path) -> None:
    found = Tagger.load(str(folder), settings=replace(SETTINGS, expected_digest=digest(folder)))
    assert found.digest == digest(folder)
    with pytest.raises(MissingArtefact, match="has digest"):
        Tagger.load(str(folder), settings=replace(SETTINGS, expected_digest="0" * 64))


@pytest.mark.parametrize("name", ["model.safetensors", "config.json", "tokenizer.json"])
def test_the_digest_covers_all_that_decides(folder: Path, tmp_path: Path, name: str) -> None:
    copy = Path(shutil.copytree(folder, tmp_path / "copy"))
    assert digest(copy) == digest(folder)
    with (copy / name).open("ab") as file:
        file.write(b" ")
    assert digest(copy) != digest(folder)


def test_an_encoder_without_head_is_refused(tmp_path: Path) -> None:
    folder = encoder(tmp_path)
    config = (folder / "config.json").read_text()
    named = config.replace("{", '{"id2label": {"0": "O", "1": "DATE"},', 1)
    (folder / "config.json").write_text(named)
    with pytest.raises(MissingArtefact, match="lacks weights"):
        Tagger.load(str(folder), settings=SETTINGS)


def test_an_unknown_model_label_is_refused_unless_mapped(tmp_path: Path) -> None:
    folder = str(token_classifier(tmp_path, labels=(*BIO, "B-MISC")))
    with pytest.raises(MissingArtefact, match="B-MISC"):
        Tagger.load(folder, settings=SETTINGS)
    Tagger.load(folder, settings=replace(SETTINGS, label_map={"MISC": "O"}))


def test_weights_that_could_run_code_are_refused(tmp_path: Path) -> None:
    folder = token_classifier(tmp_path)
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")
    with pytest.raises(MissingArtefact, match="safetensors"):
        Tagger.load(str(folder), settings=SETTINGS)


def test_broken_weights_are_refused(folder: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(folder, tmp_path / "copy"))
    (copy / "model.safetensors").write_bytes(b"\0" * 100)
    with pytest.raises(MissingArtefact, match="cannot be loaded"):
        Tagger.load(str(copy), settings=SETTINGS)


@pytest.mark.parametrize("path", ["", "no/such/model", "not a name"])
def test_an_absent_checkpoint_is_refused(path: str) -> None:
    with pytest.raises(MissingArtefact, match="neither a folder nor downloaded"):
        Tagger.load(path, settings=SETTINGS)


FIT_NOT: tuple[dict[str, Any], ...] = (
    {"window": 1024}, {"window": 2}, {"overlap": 30}, {"overlap": -1},
    {"run": EngineOptions(dtype="fp64")}, {"run": EngineOptions(device="tpu")},
)  # fmt: skip


@pytest.mark.parametrize("wrong", FIT_NOT)
def test_settings_that_do_not_fit_are_refused(folder: Path, wrong: dict[str, Any]) -> None:
    with pytest.raises(InvalidSettings):
        Tagger.load(str(folder), settings=replace(SETTINGS, **wrong))


def test_a_second_tagger_of_the_same_opinion_changes_nothing(lexical: Tagger) -> None:
    text = "seen John  Smith march/1/1 by Dr. Miller"
    assert _found(replace(lexical, second=lexical), text) == _found(lexical, text) != []


def test_what_a_second_tagger_is_sure_of_outweighs_a_doubt(lexical: Tagger, tmp_path: Path) -> None:
    other = Tagger.load(
        str(lexical_classifier(tmp_path, {"miller": "B-PATIENT"})), settings=SETTINGS
    )
    text = "seen John Miller"
    assert _found(lexical, text) == [("John", "PATIENT")]
    assert _found(replace(lexical, second=other), text) == [("John Miller", "PATIENT")]


def test_a_second_tagger_may_have_other_pieces(lexical: Tagger, tmp_path: Path) -> None:
    other = Tagger.load(str(byte_level_classifier(tmp_path)), settings=SETTINGS)
    both = replace(lexical, second=other)
    texts = ["", "seen John Smith\n\n march/1/1", "é\U0001f600 Jörg" * 9]
    assert [len(scores) for scores in both.score(texts)[1]] == [
        len(scores) for scores in lexical.score(texts)[1]
    ]


def test_the_identity_names_both_taggers(lexical: Tagger, tmp_path: Path) -> None:
    other = Tagger.load(str(byte_level_classifier(tmp_path)), settings=SETTINGS)
    assert lexical.identity == f"{lexical.digest}:fp32"
    assert replace(lexical, second=other).identity == f"{lexical.digest}:fp32,{other.digest}:fp32"
    assert replace(lexical, second=other).at_profile(Profile.STRICT).second is other
