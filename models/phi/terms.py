"""The terms by which a direct identifier is looked for elsewhere in its note."""

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Iterator

from deidstream.models.phi.names import credentials
from deidstream.models.phi.names.kept_words import PARTICLES
from deidstream.models.phi.not_phi import (
    abbreviations,
    common_words,
    eponyms,
    fold_term,
    fold_terms,
    ordinary_words,
)
from deidstream.models.text import titles
from deidstream.models.text.context import Condition
from deidstream.models.text.folding import words_of
from deidstream.models.text.search import Term
from deidstream.models.text.word_files import split_list
from deidstream.models.time_budget import within_time
from deidstream.schemas.label import (
    HANDLES,
    INSTITUTIONS,
    NUMBERS,
    PERSONS,
    PHONES,
    PhiLabel,
)
from deidstream.schemas.span import Span

SWEEP = "sweep"
"""The source of what the sweep found."""
SURE_NAME = 0.5
"""The probability below which a name that was found once is looked for nowhere else: a drug that
was taken for a surname must not spread through its note. On the notes in odd styles this spares 19
words and loses 2; at 0.9 it would spare 33 and lose 19."""
SHORTEST_NAME = 3
SHORTEST_NUMBER, LONGEST_NUMBER = 5, 40
"""Letters and digits of a number: shorter ones are found by chance, longer ones do not occur."""
_ADDED_WORDS = split_list("jr sr ii iii iv baby boy girl and the for aka née nee des")
_NO_NAMES = (titles.NEVER_NAMES | credentials.NEVER_NAMES | PARTICLES).union(_ADDED_WORDS)
_WHOLES = INSTITUTIONS | {PhiLabel.STREET}
_IN_CAPITALS = frozenset({Condition.ANYWHERE, Condition.CASED})
"""Under these a name is also found in capitals."""
_EXACT = HANDLES | {PhiLabel.IPADDR}
COUNTRY_CODES = ("1", "44", "61", "64", "353", "27", "91")
_CLIPPED = re.compile("[OD]['\u2019][A-Z]\\.?")
"""A surname cut behind its first letter: ``O'D``."""
_TRUNK = "0"
_NATIONAL = 9
"""Digits of a number that may be written without its country code."""


def leak_terms(spans: Iterable[Span], text: str, allow: Collection[str] = ()) -> tuple[Term, ...]:
    """Return the terms that the sweep looks for; none of them may be left in the output."""
    return tuple(direct_terms(spans, text, allow))


def direct_terms(spans: Iterable[Span], text: str, allow: Collection[str] = ()) -> dict[Term, Span]:
    """Return the terms by which the direct identifiers of a note are looked for.

    Args:
        spans: Of the note; quasi-identifiers among them, such as dates, give no term.
        text: Of the note.
        allow: Terms that are not looked for, unless the sender knows them.

    Returns:
        For each term the span that gave it; of several the one with the highest score, so that the
        order of the note does not count.
    """
    allowed = fold_terms(tuple(allow))
    terms: dict[Term, Span] = {}
    places = Counter[Term]()
    seen = set[tuple[PhiLabel, str, bool]]()
    for span in within_time(sorted(spans, key=_rank_of)):
        found, known = text[span.start : span.end], span.source.startswith("known")
        own = (span.label, found, known)
        if own in seen and (span.source == SWEEP or _is_sure(span)):
            continue
        seen.add(own)
        for term in dict.fromkeys(_terms_of(span.label, found)):
            places[term] += span.source != SWEEP
            if known or not allowed or fold_term(term.text) not in allowed:
                terms.setdefault(term, span)
    return {term: span for term, span in terms.items() if _is_sure(span) or places[term] > 1}


def _rank_of(span: Span) -> tuple[float, int, int, str, float, str]:
    """Return the sorting key of spans: the surest first, equals as spans compare."""
    return -span.score, span.start, span.end, span.label, span.score, span.source


def _is_sure(span: Span) -> bool:
    """Return whether a span alone is enough to look for its terms: a doubtful name is not."""
    given = span.of_site or span.source.startswith("known")
    return span.label not in PERSONS or given or span.score >= SURE_NAME


