"""The circuit: it stops what fails here, not what senders get wrong."""

import pytest

from deidstream.agents.runtime.guards.failure_circuit import FailureCircuit
from deidstream.schemas.errors import BY_SENDER, MostNotesFail, Reason, Stage
from deidstream.schemas.outcome import Failed
from support.outcomes import anonymized

OURS, THEIRS = Failed(Reason.STAGE_FAILED, Stage.DETECT), Failed(Reason.BAD_JSON, Stage.DECODE)
pytestmark = pytest.mark.usefixtures("expects_errors")


def test_half_of_the_notes_may_fail_and_one_more_may_not() -> None:
    circuit, good = FailureCircuit(0.5, 20), anonymized("quiet")
    circuit.add([OURS] * 10 + [good] * 10)
    circuit.add([THEIRS] * 100)
    with pytest.raises(MostNotesFail, match="11 of the last 20"):
        circuit.add([good] * 9 + [OURS] * 11)


def test_few_notes_stop_nothing() -> None:
    circuit = FailureCircuit(0.5, 20)
    circuit.add([OURS] * 19)
    with pytest.raises(MostNotesFail):
        circuit.add([OURS])


def test_old_failures_are_forgotten() -> None:
    circuit = FailureCircuit(0.5, 20)
    for _ in range(20):
        circuit.add([OURS] * 9 + [anonymized("quiet")] * 11)


def test_a_share_of_one_never_stops() -> None:
    FailureCircuit(1, 20).add([OURS] * 100)


def test_every_reason_that_is_not_the_senders_is_ours() -> None:
    assert set(Reason) - BY_SENDER >= {Reason.LEAK_DETECTED, Reason.PROCESS_KILLED}
