from pathlib import Path

from deidstream.study.corpus.prose.read_prose import learn_words, read_prose, read_unlabelled
from deidstream.study.corpus.sources import read_sources
from support.filling import show_sentences, transcription, write_prose

LONG = "the chest was clear and she feels quite well with good spirits"


def dialog(split: str, note: str, dialogue: str = "") -> dict[str, str]:
    return {"split": split, "note": note, "dialogue": dialogue}


def test_a_note_on_another_side_of_any_task_or_of_none_is_held_out(tmp_path: Path) -> None:
    splits = {"m-1": "train", "m-2": "test", "m-3": "valid", "m-5": "train"}
    notes = [transcription(n, f"HISTORY:, The chest {n} was clear.") for n in range(1, 6)]
    other = [{"id": "m-5", "split": "test"}]
    file = write_prose(tmp_path, notes, splits, other_task=other)
    read = read_unlabelled(read_sources(file))["transcripts"]
    assert [row.key("id") for row in read.kept] == ["m-1"]
    assert [row.key("id") for row in read.held_out] == ["m-2", "m-3", "m-4", "m-5"]
    assert show_sentences(read_prose(read_sources(file))["transcripts"]) == [
        "HISTORY> The chest 1 was clear."
    ]


def test_words_of_held_out_notes_are_learnt_and_those_of_speech_are_not(tmp_path: Path) -> None:
    notes = [transcription(n, "the glimmerwort was seen") for n in (1, 2)]
    dialogs = [dialog("train", "", "the brambleholm was seen")] * 2
    file = write_prose(tmp_path, notes, {"m-1": "test", "m-2": "test"}, dialogs=dialogs)
    words = learn_words(read_unlabelled(read_sources(file))).finder.vocabulary.lower
    assert "glimmerwort" in words
    assert "brambleholm" not in words


def test_what_repeats_a_held_out_note_is_left_out(tmp_path: Path) -> None:
    notes = [transcription(1, LONG), transcription(2, "she was seen")]
    dialogs = [
        dialog("train", LONG, "she is here"),
        dialog("valid", "she was seen well", "she feels well"),
        dialog("test1", "seen"),
    ]
    file = write_prose(tmp_path, notes, {"m-1": "test", "m-2": "train"}, dialogs=dialogs)
    assert show_sentences(read_prose(read_sources(file))["dialogs"]) == [
        "she was seen well",
        "she feels well",
    ]


def test_a_source_without_splits_is_read_whole(tmp_path: Path) -> None:
    (tmp_path / "notes.jsonl").write_text('{"text": "The chest was clear."}\n')
    file = tmp_path / "sources.toml"
    file.write_text('[sources.ours]\nform = "prose"\npath = "notes.jsonl"\nshare = 1\n')
    assert show_sentences(read_prose(read_sources(file))["ours"]) == ["The chest was clear."]
