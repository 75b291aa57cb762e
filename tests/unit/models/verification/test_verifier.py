"""A permit is given to a note that every stage has done its part for, and to no other."""

from dataclasses import replace

import pytest

from deidstream.models.policy.reader import read_shipped_policy
from deidstream.models.records import Substituted
from deidstream.models.verification.verifier import verify
from deidstream.schemas.errors import LeakDetected, LeakKind, Reason, Rejected, Stage
from deidstream.schemas.permit import EmitPermit, Seal, take_seal
from support.outputs import output, with_added

POLICY = read_shipped_policy("surrogate")
MADE = output("{PATIENT:Rosalind Zyxwvut} was seen on {DATE:3 May 2024}.")


def refusal(made: object) -> Rejected:
    with pytest.raises(Rejected) as raised:
        verify(made, POLICY)  # type: ignore[arg-type]
    assert "Zyxwvut" not in str(raised.value) + repr(raised.value)
    return raised.value


def test_a_note_without_a_leak_gets_a_permit_for_its_very_text() -> None:
    permit = verify(MADE, POLICY)
    assert permit.text == MADE.text
    assert permit.replacements == MADE.replacements
    assert "Zyxwvut" not in permit.text
    assert permit.text not in repr(permit)


def test_a_leak_is_refused_by_its_kind_alone() -> None:
    error = refusal(with_added(MADE, " Zyxwvut left."))
    assert isinstance(error, LeakDetected)
    assert (error.reason, error.stage) == (Reason.LEAK_DETECTED, Stage.VERIFY)
    assert error.kind is LeakKind.REPEATED


@pytest.mark.parametrize("finished", [{"rules"}, {*POLICY.recognizers, "other"}, set[str]()])
def test_other_recognizers_than_those_of_the_policy_are_refused(finished: set[str]) -> None:
    planned = MADE.planned
    detected = replace(planned.detected, finished=frozenset(finished))
    error = refusal(replace(MADE, planned=replace(planned, detected=detected)))
    assert (error.reason, error.stage) == (Reason.RECOGNIZER_UNFINISHED, Stage.VERIFY)


@pytest.mark.parametrize("kept", [0, 1])
def test_a_span_that_was_not_replaced_is_refused(kept: int) -> None:
    error = refusal(replace(MADE, replacements=MADE.replacements[:kept]))
    assert (error.reason, error.stage) == (Reason.STAGE_FAILED, Stage.VERIFY)


def misplaced(*moves: tuple[int, int]) -> Substituted:
    """Two touching surrogates and one apart, whose places are moved."""
    made = output("{PATIENT:Bo Zyxwvut}{DATE:3 May 2024} by {DOCTOR:Ann Quilby}.")
    placed = [
        replace(one, out_start=one.out_start + start, out_end=one.out_end + end)
        for one, (start, end) in zip(made.replacements, moves, strict=True)
    ]
    return replace(made, replacements=tuple(placed))


def test_surrogates_may_touch() -> None:
    assert verify(misplaced((0, 0), (0, 0), (0, 0)), POLICY)


@pytest.mark.parametrize("at", range(3))
def test_each_surrogate_must_stand_where_its_replacement_says(at: int) -> None:
    moves = [(0, 0)] * 3
    moves[at] = (1, 1)
    error = refusal(misplaced(*moves))
    assert (error.reason, error.stage) == (Reason.STAGE_FAILED, Stage.VERIFY)


def test_each_surrogate_must_stand_behind_the_one_before() -> None:
    # Twice the same text: both replacements could stand at either place.
    made = output("{CITY:Zyxwv} or {CITY:Zyxwv} or {CITY:Zyxwv}.")
    first, second, third = made.replacements
    assert first.text == second.text
    again, later = (
        replace(one, out_start=first.out_start, out_end=first.out_end) for one in (second, third)
    )
    for swapped in ((first, again, third), (first, second, later)):
        error = refusal(replace(made, replacements=swapped))
        assert (error.reason, error.stage) == (Reason.STAGE_FAILED, Stage.VERIFY)


def test_a_permit_shows_nothing_of_the_note() -> None:
    assert repr(verify(MADE, POLICY)) == "EmitPermit()"


def test_the_seal_is_given_once_and_no_other_is_accepted() -> None:
    with pytest.raises(RuntimeError, match="the seal belongs to the verifier"):
        take_seal()
    with pytest.raises(RuntimeError, match="a permit needs the verifier's seal"):
        EmitPermit(Seal(), "text", ())
