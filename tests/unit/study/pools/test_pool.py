from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from deidstream.models.references.common_lines import comparison_key
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import RawNote
from deidstream.schemas.span import Span
from deidstream.study.pools.pool import Pool, PoolPlan, choose_pool
from deidstream.study.pools.shards import Shards
from deidstream.study.pools.sifting import DropReason


@dataclass(frozen=True, slots=True)
class Finds:
    """A recognizer that finds one word, where ``within`` is in the text too."""

    word: str
    within: str = ""
    name: str = "finds"

    def recognize(self, notes: Sequence[RawNote]) -> list[tuple[Span, ...]]:
        return [self._in(note.text) for note in notes]

    def _in(self, text: str) -> tuple[Span, ...]:
        at = text.find(self.word)
        if at < 0 or self.within not in text:
            return ()
        return (Span(at, at + len(self.word), PhiLabel.PATIENT, source="rules:test"),)


def note(text: str, donor: str = "d1") -> RawNote:
    return RawNote("n", donor, text)


def texts(notes: list[RawNote], *recognizers: Finds) -> list[str]:
    return [sentence.text for sentence in choose_pool(notes, recognizers).sentences]


def test_sentences_keep_their_donor() -> None:
    (sentence,) = choose_pool([note("No fever or cough today.", "d7")], []).sentences
    assert (sentence.text, sentence.donor) == ("No fever or cough today.", "d7")


def test_a_source_note_keeps_its_type() -> None:
    stated = RawNote("n1", "d1", "No fever or cough today.", note_type="Clinic letter")
    assert [source.kind for source in choose_pool([stated], []).notes] == ["Clinic letter"]


def test_a_span_becomes_a_slot() -> None:
    text = "Ada was seen this morning. No fever or cough today."
    assert texts([note(text)], Finds("Ada")) == [
        "[PATIENT] was seen this morning.",
        "No fever or cough today.",
    ]


def test_recognizers_that_disagree_keep_a_sentence_out() -> None:
    text = "Ada Lane was seen this morning. No fever or cough today."
    found = choose_pool([note(text)], [Finds("Ada"), Finds("Ada Lane")])
    assert [s.text for s in found.sentences] == ["No fever or cough today."]
    assert found.counts.dropped == {DropReason.FOUND: 1}


def test_a_span_over_two_sentences_keeps_both_out() -> None:
    text = "She was seen by Lane. Ada was well and home. No fever or cough today."
    assert texts([note(text)], Finds("Lane. Ada")) == ["No fever or cough today."]


def test_every_recognizer_counts() -> None:
    text = "Ada was seen this morning. Her uncle Bob came along."
    assert texts([note(text)], Finds("Ada"), Finds("Bob")) == [
        "[PATIENT] was seen this morning.",
        "Her uncle [PATIENT] came along.",
    ]


def test_a_sentence_is_read_again_alone() -> None:
    class Alone(Finds):
        def recognize(self, notes: Sequence[RawNote]) -> list[tuple[Span, ...]]:
            return [self._in(n.text) if "note" not in n.text else () for n in notes]

    found = choose_pool([note("Seen with ada in clinic. End of note here now.")], [Alone("ada")])
    assert [s.text for s in found.sentences] == ["End of note here now."]
    assert found.counts.dropped == {DropReason.ALONE: 1}


def test_nearly_the_same_sentence_enters_once_with_all_its_donors() -> None:
    one = "She was taken to the room and placed on the table in a supine position today."
    other = one.replace(" today", "")
    found = choose_pool([note(one, "a"), note(other, "b"), note(one, "c"), note(other, "a")], [])
    assert [(s.text, s.donors) for s in found.sentences] == [(one, ("a", "c", "b"))]
    assert (found.counts.read, found.counts.same, found.counts.similar) == (4, 2, 1)


@pytest.mark.parametrize(("least", "count"), [(1, 2), (2, 1), (3, 0)])
def test_a_sentence_needs_so_many_donors(least: int, count: int) -> None:
    notes = [note("No fever or cough today.", donor) for donor in "aab"]
    notes.append(note("She sleeps well at night.", "c"))
    found = choose_pool(notes, [], PoolPlan(min_donors=least))
    assert len(found.sentences) == count
    assert found.counts.dropped.total() == 2 - count


@pytest.mark.parametrize(("least", "donors"), [(0, [("a",), ()]), (1, [("a",), ()]), (2, [])])
def test_a_note_of_no_patient_adds_no_donor(least: int, donors: list[tuple[str, ...]]) -> None:
    notes = [note("No fever or cough today.", donor) for donor in ("", "a")]
    notes.append(note("She sleeps well at night.", ""))
    found = choose_pool(notes, [], PoolPlan(min_donors=least))
    assert [one.donors for one in found.sentences] == donors
    assert all(one.donor or not one.others for one in found.sentences)


class Counting(Finds):
    """Counts the texts that it reads."""

    read: list[int] = []  # noqa: RUF012

    def recognize(self, notes: Sequence[RawNote]) -> list[tuple[Span, ...]]:
        self.read.append(len(notes))
        return Finds.recognize(self, notes)


def choose_kept(folder: Path, made_by: str = "") -> Pool:
    notes = [note(f"Ada, patient {i}, is doing well.", f"d{i}") for i in range(150)]
    return choose_pool(notes, [Counting("Ada")], PoolPlan(made_by=made_by, shards=Shards(folder)))


def test_what_was_read_is_not_read_again(tmp_path: Path) -> None:
    first = choose_kept(tmp_path)
    Counting.read.clear()
    assert choose_kept(tmp_path) == first
    assert Counting.read == []
    next(iter(sorted(tmp_path.iterdir()))).write_bytes(b"damaged")
    assert choose_kept(tmp_path) == first
    assert len(Counting.read) == 1
    Counting.read.clear()
    assert choose_kept(tmp_path, "other recognizers") == first
    assert sum(Counting.read) == 300


def test_the_same_sentence_enters_once_with_its_first_donor() -> None:
    pool = choose_pool([note("No fever, or cough!"), note("No fever or cough.", "d2")], [])
    assert [(s.text, s.donor) for s in pool.sentences] == [("No fever, or cough!", "d1")]


def test_normal_form_is_words_alone() -> None:
    assert comparison_key("No  Fever,\nor COUGH!") == "no fever or cough"


def test_headings_stay_out_and_white_space_is_single() -> None:
    text = "PAST MEDICAL HISTORY OF NOTE\nAsthma in   childhood,  none now."
    assert texts([note("HPI: " + "No fever  or cough today.")]) == ["No fever or cough today."]
    assert "PAST MEDICAL HISTORY OF NOTE" not in texts([note(text)])


def test_contexts_leave_the_span_out() -> None:
    pool = choose_pool([note("one two Ada three four")], [Finds("Ada")])
    assert pool.contexts == ("one two three four",)


def test_overlapping_spans_make_one_context() -> None:
    pool = choose_pool([note("one two Ada Lane three")], [Finds("Ada Lane"), Finds("Lane")])
    assert pool.contexts == ("one two three",)


def test_batches_do_not_show() -> None:
    notes = [note(f"Patient number {i} is doing well.") for i in range(150)]
    assert len(texts(notes)) == 150
