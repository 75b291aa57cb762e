"""The notes as they are: what every other technique is compared with."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from deidstream.study.techniques.technique import Output, StudyNote


@dataclass(frozen=True, slots=True)
class KeepAsIs:
    """Changes nothing."""

    name: str = "plain"
    family: str = "plain"

    def anonymize(self, notes: Sequence[StudyNote]) -> Iterator[Output]:
        """Yield each note."""
        for number, note in enumerate(notes):
            yield Output(note.text, number)
