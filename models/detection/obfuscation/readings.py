"""The texts that detection reads in addition to a note, where the note hides words."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from deidstream.models.detection.obfuscation.line_ends import Join, find_joins
from deidstream.models.detection.obfuscation.plain_text import PlainText, plain_text_of
from deidstream.schemas.span import Span

_BEFORE, _AFTER = 160, 120
"""Characters read around a join: more than any rule looks at."""
_SEPARATOR = "\n\n\x1e\n\n"
"""Written between the windows of a reading; no span may reach over it."""
_GAP = 2
"""Characters between neighbours: a comma and a space."""


@dataclass(frozen=True, slots=True)
class NoteReading:
    """A text to be read in addition to the note."""

    plain: PlainText
    joined: tuple[tuple[int, int], ...] | None = None
    """Where lines were joined; only spans that touch these places count. None: all count."""

    def place_in_note(self, spans: Iterable[Span]) -> Iterator[Span]:
        """Put the spans found in this reading, in any order, at their places in the note.

        Of spans beside each other, as the parts of an address are, one that counts makes all count.
        """
        for group in _group_neighbours(self._cut_at_separators(spans)):
            if self.joined is None or any(map(self._touches_join, group)):
                yield from self.plain.to_note(group)

    def _cut_at_separators(self, spans: Iterable[Span]) -> Iterator[Span]:
        for span in spans:
            start = span.start
            for piece in self.plain.text[span.start : span.end].split(_SEPARATOR):
                if piece:
                    yield span.at(start, start + len(piece))
                start += len(piece) + len(_SEPARATOR)

    def _touches_join(self, span: Span) -> bool:
        joined = self.joined or ()
        place = bisect_left(joined, span.start, key=lambda join: join[1])
        return place < len(joined) and joined[place][0] <= span.end


@dataclass(frozen=True, slots=True)
class NoteReadings:
    """The texts that are read in addition to that of one note: none, for nearly every note."""

    parts: tuple[NoteReading, ...] = ()
    whole: PlainText | None = None
    """The note with every join made in its likeliest form; the sweep looks for echoes there."""

    def place_in_note(self, found: Iterable[Iterable[Span]]) -> list[Span]:
        """Put the spans found in each of ``parts``, in their order, at their places in the note."""
        placed: list[Span] = []
        for part, spans in zip(self.parts, found, strict=True):
            placed += part.place_in_note(spans)
        return placed


def read_obfuscated_note(text: str) -> NoteReadings:
    """Return the plain text of a note where it differs, and the pieces of it around torn lines.

    A torn line is read in two forms at most, and no form takes a place of the text twice: all
    readings together are at most three times as long as the text, separators left out.
    """
    plain = plain_text_of(text)
    joins = find_joins(plain.text)
    if plain.text == text and not joins:
        return NoteReadings()
    parts = [NoteReading(plain)] if plain.text != text else []
    for form in range(max((len(join.forms) for join in joins), default=0)):
        several = [join for join in joins if len(join.forms) > form]
        windows = _unite_surroundings(several, len(plain.text))
        parts.append(_join_lines(plain, windows, joins, form))
    if not joins:
        return NoteReadings(tuple(parts), plain)
    everything = [(0, len(plain.text))]
    return NoteReadings(tuple(parts), _join_lines(plain, everything, joins, 0).plain)


def _group_neighbours(spans: Iterable[Span]) -> Iterator[list[Span]]:
    group: list[Span] = []
    end = 0
    for span in sorted(spans):
        if group and span.start > end + _GAP:
            yield group
            group = []
        group.append(span)
        end = max(end, span.end)
    if group:
        yield group


def _unite_surroundings(joins: Sequence[Join], length: int) -> list[tuple[int, int]]:
    """Return the stretches around the joins, overlapping ones united."""
    found: list[tuple[int, int]] = []
    for join in joins:
        start, end = max(0, join.start - _BEFORE), min(length, join.end + _AFTER)
        if found and start <= found[-1][1]:
            start, _ = found.pop()
        found.append((start, end))
    return found


def _join_lines(
    plain: PlainText, windows: Sequence[tuple[int, int]], joins: Sequence[Join], form: int
) -> NoteReading:
    """Write windows of a text with each join in the given form, or its last."""
    texts: list[str] = []
    sources: list[NDArray[np.int64]] = []
    joined: list[tuple[int, int]] = []
    length = 0
    for start, end, written in _cut_segments(windows, joins, form):
        text = plain.text[start:end] if written is None else written
        rows = plain.sources[start:end]
        texts.append(text)
        sources.append(rows if written is None else _repeat_source(rows, len(text)))
        if written is not None and start < end:
            joined.append((length, length + len(text)))
        length += len(text)
    return NoteReading(PlainText("".join(texts), np.concatenate(sources)), tuple(joined))


def _repeat_source(rows: NDArray[np.int64], length: int) -> NDArray[np.int64]:
    """Give ``length`` characters the source of all of ``rows``; a separator has none."""
    whole = (rows[0, 0], rows[-1, 1]) if len(rows) else (0, 0)
    return np.tile(np.array(whole, np.int64), (length, 1))


def _cut_segments(
    windows: Sequence[tuple[int, int]], joins: Sequence[Join], form: int
) -> Iterator[tuple[int, int, str | None]]:
    """Cut windows at joins: start, end, and what is written there instead of the text, if any."""
    for number, (start, end) in enumerate(windows):
        if number:
            yield start, start, _SEPARATOR
        place = start
        first, last = (
            bisect_left(joins, edge, key=lambda join: join.start) for edge in (start, end)
        )
        for join in joins[first:last]:
            if join.end <= end:
                yield place, join.start, None
                yield join.start, join.end, join.forms[min(form, len(join.forms) - 1)]
                place = join.end
        yield place, end, None
