from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from deidstream.models.kneo.pool import choose_pool, is_fitting
from deidstream.models.references.common_lines import comparison_key
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import RawNote
from deidstream.schemas.span import Span


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
        return (Span(at, at + len(self.word), PhiLabel.PATIENT),)


def note(text: str, donor: str = "d1") -> RawNote:
    return RawNote("n", donor, text)


def texts(notes: list[RawNote], *recognizers: Finds) -> list[str]:
    return [sentence.text for sentence in choose_pool(notes, recognizers).sentences]


def test_sentences_keep_their_donor() -> None:
    (sentence,) = choose_pool([note("No fever or cough today.", "d7")], []).sentences
    assert (sentence.text, sentence.donor) == ("No fever or cough today.", "d7")


def test_a_sentence_with_a_span_stays_out() -> None:
    text = "Ada was seen this morning. No fever or cough today."
    assert texts([note(text)], Finds("Ada")) == ["No fever or cough today."]


def test_a_span_over_two_sentences_keeps_both_out() -> None:
    text = "She was seen by Lane. Ada was well and home. No fever or cough today."
    assert texts([note(text)], Finds("Lane. Ada")) == ["No fever or cough today."]


def test_every_recognizer_counts() -> None:
    text = "Ada was seen this morning. Her uncle Bob came along."
    assert texts([note(text)], Finds("Ada"), Finds("Bob")) == []


def test_a_sentence_is_read_again_alone() -> None:
    class Alone(Finds):
        def recognize(self, notes: Sequence[RawNote]) -> list[tuple[Span, ...]]:
            return [self._in(n.text) if "note" not in n.text else () for n in notes]

    assert texts([note("Seen with Ada in clinic. End of note here now.")], Alone("Ada")) == [
        "End of note here now."
    ]


@pytest.mark.parametrize(
    "text",
    [
        "No acute distress",
        " ".join(["word"] * 61),
        "His number is 12345 as noted",
        "His number is 555-0149 as noted",
        "Write to ada@example.org for more",
        "See http://example.org for more details",
        "See www.example.org for more details",
        "12 34 5 6",
    ],
)
def test_what_does_not_fit(text: str) -> None:
    assert not is_fitting(text)


@pytest.mark.parametrize(
    "text",
    ["Blood pressure today 120/80 again", "Platelets were 1250 after two days", "word " * 60],
)
def test_what_fits(text: str) -> None:
    assert is_fitting(text)


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
