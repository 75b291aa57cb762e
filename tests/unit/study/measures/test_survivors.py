"""What is left of identifiers that recognition overlooks, by hand-computed examples."""

from collections.abc import Iterator, Sequence

from deidstream.schemas.label import PhiLabel
from deidstream.schemas.span import Span
from deidstream.study.measures.measure import Judged
from deidstream.study.measures.survivors import Survivors
from deidstream.study.survival.planted_misses import PlantedMiss
from deidstream.study.survival.survivors import Fate, MissFound
from deidstream.study.techniques.mask_spans import MaskSpans
from deidstream.study.techniques.technique import Output
from support.study_notes import judged, study_note

FIRST = study_note(
    "Ada Quillfeather, seen by Dr. Oyelaran.",
    ("Ada Quillfeather", PhiLabel.PATIENT),
    ("Oyelaran", PhiLabel.DOCTOR),
)
SECOND = study_note("MRN 4471998, knee pain", ("4471998", PhiLabel.MEDICALRECORD), number=1)
NOTES = (FIRST, SECOND)


def test_without_recognition_the_output_tells() -> None:
    figure = Survivors(600, 1).measure(judged(NOTES, "Ada was seen by Dr. OYELARAN", "MRN XX"))
    assert figure is not None
    assert (figure.value, figure.of) == (1 / 3, 3)


def test_note_without_output_has_no_survivor() -> None:
    figure = Survivors(600, 1).measure(Judged(NOTES, [Output("MRN 4471998", 1)]))
    assert figure is not None
    assert (figure.value, figure.of) == (1.0, 1)


def test_every_member_of_a_merged_output_is_looked_for() -> None:
    merged = Output("Ada Quillfeather, Dr. Oyelaran, MRN 4471998", 0, frozenset({1}))
    figure = Survivors(600, 1).measure(Judged(NOTES, [merged]))
    assert figure is not None
    assert (figure.value, figure.of) == (1.0, 3)


def test_what_was_found_again_was_no_miss() -> None:
    class FindsTheFirst:
        name, family = "finds the first", "test"

        def anonymize(self, notes: Sequence[object]) -> Iterator[Output]:
            raise NotImplementedError

        def find_fates(self, misses: Sequence[PlantedMiss]) -> Iterator[MissFound]:
            for number, miss in enumerate(misses):
                yield MissFound(miss.overlooked.label, Fate.GONE if number else Fate.FOUND)

    figure = Survivors(600, 1).measure(Judged(NOTES, [], FindsTheFirst()))
    assert figure is not None
    assert (figure.value, figure.of) == (0.0, 2)


def test_another_de_identifier_leaves_what_it_overlooks() -> None:
    name = Span(0, len("Ada Quillfeather"), PhiLabel.PATIENT)
    technique = MaskSpans("DeI other", {"note-0": [name], "note-1": []})
    figure = Survivors(600, 1).measure(Judged(NOTES, [], technique))
    assert figure is not None
    assert (figure.value, figure.of) == (1.0, 3)


def test_without_direct_identifiers_there_is_nothing_to_measure() -> None:
    assert Survivors(600, 1).measure(judged([study_note("knee pain")], "knee pain")) is None
