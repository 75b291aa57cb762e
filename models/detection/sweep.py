"""From the spans of a note to the terms they betray, and from the terms to every occurrence."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from deidstream.models.detection.reconcile import resolve
from deidstream.models.phi.not_phi import normal, normals
from deidstream.models.phi.terms import (
    SHORTEST_NAME,
    name_terms,
    number_terms,
    phone_terms,
    whole_terms,
    word_term,
)
from deidstream.models.text.search import Occurrence, Term, find_occurrences
from deidstream.schemas.label import (
    HANDLES,
    INSTITUTIONS,
    NUMBERS,
    PERSONS,
    PHONES,
    PhiLabel,
)
from deidstream.schemas.span import Span

SHARE = 0.9
"""The score of a swept span, as a share of the score of the span it echoes."""
_WHOLES = INSTITUTIONS | {PhiLabel.STREET}
_EXACT = HANDLES | {PhiLabel.IPADDR}


def sweep(text: str, spans: Iterable[Span], allow: Collection[str] = ()) -> tuple[Span, ...]:
    """Add every other occurrence of the direct identifiers in ``spans``; return disjoint spans.

    An occurrence inside a given span adds nothing; one that reaches beyond it unites with it. What
    is added has the label of the span it echoes, 0.9 of its score, and source ``sweep``. Terms of
    ``allow`` are not looked for, unless the sender knows them.

    Raises:
        InvalidSpan: A span ends after the text.
    """
    settled = resolve(spans, length=len(text))
    echoed = _echoed(settled, text, allow)
    found = find_occurrences(text, tuple(echoed))
    added = [_swept(one, echoed[one.term]) for one in _uncovered(found, settled)]
    return resolve((*settled, *added), length=len(text))


def leak_terms(spans: Iterable[Span], text: str, allow: Collection[str] = ()) -> tuple[Term, ...]:
    """Return what the sweep looks for, given the same spans and text: none may be left."""
    return tuple(_echoed(resolve(spans, length=len(text)), text, allow))


def _echoed(spans: Sequence[Span], text: str, allow: Collection[str]) -> dict[Term, Span]:
    # The surest span gives a term its label, so that the order of the note does not.
    terms: dict[Term, Span] = {}
    left = normals(tuple(allow))
    for span in sorted(spans, key=lambda span: (-span.score, span)):
        for term in _betrayed(span.label, text[span.start : span.end]):
            if span.source.startswith("known") or normal(term.text) not in left:
                terms.setdefault(term, span)
    return terms


def _betrayed(label: PhiLabel, text: str) -> Iterator[Term]:
    if label in PERSONS:
        yield from name_terms(text)
    elif label in _WHOLES:
        yield from whole_terms(text)
    elif label in NUMBERS:
        yield from number_terms(text)
    elif label in PHONES:
        yield from phone_terms(text)
    elif label in _EXACT and len(text) >= SHORTEST_NAME:
        yield word_term(text)


def _uncovered(found: Sequence[Occurrence], spans: Sequence[Span]) -> Iterator[Occurrence]:
    place = 0
    for one in found:
        while place < len(spans) and spans[place].end <= one.start:
            place += 1
        inside = (
            place < len(spans) and spans[place].start <= one.start and one.end <= spans[place].end
        )
        if not inside:
            yield one


def _swept(found: Occurrence, echoed: Span) -> Span:
    return replace(
        echoed, start=found.start, end=found.end, score=SHARE * echoed.score, source="sweep"
    )
