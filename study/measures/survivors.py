"""Survivors: the share of direct identifiers left whole that recognition had overlooked.

Source of the question: Abdalla et al., JAMIA 27(6), 2020, introduction: a technique that replaces
every word needs no recognition. Misses are planted (``study/survival``), one in a note at a time.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from deidstream.study.measures.measure import Figure, Judged, Side, share_of
from deidstream.study.survival.planted_misses import PlantedMiss, plant_misses
from deidstream.study.survival.survivors import Fate, MissFound, tell_fate
from deidstream.study.techniques.technique import Recognizing


@dataclass(slots=True)
class Survivors:
    """Plants misses at its first use; all techniques are measured by the same."""

    most: int
    """Misses that are planted at most."""
    seed: int
    name: str = "survivors"
    side: Side = Side.SENSITIVITY
    meaning: str = (
        "of the direct identifiers that recognition overlooks, the share that is left whole"
    )
    planted: list[PlantedMiss] | None = field(default=None, repr=False)

    def measure(self, judged: Judged) -> Figure | None:
        """Measure a technique; ``None`` if there is nothing to overlook."""
        if self.planted is None:
            self.planted = plant_misses([n.labelled for n in judged.notes], self.most, self.seed)
        if isinstance(judged.technique, Recognizing):
            found = judged.technique.find_fates(self.planted)
        else:
            found = _find_in_outputs(judged, self.planted)
        fates = [one.fate for one in found if one.fate is not Fate.FOUND]
        return share_of(fates.count(Fate.WHOLE), len(fates))


def _find_in_outputs(judged: Judged, misses: Sequence[PlantedMiss]) -> Iterator[MissFound]:
    """Yield the fates under a technique that recognizes nothing: it overlooks every identifier."""
    numbers = {note.labelled.note.note_id: number for number, note in enumerate(judged.notes)}
    texts = {number: output.text for output in judged.outputs for number in output.members}
    for miss in misses:
        text = texts.get(numbers[miss.note.note_id])
        if text is not None:
            yield MissFound(miss.overlooked.label, tell_fate(miss.identifier, text))
