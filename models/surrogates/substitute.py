"""Put replacements into a text in one pass from left to right."""

from collections.abc import Iterable

from deidstream.schemas.errors import InvalidSpan, Stage
from deidstream.schemas.span import Replacement


def substitute(
    text: str, replacements: Iterable[Replacement]
) -> tuple[str, tuple[Replacement, ...]]:
    """Put each replacement's text in the place of its span.

    Args:
        text: The original.
        replacements: Disjoint and in order.

    Returns:
        The new text, and the replacements with ``out_start`` and ``out_end`` set to where each
        landed in it, in code points. Text outside the spans is unchanged.

    Raises:
        InvalidSpan: A span overlaps the one before it or leaves the text.

    >>> from deidstream.schemas.label import PhiLabel
    >>> from deidstream.schemas.span import Span
    >>> span = Span(4, 9, PhiLabel.DOCTOR)
    >>> substitute("Dr. Smith came", [Replacement(span, "Weir", "surrogate")])[0]
    'Dr. Weir came'
    """
    pieces: list[str] = []
    landed: list[Replacement] = []
    read = written = 0
    for replacement in replacements:
        span = replacement.span
        if span.start < read or span.end > len(text):
            raise InvalidSpan(Stage.SUBSTITUTE)
        kept = text[read : span.start]
        pieces += (kept, replacement.text)
        start = written + len(kept)
        written, read = start + len(replacement.text), span.end
        landed.append(Replacement(span, replacement.text, replacement.operator, start, written))
    pieces.append(text[read:])
    return "".join(pieces), tuple(landed)
