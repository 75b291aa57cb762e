"""Find the identifiers that the sender already knows: the ``known`` block of a note and its ids."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from deidstream.models.phi.known.find_known import find_parts, find_stated_names
from deidstream.models.phi.known_terms import is_limited_by_text, known_terms
from deidstream.models.text.search import SeenWords, find_occurrences
from deidstream.schemas.note import RawNote
from deidstream.schemas.span import Span

SIMILAR = 0.9
"""Score of what merely resembles what is stated: a name misspelled, a nickname, initials."""


@dataclass(frozen=True, slots=True)
class KnownRecognizer:
    """Finds every written form of the identifiers that a message has of its patient."""

    @property
    def name(self) -> str:
        """``known``."""
        return "known"

    def recognize(self, notes: Sequence[RawNote]) -> list[tuple[Span, ...]]:
        """Find the known names, identifiers, dates, phones and addresses in each note, score 1.

        A word of a name that is also an ordinary word or an eponym counts only where it is written
        as a name. The ids of the message itself count too, from 4 characters on.
        """
        return [tuple(_spans(note)) for note in notes]


def _spans(note: RawNote) -> Iterator[Span]:
    for match in find_stated_names(note.text, note.known):
        source, score = ("known", 1.0) if match.exact else ("known:similar", SIMILAR)
        yield Span(match.start, match.end, match.label, score, source)
    for match in find_parts(note):
        yield Span(match.start, match.end, match.label, SIMILAR, "known:similar")
    seen = SeenWords.of_text(note.text) if is_limited_by_text(note.known) else None
    labels = known_terms(note, seen)
    for found in find_occurrences(note.text, tuple(labels)):
        yield Span(found.start, found.end, labels[found.term], 1.0, "known")
