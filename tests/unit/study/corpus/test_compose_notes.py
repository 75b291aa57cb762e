import random
from collections import Counter
from itertools import pairwise

import pytest

from deidstream.schemas.label import PhiLabel
from deidstream.study.corpus import frames
from deidstream.study.corpus.compose_notes import compose_notes
from deidstream.study.corpus.frames import Draft
from deidstream.study.corpus.inject.cast import Cast
from support.filling import SmallFilling

LEAST_FRAMES = 120
BLOCKS = ("headers", "footers", "tables", "notes")
LINES = ("sentences", "negatives")


def drafts(name: str, seed: int) -> list[Draft]:
    every = frames.blocks(name) if name in BLOCKS else frames.lines(name)
    found = [Draft() for _ in every]
    for draft, frame in zip(found, every, strict=True):
        draft.write(frame.pieces, Cast.draw(SmallFilling(), random.Random(seed)))
    return found


@pytest.mark.parametrize("name", [*BLOCKS, *LINES])
@pytest.mark.parametrize("seed", range(8))
def test_every_frame_can_be_written(name: str, seed: int) -> None:
    written = drafts(name, seed)
    assert written
    for draft in written:
        note = draft.note("n", "k")
        text = note.note.text
        assert text.strip()
        assert "{" not in text.replace('{"', "")
        assert all(text[s.start : s.end].strip() for s in note.spans)


@pytest.mark.parametrize("seed", range(8))
def test_frames_without_phi_hold_none(seed: int) -> None:
    assert [draft.spans for draft in drafts("negatives", seed) if draft.spans] == []


def test_no_name_is_cut_in_two() -> None:
    for name in (*BLOCKS, *LINES):
        for draft in drafts(name, 3):
            note = draft.note("n", "k")
            people = [s for s in note.spans if s.label is PhiLabel.PATIENT]
            gaps = [note.note.text[one.end : other.start] for one, other in pairwise(people)]
            assert " " not in gaps


def test_there_are_many_frames() -> None:
    assert len(frames.blocks("notes")) >= LEAST_FRAMES
    assert len(frames.lines("sentences")) >= 2 * LEAST_FRAMES
    assert len({frame.pieces for frame in frames.blocks("notes")}) == len(frames.blocks("notes"))


def test_every_label_is_written_often() -> None:
    found = Counter(s.label for note in compose_notes(SmallFilling(), 1, 400) for s in note.spans)
    assert min(found[label] for label in PhiLabel) > 15


def test_a_seed_says_it_all() -> None:
    first = list(compose_notes(SmallFilling(), 5, 12))
    assert first == list(compose_notes(SmallFilling(), 5, 12))
    assert first[:6] == list(compose_notes(SmallFilling(), 5, 6))
    assert first != list(compose_notes(SmallFilling(), 6, 12))
    assert len({note.note.note_id for note in first}) == len(first)
