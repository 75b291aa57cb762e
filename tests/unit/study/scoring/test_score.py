from collections.abc import Callable

import pytest

from deidstream.schemas.label import PhiLabel
from deidstream.schemas.labelled import LabelledNote
from deidstream.schemas.span import Span
from deidstream.study.scoring.cells import CELLS, HIPAA, REDACT, Cell, Counts, Criterion, LabelSet
from deidstream.study.scoring.error_kinds import ErrorKind
from deidstream.study.scoring.match import prepare_reference
from deidstream.study.scoring.score import score
from deidstream.study.scoring.totals import Burden, Leaks, Score, headline, total
from support.notes import note

Mark = Callable[[str], LabelledNote]

TOKEN = Criterion.TOKEN


def cell(criterion: Criterion, scope: LabelSet = LabelSet.ALL, *, typed: bool = True) -> Cell:
    return Cell(criterion, typed, scope)


@pytest.fixture
def labelled(mark: Mark) -> LabelledNote:
    return mark(
        "Mr. [[PATIENT|Ada Quill]] (MRN [[MEDICALRECORD|44-71]]) came to [[HOSPITAL|St. Orla]] on "
        "[[DATE|3 May]]; seen by Dr. [[DOCTOR|Frost]]."
    )


def scored(gold: LabelledNote, *spans: Span) -> Score:
    return score(prepare_reference(gold), spans)


def test_gold_scores_1_everywhere(labelled: LabelledNote) -> None:
    perfect = scored(labelled, *labelled.spans)
    assert {perfect.micro(each).f1 for each in CELLS} == {1.0}
    assert perfect.mistakes == {}
    assert perfect.leaks == Leaks(spans=5, notes_with_phi=1)
    assert perfect.all_notes == Burden(notes=1, words=16)


def test_nothing_predicted_leaves_precision_undefined(labelled: LabelledNote) -> None:
    nothing = scored(labelled)
    assert nothing.redact == Counts(gold=9)
    assert nothing.redact.precision is None
    assert nothing.leaks == Leaks(5, leaking=5, missed=5, notes_with_phi=1, leaking_notes=1)
    assert nothing.means[REDACT].precision_notes == 0
    assert nothing.means[REDACT].mean_recall == 0.0


def test_a_wrong_label_is_found_by_the_blind(labelled: LabelledNote) -> None:
    spans = [Span(s.start, s.end, PhiLabel.DOCTOR) for s in labelled.spans]
    wrong = scored(labelled, *spans)
    assert wrong.micro(cell(Criterion.STRICT)) == Counts(1, 5, 1, 5)
    assert wrong.micro(cell(Criterion.STRICT, typed=False)) == Counts(5, 5, 5, 5)
    assert wrong.redact.recall == 1.0
    assert wrong.counts[cell(TOKEN)][PhiLabel.DOCTOR] == Counts(1, 1, 1, 9)
    assert wrong.counts[cell(TOKEN)][PhiLabel.PATIENT] == Counts(0, 2, 0, 0)
    assert wrong.mistakes[(ErrorKind.WRONG_LABEL, PhiLabel.DATE, PhiLabel.DOCTOR)] == 1


def test_blind_recall_is_by_the_label_of_gold(labelled: LabelledNote) -> None:
    start = labelled.note.text.index("Quill")
    half = scored(labelled, Span(start, start + 5, PhiLabel.CITY))
    assert half.counts[REDACT][PhiLabel.PATIENT] == Counts(1, 2, 0, 0)
    assert half.counts[REDACT][PhiLabel.CITY] == Counts(0, 0, 1, 1)


def test_hipaa_counts_the_labels_of_its_list(labelled: LabelledNote) -> None:
    perfect = scored(labelled, *labelled.spans)
    assert perfect.micro(cell(Criterion.STRICT, LabelSet.HIPAA)).gold == 3
    assert PhiLabel.IDNUM in HIPAA
    assert not HIPAA & {PhiLabel.DOCTOR, PhiLabel.HOSPITAL, PhiLabel.URL, PhiLabel.PROFESSION}


def test_hipaa_phi_under_another_label_is_covered_though_not_matched(mark: Mark) -> None:
    gold = mark("Mr. [[PATIENT|Quill]]")
    found = scored(gold, Span(4, 9, PhiLabel.DOCTOR))
    for criterion, count in ((Criterion.STRICT, 0), (TOKEN, 0), (Criterion.COVERED, 1)):
        assert found.micro(cell(criterion, LabelSet.HIPAA, typed=False)).found == count


def test_a_token_that_is_cut_is_no_token_of_i2b2s_but_may_be_covered(mark: Mark) -> None:
    gold = mark("a [[AGE|58]]F here")
    wide = scored(gold, Span(2, 5, PhiLabel.AGE))
    assert wide.micro(cell(TOKEN)) == Counts(0, 1, 0, 1)
    assert wide.redact == Counts(1, 1, 0, 1)
    assert wide.leaks.leaking == 0


