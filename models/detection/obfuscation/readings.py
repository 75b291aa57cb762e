"""The texts that detection reads beside a note itself, where the note hides anything."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from deidstream.models.detection.obfuscation.line_ends import Join, find_joins
from deidstream.models.detection.obfuscation.plain_text import PlainText, plain_text_of
from deidstream.schemas.span import Span

_BEFORE, _AFTER = 160, 120
"""Characters read around a join: more than any rule looks at."""
_PARTING = "\n\n\x1e\n\n"
"""Stands between the pieces of a reading."""
_GAP = 2
"""Characters between neighbours: a comma and a space."""


@dataclass(frozen=True, slots=True)
class NoteReading:
    """A text to be read beside the note."""

    shadow: PlainText
    joined: tuple[tuple[int, int], ...] | None = None
    """Where its text differs from the shadow's; only what touches these counts. None: all does."""

    def origins(self, spans: Iterable[Span]) -> Iterator[Span]:
        """Put the spans found in this reading, in any order, at their places in the note.

        Of spans beside each other, as the parts of an address are, one that counts makes all count.
        """
        for group in _neighbours(self._within(spans)):
            if self.joined is None or any(map(self._touches, group)):
                for span in group:
                    start, end = self.shadow.origin(span.start, span.end)
                    yield replace(span, start=start, end=end)

    def _within(self, spans: Iterable[Span]) -> Iterator[Span]:
        for span in spans:
            start = span.start
            for piece in self.shadow.text[span.start : span.end].split(_PARTING):
                if piece:
                    yield replace(span, start=start, end=start + len(piece))
                start += len(piece) + len(_PARTING)

    def _touches(self, span: Span) -> bool:
        joined = self.joined or ()
        place = bisect_left(joined, span.start, key=lambda join: join[1])
        return place < len(joined) and joined[place][0] <= span.end


@dataclass(frozen=True, slots=True)
class NoteReadings:
    """What detection reads of one note beside its own text; nothing, for nearly every note."""

    parts: tuple[NoteReading, ...] = ()
    whole: PlainText | None = None
    """The note with every join made in its likeliest form: where echoes are looked for."""


def read_obfuscated(text: str) -> NoteReadings:
    """Return the shadow of a text where it differs, and the pieces of it around torn lines.

    A torn line is read in two forms at most, and no form takes a place of the text twice: all
    readings together are at most three times as long as the text, partings left out.
    """
    shadow = plain_text_of(text)
    torn = find_joins(shadow.text)
    hides = shadow.text != text
    if not (hides or torn):
        return NoteReadings()
    parts = [NoteReading(shadow)] if hides else []
    for form in range(max((len(join.forms) for join in torn), default=0)):
        wanted = [join for join in torn if len(join.forms) > form]
        parts.append(_written(shadow, _windows(wanted, len(shadow.text)), torn, form))
    everything = [(0, len(shadow.text))]
    return NoteReadings(
        tuple(parts), _written(shadow, everything, torn, 0).shadow if torn else shadow
    )


def _neighbours(spans: Iterable[Span]) -> Iterator[list[Span]]:
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


def _windows(torn: Sequence[Join], length: int) -> list[tuple[int, int]]:
    """Unite the surroundings of joins."""
    found: list[tuple[int, int]] = []
    for join in torn:
        start, end = max(0, join.start - _BEFORE), min(length, join.end + _AFTER)
        if found and start <= found[-1][1]:
            start, _ = found.pop()
        found.append((start, end))
    return found


def _written(
    shadow: PlainText, windows: Sequence[tuple[int, int]], torn: Sequence[Join], form: int
) -> NoteReading:
    texts: list[str] = []
    sources: list[NDArray[np.int64]] = []
    joined: list[tuple[int, int]] = []
    length = 0
    for start, end, shown in _segments(windows, torn, form):
        text = shadow.text[start:end] if shown is None else shown
        rows = shadow.sources[start:end]
        texts.append(text)
        sources.append(rows if shown is None else _one_source(rows, len(text)))
        if shown is not None and start < end:
            joined.append((length, length + len(text)))
        length += len(text)
    return NoteReading(PlainText("".join(texts), np.concatenate(sources)), tuple(joined))


def _one_source(rows: NDArray[np.int64], length: int) -> NDArray[np.int64]:
    """Let ``length`` characters stand for all of ``rows``; a parting stands for nothing."""
    whole = (rows[0, 0], rows[-1, 1]) if len(rows) else (0, 0)
    return np.tile(np.array(whole, np.int64), (length, 1))


def _segments(
    windows: Sequence[tuple[int, int]], torn: Sequence[Join], form: int
) -> Iterator[tuple[int, int, str | None]]:
    """Cut windows into what is shown as it is and what a join or a parting stands for."""
    for number, (start, end) in enumerate(windows):
        if number:
            yield start, start, _PARTING
        place = start
        within = (bisect_left(torn, edge, key=lambda join: join.start) for edge in (start, end))
        for join in torn[slice(*within)]:
            if join.end <= end:
                yield place, join.start, None
                yield join.start, join.end, join.forms[min(form, len(join.forms) - 1)]
                place = join.end
        yield place, end, None
