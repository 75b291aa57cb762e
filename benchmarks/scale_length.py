"""The cost of a note against its length: alone in a batch, in this process."""

import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

import numpy as np

from deidstream.agents.demo.demo import sample_notes
from deidstream.agents.runtime.local_service import local_service
from deidstream.agents.runtime.policy_choice import choose_policies
from deidstream.agents.runtime.root_keys import fresh_key
from deidstream.agents.runtime.warm_up import warm
from deidstream.agents.settings import Settings
from deidstream.schemas.note import RawNote
from deidstream.schemas.outcome import Failed
from deidstream.stream.redis.memory_store import MemorySurrogateStore
from deidstream.study.bench.bench_notes import cut_groups

BETWEEN = "\n\n"


@dataclass(frozen=True, slots=True)
class LengthCost:
    """What one note takes."""

    characters: int
    pieces: int
    cpu_ms: float
    wall_ms: float


@dataclass(frozen=True, slots=True)
class LineFit:
    """Least squares of processor time against word pieces."""

    base_ms: float
    ms_a_thousand_pieces: float
    r_squared: float

    @classmethod
    def of_costs(cls, costs: Sequence[LengthCost]) -> "LineFit":
        """Fit a line through costs, two or more."""
        pieces = np.array([cost.pieces for cost in costs], float)
        spent = np.array([cost.cpu_ms for cost in costs], float)
        slope, base = np.polyfit(pieces, spent, 1)
        left = spent - (base + slope * pieces)
        total = spent - spent.mean()
        explained = 1 - float((left**2).sum() / (total**2).sum())
        return cls(float(base), 1000 * float(slope), explained)


def make_note(characters: int) -> RawNote:
    """Join different sample notes: equal windows of a note would be computed once."""
    text = BETWEEN.join(note.text for note in sample_notes())[:characters]
    return RawNote(f"length-{characters}", "patient", text)


async def measure_lengths(lengths: Sequence[int], rounds: int) -> dict[str, object]:
    """Run a note of each length alone, all lengths by turns; return medians and their line."""
    settings = replace(Settings(), worker=replace(Settings().worker, note_seconds=0))
    choice = choose_policies(settings, root=fresh_key())
    warm(choice.default.pipeline)
    store = MemorySurrogateStore()
    service = local_service(settings, choice.default, store, choice.tenant_pipelines())
    notes = [make_note(length) for length in lengths]
    pieces = choice.default.counter.count([note.text for note in notes])
    spent: list[list[float]] = [[] for _ in notes]
    waited: list[list[float]] = [[] for _ in notes]
    for turn in range(rounds):
        for number, note in enumerate(notes):
            fresh = replace(note, note_id=f"{note.note_id}-{turn}", patient_id=f"patient-{turn}")
            began, cpu = time.perf_counter(), time.process_time()
            (outcome,) = await service.run(cut_groups([fresh], 1)[0])
            spent[number].append(1000 * (time.process_time() - cpu))
            waited[number].append(1000 * (time.perf_counter() - began))
            if isinstance(outcome, Failed):
                sys.exit(f"{note.note_id}: {outcome.reason}")
    service.lane.close()

    costs: list[LengthCost] = []
    for number, note in enumerate(notes):
        cpu_ms, wall_ms = statistics.median(spent[number]), statistics.median(waited[number])
        costs.append(LengthCost(len(note.text), pieces[number], cpu_ms, wall_ms))
    return {"runs": [asdict(cost) for cost in costs], "fit": asdict(LineFit.of_costs(costs))}
