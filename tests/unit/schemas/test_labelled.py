import pytest

from deidstream.schemas.errors import Reason
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.labelled import (
    InvalidLabelled,
    LabelledNote,
    decode_labelled,
    encode_labelled,
)
from deidstream.schemas.note import RawNote
from deidstream.schemas.span import Span

NOTE = RawNote("n1", "p1", "Seen by Ada on Monday.", note_type="visit")
SPANS = (Span(8, 11, PhiLabel.DOCTOR), Span(15, 21, PhiLabel.DATE))


def _line(spans: str) -> bytes:
    return (
        b'{"note_id": "n", "patient_id": "p", "text": "Seen by Ada", "spans": %s}' % spans.encode()
    )


def test_what_is_written_is_read_back() -> None:
    labelled = LabelledNote(NOTE, SPANS)
    assert decode_labelled(encode_labelled(labelled)) == labelled


def test_labels_may_stand_under_either_name_and_spans_in_any_order() -> None:
    said = (
        '[{"start": 8, "end": 11, "label": "LOCATION-OTHER"},'
        ' {"start": 0, "end": 4, "type": "AGE"}]'
    )
    labels = [span.label for span in decode_labelled(_line(said)).spans]
    assert labels == [PhiLabel.AGE, PhiLabel.LOCATION_OTHER]


@pytest.mark.parametrize(
    ("spans", "why"),
    [
        ('["x"]', "spans, item 1: it is no object"),
        ('[{"start": 0.5, "end": 4, "type": "AGE"}]', "spans, item 1: start and end must be whole"),
        ('[{"start": 4, "end": 4, "type": "AGE"}]', "spans, item 1: start and end must be whole"),
        ('[{"start": 0, "end": 99, "type": "AGE"}]', "[0, 99) reaches beyond the 11 characters"),
        ('[{"start": 0, "end": 4, "type": "NOBODY"}]', "spans, item 1: its type is none of the 28"),
        (
            '[{"start": 3, "end": 6, "type": "AGE"}, {"start": 0, "end": 4, "type": "AGE"}]',
            "spans: [0, 4) and [3, 6) overlap",
        ),
        ("7", "spans must be a list"),
    ],
)
def test_spans_that_are_none_are_refused_with_their_place(spans: str, why: str) -> None:
    with pytest.raises(InvalidLabelled) as refused:
        decode_labelled(_line(spans))
    assert refused.value.reason is Reason.WRONG_TYPE
    assert why in refused.value.why


def test_a_line_that_lacks_a_field_is_refused() -> None:
    with pytest.raises(InvalidLabelled) as refused:
        decode_labelled(b'{"note_id": "n", "text": "Seen"}')
    assert (refused.value.reason, refused.value.why) == (Reason.MISSING_FIELD, "spans is missing")


def test_a_repr_shows_no_spans_and_no_text() -> None:
    assert "Ada" not in repr(LabelledNote(NOTE, SPANS))


def test_a_label_of_a_sites_own_is_known_by_the_policy_or_says_what_it_is_like() -> None:
    spans = '[{{"start": 0, "end": 4, "type": "STUDY_NUMBER"{like}}}]'
    labels = {"STUDY_NUMBER": PhiLabel.IDNUM}
    named = decode_labelled(_line(spans.format(like="")), labels)
    said = decode_labelled(_line(spans.format(like=', "like": "IDNUM"')))
    assert named.spans == said.spans
    assert [(one.name, one.label) for one in said.spans] == [("STUDY_NUMBER", PhiLabel.IDNUM)]
    assert decode_labelled(encode_labelled(said)) == said
