"""How much a note loses to its identifiers, in counts."""

import pytest

from deidstream.models.changes import count_changes
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.outcome import Changes
from deidstream.schemas.span import Replacement, Span


def replaced(text: str, *pairs: tuple[str, str, PhiLabel]) -> Changes:
    made: list[Replacement] = []
    for original, new, label in pairs:
        start = text.index(original)
        span = Span(start, start + len(original), label)
        made.append(Replacement(span, new, "any"))
    return count_changes(text, made)


@pytest.mark.parametrize(
    ("original", "new", "label", "expected"),
    [
        ("Okafor", "Brannigan", PhiLabel.PATIENT, Changes(1, 0, 0)),
        ("Ngozi Okafor", "Ngozi Brannigan", PhiLabel.PATIENT, Changes(1, 0, 0)),
        ("Fall", "Weir", PhiLabel.DOCTOR, Changes(1, 0, 0)),
        ("fall", "Weir", PhiLabel.DOCTOR, Changes(1, 1, 0)),
        ("metoprolol", "Brannigan", PhiLabel.PATIENT, Changes(1, 1, 0)),
        ("Metoprolol 25", "[PATIENT]", PhiLabel.PATIENT, Changes(2, 1, 1)),
        ("3/4/2024", "[DATE]", PhiLabel.DATE, Changes(3, 0, 1)),
        ("3/4/2024", "XXX-Date", PhiLabel.DATE, Changes(3, 0, 1)),
        ("3/4/2024", "4/9/2024", PhiLabel.DATE, Changes(1, 0, 0)),
        ("Okafor", "Okafor", PhiLabel.PATIENT, Changes(0, 0, 0)),
    ],
)
def test_what_an_identifier_costs(
    original: str, new: str, label: PhiLabel, expected: Changes
) -> None:
    assert replaced(f"Seen: {original}.", (original, new, label)) == expected


def test_replacements_add_up() -> None:
    text = "Dr. Okafor saw the knee of Weir on 3/4/2024."
    changes = replaced(
        text,
        ("Okafor", "Brannigan", PhiLabel.DOCTOR),
        ("knee of Weir", "Pike", PhiLabel.PATIENT),
        ("3/4/2024", "[DATE]", PhiLabel.DATE),
    )
    assert changes == Changes(words=7, clinical=2, labels=1)


def test_a_note_without_identifiers_is_as_it_was() -> None:
    assert count_changes("No fever.", ()) == Changes(0, 0, 0)
