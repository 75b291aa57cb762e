"""Find PHI in real prose, and the places that may be PHI.

A span that a sure rule finds becomes a slot. A sentence is left out if anything else in it might
be PHI.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import re2

from deidstream.models.phi.not_phi import clinical_terms, fold_term
from deidstream.models.recognizers.dictionary.dictionary import DictionaryRecognizer
from deidstream.models.recognizers.rules.recognizer import RulesRecognizer
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import RawNote
from deidstream.schemas.span import Span
from deidstream.study.corpus.frames import ALWAYS_NEW, TemplateSlot
from deidstream.study.corpus.prose.doubts import EPONYM, SCALE, Vocabulary, is_clear, occupations
from deidstream.study.corpus.prose.layout import PlacedSlot

_CERTAIN = frozenset(
    (
        *("age.years_old", "age.labelled", "age.small_old", "age.years", "age.list", "age.spelled"),
        *("date.numeric", "date.month", "date.month_day", "date.month_of_year", "date.month_alone"),
        *("date.year_cued", "date.year_enclosed", "date.weekday", "date.year_between"),
        *("date.partial", "date.month_and_year", "date.decade", "date.year_range", "date.range"),
        *("date.season_of_year", "date.feast", "date.day_month", "date.month_range", "date.year"),
        *("contact.email", "contact.url", "profession.works_as", "profession.headed"),
    )
)
"""Rules that are nearly always right in transcribed notes; seen by reading what each finds."""
_TITLED = re2.compile(
    r"\b(?:(Dr|Drs|Doctor|Prof|Professor)|Mr|Mrs|Ms|Miss|Mister)\.? (\p{Lu}[\p{L}'\x{2019}\-]+)"
)
_OWNED = re2.compile(r"['\x{2019}]s?$")
_TO_PLACE = re2.compile(r"(?:\b(?:in|from|to|near|of|at)(?: the)?|,) $")
_YEAR = re2.compile(r"(?:19[1-9]|20[0-4])\d(?:'?s)?")
_GRADED = re2.compile(r"\d{1,2}/\d{1,2}")
_JOINED = re2.compile(r"(?:,? ?(?:of )?)")
_HEADED = re2.compile(
    r"(?i)(?:\b(?:is|was|as|being|became|occupation:?) (?:currently |now )?(?:an? )?"
    r"(?:retired |former )?|year-old |retired )$"
)
_AT_WORK = re2.compile(r"(?i)\b(?:works?|worked|working|employed) as (?:an? )?$")
_UNBORN = re2.compile(r"(?i)gestation|sonographic|menstrual|fetal|estimated|composite")
_NEAR, _FAR = 9, 60


@dataclass(frozen=True, slots=True)
class Finder:
    """Finds PHI and doubts in real prose."""

    vocabulary: Vocabulary = field(repr=False)

    def find_slots(
        self, text: str, known: Sequence[PlacedSlot]
    ) -> tuple[tuple[PlacedSlot, ...], tuple[Span, ...]]:
        """Return the slots, ``known`` ones included, and the other places that may be PHI.

        Returns:
            Both sorted; the slots are disjoint.
        """
        found = _recognize(text)
        sure = [
            *_find_titled_names(text),
            *_merge_spans(text, filter(_is_certain, found)),
            *_find_places(text, found),
        ]
        kept = _remove_overlaps(known, sure)
        seen = [(held.start, held.end) for held in kept]
        named = [match.span() for match in EPONYM.finditer(text)]
        loose = (span for span in found if not _is_within(span, seen))
        names = (span for span in loose if not (_may_be_eponym(span) and _is_within(span, named)))
        return kept, tuple(span for span in names if self._counts(text, span))

    def _counts(self, text: str, span: Span) -> bool:
        """Return whether a span is a doubt: clinical terms and names in lower case are not."""
        words = text[span.start : span.end]
        if fold_term(words) in clinical_terms() or _is_grade(text, span):
            return False
        if "dictionary:" in span.source or span.label in (PhiLabel.PATIENT, PhiLabel.DOCTOR):
            return not is_clear(f". {words}", self.vocabulary)
        return span.label in (PhiLabel.AGE, PhiLabel.PROFESSION) or not words.islower()


@lru_cache(maxsize=1)
def _recognizers() -> tuple[RulesRecognizer, DictionaryRecognizer]:
    return RulesRecognizer(), DictionaryRecognizer.build({})


def _recognize(text: str) -> tuple[Span, ...]:
    note = RawNote("", "", text)
    return tuple(sorted(s for each in _recognizers() for s in each.recognize([note])[0]))


def _is_certain(span: Span) -> bool:
    return span.source.removeprefix("rules:") in _CERTAIN


def _is_grade(text: str, span: Span) -> bool:
    """Return whether a span is a strength or a murmur, not a day and a month."""
    graded = bool(_GRADED.fullmatch(text[span.start : span.end]))
    around = text[max(0, span.start - _FAR) : span.end + _FAR // 2]
    return span.label is PhiLabel.DATE and graded and bool(SCALE.search(around))


def _find_titled_names(text: str) -> Iterator[PlacedSlot]:
    """Yield the word after each title; more words would be doubtful."""
    for match in _TITLED.finditer(text):
        label = PhiLabel.DOCTOR if match.group(1) else PhiLabel.PATIENT
        name = _OWNED.sub("", match.group(2))
        slot = TemplateSlot(label, label.value, "", "titled")
        yield PlacedSlot(match.start(2), match.start(2) + len(name), slot)


def _find_places(text: str, found: Iterable[Span]) -> Iterator[PlacedSlot]:
    """Yield each city, state or country of the gazetteer after a word that leads to a place."""
    for span in found:
        before = text[max(0, span.start - _NEAR) : span.start]
        if span.source.startswith("dictionary:place.") and _TO_PLACE.search(before):
            yield PlacedSlot(
                span.start, span.end, TemplateSlot(span.label, span.label.value, ALWAYS_NEW)
            )


def _merge_spans(text: str, found: Iterable[Span]) -> Iterator[PlacedSlot]:
    """Join what overlaps or what together is one date."""
    spans = sorted(found)
    place = 0
    while place < len(spans):
        first, place = spans[place], place + 1
        while place < len(spans) and _belong(text, first, spans[place]):
            first = Span(first.start, max(first.end, spans[place].end), first.label)
            place += 1
        if _is_plausible(text, first):
            yield PlacedSlot(
                first.start, first.end, _make_slot(first.label, text[first.start : first.end])
            )


def _make_slot(label: PhiLabel, given: str) -> TemplateSlot:
    part = "number" if label is PhiLabel.AGE and given.isdigit() else ""
    return TemplateSlot(label, label.value, ALWAYS_NEW, part, given)


def _belong(text: str, one: Span, other: Span) -> bool:
    if one.label is not other.label:
        return False
    between = text[one.end : other.start]
    dated = one.label is PhiLabel.DATE and bool(_JOINED.fullmatch(between))
    # Behind a month only a year continues a date; a list of weekdays stays a list.
    return other.start < one.end or (dated and bool(_YEAR.fullmatch(text[other.start : other.end])))


def _is_plausible(text: str, span: Span) -> bool:
    said, before = text[span.start : span.end], text[max(0, span.start - _FAR) : span.start]
    if span.label is PhiLabel.PROFESSION:
        listed = said.casefold().split()[-1] in occupations() and bool(_HEADED.search(before))
        return listed or bool(_AT_WORK.search(before))
    if span.label is PhiLabel.AGE:
        return said.isdigit() or not _UNBORN.search(before)
    if span.label is PhiLabel.DATE and said.isdigit():
        return bool(_YEAR.fullmatch(said))
    return not _is_grade(text, span)


def _remove_overlaps(
    known: Sequence[PlacedSlot], sure: Sequence[PlacedSlot]
) -> tuple[PlacedSlot, ...]:
    """Keep the known, then the longest; what only overlaps the kept becomes a doubt."""
    kept = list(known)
    for held in sorted(sure, key=lambda held: (held.start - held.end, held.start)):
        if all(held.end <= other.start or other.end <= held.start for other in kept):
            kept.append(held)
    return tuple(sorted(kept, key=lambda held: held.start))


def _is_within(span: Span, places: Iterable[tuple[int, int]]) -> bool:
    return any(start <= span.start and span.end <= end for start, end in places)


def _may_be_eponym(span: Span) -> bool:
    return span.source.startswith(("dictionary:person", "rules:name", "rules:organisation"))
