"""Reconcile the spans of several recognizers: which count, their borders and labels."""

import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from deidstream.models.detection.stretches import Stretches
from deidstream.models.time_budget import within_time
from deidstream.schemas.errors import InvalidSpan, Stage
from deidstream.schemas.label import INSTITUTIONS, NUMBERS, PERSONS, PhiLabel
from deidstream.schemas.span import BY_LIST, BY_PATTERN, DENIED, POSSIBLE, Span, sort_spans

SCORE_DIGITS = 3
"""Scores are rounded before any threshold: float noise of another batch shape decides nothing."""
SURE = 0.96
"""A rule or dictionary entry with this score needs no corroboration."""
CONFIRMED = 1.0
"""Score of a rule that found a form which is one thing alone, or is so in its note."""
_FORMED = NUMBERS | PERSONS | INSTITUTIONS | {PhiLabel.DATE, PhiLabel.EMAIL, PhiLabel.PROFESSION}
SOURCES = ("sweep", "dictionary", "tagger", "rules", BY_PATTERN, BY_LIST, DENIED, "known")
"""Precedence of sources when score and length are equal, lowest first; any other is below them."""
_TAGGER = "tagger"
_KNOWN = "known"
_DOUBTED = ("rules", "dictionary", BY_PATTERN)
SMALL_WORDS = frozenset(
    {"and", "at", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with"}
)
"""A span does not end with these; what is cut off them is no loss."""
_CHECKED = 16
"""Groups of spans between two looks at the clock."""


def drop_possible(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Drop the spans that the tagger holds for possible only."""
    return tuple(span for span in spans if span.source != POSSIBLE)


def keep_possible(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Keep the spans that the tagger holds for possible only."""
    return tuple(span for span in spans if span.source == POSSIBLE)


def drop_below_threshold(
    spans: Iterable[Span], thresholds: Mapping[PhiLabel, float]
) -> tuple[Span, ...]:
    """Drop the spans whose rounded score is below the threshold of their label."""
    return tuple(s for s in spans if round(s.score, SCORE_DIGITS) >= thresholds.get(s.label, 0))


def drop_uncorroborated_spans(spans: Sequence[Span]) -> tuple[Span, ...]:
    """Drop doubtful spans of rules and dictionary where the tagger sees no PHI.

    A span stays whole if it scores ``SURE`` or more, or is known or denied by the site. Any other
    is cut to the stretch between the first and the last character that is possibly PHI to the
    tagger, and dropped if no character is.

    Args:
        spans: The spans of one note, with the tagger's ``POSSIBLE`` ones, in any order.
    """
    possible = Stretches.of_spans(span for span in spans if span.source.startswith(_TAGGER))
    kept: list[Span] = []
    for span in spans:
        if span.source == POSSIBLE:
            continue
        sure = span.score >= SURE or span.is_denied
        if sure or not span.source.startswith(_DOUBTED):
            kept.append(span)
        elif stretch := possible.within(span.start, span.end):
            kept.append(span.at(*stretch))
    return tuple(kept)


def apply_tagger_borders(spans: Iterable[Span], text: str) -> tuple[Span, ...]:
    """Make spans disjoint by the borders and labels of the tagger; no letter or digit is uncovered.

    Rules see a form and the tagger the sentence: a town and its state that a rule took for one
    place become two spans, a full stop is left out, and a number gets the label that its
    surroundings suggest. Tagger spans of one label in one group stay one span, as do spans that no
    tagger span overlaps (``resolve``). Spans of the sender and the site keep their borders and
    labels. Between two borders, words are added to the span before; white space, punctuation and
    small words such as "at" are left out.

    Args:
        spans: The spans of one note, in any order; the tagger's have the source ``tagger``.
        text: The text of the note.

    Raises:
        InvalidSpan: A span ends after the text.
    """
    pieces: list[Span] = []
    for group in within_time(group_overlapping(sort_spans(spans)), every=_CHECKED):
        pieces += _cut_at_borders(group, text) if len(group) > 1 else group
    return resolve(pieces, length=len(text))


def _cut_at_borders(group: Sequence[Span], text: str) -> Iterator[Span]:
    leading = list(_merge_leading(group))
    if not leading:
        yield unite(group)
        return
    end = max([span.end for span in group])
    whole = leading[0]
    if len(leading) == 1 and (whole.start, whole.end) == (group[0].start, end):
        yield whole
        return
    borders = [group[0].start, *(span.start for span in leading[1:]), end]
    for place, leader in enumerate(leading):
        # Words before the border of the next leader belong to this one.
        start = _take_words_before(text, borders[place], leader.start)
        yield leader.at(start, _trim_end(text, leader.end, borders[place + 1]))


def _merge_leading(group: Sequence[Span]) -> Iterator[Span]:
    """Yield the spans whose borders count, neighbours of one label united; disjoint, in order."""
    pending: Span | None = None
    for span in _choose_leading(group):
        if pending is not None and pending.name == span.name:
            score = max(pending.score, span.score)
            pending = pending.at(pending.start, span.end).scored(score)
            continue
        if pending is not None:
            yield pending
        pending = span
    if pending is not None:
        yield pending


def _choose_leading(group: Sequence[Span]) -> list[Span]:
    """Return disjoint spans of the group: the given ones first, then the tagger's.

    No recognizer corrects what the sender and the site state, nor a form that is one thing alone,
    such as ``2021-W09-1``.
    """
    given = [span for span in group if span.source == _KNOWN or span.of_site or is_formed(span)]
    tagged = [span for span in group if span.source == _TAGGER]
    if len(given) + len(tagged) == 1:
        return given or tagged
    given.sort(key=precedence, reverse=True)
    tagged.sort(key=precedence, reverse=True)
    chosen: list[Span] = []
    for span in (*given, *tagged):
        place = bisect_left(chosen, span.start, key=_start_of)
        before, after = chosen[max(place - 1, 0) : place], chosen[place : place + 1]
        end = min([span.end, *(other.start for other in after)])
        # A name that a tagger leads into a date ends where the date begins by its form.
        whole = end == span.end or (span.label in PERSONS and any(map(is_formed, after)))
        if whole and end > span.start and all(other.end <= span.start for other in before):
            chosen.insert(place, span.at(span.start, end))
    return chosen


def is_formed(span: Span) -> bool:
    """Return whether a rule found what is one thing alone by its form, or by its place."""
    return span.label in _FORMED and span.source.startswith("rules") and span.score >= CONFIRMED


def is_confirmed(span: Span) -> bool:
    """Return whether a span counts without the tagger: it is formed, or a town one goes to.

    The tagger has the last word about the borders of a town, which may begin a longer name.
    """
    town = span.source.startswith("dictionary") and span.score >= CONFIRMED
    return town or is_formed(span)


def _start_of(span: Span) -> int:
    return span.start


def _take_words_before(text: str, start: int, border: int) -> int:
    return border if _is_gap(text[start:border]) else start


def _trim_end(text: str, border: int, end: int) -> int:
    """Move an end back over small words, white space and punctuation, to ``border`` at most."""
    while end > border:
        start = _find_word_start(text, border, end)
        if text[start:end] in SMALL_WORDS and text[start - 1].isspace():
            end = start
        elif _is_gap(text[end - 1]):
            end -= 1
        else:
            break
    return end


def _find_word_start(text: str, border: int, end: int) -> int:
    while end > border and text[end - 1].isalpha():
        end -= 1
    return end


def _is_gap(text: str) -> bool:
    return all(char.isspace() or unicodedata.category(char).startswith("P") for char in text)


def resolve(spans: Iterable[Span], *, length: int) -> tuple[Span, ...]:
    """Unite overlapping spans; return disjoint ones, in order, that cover the same characters.

    Spans that overlap, directly or through others, become one span from the first start to the last
    end. Its label, score and source are those of the span with the highest score; among equals of
    the longest, then by ``SOURCES``. So a short span with a higher score gives its label to a
    longer one around it: cutting the long one into pieces would give each piece a surrogate of its
    own. Spans that merely touch are not united. The order of ``spans`` does not count, and
    resolving twice changes nothing. One sort and one pass.

    Raises:
        InvalidSpan: A span ends after ``length``.
    """
    ordered = sort_spans(spans)
    refuse_outside(ordered, length)
    return tuple(unite(group) for group in group_overlapping(ordered))


def group_overlapping(ordered: Sequence[Span]) -> Iterator[list[Span]]:
    """Gather sorted spans that overlap, directly or through others; disjoint groups, in order."""
    group: list[Span] = []
    end = 0
    for span in ordered:
        if group and span.start >= end:
            yield group
            group = []
        group.append(span)
        end = max(end, span.end) if len(group) > 1 else span.end
    if group:
        yield group


def unite(group: Sequence[Span]) -> Span:
    """Unite a sorted group into one span."""
    if len(group) == 1:
        return group[0]
    end = max(span.end for span in group)
    return max(group, key=precedence).at(group[0].start, end)


def precedence(span: Span) -> tuple[float, int, int, str, str, str, int]:
    """Return the sorting key of spans that overlap; the span with the greatest gives the label."""
    # The last four only make equals of the first three independent of their order.
    priority = _priority_of(span.source)
    return (
        span.score,
        span.end - span.start,
        priority,
        span.label,
        span.source,
        span.own,
        -span.start,
    )


@lru_cache(maxsize=1024)
def _priority_of(source: str) -> int:
    """Return the place of a source among ``SOURCES``; -1 for any other."""
    names = [name for name in SOURCES if (source + ":").startswith(name + ":")]
    return max(map(SOURCES.index, names), default=-1)


def refuse_outside(spans: Iterable[Span], length: int) -> None:
    """Refuse spans that end after the text.

    Raises:
        InvalidSpan: A span ends after ``length``.
    """
    for span in spans:
        if span.end > length:
            raise InvalidSpan(Stage.DETECT)
