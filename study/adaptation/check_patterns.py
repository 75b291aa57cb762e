"""Check patterns against notes: what they find that no reader and no recognizer takes for PHI."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from deidstream.models.recognizers.rules.site_patterns import compile_pattern
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.labelled import LabelledNote
from deidstream.schemas.note import RawNote
from deidstream.schemas.site_pattern import SitePattern
from deidstream.schemas.span import Span
from deidstream.study.adaptation.identifier_forms import (
    MOST_WRONG,
    IdentifierForm,
    find_cues,
    make_pattern,
)


@dataclass(frozen=True, slots=True)
class Matches:
    """The places at which a pattern matched in some notes."""

    places: int = 0
    unsupported: int = 0
    """Those that touch nothing that was marked, or found."""


@dataclass(frozen=True, slots=True)
class CheckedPattern:
    """A pattern with what it finds in the notes of the site and in others."""

    name: str
    pattern: SitePattern
    read: Matches
    """In notes that were read: unsupported places are false alarms."""
    foreign: Matches
    """In notes of other hospitals, none of which can have this site's identifiers."""
    own: Matches
    """In all notes of the site: unsupported places are found by nothing else."""

    @property
    def is_sound(self) -> bool:
        """Whether false alarms are few enough."""
        wrong = self.read.unsupported + self.foreign.unsupported
        return wrong <= MOST_WRONG * (self.read.places + self.foreign.places)


@dataclass(frozen=True, slots=True)
class NotesToCheck:
    """Notes beside the spans that support a match in them."""

    read: Sequence[LabelledNote]
    foreign: Sequence[LabelledNote]
    own: Sequence[LabelledNote]

    def check(self, name: str, pattern: SitePattern) -> CheckedPattern:
        """Return what a pattern finds."""
        found = (_match(pattern, notes) for notes in (self.read, self.foreign, self.own))
        return CheckedPattern(name, pattern, *found)


def _match(pattern: SitePattern, notes: Iterable[LabelledNote]) -> Matches:
    compiled = compile_pattern("", pattern)
    places = unsupported = 0
    for labelled in notes:
        data = labelled.note.text.encode()
        for start, end in compiled.spans(data):
            first, last = len(data[:start].decode()), len(data[:end].decode())
            places += 1
            unsupported += not any(s.start < last and first < s.end for s in labelled.spans)
    return Matches(places, unsupported)


def choose_patterns(
    forms: Sequence[IdentifierForm], notes: NotesToCheck
) -> tuple[list[CheckedPattern], int]:
    """Make patterns of forms: as they are or, if that flags too much, behind words of the notes.

    Returns:
        The patterns that are sound, and how many forms have none.
    """
    chosen: list[CheckedPattern] = []
    left_out = 0
    numbers = dict.fromkeys(PhiLabel, 0)
    for form in forms:
        numbers[form.label] += 1
        name = f"site_{form.label.casefold()}_{numbers[form.label]}"
        cues = find_cues(form, notes.read, notes.own)
        attempts: list[tuple[str, ...]] = [()] if form.is_distinct else []
        attempts += [cues] if cues else []
        made = (make_pattern(form, before) for before in attempts)
        checked = (notes.check(name, pattern) for pattern in made if pattern)
        sound = next((one for one in checked if one.is_sound), None)
        if sound is None:
            left_out += 1
        else:
            chosen.append(sound)
    return chosen, left_out


def check_given(patterns: Mapping[str, SitePattern], notes: NotesToCheck) -> list[CheckedPattern]:
    """Return what the patterns of a policy of the site find."""
    return [notes.check(name, pattern) for name, pattern in sorted(patterns.items())]


def with_spans(notes: Sequence[RawNote], spans: Sequence[Sequence[Span]]) -> list[LabelledNote]:
    """Pair notes with what a detector found in them."""
    paired = zip(notes, spans, strict=True)
    return [LabelledNote(note, tuple(sorted(found))) for note, found in paired]
