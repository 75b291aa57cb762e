"""Each distortion does what it says, and spans still hold what they held."""

import random
from collections.abc import Callable

import pytest

from deidstream.schemas.labelled import LabelledNote
from deidstream.study.corpus import noise
from deidstream.study.corpus.marked import parse_marked_text
from deidstream.study.corpus.noise import Distortion, apply_edits, distort, mistype

TEXT = (
    "# note_type: x\n\n[[HOSPITAL|St. Osyth's Infirmary]]\nPt: [[PATIENT|Núñez Okafor]], "
    '[[AGE|58]]M  MRN:[[MEDICALRECORD|OB-1150]]\nSeen [[DATE|3 May]]; "well" - no pain. Dr. '
    "[[DOCTOR|Øster]]\nagreed: review in clinic, ring [[PHONE|01632 960551]].\n\nPlan. None\nEnd.\n"
)
NOTE = parse_marked_text(TEXT, "x")
SEEDS = range(60)


def held(labelled: LabelledNote) -> list[str]:
    return [labelled.note.text[span.start : span.end] for span in labelled.spans]


def texts(distortion: Distortion) -> list[LabelledNote]:
    return [distortion(NOTE, random.Random(seed)) for seed in SEEDS]


CASES: list[tuple[Distortion, Callable[[str], str]]] = [
    (noise.shout, str.upper),
    (noise.murmur, str.lower),
]


@pytest.mark.parametrize(("distortion", "change"), CASES)
def test_case_changes_everywhere_alike(
    distortion: Distortion, change: Callable[[str], str]
) -> None:
    written = distortion(NOTE, random.Random(1))
    assert written.note.text == change(NOTE.note.text)
    assert held(written) == [change(text) for text in held(NOTE)]


def test_a_letter_that_would_become_two_stays() -> None:
    note = parse_marked_text("Straße [[CITY|Gießen]] x", "x")
    assert held(noise.shout(note, random.Random(1))) == ["GIEßEN"]


def test_only_names_are_lowered() -> None:
    for written in texts(noise.lower_names):
        assert "St. Osyth's Infirmary\nPt: " in written.note.text
    lowered = {tuple(held(written))[1] for written in texts(noise.lower_names)}
    assert "núñez okafor" in lowered


def test_lines_are_broken_between_60_and_80_columns_within_spans_too() -> None:
    note = parse_marked_text(
        "a word " * 30 + "[[STREET|11 Custom House Lane]]" + " a word" * 30, "x"
    )
    broken = False
    for seed in SEEDS:
        written = noise.wrap(note, random.Random(seed))
        assert max(map(len, written.note.text.split("\n"))) <= 81
        assert written.note.text.replace("\n", " ") == note.note.text
        broken |= "\n" in held(written)[0]
    assert broken


def test_joined_lines_differ_in_breaks_alone() -> None:
    for written in texts(noise.join_lines):
        assert written.note.text.replace("\n", " ") == NOTE.note.text.replace("\n", " ")


def test_accents_go() -> None:
    written = noise.unmark(NOTE, random.Random(1))
    assert held(written)[1] == "Nunez Okafor"
    assert "Oster" in held(written)


def test_spaces_after_punctuation_go_before_spans_too() -> None:
    written = [one.note.text for one in texts(noise.glue)]
    assert any("Pt:N" in text for text in written)
    assert all(text.replace(" ", "") == NOTE.note.text.replace(" ", "") for text in written)


def test_spread_adds_blanks_alone() -> None:
    for one in texts(noise.spread):
        assert one.note.text.split() == NOTE.note.text.split()


def test_quotes_and_hyphens_are_typeset() -> None:
    written = [one.note.text for one in texts(noise.typeset)]
    assert any("\u201cwell\u201d \u2013 no" in text for text in written)


def test_invisible_characters_stand_inside_words() -> None:
    unseen = dict.fromkeys(map(ord, "\u200b\u00ad\u2060\u200c\ufeff"))
    for one in texts(noise.hide):
        assert one.note.text.translate(unseen) == NOTE.note.text
        assert [text.translate(unseen) for text in held(one)] == held(NOTE)


def test_slips_and_disguises_are_few() -> None:
    for distortion in (noise.slip, noise.disguise):
        for one in texts(distortion):
            assert abs(len(one.note.text) - len(NOTE.note.text)) < 25
            assert len(one.spans) == len(NOTE.spans)


def test_a_scan_misreads_digits_oftener_and_keeps_every_span() -> None:
    written = [one.note.text for one in texts(noise.scan)]
    assert all(len(one.spans) == len(NOTE.spans) for one in texts(noise.scan))
    assert sum("01632" not in text for text in written) > sum(
        "review" not in text for text in written
    )
    assert any("O1632" in text or "o1632" in text for text in written)


def test_speech_has_no_capitals_and_says_numbers() -> None:
    for one in texts(noise.speak):
        assert one.note.text == one.note.text.lower()
        assert len(one.spans) == len(NOTE.spans)
    assert any("oh one six three two nine six oh" in one.note.text for one in texts(noise.speak))
    assert any("fifty eight" in held(one) for one in texts(noise.speak))
    assert any("full stop" in one.note.text for one in texts(noise.speak))


def test_a_cut_keeps_whole_lines_and_the_spans_in_them() -> None:
    lines = NOTE.note.text.splitlines(keepends=True)
    for one in texts(noise.cut_passage):
        assert one.note.text in NOTE.note.text
        assert set(one.note.text.splitlines(keepends=True)) <= set(lines)
        assert set(held(one)) <= set(held(NOTE))
    assert any(one.note.text.startswith("Seen") for one in texts(noise.cut_passage))


def test_a_cut_never_parts_a_span() -> None:
    note = parse_marked_text("a\nb [[CITY|FAIR\nHAVEN]]\nc\nd\ne\nf", "x")
    for seed in SEEDS:
        written = noise.cut_passage(note, random.Random(seed))
        part = "FAIR" in written.note.text or "HAVEN" in written.note.text
        assert held(written) == (["FAIR\nHAVEN"] if part else [])


def test_an_edit_over_the_edge_of_a_span_is_left_out() -> None:
    start, end = NOTE.spans[2].start, NOTE.spans[2].end
    written = apply_edits(NOTE, [(start - 1, start + 1, "xx"), (end - 1, end, "abc")])
    assert held(written)[2] == "5abc"
    assert held(written)[3:] == held(NOTE)[3:]


def test_a_word_is_mistyped_once() -> None:
    assert {len(mistype(random.Random(seed), "Okafor")) for seed in SEEDS} == {5, 6, 7}
    assert mistype(random.Random(1), "Bo") == "Bo"


def test_the_seed_alone_decides_and_some_notes_stay_as_they_are() -> None:
    written = [distort(NOTE, random.Random(seed)) for seed in range(200)]
    assert written == [distort(NOTE, random.Random(seed)) for seed in range(200)]
    assert 30 < sum(one == NOTE for one in written) < 110


@pytest.mark.parametrize("text", ["", "x", "\n\n\n\n\n", "\u0130" * 20, "- " * 50])
@pytest.mark.parametrize("distortion", noise.DISTORTIONS)
def test_odd_texts_do_no_harm(distortion: Distortion, text: str) -> None:
    for seed in range(5):
        distortion(parse_marked_text(text, "x"), random.Random(seed))
