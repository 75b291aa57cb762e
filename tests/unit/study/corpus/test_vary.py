"""A varied note tells of other people in the same words."""

import random

from deidstream.schemas.label import PhiLabel
from deidstream.schemas.labelled import LabelledNote
from deidstream.study.corpus.fillers.fill import Filler, read_lists
from deidstream.study.corpus.marked import parse_marked_text
from deidstream.study.corpus.vary import vary

FILLER = Filler(random.Random(0), read_lists())
NOTE = parse_marked_text(
    "Patient: [[PATIENT|OKAFOR, JANE]]  DOB [[DATE|02/11/1961]]\nMs. [[PATIENT|Okafor]] is a "
    "[[AGE|58]]-year-old [[PROFESSION|welder]] from [[CITY|Bend]], [[STATE|OR]]. Her son "
    "[[PATIENT|Tom]] called on [[DATE|Monday]] from [[STREET|11 Custom House\nLane]]. Seen by "
    "[[USERNAME|jokafor]] at [[HOSPITAL|Whitecap Hospice]] ([[HOSPITAL|Whitecap]]).",
    "x",
)


def held(labelled: LabelledNote) -> list[str]:
    return [labelled.note.text[span.start : span.end] for span in labelled.spans]


def varied(seed: int, note: LabelledNote = NOTE) -> LabelledNote:
    return vary(note, random.Random(seed), FILLER)


def test_every_span_gets_another_text() -> None:
    for seed in range(50):
        pairs = list(zip(held(NOTE), held(varied(seed)), strict=True))
        assert sum(old == new for old, new in pairs) < 3


def test_the_seed_alone_decides() -> None:
    assert varied(3) == varied(3)
    assert varied(3) != varied(4)


def test_the_fillers_own_chance_is_not_touched() -> None:
    before = FILLER.rng.getstate()
    varied(3)
    assert FILLER.rng.getstate() == before


def test_names_mostly_agree() -> None:
    agreeing = 0
    for seed in range(100):
        full, title, *_ = [text for text, span in zip(held(varied(seed)), NOTE.spans, strict=True)
                           if span.label is PhiLabel.PATIENT]  # fmt: skip
        agreeing += title.casefold() in full.casefold()
    assert agreeing > 85


def test_the_same_text_mostly_becomes_the_same_text() -> None:
    said = "[[DOCTOR|Quill]] and [[DOCTOR|Quill]] on [[DATE|May 3]], [[DATE|May 3]]"
    note = parse_marked_text(said, "x")
    written = [held(varied(seed, note)) for seed in range(100)]
    assert sum(one[0] == one[1] for one in written) > 90
    assert sum(one[2] == one[3] for one in written) > 90


def test_a_broken_span_is_broken_again() -> None:
    for seed in range(30):
        street = held(varied(seed))[8]
        assert ("\n" in street) == (" " in street.replace("\n", " "))


def test_an_article_mostly_fits() -> None:
    note = parse_marked_text(
        "He is a [[PROFESSION|welder]] and was an [[PROFESSION|engineer]].", "x"
    )
    words = [held(varied(seed, note)) for seed in range(100)]
    assert sum(one[0][0].lower() in "aeio" for one in words) < 10
    assert sum(one[1][0].lower() not in "aeiou" for one in words) < 25


def test_a_shouted_note_stays_shouted() -> None:
    note = parse_marked_text("SEEN ON [[DATE|10/03/2028]] IN [[HOSPITAL|WARD 7B]] BY US ALL", "x")
    assert all(varied(seed, note).note.text.isupper() for seed in range(40))


def test_no_full_stop_comes_twice() -> None:
    note = parse_marked_text("Seen [[DATE|Monday]]. With [[PATIENT|Jane Okafor]].", "x")
    assert not any(".." in varied(seed, note).note.text for seed in range(200))


def test_what_no_filler_can_imitate_is_kept() -> None:
    note = parse_marked_text("since the [[DATE|harmattan]] at [[LOCATION_OTHER|the lake]]", "x")
    unvaried = Filler(random.Random(0), FILLER.lists, reformed=0.0)
    assert vary(note, random.Random(1), unvaried).note.text == note.note.text
