"""Describe the words that the tagger alone takes for a name, a date or an occupation, as evidence.

What no rule and no list supports is the doubtful part of what is found. Whether its words are on a
list of names or occupations, are ordinary or clinical, or stand where people sign counts for or
against it, and the calibration weighs how much.
"""

import re
from collections.abc import Iterator

from deidstream.models.phi.dates.read_date import holds_date
from deidstream.models.phi.names.name_lists import is_listed
from deidstream.models.phi.names.signatures import may_be_signed
from deidstream.models.phi.not_phi import abbreviations, clinical_letters, common_words, fold_term
from deidstream.models.phi.professions import tells_job
from deidstream.schemas.label import PERSONS, PhiLabel
from deidstream.schemas.span import Span

_WORD = re.compile(r"[^\W\d_]+")
_SHORTEST = 3
"""Letters of a word that may be a name by itself; fewer are initials."""


def describe_words(text: str, span: Span) -> Iterator[str]:
    """Yield what is to be said of the words of a span; nothing of most labels.

    Args:
        text: The note.
        span: What the tagger alone found.
    """
    if span.label is PhiLabel.DATE:
        if not holds_date(text[span.start : span.end]):
            yield "words:undated"
    elif span.label in PERSONS:
        yield from _describe_name(text, span)
    elif span.label is PhiLabel.PROFESSION:
        words = _WORD.findall(text[span.start : span.end].casefold())
        if not any(map(tells_job, words)):
            yield "words:jobless"


def _describe_name(text: str, span: Span) -> Iterator[str]:
    written = text[span.start : span.end]
    every = [fold_term(word) for word in _WORD.findall(written)]
    words = [word for word in every if len(word) >= _SHORTEST]
    if words:
        yield "words:listed" if any(map(is_listed, words)) else "words:unlisted"
        if common_words().issuperset(words):
            yield "words:ordinary"
    elif every:
        signed = may_be_signed(text, span.start, span.end)
        yield "words:signed" if signed else "words:letters"
        term = fold_term(written)
        if term in clinical_letters() or term in abbreviations():
            yield "words:clinical"
