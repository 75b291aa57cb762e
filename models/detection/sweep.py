"""Find every other occurrence of the direct identifiers that were found in a note."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from deidstream.models.detection.columns import find_alike_in_columns
from deidstream.models.detection.composed_names import find_composed_names
from deidstream.models.detection.entry_numbers import find_returns
from deidstream.models.detection.initials import (
    find_acronyms_of_names,
    find_initials_of_names,
)
from deidstream.models.detection.reconcile import resolve
from deidstream.models.detection.ward_numbers import find_wards_alike
from deidstream.models.phi.terms import SWEEP, direct_terms
from deidstream.models.text.search import Occurrence, find_occurrences
from deidstream.schemas.span import Span

SHARE = 0.9
"""The score of a swept span, as a share of the score of the span it echoes."""


class Echo(NamedTuple):
    """Another occurrence of a direct identifier, or what stands in a column of identifiers."""

    span: Span
    origin: Span
    """The span for whose sake it counts."""
    relation: str = "repeats"
    """How it is related to the origin, in words that precede the place of that one."""


def sweep(text: str, spans: Iterable[Span], allow: Collection[str] = ()) -> tuple[Span, ...]:
    """Add every other occurrence of the direct identifiers in ``spans``; return disjoint spans.

    Initials of a person or institution that a span names in full count as well
    (``detection.initials``), words that are composed of a person's names
    (``detection.composed_names``), cells that are written as the identifiers in their column
    (``detection.columns``), and wards that are numbered alike (``detection.ward_numbers``).

    An occurrence inside a given span adds nothing; one that reaches beyond it unites with it. What
    is added has the label of the span it echoes, 0.9 of its score, and source ``sweep``. Terms of
    ``allow`` are not looked for, unless the sender knows them; nor is a doubtful name found once.

    Raises:
        InvalidSpan: A span ends after the text.
    """
    given = resolve(spans, length=len(text))
    echoes = find_echoes(text, given, allow)
    return resolve((*given, *(echo.span for echo in echoes)), length=len(text))


def find_echoes(text: str, given: Sequence[Span], allow: Collection[str] = ()) -> list[Echo]:
    """Find what the sweep adds to spans, which are disjoint and in order."""
    terms = direct_terms(given, text, allow)
    occurrences = find_occurrences(text, tuple(terms))
    uncovered = _drop_covered_terms(occurrences, given)
    echoes = [_echo(found.start, found.end, terms[found.term]) for found in uncovered]
    return [
        *echoes,
        *(
            _echo(found.start, found.end, found.name, "initials of")
            for find in (find_initials_of_names, find_acronyms_of_names)
            for found in find(text, given)
        ),
        *(
            Echo(
                Span(found.start, found.end, found.label, SHARE * found.name.score, SWEEP),
                found.name,
                "composed of",
            )
            for found in find_composed_names(text, given)
        ),
        *(
            _echo(cell.start, cell.end, cell.reason, "in a column with")
            for cell in find_alike_in_columns(text, given)
        ),
        *(
            _echo(found.start, found.end, found.reason, "returns to")
            for found in find_returns(text, given)
        ),
        *(
            _echo(found.start, found.end, found.reason, "is numbered as")
            for found in find_wards_alike(text, given)
        ),
    ]


def _drop_covered_terms(
    occurrences: Sequence[Occurrence], spans: Sequence[Span]
) -> Iterator[Occurrence]:
    """Yield the occurrences that lie in no span; both are sorted, and the spans disjoint."""
    place = 0
    for found in occurrences:
        while place < len(spans) and spans[place].end <= found.start:
            place += 1
        if place < len(spans):
            near = spans[place]
            if near.start <= found.start and found.end <= near.end:
                continue
        yield found


def _echo(start: int, end: int, origin: Span, relation: str = "repeats") -> Echo:
    score = SHARE * origin.score
    return Echo(Span(start, end, origin.label, score, SWEEP, origin.own), origin, relation)
