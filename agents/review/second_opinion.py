"""Let two readers read a note blind to each other, compare what they say, and decide between them.

Each reader has a list of their own with copies of the notes: marks, terms and undo of one are never
seen by the other. When all is read the lists are closed and compared.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import cycle

from deidstream.agents.review.agreement import Agreement, measure_agreement, pair_words, single_out
from deidstream.agents.review.worklist import HeldNote, ReviewVerdict, Worklist
from deidstream.models.detection.review_marks import REVIEWED, ReviewMarks
from deidstream.models.detection.stretches import Stretches, cut_outside
from deidstream.schemas.label import PhiLabel, own_name
from deidstream.schemas.span import Span, sort_spans

BLIND = "blind"
"""The kind of a list of one reader's copies."""
_SYSTEM_RANDOM = random.SystemRandom()
Places = tuple[Span, ...]
Draw = Callable[[Sequence[HeldNote], int], list[HeldNote]]


@dataclass(frozen=True, slots=True)
class Disputed:
    """A stretch about which two readers differ, and what each takes for identifiers there."""

    start: int
    end: int
    options: tuple[Places, Places]
    """In an order that does not tell whose is which; one may be empty."""


@dataclass(frozen=True, slots=True)
class ComparedNote:
    """A note that both have read."""

    held: HeldNote
    first: Places = field(repr=False)
    second: Places = field(repr=False)
    disputed: tuple[Disputed, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Comparison:
    """What two readers say of the same notes."""

    notes: Sequence[ComparedNote]
    overall: Agreement
    by_label: Mapping[PhiLabel, Agreement]


def begin_blind(
    worklist: Worklist,
    readers: Sequence[str],
    share: float,
    draw: Draw = _SYSTEM_RANDOM.sample,
) -> list[Worklist]:
    """Give a share of the notes without a verdict to two readers each, by turns.

    Returns:
        A list of copies for each reader.
    """
    notes = worklist.shared_notes()
    wanted = round(share * len(notes))
    pairs = cycle(zip(readers, [*readers[1:], readers[0]], strict=True))
    blind = {name: _make_blind(worklist, name) for name in readers}
    for held, pair in zip(
        sorted(draw(notes, wanted), key=lambda one: one.number), pairs, strict=False
    ):
        held.pair, held.reader = pair, ""
        for name in pair:
            copy = blind[name].add(held.name, held.note, held.origin, held.emitted, word=held.word)
            copy.marks, copy.twin = held.marks, held.number
    return [one for one in blind.values() if one.notes]


def _make_blind(worklist: Worklist, name: str) -> Worklist:
    made = Worklist(worklist.title, BLIND, worklist.draft, terms=worklist.terms)
    made.of, made.owner, made.until = worklist.id, name, worklist.until
    return made


def count_read(blind: Iterable[Worklist]) -> dict[str, tuple[int, int]]:
    """Return how many of their notes readers have accepted, and how many they have."""
    counts: dict[str, tuple[int, int]] = {}
    for one in blind:
        read, notes = counts.get(one.owner, (0, 0))
        done = sum(held.verdict is ReviewVerdict.ACCEPTED for held in one.notes.values())
        counts[one.owner] = read + done, notes + len(one.notes)
    return counts


def is_all_read(blind: Sequence[Worklist]) -> bool:
    """Return whether every reader has accepted every note."""
    return bool(blind) and all(read == notes for read, notes in count_read(blind).values())


def close_blind(worklist: Worklist, blind: Sequence[Worklist]) -> list[HeldNote]:
    """End the blind reading: what both say counts, notes that one has not read are shared anew.

    Returns:
        The notes that must be run again.
    """
    compared = {one.held.number: one for one in compare(worklist, blind).notes}
    for copies in blind:
        copies.closed = True
    for held in worklist.notes.values():
        if held.pair and held.number not in compared:
            held.pair = ()
    agreed = [one for one in compared.values() if not one.disputed and not one.held.decided]
    for one in agreed:
        _apply(one.held, one.first)
    return [one.held for one in agreed]


def compare(worklist: Worklist, blind: Sequence[Worklist]) -> Comparison:
    """Compare what two readers accepted, of each word and of each stretch."""
    read = {
        (one.owner, copy.twin): to_places(copy.accepted, one.draft.labels)
        for one in blind
        for copy in one.notes.values()
        if copy.verdict is ReviewVerdict.ACCEPTED
    }
    notes: list[ComparedNote] = []
    pairs = Counter[tuple[PhiLabel | None, PhiLabel | None]]()
    for held in worklist.notes.values():
        said = [read[name, held.number] for name in held.pair if (name, held.number) in read]
        if len(said) == len(held.pair) > 0:
            first, second = said
            disputed = tuple(find_disputed(first, second))
            notes.append(ComparedNote(held, first, second, disputed))
            pairs.update(pair_words(held.note.text, first, second))
    labels = sorted({label for pair in pairs for label in pair if label is not None})
    by_label = {label: measure_agreement(single_out(pairs, label)) for label in labels}
    return Comparison(notes, measure_agreement(pairs), by_label)


def to_places(accepted: Iterable[tuple[int, int, str]], labels: Mapping[str, PhiLabel]) -> Places:
    """Return accepted places as spans, in order; their labels are names of ``labels``."""
    return sort_spans(
        Span(start, end, labels[name], 1.0, REVIEWED, own_name(name))
        for start, end, name in accepted
    )


def find_disputed(first: Places, second: Places) -> Iterator[Disputed]:
    """Yield the stretches in which two readers do not have the same places and labels."""
    group: list[tuple[int, Span]] = []
    both = sorted(
        [(0, one) for one in first] + [(1, one) for one in second],
        key=lambda item: (item[1].start, item[1].end),
    )
    end = -1
    for whose, span in both:
        if group and span.start >= end:
            yield from _dispute(group)
            group = []
        group.append((whose, span))
        end = max(span.end, end) if len(group) > 1 else span.end
    yield from _dispute(group)


def _dispute(group: Sequence[tuple[int, Span]]) -> Iterator[Disputed]:
    options = [tuple(span for whose, span in group if whose == reader) for reader in (0, 1)]
    if options[0] == options[1]:
        return
    start, end = min(span.start for _, span in group), max(span.end for _, span in group)
    one, other = sorted(options, key=lambda spans: [(s.start, s.end, s.label) for s in spans])
    yield Disputed(start, end, (one, other))


def decide(one: ComparedNote, choices: Sequence[int]) -> None:
    """Decide about every disputed stretch of a note.

    Args:
        one: The note.
        choices: For each stretch, the number of the option that holds.

    Raises:
        ValueError: There are more or fewer choices than stretches.
    """
    chosen = [
        span
        for place, choice in zip(one.disputed, choices, strict=True)
        for span in place.options[choice]
    ]
    disputed = [span for place in one.disputed for option in place.options for span in option]
    agreed = [span for span in one.first if span not in disputed]
    _apply(one.held, sort_spans((*agreed, *chosen)))


def _apply(held: HeldNote, places: Places) -> None:
    """Make places the PHI of a note by marks, where they are not found already."""
    found = {(span.start, span.end, span.name) for span in held.spans}
    marked = [span for span in places if (span.start, span.end, span.name) not in found]
    text = held.note.text
    kept_places = Stretches.of_spans(places)
    surplus = [piece for span in held.spans for piece in cut_outside(span, kept_places, text)]
    cleared = [Span(piece.start, piece.end, piece.label) for piece in surplus]
    kept = ReviewMarks(
        tuple(one for one in held.marks.marked if one in places),
        tuple(one for one in held.marks.cleared if not any(_touch(one, span) for span in places)),
    )
    more = [one for one in cleared if not any(_touch(one, span) for span in kept.cleared)]
    held.marks = ReviewMarks(
        sort_spans(dict.fromkeys((*kept.marked, *marked))), sort_spans((*kept.cleared, *more))
    )
    held.verdict, held.decided = ReviewVerdict.ACCEPTED, True
    held.accepted = frozenset((span.start, span.end, str(span.name)) for span in places)


def _touch(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end
