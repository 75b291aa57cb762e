"""The eighteen items of 45 CFR 164.514(b)(2)(i), each with what was found and what became of it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from deidstream.schemas.label import LABELS, PhiLabel
from deidstream.schemas.policy import OperatorName

ITEMS: Final[Mapping[str, str]] = {
    "A": "Names",
    "B": "Geographic subdivisions smaller than a state",
    "C": "Elements of dates but the year; ages over 89",
    "D": "Telephone numbers",
    "E": "Fax numbers",
    "F": "E-mail addresses",
    "G": "Social security numbers",
    "H": "Medical record numbers",
    "I": "Health plan beneficiary numbers",
    "J": "Account numbers",
    "K": "Certificate and licence numbers",
    "L": "Vehicle identifiers and licence plates",
    "M": "Device identifiers and serial numbers",
    "N": "Web addresses",
    "O": "IP addresses",
    "P": "Biometric identifiers",
    "Q": "Full-face photographs and comparable images",
    "R": "Any other unique number, characteristic or code",
}
_NOT_TEXT: Final = frozenset({"Q"})


def list_items(
    spans: Sequence[Mapping[str, Any]], leaks: Mapping[str, int]
) -> list[dict[str, Any]]:
    """Return a row for each item.

    Args:
        spans: Found identifiers of all notes by label and operator.
        leaks: Identifiers that were left in the notes that were read, by label.
    """
    operators: dict[str, Counter[str]] = {letter: Counter() for letter in ITEMS}
    for row in spans:
        letter = LABELS[PhiLabel(row["label"])].hipaa
        if letter is not None:
            operators[letter][row["operator"]] += row["count"]
    left = Counter[str]()
    for label, count in leaks.items():
        letter = LABELS[PhiLabel(label)].hipaa
        if letter is not None:
            left[letter] += count
    return [
        {
            "item": letter,
            "title": title,
            "labels": [label for label, facts in LABELS.items() if facts.hipaa == letter],
            "found": operators[letter].total(),
            "operators": dict(operators[letter]),
            "kept": operators[letter][OperatorName.KEEP],
            "left_in_notes_read": left[letter],
            "looked_for": letter not in _NOT_TEXT,
        }
        for letter, title in ITEMS.items()
    ]
