"""Models learn from the notes of other patients, and every note is tagged once."""

from collections.abc import Sequence

import pytest

from deidstream.schemas.label import PhiLabel
from deidstream.schemas.labelled import LabelledNote
from deidstream.schemas.note import RawNote
from deidstream.schemas.span import POSSIBLE, Span
from deidstream.study.rivals import cross_validation
from deidstream.study.rivals.bilstm import BiLstm
from deidstream.study.rivals.comparison import count_pairs, score_types
from deidstream.study.rivals.crf import TaggedTokens
from deidstream.study.rivals.cross_validation import compare_models
from deidstream.study.rivals.note_tokens import NoteTokens
from deidstream.study.rivals.word_lists import shipped_lists

NAMES = ("Quillfeather", "Oyelaran", "Vanterpool", "Brackenridge", "Featherstone", "Lakemarsh")
TEXT = "Seen by Dr. {} on 0{}/04/2024.\nNo pain of the knee.\n"


def notes(count: int = 30) -> list[LabelledNote]:
    made: list[LabelledNote] = []
    for number in range(count):
        name = NAMES[number % 6]
        text = TEXT.format(name, 1 + number % 9)
        start, day = text.index(name), text.index("0")
        spans = (
            Span(start, start + len(name), PhiLabel.DOCTOR),
            Span(day, day + 10, PhiLabel.DATE),
        )
        made.append(LabelledNote(RawNote(f"n{number}", f"p{number}", text), spans))
    return made


def find_marks(notes: Sequence[RawNote]) -> list[tuple[Span, ...]]:
    """Find the second word of each note, and think the first possible."""
    possible = Span(0, 4, PhiLabel.CITY, 0.1, POSSIBLE)
    return [(Span(5, 7, PhiLabel.AGE), possible) for _ in notes]


def test_tokens_have_the_label_of_the_span_they_touch() -> None:
    (one, *_) = notes()
    cut = NoteTokens.cut(one.note.text)
    assert [len(words) for words in cut.words()] == [12, 6]
    assert cut.label(one.spans)[:5] == ["O", "O", "O", "O", "DOCTOR"]
    first, second = cut.tag_lines(one.spans)
    assert first.tags[4:] == ("DOCTOR", "O", *["DATE"] * 5, "O")
    assert set(second.tags) == {"O"}


@pytest.mark.slow
def test_models_find_in_new_notes_what_they_learned_and_others_stand_beside_them() -> None:
    done: list[str] = []
    compared = compare_models(notes(), folds=2, beside={"marks": find_marks}, done=done.append)
    assert set(compared.told) == {"CRF", "BiLSTM", "union", "intersection", "marks"}
    assert done[0] == "CRF, fold 1 of 2"
    for name in ("CRF", "union"):
        scores = score_types(count_pairs(compared.truth, compared.told[name]))
        assert min(score.f1 for score in scores.values()) > 0.95
    assert {label for note in compared.told["marks"] for label in note} == {"O", "AGE"}
    assert "Oyelaran" not in repr(compared)


def test_no_model_has_seen_the_notes_that_it_tags(monkeypatch: pytest.MonkeyPatch) -> None:
    class Remembers:
        def __init__(self, lines: Sequence[TaggedTokens]) -> None:
            self.seen = {line.words for line in lines}

        def tag(self, words: Sequence[str]) -> list[str]:
            return ["AGE" if tuple(words) in self.seen else "O" for _ in words]

    monkeypatch.setattr(cross_validation, "MODELS", {"CRF": Remembers, "BiLSTM": Remembers})
    some = [
        LabelledNote(RawNote(f"n{n}", f"p{n // 2}", f"word{n} was here\n"), ()) for n in range(8)
    ]
    told = compare_models(some, folds=4).told["CRF"]
    assert {label for note in told for label in note} == {"O"}


def test_notes_to_learn_from_are_the_only_ones_learned_from(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    learned: list[set[Sequence[str]]] = []

    class Remembers:
        def __init__(self, lines: Sequence[TaggedTokens]) -> None:
            learned.append({line.words for line in lines})

        def tag(self, words: Sequence[str]) -> list[str]:
            return ["AGE" for _ in words]

    monkeypatch.setattr(cross_validation, "MODELS", {"CRF": Remembers, "BiLSTM": Remembers})
    (mine, other) = (
        LabelledNote(RawNote(name, name, f"{name} was here\n"), ()) for name in ("mine", "other")
    )
    done: list[str] = []
    compared = compare_models([mine], train=[other], done=done.append)
    assert learned == [{("other", "was", "here")}] * 2
    assert compared.told["CRF"] == [["AGE"] * 3]
    assert done == ["CRF, 1 notes", "BiLSTM, 1 notes"]


def test_a_network_is_the_same_by_its_seed() -> None:
    lines = [
        line for one in notes(8) for line in NoteTokens.cut(one.note.text).tag_lines(one.spans)
    ]
    words = ("Dr", ".", "Oyelaran")
    one, same = (BiLstm.train(lines, epochs=1, seed=3) for _ in range(2))
    assert one.tag(words) == same.tag(words)
    assert one.tag(()) == []


def test_the_shipped_lists_have_names_and_ordinary_words() -> None:
    lists = shipped_lists()
    assert "miller" in lists["name"]
    assert "boston" in lists["place"]
    assert not {"the", "f"} & lists["name"]
