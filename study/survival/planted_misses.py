"""Plant misses: take an identifier that somebody labelled, and let recognition overlook it.

Everything else that is labelled is found, so what is measured is what a technique does with the
one identifier that nothing found. Source of the question: Abdalla et al., JAMIA 27(6), 2020: a
technique that replaces every word needs no recognition.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from deidstream.models.phi.not_phi import common_words
from deidstream.models.text.folding import words_of
from deidstream.schemas.label import is_direct
from deidstream.schemas.labelled import LabelledNote
from deidstream.schemas.note import RawNote
from deidstream.schemas.span import Span

_LABELLED = "gold"
"""Source of the spans that are found."""


@dataclass(frozen=True, slots=True)
class PlantedMiss:
    """A note and one identifier of it that recognition overlooks."""

    note: RawNote
    overlooked: Span = field(repr=False)
    found: tuple[Span, ...] = field(repr=False)
    """All other labelled spans but those that share a word with the overlooked one, which would
    bring it back: whoever finds ``Lake`` looks for it everywhere."""

    @property
    def identifier(self) -> str:
        """The text that was overlooked."""
        return self.note.text[self.overlooked.start : self.overlooked.end]


def plant_misses(notes: Sequence[LabelledNote], most: int, seed: int) -> list[PlantedMiss]:
    """Plant misses of direct identifiers, at most ``most``, drawn evenly from all.

    An identifier of a note is planted once, however often the note has it. One whose words are all
    ordinary, or that has none, is passed over: nobody could say whether it is left.
    """
    planted = [miss for labelled in notes for miss in _plant_in(labelled)]
    order = list(range(len(planted)))
    random.Random(seed).shuffle(order)
    return [planted[place] for place in sorted(order[:most])]


def _plant_in(labelled: LabelledNote) -> Iterator[PlantedMiss]:
    text, seen = labelled.note.text, set[frozenset[str]]()
    words = [frozenset(words_of(text[span.start : span.end])) for span in labelled.spans]
    for span, own in zip(labelled.spans, words, strict=True):
        if not is_direct(span.label) or own in seen or not telling_words(own):
            continue
        seen.add(own)
        found = tuple(
            replace(other, source=_LABELLED)
            for other, theirs in zip(labelled.spans, words, strict=True)
            if own.isdisjoint(theirs)
        )
        yield PlantedMiss(labelled.note, span, found)


def telling_words(words: frozenset[str]) -> frozenset[str]:
    """Return the words of an identifier that are neither ordinary nor of one sign."""
    return frozenset(word for word in words if len(word) > 1 and word not in common_words())


@dataclass(frozen=True, slots=True)
class PlantedRecognizer:
    """Reports what is found of each planted note, and nothing in any other text."""

    name: str
    found: Mapping[str, tuple[Span, ...]] = field(repr=False)
    """By the text of the note."""

    def recognize(self, notes: Sequence[RawNote]) -> list[tuple[Span, ...]]:
        """Return the planted spans of each note."""
        return [self.found.get(note.text, ()) for note in notes]
