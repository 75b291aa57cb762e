"""Run ``deidstream attack arrival``: recover the date shifts of patients from arrival times."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from deidstream.agents.runtime.progress_bar import progress
from deidstream.agents.runtime.terminal import align_columns
from deidstream.schemas.errors import InvalidNote, NoteField, Reason, Refused
from deidstream.schemas.note import RawNote
from deidstream.study.attacks.arrival import DatedNote, RecoveredShift, recover_shift
from deidstream.study.attacks.attack_figures import Found
from deidstream.study.attacks.runs.attack_notes import AttackFiles, pair_outputs
from deidstream.study.attacks.runs.attack_records import read_note, read_records
from deidstream.study.attacks.runs.findings import (
    Destination,
    Findings,
    name_artefact,
    publish,
    record_found,
)
from deidstream.study.attacks.written_dates import find_dates
from deidstream.study.evaluation.diagram import AFTER, BEFORE, Axis, Series, draw
from deidstream.study.evaluation.read_gold import identify
from deidstream.study.evaluation.tables import interval, share

WITHIN = (0, 1, 7, 30)
"""Days by which a guess may be off."""
_MOST_SHOWN = 30

_KEY = """\
d days: share of patients whose shift was guessed, d days off at most; 95 %: Wilson interval
chance: a guess among all shifts that the policy allows
unknown: patients whose shift originals and outputs do not show; they count as not guessed"""


@dataclass(frozen=True, slots=True)
class ArrivalFigures:
    """What was recovered of all patients."""

    shifts: Sequence[RecoveredShift]
    most: int
    """The greatest shift in days."""

    def found(self, days: int) -> Found:
        """Count the patients whose shift was guessed, some days off at most."""
        errors = [shift.error for shift in self.shifts]
        near = sum(error is not None and error <= days for error in errors)
        return Found(days, near, len(self.shifts))

    def chance(self, days: int) -> float:
        """Share of patients that a guess without arrival times would find."""
        return min(1.0, (2 * days + 1) / (2 * self.most + 1))


def run_arrival(files: AttackFiles, destination: Destination, *, most: int) -> int:
    """Attack with arrival times, and publish what is found; return 0.

    Args:
        files: Originals with ``authored_at``, which is taken for the time of arrival, and outputs.
        destination: Where the findings go.
        most: The greatest shift in days.

    Raises:
        MissingArtefact: A file cannot be read or written.
        Refused: A line is no note, outputs and originals cannot be paired, or no original says
            when it was written.
    """
    destination.check()
    originals = read_records(files.originals, _read_original)
    outputs = read_records(files.outputs, read_note)
    own = pair_outputs(files, originals, outputs)
    by_patient = _gather_patients([(originals[n], o) for n, o in zip(own, outputs, strict=True)])
    if not by_patient:
        msg = f"{files.originals}: no note has authored_at, which is taken for its arrival"
        raise Refused(msg)
    shifts = [recover_shift(notes, most) for notes in by_patient.values()]
    figures = ArrivalFigures(shifts, most)
    unknown = sum(shift.actual is None for shift in shifts)
    head = (
        f"attack arrival: {len(shifts):,} patients with {sum(map(len, by_patient.values())):,} of "
        f"{len(outputs):,} outputs of {files.outputs.name}; paired by {files.pairing}"
    )
    table = f"{head}\n\n{_write_table(figures, unknown)}\n\n{_KEY}\n"
    record = {
        "originals": name_artefact(identify(files.originals)),
        "outputs": name_artefact(identify(files.outputs)),
        "pairing": files.pairing,
        "patients": len(shifts),
        "unknown": unknown,
        "most_days": most,
        **{f"within_{days}_days": record_found(figures.found(days)) for days in WITHIN},
    }
    return publish(Findings("arrival", table, record, _draw(figures)), destination)


def _read_original(line: bytes) -> RawNote:
    note = read_note(line)
    if note.authored_at is not None and _read_day(note.authored_at) is None:
        raise InvalidNote(Reason.WRONG_TYPE, NoteField.AUTHORED_AT)
    return note


def _read_day(moment: str | None) -> date | None:
    try:
        return None if moment is None else datetime.fromisoformat(moment.strip()).date()
    except ValueError:
        return None


def _gather_patients(
    pairs: Sequence[tuple[RawNote, RawNote]],
) -> dict[tuple[str, str], list[DatedNote]]:
    """Return the notes of each patient whose arrival is known."""
    patients: dict[tuple[str, str], list[DatedNote]] = defaultdict(list)
    with progress() as bar:
        for original, output in bar.track(pairs, description="dates"):
            arrival = _read_day(original.authored_at)
            if arrival is None:
                continue
            dates = find_dates(original.text), find_dates(output.text)
            note = DatedNote(arrival, *dates, stated=_read_day(output.authored_at))
            patients[original.tenant, original.patient_id].append(note)
    return dict(patients)


def _write_table(figures: ArrivalFigures, unknown: int) -> str:
    heads = [head for days in WITHIN for head in (f"{days} days", "95 %")]
    found = [figures.found(days) for days in WITHIN]
    attack = [cell for one in found for cell in (share(one.share), interval(one.interval))]
    chance = [cell for days in WITHIN for cell in (share(figures.chance(days)), "")]
    rows = [("arrival", *attack, f"{unknown:,}"), ("chance", *chance, "")]
    return align_columns(("attack", *heads, "unknown"), rows)


def _draw(figures: ArrivalFigures) -> str:
    days = range(_MOST_SHOWN + 1)
    series = (
        Series("guessing", [(float(d), figures.chance(d)) for d in days], BEFORE, dashed=True),
        Series("arrival", [(float(d), figures.found(d).share) for d in days], AFTER),
    )
    x = Axis("days by which the guess may be off", [float(d) for d in range(0, 31, 5)], 0)
    y = Axis("share of patients", (0.0, 0.2, 0.4, 0.6, 0.8, 1.0))
    return draw("Date shifts recovered from arrival times", x, y, series)