def _terms_of(label: PhiLabel, text: str) -> Iterator[Term]:
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


def name_terms(name: str) -> Iterator[Term]:
    """Return a person's whole name and what of it identifies the person by itself.

    That is each word but the particles, and a surname with the particles before it.
    """
    yield from whole_terms(name)
    parts = [part.strip(".,;:()[]\"'\u2018\u2019\u201c\u201d") for part in name.split()]
    for place, part in enumerate(parts[1:-1], 1):
        if fold_term(part) in PARTICLES and fold_term(parts[-1]) not in PARTICLES:
            yield from whole_terms(" ".join(parts[place:]))
    pieces = [piece for part in parts for piece in {part, *_split_at_hyphens(part)}]
    for piece in sorted(set(pieces)):
        if sum(map(str.isalpha, piece)) >= SHORTEST_NAME and fold_term(piece) not in _NO_NAMES:
            yield word_term(piece)


def whole_terms(text: str) -> Iterator[Term]:
    """Return a text as a whole as a term; capitalised if each of its words is an ordinary word."""
    words = words_of(text)
    if len(words) == 1:
        # The number of a house alone, a component of HL7 addresses, is found by chance.
        chance = words[0].isdigit() and len(words[0]) < SHORTEST_NUMBER
        if len(words[0]) >= SHORTEST_NAME - 1 and words[0] not in _NO_NAMES and not chance:
            yield word_term(text)
    elif sum(map(len, words)) > SHORTEST_NAME or _CLIPPED.fullmatch(text):
        ordinary = (w in common_words() or len(w) < SHORTEST_NAME or not w.isalpha() for w in words)
        plain = all(ordinary)
        yield Term(text, Condition.CAPITALISED if plain else Condition.ANYWHERE)


def number_terms(number: str) -> Iterator[Term]:
    """Return a number without its separators as a term; as it is written if it is too short.

    The zeros that a system writes before a number are left out by those who write it by hand.
    """
    kept = "".join(c for c in number if c.isalnum())
    if not any(map(str.isdigit, kept)):
        return
    if SHORTEST_NUMBER <= len(kept) <= LONGEST_NUMBER:
        yield Term(kept, loose=True)
        if kept.isdigit() and kept.startswith("0"):
            yield from number_terms(kept.lstrip("0"))
    elif len(kept) > LONGEST_NUMBER or not kept.isdigit():
        yield Term(number)


def phone_terms(phone: str) -> Iterator[Term]:
    """Return a phone number without its separators, with and without its country code."""
    number = phone.casefold().partition("x")[0].partition("e")[0]
    digits = "".join(c for c in unicodedata.normalize("NFKD", number) if c.isdecimal())
    yield from number_terms(digits)
    if digits.startswith(_TRUNK) and len(digits) > _NATIONAL:
        yield from number_terms(digits.removeprefix(_TRUNK))
    for code in COUNTRY_CODES:
        national = digits.removeprefix(code)
        if national != digits and len(national) >= _NATIONAL:
            yield from number_terms(national)
            yield from number_terms(_TRUNK + national)


def word_term(word: str) -> Term:
    """Return a word as a term, under the condition that its kind of word requires."""
    # In a name in capitals, what is also a word is that name only where it is written as one.
    condition = _condition(word)
    plain = condition in _IN_CAPITALS or not word.isupper()
    return Term(word if plain else word.capitalize(), condition)


def _condition(word: str) -> Condition:
    form = fold_term(word)
    if len(form) < SHORTEST_NAME:
        return Condition.TITLED
    if form in abbreviations():
        return Condition.CAPITALISED
    if form in common_words():
        return Condition.AMID
    if form in ordinary_words():
        return Condition.CASED
    return Condition.NOT_EPONYM if form in eponyms() else Condition.ANYWHERE


def _split_at_hyphens(part: str) -> list[str]:
    return part.replace("\u2010", "-").replace("\u2011", "-").split("-")
