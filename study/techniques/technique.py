"""The port of a technique: notes go in, and outputs come out that say which note is theirs."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from deidstream.schemas.labelled import LabelledNote
from deidstream.schemas.span import Span
from deidstream.study.survival.planted_misses import PlantedMiss
from deidstream.study.survival.survivors import MissFound


@dataclass(frozen=True, slots=True)
class StudyNote:
    """A note with its identifiers, and what a study knows of it besides."""

    labelled: LabelledNote
    kind: str
    """Its class, such as a specialty or a type of note; notes are merged by it. May be empty."""
    fold: int
    """All notes of a patient are in one fold: what is learnt for a note comes from the others."""
    subkind: str = ""
    """Its class within its class, such as the type of note within a specialty; may be empty."""

    @property
    def text(self) -> str:
        """The text of the note."""
        return self.labelled.note.text

    @property
    def spans(self) -> tuple[Span, ...]:
        """Where its identifiers are."""
        return self.labelled.spans

    def with_labels(self) -> str:
        """Return the text with labels in brackets in the place of its identifiers."""
        parts, at = list[str](), 0
        for span in self.spans:
            parts += [self.text[at : span.start], f"[{span.label}]"]
            at = span.end
        return "".join([*parts, self.text[at:]])


@dataclass(frozen=True, slots=True)
class Output:
    """What a technique made of one note, or of several that it merged."""

    text: str = field(repr=False)
    own: int
    """Number of the note that it was made from; of several, the first."""
    others: frozenset[int] = frozenset()
    """Numbers of the further notes that were merged into it."""

    @property
    def members(self) -> frozenset[int]:
        """Numbers of all notes that it was made from."""
        return self.others | {self.own}


class Technique(Protocol):
    """One way to make notes anonymous."""

    @property
    def name(self) -> str:
        """Its short name, such as ``RaS 20``; another setting has another name."""
        ...

    @property
    def family(self) -> str:
        """Techniques of one family share a colour and a line in plots."""
        ...

    def anonymize(self, notes: Sequence[StudyNote]) -> Iterator[Output]:
        """Yield the outputs of some notes; the same notes and seed give the same.

        A note that a technique refuses has no output.
        """
        ...


@runtime_checkable
class Recognizing(Protocol):
    """A technique that treats what is recognized as an identifier in another way than the rest."""

    def find_fates(self, misses: Sequence[PlantedMiss]) -> Iterator[MissFound]:
        """Yield what becomes of each identifier that recognition overlooks."""
        ...
