import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import RawNote
from deidstream.schemas.span import Span
from deidstream.study.scoring.i2b2.official_cells import CELLS
from deidstream.study.scoring.i2b2.official_score import score_i2b2
from deidstream.study.scoring.i2b2.tags import I2b2Note, InvalidI2b2, Tag, label_i2b2
from deidstream.study.scoring.i2b2.xml_files import name_notes, read_i2b2, read_name, write_i2b2
from support.profiles import few

UNWRITABLE = {*map(chr, range(32)), "\ufffe", "\uffff"} - {"\t", "\n", "\r"}
writable = st.characters(exclude_categories=["Cs"], exclude_characters=sorted(UNWRITABLE))
hard = st.sampled_from("]]]>>><&\"'\r\n\t ab1é\U0001d49c")
texts = st.text(hard | writable, max_size=60)
labels = st.sampled_from(PhiLabel)


@st.composite
def noted(draw: st.DrawFn) -> tuple[str, tuple[Span, ...]]:
    text = draw(texts)
    cuts = sorted(draw(st.sets(st.integers(0, len(text)), max_size=8)))
    pairs = zip(cuts[::2], cuts[1::2], strict=False)
    return text, tuple(Span(start, end, draw(labels)) for start, end in pairs)


@st.composite
def a_tag(draw: st.DrawFn, length: int) -> Tag:
    start = draw(st.integers(0, length - 1))
    end = min(start + draw(st.integers(1, 6)), length)
    element = draw(st.sampled_from(["NAME", "ID", "PHI"]))
    return Tag(start, end, element, draw(st.sampled_from(["PATIENT", "patient", "IDNUM"])))


@st.composite
def tagged(draw: st.DrawFn) -> tuple[I2b2Note, I2b2Note]:
    text = draw(st.text("ab1 -", min_size=12, max_size=12))
    tag = a_tag(len(text))
    sides = [tuple(draw(st.lists(tag, max_size=6))) for _ in range(2)]
    return I2b2Note(text, sides[0]), I2b2Note(text, sides[1])


@given(noted())
def test_what_is_written_is_read_back(note: tuple[str, tuple[Span, ...]]) -> None:
    text, spans = note
    labelled = label_i2b2(read_i2b2(write_i2b2(text, spans)), "n", "p")
    assert (labelled.note.note.text, labelled.note.spans) == (text, spans)
    assert labelled.lost == {}
    assert write_i2b2(text, labelled.note.spans) == write_i2b2(text, spans)


@given(texts, st.sampled_from([*sorted(UNWRITABLE), "\ud800", "\udfff"]), texts)
def test_what_xml_cannot_hold_is_refused(before: str, wrong: str, after: str) -> None:
    with pytest.raises(InvalidI2b2, match=f"^the character at {len(before)} is"):
        write_i2b2(before + wrong + after, [])


@given(st.binary(max_size=80) | texts.map(str.encode))
def test_anything_is_read_or_refused(junk: bytes) -> None:
    xml = b'<d><TEXT>x</TEXT><TAGS><ID start="0" end="1" TYPE="SSN"/>' + junk + b"</TAGS></d>"
    for one in (junk, xml):
        try:
            read_i2b2(one)
        except InvalidI2b2:
            continue


@given(st.lists(st.tuples(st.text(), st.text(max_size=2)), unique_by=lambda ids: ids[0]))
def test_file_names_are_plain_and_differ(ids: list[tuple[str, str]]) -> None:
    names = name_notes([RawNote(note_id, patient_id, "") for note_id, patient_id in ids])
    assert len({read_name(name).note_id for name in names}) == len(ids)
    assert all(set(name) <= set("0123456789-.xml") for name in names)


def strictly(gold: I2b2Note, found: I2b2Note) -> tuple[int, int, int]:
    """Count by comparing each with each."""
    ones, others = (
        {(tag.element, tag.start, tag.end, tag.type_name.upper()) for tag in side.tags}
        for side in (gold, found)
    )
    met = sum(one == other for one in ones for other in others)
    return met, len(others) - met, len(ones) - met


@few(40)
@given(tagged())
def test_cells_hold_together(pair: tuple[I2b2Note, I2b2Note]) -> None:
    made = {score.cell.name: score for score in score_i2b2([pair], CELLS)}
    hits = made["strict typed all"].hits
    assert (hits.found, hits.spurious, hits.missed) == strictly(*pair)
    for score in made.values():
        # Of one note, macro and micro are the same.
        assert score.macro == score.micro
        assert 0 <= score.micro.f1 <= 1
    mirrored = {score.cell.name: score for score in score_i2b2([(pair[1], pair[0])], CELLS)}
    for name, score in made.items():
        back = mirrored[name].hits
        assert (back.spurious, back.missed) == (score.hits.missed, score.hits.spurious)


@few(40)
@given(tagged())
def test_gold_against_itself_is_perfect_or_empty(pair: tuple[I2b2Note, I2b2Note]) -> None:
    gold = pair[0]
    for score in score_i2b2([(gold, gold)], CELLS):
        assert score.hits.spurious == score.hits.missed == 0
        assert score.micro.f1 == (1 if score.hits.found else 0)
