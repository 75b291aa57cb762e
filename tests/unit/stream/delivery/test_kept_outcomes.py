"""Outcomes kept for notes that are read again."""

from deidstream.schemas.outcome import Coordinates
from deidstream.stream.delivery.kept_outcomes import KeptOutcomes
from support.outcomes import anonymized


def at(offset: int) -> Coordinates:
    return Coordinates("raw", 0, offset)


def test_an_outcome_is_given_once_for_the_same_message() -> None:
    kept, outcome = KeptOutcomes(4), anonymized("quiet")
    kept.keep(at(1), b"note", outcome)
    assert kept.take(at(1), b"another note") is None
    assert kept.take(at(1), b"note") is outcome
    assert kept.take(at(1), b"note") is None


def test_the_oldest_goes_first() -> None:
    kept, outcome = KeptOutcomes(2), anonymized("quiet")
    for offset in range(3):
        kept.keep(at(offset), b"note", outcome)
    assert kept.take(at(0), b"note") is None
    assert kept.take(at(2), b"note") is outcome


def test_a_new_policy_forgets_all() -> None:
    kept = KeptOutcomes(2)
    kept.keep(at(0), b"note", anonymized("quiet"))
    kept.clear()
    assert kept.take(at(0), b"note") is None
