"""A cleared place counts where the output holds its text at its position, and nowhere else."""

from deidstream.models.records import Planned, Substituted
from deidstream.models.verification.cleared_places import find_cleared_places
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import RawNote
from deidstream.schemas.span import Replacement, Span
from support.detected import as_detected

TEXT = "Dr. Smith saw May in May."
SMITH = Span(4, 9, PhiLabel.DOCTOR)
CLEARED = Span(21, 24, PhiLabel.PATIENT)


def substituted(text: str) -> Substituted:
    detected = as_detected(RawNote("n", "p", TEXT), (SMITH,), cleared=(CLEARED,))
    planned = Planned(detected, (), None, {}, ())
    return Substituted(planned, text, (Replacement(SMITH, "Featherstone", "surrogate", 4, 16),))


def test_place_moves_with_what_stands_before_it() -> None:
    made = "Dr. Featherstone saw May in May."
    assert find_cleared_places(substituted(made)) == [(28, 31)]


def test_no_place_counts_in_a_text_that_was_rewritten() -> None:
    assert find_cleared_places(substituted("May the day be fair, and May and all.")) == []
