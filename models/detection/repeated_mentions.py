"""Let the mentions of a name or number agree on score, kind and the site's own label.

A name that is sure under "Dear Mrs." may stand later without any cue, and would count as doubtful
there: half of its mentions would become a label and the others a surrogate. So they would if a
pattern of the site found one of them, and a recognizer that knows nothing of its label another.
"""

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from deidstream.models.detection.composed_names import score_user_names
from deidstream.models.detection.initials import score_shortened_names
from deidstream.models.detection.stretches import strip_signs
from deidstream.models.phi.codes.draw_code import code_of
from deidstream.models.phi.names.name_lists import is_listed
from deidstream.models.phi.not_phi import common_words
from deidstream.models.phi.terms import SHORTEST_NUMBER
from deidstream.models.text.context import follows_title
from deidstream.models.text.folding import words_of
from deidstream.models.time_budget import within_time
from deidstream.schemas.label import (
    INSTITUTIONS,
    LABELS,
    NUMBERS,
    PERSONS,
    PHONES,
    TIMES,
    LabelGroup,
    PhiLabel,
    labels_of,
)
from deidstream.schemas.span import Span

_CHECKED = 16
"""Spans between two looks at the clock."""
_PLACES = labels_of(LabelGroup.REGION, LabelGroup.PLACE)
_NAMED = PERSONS | _PLACES | INSTITUTIONS | labels_of(LabelGroup.STREET)
_NUMBERED = NUMBERS | PHONES | {PhiLabel.USERNAME}
_LINE = 9
"""Digits at the end of a telephone number that it has with and without the code of its country."""
_PLACED = re.compile(r"(?i)\b(?:at|from|in|near|of|to)\s+$")
_IN_STATE = re.compile(r",? [A-Z]{2}\b")
_CUE = 12
"""Characters around a mention in which a word or a state says that it is a place."""
_NAME = re.compile(r"[^\W_]+(?:['\u2019-][^\W_]+)*")
_LEAST = 3
"""Letters from which on a word of a name is no initials; a name in other scripts may have fewer."""


def raise_repeated_scores(text: str, spans: Sequence[Span]) -> tuple[Span, ...]:
    """Raise the score of spans whose words stand in a surer span of the same note.

    Initials and user names are as sure as the full name of the note that they are of.
    The words of a person count each alone, so that "Kaur" is as sure as "Simran Kaur", but one or
    two letters do not: the "F" of "Farah F. Noor" says nothing of a sex. Whatever else is named
    counts as a whole and for its own label; a number that is too long to recur by chance, for all
    labels of numbers, with or without separators and zeros before it: a record in one line may be
    taken for a device in the next. Dates and ages are not compared: one "3/7" may be a date and
    another a length of time.

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
    shortened = {**dict(score_user_names(text, spans)), **dict(score_shortened_names(text, spans))}
    raised: list[Span] = []
    for span, names in zip(spans, named, strict=True):
        score = min((surest[name] for name in names), default=span.score)
        score = max(score, shortened.get(span, score))
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


def settle_kinds(text: str, spans: Sequence[Span]) -> tuple[Span, ...]:
    """Let the mentions of one name agree whether it is a person or a place, and those of a number.

    What has only words of persons is one where a fuller name or a title says so in other mentions,
    unless the words around say where it lies; a lone word is a place where as many other mentions
    are that place, or where an institution is called after it and no list of names has it. A person
    behind a title, or named more fully elsewhere, stays one. A number is what most mentions say:
    one to dial, a user name, or any other.

    Args:
        text: The note.
        spans: Disjoint, in order.
    """
    kinds = _Kinds()
    for span in spans:
        kinds.gather(text, span)
    return tuple(kinds.settle(text, span) for span in spans)


@dataclass(frozen=True, slots=True)
class _Kinds:
    """What the mentions of a note say of its words."""

    full: dict[str, Span] = field(default_factory=dict[str, Span], repr=False)
    """By word, a person who is named in full, or behind a title."""
    places: dict[str, list[Span]] = field(default_factory=dict[str, list[Span]], repr=False)
    """By word, the places that it alone names."""
    houses: dict[str, Span] = field(default_factory=dict[str, Span], repr=False)
    """By its first word, an institution."""
    lone: Counter[str] = field(default_factory=Counter[str], repr=False)
    """How many mentions of persons each word is alone."""
    numbers: dict[str, list[Span]] = field(default_factory=dict[str, list[Span]], repr=False)
    """The mentions of each number."""
    usual: dict[str, Span] = field(default_factory=dict[str, Span], repr=False)
    """By number, the mention that shows how it is replaced; filled at its first use."""

    def gather(self, text: str, span: Span) -> None:
        """Add what a mention says."""
        word = _names_alone(text, span)
        words = words_of(text[span.start : span.end])
        if span.label in PERSONS:
            if word and not follows_title(text, span.start):
                self.lone[word] += 1
            else:
                self.full.update((each, span) for each in words if len(each) >= _LEAST)
        elif word and span.label in _PLACES:
            self.places.setdefault(word, []).append(span)
        elif span.label in INSTITUTIONS and words:
            self.houses.setdefault(words[0], span)
        elif number := _read_number(text, span):
            self.numbers.setdefault(number[-_LINE:], []).append(span)

    def settle(self, text: str, span: Span) -> Span:
        """Return a span with the label of its kind; what the sender and the site state stays."""
        if span.source.startswith("known") or span.of_site:
            return span
        kind = None
        word = _names_alone(text, span)
        if span.label in _PLACES | INSTITUTIONS:
            kind = None if _is_placed(text, span) else self._find_person(text, span)
        elif word and span.label in PERSONS:
            kind = None if word in self.full else self._find_place(word)
        elif number := _read_number(text, span):
            usual = self._find_usual(number[-_LINE:])
            kind = usual if _replaced_as(usual) != _replaced_as(span) else None
        return replace(span, label=kind.label, own=kind.own) if kind else span

    def _find_person(self, text: str, span: Span) -> Span | None:
        """Return the person all of whose words a place has; a family's are several."""
        words = words_of(text[span.start : span.end])
        plural = len(words) > 1
        found = [
            self.full.get(word) or (self.full.get(word.removesuffix("s")) if plural else None)
            for word in words
        ]
        return found[-1] if all(found) and found else None

    def _find_usual(self, number: str) -> Span:
        if number not in self.usual:
            mentions = self.numbers[number]
            counts = Counter(map(_replaced_as, mentions))
            self.usual[number] = max(
                mentions, key=lambda one: (counts[_replaced_as(one)], one.score)
            )
        return self.usual[number]

    def _find_place(self, word: str) -> Span | None:
        """Return the place or institution that a lone word rather names than a person."""
        places = self.places.get(word, ())
        if places and len(places) >= self.lone[word]:
            return places[0]
        named = is_listed(word) or word in common_words()
        return None if named else self.houses.get(word)


