"""Let the phrases that a policy allows stay, wherever they stand.

A single word may be a disease in one line and a physician in the next, so that an allowed word
stays only if nothing more was found (``models.phi.not_phi``). A phrase is its own context: in
"Graves ophthalmopathy" nobody is named, whoever else in the note is called Graves.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache

from deidstream.models.detection.reconcile import resolve
from deidstream.models.detection.stretches import Stretches, cut_outside
from deidstream.models.phi.not_phi import fold_term
from deidstream.models.text.folding import words_of
from deidstream.models.text.search import Term, find_occurrences
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.span import Span

ALLOWED = "allow"
"""Source of the place of an allowed phrase; its label is without meaning."""


def find_allowed_phrases(text: str, allow: Collection[str]) -> tuple[Span, ...]:
    """Find where the terms of several words among ``allow`` stand in a text.

    Returns:
        Disjoint places, in order.
    """
    phrases = _phrases_by_first_word(tuple(allow))
    if not phrases:
        return ()
    near = [term for word in {*words_of(text)} & phrases.keys() for term in phrases[word]]
    found = find_occurrences(text, near)
    places = (Span(one.start, one.end, PhiLabel.IDNUM, 1.0, ALLOWED) for one in found)
    return resolve(places, length=len(text))


def cut_allowed_phrases(
    text: str, spans: Iterable[Span], phrases: Sequence[Span]
) -> tuple[Span, ...]:
    """Take what stands in allowed phrases out of spans, but for what the sender knows.

    Args:
        text: The text of the note.
        spans: In any order.
        phrases: The places of the phrases; disjoint, in order.
    """
    if not phrases:
        return tuple(spans)
    places = Stretches.of_spans(phrases)
    kept: list[Span] = []
    for span in spans:
        if span.source.startswith("known"):
            kept.append(span)
        else:
            kept += cut_outside(span, places, text)
    return tuple(kept)


@lru_cache(maxsize=8)
def _phrases_by_first_word(allow: tuple[str, ...]) -> Mapping[str, Sequence[Term]]:
    phrases = defaultdict[str, list[Term]](list)
    for term in allow:
        words = words_of(fold_term(term))  # without the "s" of a possessive
        if len(words) > 1:
            phrases[words[0]].append(Term(term))
    return phrases
