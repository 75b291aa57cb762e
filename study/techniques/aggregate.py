"""Ag and AAg: several notes of one class, drawn at random, become one text.

Source: Larbi et al., section 3, item 7, and appendices A.2 and A.4. Notes that are left over at the
end of a class have no output. ``AAg n`` repeats ``Ag n`` with other draws n times, so that there
are as many texts as there were notes; the paper warns against its use.
"""

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from deidstream.study.techniques.technique import Output, StudyNote


@dataclass(frozen=True, slots=True)
class Aggregate:
    """Merges notes of one class."""

    members: int
    seed: int
    augmented: bool = False
    family: str = "aggregation"

    @property
    def name(self) -> str:
        """Its name and how many notes it merges."""
        return f"{'AAg' if self.augmented else 'Ag'} {self.members}"

    def anonymize(self, notes: Sequence[StudyNote]) -> Iterator[Output]:
        """Yield the merged texts."""
        for draw in range(self.members if self.augmented else 1):
            yield from self._merge(notes, random.Random(f"{self.seed} {self.name} {draw}"))

    def _merge(self, notes: Sequence[StudyNote], rng: random.Random) -> Iterator[Output]:
        kinds: dict[str, list[int]] = defaultdict(list)
        for number, note in enumerate(notes):
            kinds[note.kind].append(number)
        for numbers in kinds.values():
            rng.shuffle(numbers)
            for first in range(0, len(numbers) - self.members + 1, self.members):
                chosen = numbers[first : first + self.members]
                text = "\n\n".join(notes[number].text for number in chosen)
                yield Output(text, chosen[0], frozenset(chosen[1:]))
