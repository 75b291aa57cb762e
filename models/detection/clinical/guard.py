"""Cut clinical values from the spans of all recognizers.

Rules and tagger see a form or a sentence; a score, a dose or a code is known by both, and by the
style of the whole note. This runs after all recognizers, so that it applies to each of them.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from deidstream.models.detection.clinical import clock_times, codes, measures, unlike_dates
from deidstream.models.detection.clinical.clock_times import (
    find_dotted_times,
    find_log_times,
    find_times_like_years,
)
from deidstream.models.detection.clinical.codes import find_named_codes
from deidstream.models.detection.clinical.column_values import find_column_values
from deidstream.models.detection.clinical.fractions import find_fraction_values
from deidstream.models.detection.clinical.line_forms import LineForms, find_lines
from deidstream.models.detection.clinical.row_numbers import find_row_numbers
from deidstream.models.detection.clinical.unlike_dates import find_unlike_dates
from deidstream.models.detection.clinical.value import MACHINED, NUMERIC, TIMES, ClinicalValue
from deidstream.models.detection.stretches import Stretches, strip_signs
from deidstream.models.phi.codes.spoken_codes import DIGIT_WORDS, PAIR_WORDS
from deidstream.models.phi.not_phi import BY_FORM
from deidstream.models.time_budget import within_time
from deidstream.schemas.label import NUMBERS, PERSONS, PHONES, PhiLabel
from deidstream.schemas.span import Span

_WORD = re.compile(r"[^\W\d_]{2,}")
_NUMERALS = DIGIT_WORDS.keys() | PAIR_WORDS.keys()
_CHECKED = 16
"""Spans between two looks at the clock."""
CERTAIN = 0.95
"""A rule this sure outweighs a value: it saw a cue or a checksum."""
_TAIL = re.compile(r"(?<=[0-9.,;:)])\s*\n[ \t]*[0-9]{1,2}[.)]?$")
_TRIMMED = TIMES
"""Labels whose spans lose values at their edges. So does a phone number that is whole without the
value; any other span goes as a whole or stays."""
_WHOLE_NUMBER = 7
_EVERY_FORM = (*measures.FORMS, *clock_times.FORMS, *codes.FORMS, *unlike_dates.FORMS)
_FORMS = LineForms(_EVERY_FORM)
_FORMS_OF_ALL = LineForms(form for form in _EVERY_FORM if not form.refutes <= NUMERIC)
"""Those that refute labels of words too."""


def cut_clinical_values(
    text: str, spans: Sequence[Span], *, certain: float = CERTAIN
) -> tuple[Span, ...]:
    """Drop the spans that are clinical values; cut off values at the edges of the others.

    What the sender knows, the site denies, or a certain rule found is kept as it is; what merely
    resembles something known is not. A dot between two numbers, which a tagger may take for a part
    of an address, is dropped.

    Args:
        text: The note.
        spans: What recognizers found in it.
        certain: The score from which a rule outweighs a value.
    """
    worded = [span for span in spans if _holds_word(text, span)]
    doubted = {place for place, span in enumerate(worded) if _is_doubted(text, span, certain)}
    if not doubted:
        return tuple(worded)
    values = find_values_beside(text, [worded[place] for place in doubted])
    refuting = {
        label: Stretches.covered_by((one.start, one.end) for one in values if label in one.refutes)
        for label in {worded[place].label for place in doubted}
    }
    kept: list[Span] = []
    for place, span in within_time(enumerate(worded), every=_CHECKED):
        left: Span | None = span
        if place in doubted:
            left = _cut_edges(text, _cut_item(text, span), refuting[span.label])
        if left is not None:
            kept.append(left)
    return tuple(kept)


def find_values_beside(text: str, spans: Iterable[Span]) -> list[ClinicalValue]:
    """Return the clinical values that refute the label of a span on its line, in no order.

    They may overlap, and some finders return those of other lines and labels too.
    """
    numeric: list[tuple[int, int]] = []
    others: list[tuple[int, int]] = []
    for span in spans:
        (numeric if span.label in NUMERIC else others).append((span.start, span.end))
    lines = find_lines(text, sorted(others))
    values = [*_FORMS_OF_ALL.find(text, lines), *find_column_values(text)]
    if numeric:
        values += _find_numeric_values(text, Stretches.covered_by(numeric))
    return values


def _find_numeric_values(text: str, places: Stretches) -> Iterator[ClinicalValue]:
    lines = find_lines(text, zip(places.starts, places.ends, strict=True))
    yield from find_fraction_values(text, places)
    yield from _FORMS.find(text, lines)
    yield from find_log_times(text, lines)
    yield from find_times_like_years(text)
    yield from find_unlike_dates(text, lines)
    yield from find_dotted_times(text)
    yield from find_named_codes(text)
    yield from find_row_numbers(text)


def _cut_item(text: str, span: Span) -> Span:
    """Cut the number of the next line off a number, which a tagger reads as its last group."""
    tail = _TAIL.search(text[span.start : span.end]) if span.label in NUMERIC else None
    dated = span.label is PhiLabel.DATE and text[span.end : span.end + 1] not in {".", ")"}
    if tail is None or dated:
        return span
    end = span.start + len(text[span.start : span.start + tail.start()].rstrip(" .,;:"))
    return span.at(span.start, end) if end > span.start else span


def _holds_word(text: str, span: Span) -> bool:
    if span.of_site or span.source.startswith("known"):
        return True
    if span.label in NUMBERS and not _may_be_numbered(text, span):
        return False
    return text[span.start].isalnum() or any(map(str.isalnum, text[span.start : span.end]))


def _may_be_numbered(text: str, span: Span) -> bool:
    """Return whether a span has a digit, says one, or is a part of what may have one.

    Of numbers those on vehicles alone may have none, in capitals.
    """
    written = text[span.start : span.end]
    beside = text[max(span.start - 1, 0) : span.start] + text[span.end : span.end + 1]
    if any(map(str.isdigit, written)) or any(char.isalnum() or char in "-/" for char in beside):
        return True
    on_vehicle = span.label is PhiLabel.VEHICLE and written.isupper()
    return on_vehicle or any(word.lower() in _NUMERALS for word in _WORD.findall(written))


def _is_doubted(text: str, span: Span, certain: float) -> bool:
    formed = span.source.partition(":")[0] in BY_FORM
    given = span.source == "known" or span.is_denied or (formed and span.score >= certain)
    if given:
        return False
    written = text[span.start : span.end]
    named = span.label in PERSONS and span.source == "tagger"
    # Days in words are counted, months in capitals are abbreviations.
    coded = span.label in NUMERIC | MACHINED and (
        span.label is not PhiLabel.DATE or written.isupper()
    )
    return named or coded or any(map(str.isdigit, written))


def _cut_edges(text: str, span: Span, values: Stretches) -> Span | None:
    """Cut the values at both edges off a span; None if nothing is left."""
    if not values.starts:
        return span
    start, end = strip_signs(text, span.start, span.end)
    first, last = start, end
    while start < end and (value := values.holding(start)) is not None:
        start, end = strip_signs(text, min(value[1], end), end)
    while start < end and (value := values.holding(end - 1)) is not None:
        start, end = strip_signs(text, start, max(value[0], start))
    if (start, end) == (first, last):
        return span
    if start >= end:
        return None
    trimmed = span.label in _TRIMMED or (
        span.label in PHONES and sum(map(str.isdigit, text[start:end])) >= _WHOLE_NUMBER
    )
    return span.at(start, end) if trimmed else span
