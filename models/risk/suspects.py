"""Find what is left of a note that may be an identifier, and the evidence for it.

Two things are suspect: a stretch that a recognizer saw, or the tagger holds for possible, and that
was not replaced; and a word that none of them saw but that looks like a name or a number of record.
A report that detection took back, since a list or the words around speak for a clinical meaning, is
suspect too: lists hold most abbreviations, and some of them are somebody's initials.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from string import ascii_letters, ascii_uppercase
from typing import Final, NamedTuple, Self

import re2

from deidstream.models.detection.calibration import log_odds
from deidstream.models.detection.gather_doubts import gather_doubts
from deidstream.models.detection.reconcile import resolve
from deidstream.models.phi.names.name_lists import is_known
from deidstream.models.phi.not_phi import clinical_terms, common_words, fold_term, fold_terms
from deidstream.models.records import Detected
from deidstream.models.text.folding import words_of
from deidstream.models.time_budget import within_time
from deidstream.schemas.label import PERSONS
from deidstream.schemas.span import BY_LIST, BY_PATTERN, Span

_TOKEN = re2.compile(r"[\p{L}\p{N}]+(?:[-/.'@][\p{L}\p{N}]+)*")
_ASCII_TOKEN = re.compile(r"[A-Za-z0-9]+(?:[-/.'@][A-Za-z0-9]+)*")
_DIGITS: Final = 4
"""From so many digits on a token is taken for a number of record; doses and values have fewer."""
_LETTERS: Final = 3
"""A capitalised word of fewer letters is an abbreviation."""
_LONG_NUMBER: Final = 6
_FEWEST: Final = 0.015
"""Share of capital or small letters under which a note is written in one kind."""
_NEAR: Final = 2
"""Characters between a suspect and a replaced span that is beside it."""
_SIGNS: Final = frozenset('/(~-\u2013\u2014"[)]')
_ASCII_LETTERS: Final = ascii_letters.encode()
_ASCII_CAPITALS: Final = ascii_uppercase.encode()

_BENDING: Final = (
    "plain",
    "plain-unlisted",
    "digit",
    "beside",
    "unlisted",
    "name",
    "rule",
    "flat",
    "refused",
    "upper",
    "short",
)
"""Facts beside which a point of the tagger's score weighs differently."""


class SuspectKind(StrEnum):
    """What a suspect looks like."""

    NAME = "NAME"
    NUMBER = "NUMBER"


@dataclass(frozen=True, slots=True)
class Suspect:
    """A stretch of the note's text that stays and may be an identifier."""

    start: int
    end: int
    text: str = field(repr=False)
    """``[start, end)`` of the note."""
    kind: SuspectKind
    evidence: Mapping[str, float] = field(repr=False)
    """What speaks for it, by name."""
    doubt: Span | None = field(default=None, repr=False)
    """What a recognizer reported there, which was too little; ``None``: none reported anything."""


class _Stretch(NamedTuple):
    """What may be suspect."""

    start: int
    end: int
    doubt: Span | None = None
    """The report that it is."""
    refused: bool = False
    """Whether detection took the report back."""


def find_suspects(detected: Detected, allow: tuple[str, ...] = ()) -> Iterator[Suspect]:
    """Yield the suspects of a note, in the order of its text, each stretch once.

    Args:
        detected: The note, and what was found in it.
        allow: Terms that the policy lets stay, which are not suspect because detection took a
            report of them back.
    """
    text = detected.note.text
    found = _SpanPlaces.of_spans(detected.spans)
    persons = _SpanPlaces.of_spans(span for span in detected.spans if span.label in PERSONS)
    allowed = fold_terms(allow)
    initials = _list_initials(text, detected.spans)
    doubted = [_Stretch(doubt.start, doubt.end, doubt) for doubt in detected.doubts]
    refused = [
        _Stretch(report.start, report.end, report, refused=True)
        for report in _list_refused(detected)
        if fold_term(text[report.start : report.end]) not in allowed
    ]
    reported = (*detected.spans, *(each.doubt for each in (*doubted, *refused) if each.doubt))
    shaped = _list_shaped(text, _SpanPlaces.of_spans(reported))
    flat = _is_flat(text)
    for start, end, doubt, taken_back in within_time(
        sorted([*shaped, *doubted, *refused], key=_place_of)
    ):
        word = text[start:end]
        within = _is_within_sentence(text, start)
        near = max(0, start - _NEAR), end + _NEAR
        beside = found.touch(*near)
        if doubt is not None or _looks_identifying(word, within=within, beside=beside):
            told = {
                "beside": beside,
                "beside-person": persons.touch(*near),
                "within": within,
                "flat": flat,
                "refused": taken_back,
                "initials": word.lower() in initials,
                **_describe_place(text, start, end),
                **_describe(word),
            }
            yield Suspect(start, end, word, _kind_of(word), _weigh(told, doubt), doubt)


