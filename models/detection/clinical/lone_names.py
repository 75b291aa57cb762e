"""Drop the names that stand alone in the term of a code, where they are the names of things.

Such a term has no sentence around it, and a tagger, which knows words by those beside them, takes
"Bili" for a surname. The own persons of a resource are found there as the sender states them, or as
the sweep repeats them.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence

from deidstream.models.messages.fhir.terms_in_text import find_terms_in_text
from deidstream.models.phi.not_phi import NAMES, fold_term
from deidstream.models.time_budget import within_time
from deidstream.schemas.documents.note_form import CodedTerm, FormPart
from deidstream.schemas.note import RawNote
from deidstream.schemas.span import Span

_WHOLE_NAMES = frozenset(
    f"dictionary:person.{form}" for form in ("forward", "initials", "inverted", "kin", "titled")
)
"""A given name beside a surname, initials before one, or either behind a title or a relation."""
_LED_TO = re.compile(r"(?i)\b(?:at|by|from|near|per|to|via|with)\s+(?:the\s+)?$")
_BEFORE = 16
_OFTEN = 64
"""Spans between two looks at the clock."""


def drop_lone_names(note: RawNote, spans: Iterable[Span]) -> tuple[Span, ...]:
    """Drop what the tagger or a list alone takes for a name in a coded term.

    What the term of a public code holds is its terminology's, but for what a rule finds or the
    sender or the site states. In the term of a site, a name counts too if it is a whole one or a
    preposition leads to it. What is a whole term is no name elsewhere.
    """
    formed = note.form.parts if note.form else ()
    terms = sorted(
        (*(part for part in formed if part.term), *find_terms_in_text(note.text)), key=_start_of
    )
    if not terms:
        return tuple(spans)
    whole = {fold_term(note.text[term.start : term.end]) for term in terms}
    kept: list[Span] = []
    for span in within_time(spans, every=_OFTEN):
        term = _find_term(terms, span)
        if not _is_seen_alone(span):
            kept.append(span)
        elif term is not None:
            if term.term is CodedTerm.LOCAL and _counts_in_local_term(note.text, term, span):
                kept.append(span)
        elif span.label not in NAMES or fold_term(note.text[span.start : span.end]) not in whole:
            kept.append(span)
    return tuple(kept)


def _is_seen_alone(span: Span) -> bool:
    source = span.source.partition(":")[0]
    return source == "tagger" or (source == "dictionary" and not span.is_denied)


def _find_term(terms: Sequence[FormPart], span: Span) -> FormPart | None:
    """Return the term that holds the first character of a span."""
    place = bisect_right(terms, span.start, key=_start_of) - 1
    return terms[place] if place >= 0 and span.start < terms[place].end else None


def _counts_in_local_term(text: str, term: FormPart, span: Span) -> bool:
    if span.label not in NAMES or span.source in _WHOLE_NAMES:
        return True
    return _LED_TO.search(text, max(term.start, span.start - _BEFORE), span.start) is not None


def _start_of(part: FormPart) -> int:
    return part.start
