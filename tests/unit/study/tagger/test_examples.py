"""What a tagger learns from: windows that together hold every piece, and what each piece is."""

import numpy as np
import pytest

from deidstream.models.neural.passes.packing import cut_windows
from deidstream.models.neural.tokenizer import Pieces
from deidstream.models.recognizers.label_map import find_beginnings, translate_labels
from deidstream.models.recognizers.word_shapes import pack_shapes
from deidstream.schemas.errors import InvalidSettings
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.labelled import LabelledNote
from deidstream.schemas.note import RawNote
from deidstream.schemas.span import Span
from deidstream.study.tagger.examples import IGNORED, OUTPUTS, Example, examples, targets_of
from support.checkpoints import encoder


@pytest.fixture(scope="module")
def pieces(tmp_path_factory: pytest.TempPathFactory) -> Pieces:
    return Pieces.load(encoder(tmp_path_factory.mktemp("examples")))


def _marked(text: str, **marks: str) -> LabelledNote:
    spans = []
    for label, inner in marks.items():
        start = text.index(inner)
        spans.append(Span(start, start + len(inner), PhiLabel[label]))
    return LabelledNote(RawNote("n", "p", text), tuple(sorted(spans)))


def _outputs(pieces: Pieces, labelled: LabelledNote) -> list[str]:
    (encoding,) = pieces.encode([labelled.note.text])
    return [OUTPUTS[target] for target in targets_of(encoding, labelled.spans)]


def _cut(pieces: Pieces, *notes: LabelledNote, window: int = 16, overlap: int = 4) -> list[Example]:
    return list(examples(notes, pieces, window=window, overlap=overlap))


def test_the_outputs_are_read_as_our_labels() -> None:
    columns = translate_labels(dict(enumerate(OUTPUTS)), {})
    assert columns == (None, *(label for label in PhiLabel for _ in "BI"))
    assert find_beginnings(dict(enumerate(OUTPUTS))) == (
        True,
        *(side == "B" for _ in PhiLabel for side in "BI"),
    )


def test_the_first_piece_of_a_span_begins_it(pieces: Pieces) -> None:
    labelled = _marked("seen john smith march", PATIENT="john smith")
    assert _outputs(pieces, labelled) == ["O", "B-PATIENT", "I-PATIENT", "O"]


def test_spans_that_touch_both_begin(pieces: Pieces) -> None:
    labelled = _marked("john march", PATIENT="john", DATE="march")
    assert _outputs(pieces, labelled) == ["B-PATIENT", "B-DATE"]
    touching = LabelledNote(
        RawNote("n", "p", "1/2"),
        (Span(0, 1, PhiLabel.DATE), Span(1, 3, PhiLabel.DATE)),
    )
    assert _outputs(pieces, touching) == ["B-DATE", "B-DATE", "I-DATE"]


def test_a_piece_that_a_span_touches_is_in_it(pieces: Pieces) -> None:
    assert _outputs(pieces, _marked("john seen", PATIENT="oh")) == ["B-PATIENT", "O"]
    inner = _outputs(pieces, _marked("xyz seen", PATIENT="yz"))
    assert inner == ["O", "B-PATIENT", "I-PATIENT", "O"]


def test_a_piece_of_two_spans_is_the_first_ones(pieces: Pieces) -> None:
    spans = (Span(0, 2, PhiLabel.PATIENT), Span(2, 4, PhiLabel.CITY), Span(5, 9, PhiLabel.DATE))
    labelled = LabelledNote(RawNote("n", "p", "john seen"), spans)
    assert _outputs(pieces, labelled) == ["B-PATIENT", "B-DATE"]


def test_a_span_without_pieces_is_nothing(pieces: Pieces) -> None:
    assert _outputs(pieces, _marked("john\u200b \u200b seen", CITY="\u200b \u200b")) == ["O", "O"]


def test_a_short_note_is_one_window_and_read_as_the_tagger_reads_it(pieces: Pieces) -> None:
    labelled = _marked("Seen\nJOHN", PATIENT="JOHN")
    (example,) = _cut(pieces, labelled)
    (encoding,) = pieces.encode([labelled.note.text])
    assert example.pieces.tolist() == pieces.add_special_ids(
        pack_shapes(labelled.note.text, encoding)
    )
    assert example.targets.tolist() == [IGNORED, 0, OUTPUTS.index("B-PATIENT"), IGNORED]


def test_windows_hold_every_piece_with_its_target(pieces: Pieces) -> None:
    labelled = _marked("x " * 20 + "John Smith Miller " + "y " * 30, PATIENT="John Smith Miller")
    (encoding,) = pieces.encode([labelled.note.text])
    ids = pack_shapes(labelled.note.text, encoding)
    targets = targets_of(encoding, labelled.spans)
    cuts = cut_windows(len(ids), size=14, overlap=4)
    found = _cut(pieces, labelled)
    assert len(found) == len(cuts) > 3
    for cut, example in zip(cuts, found, strict=True):
        assert example.pieces[1:-1].tolist() == ids[cut.start : cut.end]
        assert example.targets[1:-1].tolist() == targets[cut.start : cut.end]
        assert len(example.pieces) == len(example.targets) <= 16


def test_a_window_may_open_inside_a_span(pieces: Pieces) -> None:
    labelled = _marked("x " * 4 + "john " * 30, PATIENT=("john " * 30).strip())
    first, second, *_ = _cut(pieces, labelled)
    assert OUTPUTS.index("B-PATIENT") in first.targets
    assert set(second.targets[1:-1].tolist()) == {OUTPUTS.index("I-PATIENT")}


def test_notes_follow_each_other_and_blank_ones_give_nothing(pieces: Pieces) -> None:
    blank = LabelledNote(RawNote("n", "p", " \n\u200b"), ())
    one, other = _marked("john", PATIENT="john"), _marked("march", DATE="march")
    together = _cut(pieces, one, blank, other)
    assert [example.targets.tolist() for example in together] == [
        example.targets.tolist() for note in (one, other) for example in _cut(pieces, note)
    ]


def test_pieces_and_targets_are_small(pieces: Pieces) -> None:
    (example,) = _cut(pieces, _marked("john", PATIENT="john"))
    assert example.pieces.dtype == np.dtype(np.int32)
    assert example.targets.dtype == np.dtype(np.int8)
    assert len(OUTPUTS) <= np.iinfo(np.int8).max


def test_a_window_too_long_for_the_model_is_refused(pieces: Pieces) -> None:
    with pytest.raises(InvalidSettings, match="does not fit"):
        _cut(pieces, _marked("john", PATIENT="john"), window=65)


def test_an_example_does_not_show_its_note(pieces: Pieces) -> None:
    (example,) = _cut(pieces, _marked("john", PATIENT="john"))
    assert repr(example) == "Example()"
