"""Make the figures of a system from its turns and the gold spans of the notes."""

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from exchange import Found
from turns import Contest, Turn

from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import RawNote
from deidstream.schemas.span import Span
from deidstream.study.evaluation.evaluation import evaluate
from deidstream.study.scoring.totals import Score, headline

MILLION, SECONDS_AN_HOUR = 1_000_000, 3_600


@dataclass(frozen=True, slots=True)
class Notes:
    """The notes of a comparison."""

    gold: Path
    notes: Sequence[RawNote]

    @property
    def texts(self) -> list[str]:
        return [note.text for note in self.notes]

    @property
    def characters(self) -> int:
        return sum(map(len, self.texts))


@dataclass(frozen=True, slots=True)
class System:
    """What one system did in every round, and what it found."""

    name: str
    what: str
    notes_per_second: list[float]
    """By round."""
    cpu_ms_a_note: list[float]
    """By round, of all its threads."""
    kchars_per_cpu_second: list[float]
    """By round."""
    memory_mb: float
    recall: float
    """Share of the tokens of PHI that it removes, under whatever label."""
    precision: float
    """Share of the tokens that it removes that are PHI."""
    direct_recall: float
    """Recall over direct identifiers."""
    leak_free_notes: float

    def cost_of_a_million(self, core_hour: float) -> float:
        """Return what a million such notes cost at a price of an hour of one core."""
        seconds = statistics.median(self.cpu_ms_a_note) / 1_000
        return MILLION * seconds / SECONDS_AN_HOUR * core_hour


def measure_systems(contest: Contest, notes: Notes, turns_a_round: int) -> list[System]:
    """Return the figures of all that took part, in their order."""
    scores = score_systems(contest.turns, notes, turns_a_round)
    systems: list[System] = []
    for contestant in contest.ready:
        name = contestant.entrant.name
        rounds = cut_rounds(contest.turns[name], turns_a_round)
        seconds = [sum(turn.seconds for turn in turns) for turns in rounds]
        cpu_seconds = [sum(turn.cpu_seconds for turn in turns) for turns in rounds]
        found = headline(scores[name])
        system = System(
            name,
            contestant.what,
            notes_per_second=[len(notes.notes) / each for each in seconds],
            cpu_ms_a_note=[1_000 * each / len(notes.notes) for each in cpu_seconds],
            kchars_per_cpu_second=[notes.characters / 1_000 / each for each in cpu_seconds],
            memory_mb=max(turn.memory_mb for turns in rounds for turn in turns),
            recall=found.redact_recall or 0.0,
            precision=found.redact_precision or 0.0,
            direct_recall=found.direct_recall or 0.0,
            leak_free_notes=found.leak_free_notes or 0.0,
        )
        systems.append(system)
    return systems


def cut_rounds(turns: Sequence[Turn], turns_a_round: int) -> list[Sequence[Turn]]:
    starts = range(0, len(turns), turns_a_round)
    return [turns[start : start + turns_a_round] for start in starts]


def score_systems(
    turns: Mapping[str, Sequence[Turn]], notes: Notes, turns_a_round: int
) -> Mapping[str, Score]:
    """Score what each system found in the last round with the scorer of ``deidstream evaluate``."""
    found: dict[str, dict[str, tuple[Span, ...]]] = {}
    for name, taken in turns.items():
        last = [spans for turn in taken[-turns_a_round:] for spans in turn.spans]
        pairs = zip(notes.notes, last, strict=True)
        found[name] = {note.note_id: as_spans(spans) for note, spans in pairs}

    def look_up(asked: Sequence[RawNote]) -> dict[str, list[tuple[Span, ...]]]:
        return {name: [each[note.note_id] for note in asked] for name, each in found.items()}

    return evaluate(notes.gold, look_up).scores


def as_spans(found: Sequence[Found]) -> tuple[Span, ...]:
    return tuple(Span(start, end, PhiLabel(label)) for start, end, label in found)
