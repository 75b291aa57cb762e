"""Cut the places out of a span that something outweighs."""

from collections.abc import Iterator, Sequence

from deidstream.schemas.span import Span


def cut_outside(span: Span, places: Sequence[Span], text: str) -> Iterator[Span]:
    """Yield the parts of a span beside some places, where they hold a letter or digit.

    Args:
        span: Of the text.
        places: Disjoint, in order.
        text: The text of the note.
    """
    start = span.start
    for other in places:
        if other.end <= start or other.start >= span.end:
            continue
        yield from _trim(span, start, other.start, text)
        start = other.end
    if start == span.start:
        yield span
    else:
        yield from _trim(span, start, span.end, text)


def _trim(span: Span, start: int, end: int, text: str) -> Iterator[Span]:
    places = [place for place in range(start, end) if text[place].isalnum()]
    if places:
        yield span.at(places[0], places[-1] + 1)
