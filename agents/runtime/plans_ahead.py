"""The plans of all notes of some patients, made before the first surrogate is claimed."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field

from deidstream.models.pipeline import Pipeline
from deidstream.models.records import Planned
from deidstream.schemas.note import RawNote

MOST_KEPT = 1_024
"""Plans that are kept whole. Notes beyond these are planned once more when they are written, so
that a patient with very many notes takes time and no memory."""


@dataclass(slots=True)
class PlansAhead:
    """What claims need of every note, and the whole plan of the first ones."""

    _claiming: dict[int, tuple[Pipeline, list[Planned]]] = field(
        default_factory=dict[int, tuple[Pipeline, list[Planned]]], repr=False
    )
    """By the identity of their pipeline."""
    _kept: dict[int, Planned | None] = field(default_factory=dict[int, Planned | None], repr=False)
    """By the identity of their note, which the caller keeps; ``None``: not kept whole."""

    def add(self, pipeline: Pipeline, note: RawNote, planned: Planned) -> None:
        """Take over the plan of a note, if it has none: a batch may be planned twice.

        Args:
            pipeline: What planned it.
            note: The note as it came; its plan may be of it as a note of another patient.
            planned: The plan.
        """
        if self.has(note):
            return
        self._kept[id(note)] = planned if len(self._kept) < MOST_KEPT else None
        _, plans = self._claiming.setdefault(id(pipeline), (pipeline, []))
        plans.append(planned.without_text())

    def has(self, note: RawNote) -> bool:
        """Return whether a note is planned."""
        return id(note) in self._kept

    def find(self, note: RawNote) -> Planned | None:
        """Return the plan of a note, if it is kept."""
        return self._kept.get(id(note))

    def list_by_policy(self) -> Iterator[tuple[Pipeline, Sequence[Planned]]]:
        """Yield the plans of each pipeline, in an order that does not depend on the notes'."""
        found = [*self._claiming.values()]
        yield from sorted(found, key=lambda each: each[0].policy.sha256)


def group_patients(patients: Sequence[Hashable], least: int) -> Iterator[list[int]]:
    """Yield the places of all notes of some patients, at least ``least`` places at a time.

    Args:
        patients: Whose note is at each place.
        least: Notes that are in work together; the last group may have fewer.
    """
    places: dict[Hashable, list[int]] = {}
    for place, patient in enumerate(patients):
        places.setdefault(patient, []).append(place)
    group: list[int] = []
    for each in places.values():
        group += each
        if len(group) >= least:
            yield group
            group = []
    if group:
        yield group