def _list_refused(detected: Detected) -> Iterator[Span]:
    """Yield what recognizers reported, and what neither was found nor is a doubt."""
    if not detected.steps:
        return
    taken = (*detected.spans, *detected.doubts, *detected.cleared)
    settled = resolve(taken, length=len(detected.note.text))
    yield from gather_doubts(detected.note.text, detected.steps[0].spans, settled)


def _list_initials(text: str, spans: Iterable[Span]) -> frozenset[str]:
    """List the first letters of the names that were found, in small letters."""
    listed: set[str] = set()
    for span in spans:
        if span.label in PERSONS:
            letters = "".join(word[0] for word in words_of(text[span.start : span.end]))
            listed |= {letters, letters[:1] + letters[-1:]}
    return frozenset(each for each in listed if len(each) > 1)


def _describe_place(text: str, start: int, end: int) -> Mapping[str, bool]:
    """Return where on its line a stretch stands: people sign at its end, and behind signs."""
    first = text.rfind("\n", 0, start) + 1
    last = text.find("\n", end)
    before, behind = text[first:start], text[end : last if last >= 0 else len(text)]
    return {
        "line-start": not any(map(str.isalnum, before)),
        "line-end": not any(map(str.isalnum, behind)),
        "signs": before[-1:] in _SIGNS or behind[:1] in _SIGNS,
    }


def _list_shaped(text: str, taken: "_SpanPlaces") -> list[_Stretch]:
    """List the tokens of a text that no span touches and that may be suspect by their look.

    What neither is listed nor looks like a name or a number is most of a note.
    """
    shaped: list[_Stretch] = []
    for start, word in _cut_tokens(text):
        if _may_look_identifying(word):
            end = start + len(word)
            if not taken.touch(start, end):
                shaped.append(_Stretch(start, end))
    return shaped


def _cut_tokens(text: str) -> Iterator[tuple[int, str]]:
    """Yield the words and numbers of a text, each after its place."""
    # No token goes over a line's end, and nearly every line is ASCII, which is faster.
    lines = [text] if text.isascii() else text.splitlines(keepends=True)
    begin = 0
    for line in lines:
        pattern = _ASCII_TOKEN if line.isascii() else _TOKEN
        for match in pattern.finditer(line):
            start, end = match.span()
            yield begin + start, line[start:end]
        begin += len(line)


def _may_look_identifying(word: str) -> bool:
    """Return whether a word looks like a name or a number of record in some place of a text."""
    lowered = word.lower()
    if lowered in _listed_words():  # mostly
        return word[0].isupper() and not word.isupper() and is_known(lowered)
    if word.isdigit():
        return len(word) > 1
    return _looks_identifying(word, within=True, beside=True)


@cache
def _listed_words() -> frozenset[str]:
    """Return the words of ordinary clinical English, which look like names with a capital alone."""
    listed = common_words() | clinical_terms()
    return frozenset(word for word in listed if word.isascii() and word.isalpha())


def _place_of(stretch: _Stretch) -> tuple[int, int]:
    return stretch.start, stretch.end


@dataclass(frozen=True, slots=True)
class _SpanPlaces:
    """The places of disjoint spans, in order."""

    starts: Sequence[int]
    ends: Sequence[int]

    @classmethod
    def of_spans(cls, spans: Iterable[Span]) -> Self:
        ordered = sorted(spans)
        return cls([span.start for span in ordered], [span.end for span in ordered])

    def touch(self, start: int, end: int) -> bool:
        place = bisect_right(self.ends, start)
        return place < len(self.ends) and self.starts[place] < end


