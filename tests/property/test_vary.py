"""Laws of variation and distortion, whatever the note."""

import random
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidstream.schemas.label import PhiLabel
from deidstream.schemas.labelled import LabelledNote
from deidstream.schemas.note import RawNote
from deidstream.schemas.span import Span
from deidstream.study.corpus.fillers.fill import Filler, read_lists
from deidstream.study.corpus.noise import DISTORTIONS, Distortion, cut_passage, distort
from deidstream.study.corpus.vary import vary

WORDS = [
    "James",
    "SMITH",
    "o'brien",
    "Bello-Hart",
    "van der",
    "St.",
    "Lake",
    "Hospital",
    "4 West",
    "7B",
    "Jr.",
    "58",
    "fifty-six",
    "3rd",
    "5/3/24",
    "May",
    "2031-02-11",
    "Monday",
    "555-0172",
    "NH",
    "+44",
    "@x.example",
    "XXX-XX-0417",
    "10.0.0.1",
    "Øster",
    "王",
    "MWF",
    "'98",
]

words = st.sampled_from(WORDS) | st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
gaps = st.sampled_from([" ", "\n", ", ", "", "  ", ". ", "-", "^"])
phrases = st.lists(words, min_size=1, max_size=5).flatmap(
    lambda some: gaps.map(lambda gap: gap.join(some))
)
labels = st.sampled_from([None, *PhiLabel])
seeds = st.integers(0, 2**32)


@cache
def filler() -> Filler:
    return Filler(random.Random(0), read_lists())


@st.composite
def notes(draw: st.DrawFn) -> LabelledNote:
    text, spans = "", list[Span]()
    for said, label in draw(st.lists(st.tuples(phrases, labels), max_size=8)):
        if label is not None and said:
            spans.append(Span(len(text), len(text) + len(said), label))
        text += said + (draw(gaps) if label is None else "")
    return LabelledNote(RawNote("n", "p", text), tuple(spans))


def around(labelled: LabelledNote) -> list[str]:
    """The text between the spans."""
    ends = [0, *(span.end for span in labelled.spans)]
    starts = [*(span.start for span in labelled.spans), len(labelled.note.text)]
    return [labelled.note.text[end:start] for end, start in zip(ends, starts, strict=True)]


def labels_of(labelled: LabelledNote) -> list[PhiLabel]:
    return [span.label for span in labelled.spans]


@pytest.mark.slow
@given(notes(), seeds)
def test_variation_changes_spans_alone(labelled: LabelledNote, seed: int) -> None:
    varied = vary(labelled, random.Random(seed), filler())
    assert around(varied) == around(labelled)
    assert labels_of(varied) == labels_of(labelled)


@given(notes(), seeds)
def test_variation_rests_on_the_seed_alone(labelled: LabelledNote, seed: int) -> None:
    once, again = (vary(labelled, random.Random(seed), filler()) for _ in range(2))
    assert once == again


@given(notes(), seeds, st.sampled_from([one for one in DISTORTIONS if one is not cut_passage]))
def test_distortions_keep_every_span(
    labelled: LabelledNote, seed: int, distortion: Distortion
) -> None:
    written = distortion(labelled, random.Random(seed))
    assert labels_of(written) == labels_of(labelled)
    assert "".join(pieces(written)) == written.note.text


def pieces(labelled: LabelledNote) -> list[str]:
    """The text cut at the edges of spans; joined it is the text, if spans are sorted and apart."""
    between = around(labelled)
    inside = [labelled.note.text[span.start : span.end] for span in labelled.spans]
    return [between[0], *(part for pair in zip(inside, between[1:], strict=True) for part in pair)]


@given(notes(), seeds)
def test_a_cut_keeps_what_it_keeps_unchanged(labelled: LabelledNote, seed: int) -> None:
    written = cut_passage(labelled, random.Random(seed))
    start = labelled.note.text.find(written.note.text)
    assert start >= 0
    texts = [written.note.text[span.start : span.end] for span in written.spans]
    old = [labelled.note.text[span.start : span.end] for span in labelled.spans]
    assert all(text in old for text in texts)


@given(notes(), seeds)
def test_distortion_rests_on_the_seed_alone(labelled: LabelledNote, seed: int) -> None:
    once, again = (distort(labelled, random.Random(seed)) for _ in range(2))
    assert once == again
