"""Give every mention of a name or number the score of the surest one, and the site's own label.

A name that is sure under "Dear Mrs." may stand later without any cue, and would count as doubtful
there: half of its mentions would become a label and the others a surrogate. So they would if a
pattern of the site found one of them, and a recognizer that knows nothing of its label another.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace

from deidstream.models.phi.terms import SHORTEST_NUMBER
from deidstream.models.text.folding import words_of
from deidstream.models.time_budget import within_time
from deidstream.schemas.label import NUMBERS, PERSONS, TIMES, LabelGroup
from deidstream.schemas.span import Span

_CHECKED = 16
"""Spans between two looks at the clock."""
_LEAST = 3
"""Letters from which on a word of a name is no initials; a name in other scripts may have fewer."""


def raise_repeated_scores(text: str, spans: Sequence[Span]) -> tuple[Span, ...]:
    """Raise the score of spans whose words stand in a surer span of the same note.

    The words of a person count each alone, so that "Kaur" is as sure as "Simran Kaur", but one or
    two letters do not: the "F" of "Farah F. Noor" says nothing of a sex. Whatever else is named
    counts as a whole and for its own label; a number that is too long to recur by chance, for all
    labels of numbers, which agree on its surrogate: a record in one line may be taken for a device
    in the next. Dates and ages are not compared: one "3/7" may be a date and another a length of
    time.

    Args:
        text: The note.
        spans: Disjoint, in order, with probabilities as scores.

    Returns:
        The same spans in order; no score is lower than before.
    """
    surest: dict[Hashable, float] = {}
    named: list[tuple[Hashable, ...]] = []
    for span in within_time(spans, every=_CHECKED):
        names = tuple(_names_of(text, span))
        named.append(names)
        for name in names:
            surest[name] = max(span.score, surest.get(name, 0.0))
    raised: list[Span] = []
    for span, names in zip(spans, named, strict=True):
        score = min((surest[name] for name in names), default=span.score)
        raised.append(span.scored(score) if score > span.score else span)
    return tuple(raised)


def name_repeated_mentions(text: str, spans: Sequence[Span]) -> tuple[Span, ...]:
    """Give spans whose words stand in a span of a label of the site's own that label too.

    They must be of the label that it is like, or both of numbers. What the sender and the site
    state keeps its label.

    Args:
        text: The note.
        spans: Disjoint, in order.
    """
    origins: dict[Hashable, Span] = {}
    for span in (one for one in spans if one.own):
        for name in _names_of(text, span):
            origins.setdefault(name, span)
    if not origins:
        return tuple(spans)
    return tuple(_name_as(_find_origin(text, span, origins), span) for span in spans)


def _find_origin(text: str, span: Span, origins: Mapping[Hashable, Span]) -> Span | None:
    """Return the span of the site's own label that all words of a span stand in."""
    if span.of_site or span.source.startswith("known"):
        return None
    found = [origins.get(name) for name in _names_of(text, span)]
    first = found[0] if found else None
    if first is None or any(one is None or one.name != first.name for one in found):
        return None
    alike = span.label is first.label or NUMBERS.issuperset({span.label, first.label})
    return first if alike else None


def _name_as(origin: Span | None, span: Span) -> Span:
    return span if origin is None else replace(span, label=origin.label, own=origin.own)


def _names_of(text: str, span: Span) -> Iterator[Hashable]:
    """Yield what a span has to share with others: each word of a person, or the whole."""
    if span.label in TIMES:
        return
    words = words_of(text[span.start : span.end])
    if span.label in PERSONS:
        for word in words:
            if len(word) >= _LEAST or not word.isascii():
                yield word
    elif span.label in NUMBERS and sum(map(len, words)) >= SHORTEST_NUMBER:
        yield LabelGroup.NUMBER, *words
    elif words:
        yield span.label, *words
