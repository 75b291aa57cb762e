"""Every direct identifier that was found must be replaced, and by something else."""

import re
from collections.abc import Iterable, Iterator, Sequence

from deidstream.models.detection.reconcile import SMALL_WORDS, resolve
from deidstream.models.operators.redact import write_label
from deidstream.models.phi.places.country_codes import country_code
from deidstream.models.records import Detected, remaining
from deidstream.models.text.folding import fold_short
from deidstream.schemas.label import FEW_VALUES, TIMES, is_direct
from deidstream.schemas.policy import OperatorName, Policy
from deidstream.schemas.span import Replacement, Span

_WORD = re.compile(r"[^\W_]+")
_MAY_AGREE = frozenset({OperatorName.KEEP, OperatorName.GENERALISE, OperatorName.MASK})
"""What these write may be the original: they keep a part of it, or it was masked before."""


def is_span_lost(detected: Detected, replacements: Sequence[Replacement]) -> bool:
    """Return whether a word that was found as part of a direct identifier was not replaced.

    Reconciling moves the borders of spans; it may leave out white space, punctuation and small
    words, and no other letter or digit. What scores too little for the policy may stay, and what
    a reviewer cleared.
    """
    text = detected.note.text
    replaced: Sequence[Span] = [one.span for one in replacements]
    if staying := (*detected.dropped, *detected.cleared):
        replaced = resolve((*replaced, *staying), length=len(text))
    direct = [span for span in detected.counted if is_direct(span.label)]
    found = sorted(direct, key=_start_of)
    return any(
        word not in SMALL_WORDS
        for start, end in _uncovered(found, replaced)
        for word in _WORD.findall(text[start:end])
    )


def _uncovered(found: Sequence[Span], replaced: Sequence[Span]) -> Iterator[tuple[int, int]]:
    """Yield the stretches of sorted spans that no replaced span covers, empty ones among them.

    Replaced spans are sorted and disjoint. A stretch that ends before it starts is empty too.
    """
    first = 0
    for span in found:
        while first < len(replaced) and replaced[first].end <= span.start:
            first += 1
        start, place = span.start, first
        while place < len(replaced) and replaced[place].start < span.end:
            yield start, replaced[place].start
            start = replaced[place].end
            place += 1
        yield start, span.end


def _start_of(span: Span) -> int:
    return span.start


def is_unchanged(text: str, replacements: Iterable[Replacement], policy: Policy) -> bool:
    """Return whether a surrogate equals its original though the policy keeps nothing of it.

    A shift keeps a year that stands alone, an age its decade, and a country whose towns are
    replaced by others of it stays.

    Args:
        text: Of the note.
        replacements: Of the note.
        policy: Says which operator replaces which label.
    """
    return any(
        _must_differ(one, policy)
        and _letters(text[one.span.start : one.span.end]) == _letters(one.text)
        for one in remaining(replacements)
    )


def _must_differ(one: Replacement, policy: Policy) -> bool:
    label = one.span.label
    operator = policy.operator_of(one.span.name, one.span.score)
    if operator in _MAY_AGREE or label in TIMES:
        return False
    if label in FEW_VALUES and country_code(one.text):
        return False
    return one.text != write_label(one.span, policy.redact_style)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, fold_short(text)))