def test_part_of_a_token_leaks(mark: Mark) -> None:
    gold = mark("Mr. [[PATIENT|Quill]]")
    part = scored(gold, Span(4, 7, PhiLabel.PATIENT))
    assert part.redact == Counts(0, 1, 1, 1)
    assert (part.leaks.leaking, part.leaks.missed) == (1, 1)


def test_a_leaking_span_is_missed_only_if_no_token_is_covered(mark: Mark) -> None:
    gold = mark("[[PATIENT|Ada Quill]] of [[CITY|Zell]]")
    found = scored(gold, Span(0, 3, PhiLabel.PATIENT))
    assert (found.leaks.leaking, found.leaks.missed, found.leaks.leaking_notes) == (2, 1, 1)


def test_a_span_without_a_token_cannot_leak(mark: Mark) -> None:
    found = scored(mark("name [[PATIENT|***]]"))
    assert found.leaks == Leaks(spans=1, notes_with_phi=1)
    assert found.mistakes == {(ErrorKind.MISSED, PhiLabel.PATIENT, None): 1}


def test_direct_identifiers_have_their_own_recall(labelled: LabelledNote) -> None:
    direct = {PhiLabel.PATIENT, PhiLabel.MEDICALRECORD, PhiLabel.DOCTOR}
    found = scored(labelled, *(span for span in labelled.spans if span.label in direct))
    assert found.redact_direct.recall == 1.0
    assert found.redact == Counts(5, 9, 5, 5)


def test_a_note_without_phi_bears_its_own_alarms(mark: Mark) -> None:
    clean = scored(mark("Foley in place, Crohn stable."), Span(0, 5, PhiLabel.PATIENT))
    assert clean.clean_notes == clean.all_notes == Burden(1, 5, 1, 1)
    assert clean.leaks == Leaks()
    assert clean.means[REDACT].recall_notes == 0


def test_the_same_stretch_under_two_labels_is_one_for_the_blind(mark: Mark) -> None:
    gold = mark("[[PATIENT|Quill]]")
    twice = scored(gold, Span(0, 5, PhiLabel.PATIENT), Span(0, 5, PhiLabel.DOCTOR))
    assert twice.redact == Counts(1, 1, 1, 1)
    assert twice.micro(cell(Criterion.STRICT)) == Counts(1, 1, 1, 2)


def test_a_span_beyond_the_note_is_refused(mark: Mark) -> None:
    with pytest.raises(ValueError, match="ends after its note"):
        scored(mark("Quill"), Span(0, 6, PhiLabel.PATIENT))


def test_macro_is_the_mean_over_the_notes_that_have_a_value(mark: Mark) -> None:
    one, other, clean = (
        mark("[[PATIENT|Ada]]"),
        mark("[[CITY|Zell]] [[CITY|Brunn]] [[CITY|Au]]"),
        mark("x"),
    )
    both = total([scored(one, *one.spans), scored(other), scored(clean, Span(0, 1, PhiLabel.AGE))])
    means = both.means[REDACT]
    assert (means.mean_recall, means.recall_notes) == (0.5, 2)
    assert (means.mean_precision, means.precision_notes) == (0.5, 2)
    assert both.redact.recall == 0.25


def test_the_headline_counts_by_the_thousand(mark: Mark) -> None:
    leaking, clean = mark("Mr. [[PATIENT|Ada Quill]] slept"), mark("no PHI at all here")
    head = headline(total([scored(leaking), scored(clean, Span(0, 2, PhiLabel.AGE))]))
    assert head.leak_free_notes == 0.5
    assert head.leak_free_notes_with_phi == 0.0
    assert head.leaks_per_1000_notes == 500
    assert head.missed_per_1000_notes == 500
    assert head.false_alarms_per_1000_words == pytest.approx(1000 / 9)
    assert head.clean_false_alarms_per_1000_words == 200
    assert head.strict_f1 == 0.0


def test_scores_of_no_notes_are_undefined() -> None:
    head = headline(total([]))
    assert head.redact_recall is None
    assert head.leaks_per_1000_notes is None


@pytest.mark.parametrize("text", [" " * 300_000, "a" * 300_000, "1-" * 150_000])
@pytest.mark.slow
def test_hostile_notes_are_scored_in_bounded_time(text: str) -> None:
    spans = tuple(Span(place, place + 15, PhiLabel.DATE) for place in range(0, 300_000, 20))
    longer = [Span(span.start, span.end + 7, PhiLabel.DATE) for span in spans[:-1]]
    found = scored(LabelledNote(note(text=text), spans), *longer)
    assert found.leaks.spans == len(spans)