def _looks_identifying(word: str, *, within: bool, beside: bool) -> bool:
    """Return whether a word that no recognizer saw looks like a name or a number of record."""
    digits = 0 if word.isalpha() else _count_digits(word)
    if digits:
        mixed = len(word) > _DIGITS and any(map(str.isalpha, word))
        return digits >= _DIGITS or (digits > 1 and (mixed or beside))
    plain = word[0].isupper() and not word.isupper()
    if len(word) >= _LETTERS and _is_unlisted(word):
        return plain or _is_name(word)
    return plain and within and _is_name(word)


def _is_within_sentence(text: str, start: int) -> bool:
    """Return whether the word before is of the same sentence, so that a capital means a name."""
    before = text[max(0, start - _NEAR) : start]
    return before[-1:] == " " and (before[0].islower() or before[0] == ",")


def _is_flat(text: str) -> bool:
    """Return whether small and capital letters say nothing: nearly all are of one kind."""
    if text.isascii():  # nearly always
        data = text.encode()
        letters = len(data) - len(data.translate(None, _ASCII_LETTERS))
        capitals = len(data) - len(data.translate(None, _ASCII_CAPITALS))
    else:
        letters = sum(map(str.isalpha, text))
        capitals = sum(map(str.isupper, text))
    return not _FEWEST * letters < capitals < (1 - _FEWEST) * letters


def _is_name(word: str) -> bool:
    if word.isascii() and word.isalpha():  # nearly always
        return is_known(word.lower())
    return any(is_known(each) for each in words_of(word))


def _kind_of(word: str) -> SuspectKind:
    return SuspectKind.NUMBER if _count_digits(word) else SuspectKind.NAME


def _count_digits(word: str) -> int:
    return sum(map(str.isdigit, word))


def _is_unlisted(word: str) -> bool:
    """Return whether a word of it is no word of ordinary clinical English."""
    if word.isascii() and word.isalpha():  # nearly always
        folded = word.lower()
        listed = folded in common_words() or folded in clinical_terms()
        return len(folded) > 1 and not listed
    return any(
        each not in common_words() and each not in clinical_terms()
        for each in words_of(word)
        if len(each) > 1
    )


def _describe(word: str) -> Mapping[str, bool]:
    digits = _count_digits(word)
    letters = [each for each in word if each.isalpha()]
    return {
        "capital": word[0].isupper(),
        "upper": len(letters) > 1 and all(map(str.isupper, letters)),
        "unlisted": _is_unlisted(word),
        "name": _is_name(word),
        "digit": digits > 0,
        "digits": digits >= _DIGITS,
        "long-number": digits >= _LONG_NUMBER,
        "mixed": digits > 0 and bool(letters),
        "words": " " in word,
        "short": len(letters) == len(word) <= _LETTERS,
        "letter": len(letters) == len(word) == 1,
        "clinical": word.lower() in clinical_terms(),
    }


def _weigh(told: Mapping[str, bool], doubt: Span | None) -> Mapping[str, float]:
    """Return the evidence as numbers, with the joint facts and what recognizers say."""
    source = doubt.source.partition(":")[0] if doubt else ""
    plain = told["capital"] and not told["upper"]
    joint = {
        "always": True,
        "unseen": doubt is None,
        "rule": source in {"rules", BY_PATTERN, BY_LIST, "dictionary", "known"},
        "plain": plain,
        "plain-unlisted": plain and told["unlisted"],
        "plain-name": plain and told["name"],
        "plain-within": plain and told["within"],
        "plain-name-within": plain and told["name"] and told["within"],
        "plain-beside": plain and told["beside"],
        "flat-unlisted": told["flat"] and told["unlisted"],
        "flat-name": told["flat"] and told["name"],
        "low-name": not told["capital"] and told["name"],
        "low-unlisted-name": not told["capital"] and told["unlisted"] and told["name"],
        "unlisted-name": told["unlisted"] and told["name"],
        "digit-beside": told["digit"] and told["beside"],
        "digits-beside": told["digits"] and told["beside"],
        "upper-short": told["upper"] and told["short"],
        "upper-short-signs": told["upper"] and told["short"] and told["signs"],
        "upper-short-end": told["upper"] and told["short"] and told["line-end"],
        "low-short": not told["capital"] and told["short"] and told["unlisted"],
    }
    odds = log_odds(doubt.score) - log_odds(0.0) if doubt else 0.0
    held = [name for name, holds in {**told, **joint}.items() if holds]
    bent = {f"tagger.{name}": odds for name in _BENDING if name in held}
    return dict.fromkeys(held, 1.0) | {"tagger": odds} | bent