def _read_number(text: str, span: Span) -> str:
    """Return the letters and digits of a number without zeros before them; empty if too few."""
    if span.label not in _NUMBERED:
        return ""
    number = code_of(text[span.start : span.end]).lstrip("0")
    return number if len(number) >= SHORTEST_NUMBER and any(map(str.isdigit, number)) else ""


def _replaced_as(span: Span) -> str:
    """Return what labels have in common under which a number has one surrogate."""
    return span.label if span.label is PhiLabel.SSN else LABELS[span.label].group


def _is_placed(text: str, span: Span) -> bool:
    """Return whether the words around say that a place is meant: ``from Jackson, MS``."""
    before = text[max(0, span.start - _CUE) : span.start]
    behind = text[span.end : span.end + _CUE]
    return _PLACED.search(before) is not None or _IN_STATE.match(behind) is not None


def _names_alone(text: str, span: Span) -> str:
    """Return the one word of a person, place or institution; empty if it has more, or initials."""
    words = words_of(text[span.start : span.end])
    told = span.label in PERSONS | _PLACES | INSTITUTIONS
    return words[0] if told and len(words) == 1 and len(words[0]) >= _LEAST else ""


def cut_unsure_words(
    text: str, spans: Sequence[Span], is_doubtful: Callable[[str, float], bool]
) -> tuple[Span, ...]:
    """Cut doubtful names where some of their words are sure elsewhere: ``WINTERS PROT``.

    Those words become spans of their own, as sure as there: a word of a person, one of a place that
    is none of ordinary English, and any name of several words that is repeated as a whole.

    Args:
        text: The note.
        spans: Disjoint, in order, with probabilities as scores.
        is_doubtful: Tells by the name of a label and a score whether a span gets no invented value.
    """
    sure = dict[tuple[str, ...], Span]()
    for span in spans:
        if span.label in _NAMED and not is_doubtful(span.name, span.score):
            words = tuple(words_of(text[span.start : span.end]))
            if len(words) > 1:
                sure.setdefault(words, span)
            for word in words:
                ordinary = span.label not in PERSONS and word in common_words()
                if len(word) >= _LEAST and not ordinary:
                    sure.setdefault((_kind_of(span), word), span)
    found: list[Span] = []
    for span in spans:
        if span.label in _NAMED and is_doubtful(span.name, span.score):
            found += _cut_words(text, span, sure)
        else:
            found.append(span)
    return tuple(found)


def _kind_of(span: Span) -> str:
    return LabelGroup.PERSON if span.label in PERSONS else LabelGroup.PLACE


def _cut_words(text: str, span: Span, sure: Mapping[tuple[str, ...], Span]) -> Iterator[Span]:
    """Yield the runs of sure words of a span, and what is left of it."""
    places = [match.span() for match in _NAME.finditer(text, span.start, span.end)]
    words = [tuple(words_of(text[start:end])) for start, end in places]
    left, place = span.start, 0
    while place < len(places):
        for end in range(len(places), place, -1):
            run = tuple(word for some in words[place:end] for word in some)
            alike = (_kind_of(span), *run) if len(run) == 1 else run
            origin = sure.get(alike)
            if origin is not None and end - place < len(places):
                yield from _what_is_left(text, span, left, places[place][0])
                left = places[end - 1][1]
                yield origin.at(places[place][0], left)
                place = end
                break
        else:
            place += 1
    if left == span.start:
        yield span
    else:
        yield from _what_is_left(text, span, left, span.end)


def _what_is_left(text: str, span: Span, start: int, end: int) -> Iterator[Span]:
    start, end = strip_signs(text, start, end)
    if start < end:
        yield span.at(start, end)


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
        yield LabelGroup.NUMBER, "".join(words).lstrip("0")
    elif words:
        yield span.label, *words
