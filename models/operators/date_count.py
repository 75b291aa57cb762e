"""Count the dates that could be redacted only."""

from collections.abc import Iterable

from deidstream.models.operators.redact import redacted
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.policy import RedactStyle
from deidstream.schemas.span import Replacement

_MEANT = frozenset({"redact", "mask", "hash"})


def unread_dates(replacements: Iterable[Replacement]) -> int:
    """Count the dates of a note that were to be moved, counted or shortened, and became labels.

    Either the date cannot be read, or it has nothing that the operator keeps, as a weekday has no
    year, or it shows a great age.
    """
    labels = {redacted(PhiLabel.DATE, style) for style in RedactStyle}
    return sum(
        one.span.label is PhiLabel.DATE and one.operator not in _MEANT and one.text in labels
        for one in replacements
    )
