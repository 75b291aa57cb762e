"""What a site de-identified: each output with its risk and its original, counted in one pass.

No text is kept. The notes that are drawn are read once more (``draw_sample``).
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import orjson

from deidstream.agents.note_files.note_source import NoteSource
from deidstream.agents.note_files.open_notes import Reading, open_notes
from deidstream.agents.runtime.lines import read_lines
from deidstream.models.messages.kept_places import find_kept_places
from deidstream.models.messages.read_message import read_message
from deidstream.schemas.errors import InvalidSettings, Refused, Rejected
from deidstream.schemas.note import RawNote
from deidstream.schemas.policy import OperatorName

OWN_FACTS = ("level", "note_type", "site", "language", "month")
"""Facts that the records of a note state."""
UNKNOWN = "unknown"
_KEPT = frozenset({OperatorName.KEEP, OperatorName.GENERALISE})
_MONTH = len("2024-05")


@dataclass(frozen=True, slots=True)
class PopulationFiles:
    """The files that say what was de-identified."""

    originals: Path
    outputs: Path
    risk: Path
    audit: Path
    reading: Reading = field(default_factory=Reading)
    """How the originals are read; the columns that it keeps are facts too."""

    def open(self) -> NoteSource:
        """Open the originals.

        Raises:
            MissingArtefact: They cannot be read.
            InvalidSettings: A column is missing.
        """
        return open_notes(self.originals, self.reading)


@dataclass(frozen=True, slots=True)
class Member:
    """One note of the population, without its text."""

    note_id: str = field(repr=False)
    output_id: str
    patient: str
    """Pseudonym, as in the outputs."""
    facts: Mapping[str, str]
    found: int
    """Identifiers that were found in it."""


@dataclass(slots=True)
class Population:
    """All notes with an output, and what is counted over them."""

    members: list[Member] = field(default_factory=list[Member], repr=False)
    without_output: int = 0
    """Originals that have no output, such as quarantined ones."""
    spans: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    """Found identifiers by label and operator."""
    stamps: Counter[str] = field(default_factory=Counter[str])
    """Outputs by what made them: policy and pipeline, in JSON."""
    retained: dict[str, set[tuple[str, str]]] = field(
        default_factory=lambda: defaultdict[str, set[tuple[str, str]]](set), repr=False
    )
    """By patient, the facts that stay true in the outputs, with their labels."""
    expected_leaks: float | None = None
    """Sum of the residual risk; ``None``: it is not known of the outputs."""

    kept_places: Counter[str] = field(default_factory=Counter[str])
    """Values that stay as they came, by the element or field of structured notes."""
    structured: int = 0
    """Notes with such places."""

    def count_places(self, places: Mapping[str, int]) -> None:
        """Count the values of one note that no recognizer decided about, by their place."""
        self.kept_places.update(places)
        self.structured += bool(places)

    def count_replacement(self, patient: str, label: str, operator: str, became: str) -> None:
        """Count an identifier that was found, and keep what stays true of it."""
        self.spans[label, operator] += 1
        if operator in _KEPT and not became.startswith("["):
            self.retained[patient].add((label, became.casefold()))


@dataclass(slots=True)
class _Output:
    patient: str
    level: str = UNKNOWN
    residual: float = 0.0


def read_population(files: PopulationFiles) -> Population:
    """Read all files once.

    Raises:
        MissingArtefact: A file cannot be read.
        Refused: A line is no record of its file, a note id is repeated, or nothing has an output.
    """
    population = Population()
    outputs = _read_outputs(files, population)
    found = _read_audit(files.audit, outputs, population)
    source = files.open()
    seen = set[str]()
    for note, kept in read_originals(source):
        output_id, count = found.get(note.note_id, ("", 0))
        if output_id not in outputs:
            population.without_output += 1
            continue
        if note.note_id in seen:
            msg = f"{files.originals}: note ids are repeated; no audit tells such notes apart"
            raise Refused(msg)
        seen.add(note.note_id)
        output, cells = outputs[output_id], dict(zip(source.keep, kept, strict=True))
        facts = describe_note(note, output.level, cells)
        member = Member(note.note_id, output_id, output.patient, facts, count)
        population.members.append(member)
        population.count_places(Counter(find_kept_places(note)))
    if not population.members:
        msg = f"{files.outputs}: holds no output of a note of {files.originals}"
        raise Refused(msg)
    return population


def read_originals(source: NoteSource) -> Iterator[tuple[RawNote, Sequence[object]]]:
    """Yield the originals that can be read, with the cells that are kept of them."""
    for item in source.read():
        if not isinstance(item.message, bytes):
            continue
        try:
            yield read_message(item.message, limit_bytes=len(item.message)), item.kept
        except Rejected:
            # It has no output either.
            continue


def describe_note(note: RawNote, level: str, kept: Mapping[str, object]) -> dict[str, str]:
    """Return the facts of a note by which samples and slices are made."""
    facts = {
        "level": level,
        "note_type": note.note_type or UNKNOWN,
        "site": note.tenant,
        "language": note.language or UNKNOWN,
        "month": (note.authored_at or UNKNOWN)[:_MONTH],
    }
    return facts | {name: UNKNOWN if cell is None else str(cell) for name, cell in kept.items()}


def name_stamp(record: Mapping[str, Any]) -> str:
    """Return what made an output, in JSON that is equal for equal makers."""
    stamp = {"policy": record["policy"], "pipeline": record["pipeline"]}
    return orjson.dumps(stamp, option=orjson.OPT_SORT_KEYS).decode()


def check_facts(names: Sequence[str], kept: Sequence[str]) -> None:
    """Check that notes have the facts that a plan divides them by.

    Raises:
        InvalidSettings: Nothing states one of them.
    """
    unknown = set(names) - {*OWN_FACTS, *kept}
    if unknown:
        known = ", ".join((*OWN_FACTS, *kept))
        msg = f"the plan divides notes by {', '.join(sorted(unknown))}; known are {known} (--keep)"
        raise InvalidSettings(msg)


def _read_outputs(files: PopulationFiles, population: Population) -> dict[str, _Output]:
    outputs: dict[str, _Output] = {}
    for record in read_file_records(files.outputs, ("output_id", "patient_id", "pipeline")):
        if "text" not in record:
            continue
        outputs[record["output_id"]] = _Output(record["patient_id"])
        population.stamps[name_stamp(record)] += 1
    population.expected_leaks = 0.0
    for record in read_file_records(files.risk, ("output_id",)):
        output = outputs.get(record["output_id"])
        if output is not None and "level" in record:
            output.level = record["level"]
            output.residual = record["measures"].get("residual", 0.0)
            population.expected_leaks += output.residual
    return outputs


def _read_audit(
    audit: Path, outputs: Mapping[str, _Output], population: Population
) -> dict[str, tuple[str, int]]:
    """Return the output and the number of found identifiers, by the note id as given."""
    found: dict[str, tuple[str, int]] = {}
    for record in read_file_records(audit, ("output_id", "note_id", "replacements", "text")):
        output = outputs.get(record["output_id"])
        if output is None:
            continue
        replacements: list[dict[str, Any]] = record["replacements"]
        found[record["note_id"]] = (record["output_id"], len(replacements))
        for each in replacements:
            became = record["text"][each["out_start"] : each["out_end"]]
            label = each.get("like", each["label"])
            population.count_replacement(output.patient, label, each["operator"], became)
    return found


def read_file_records(path: Path, fields: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield the records of a file that ``deidentify`` wrote.

    Raises:
        MissingArtefact: It cannot be read.
        Refused: A line is no such record; its number is said, never its text.
    """
    for number, line in read_lines(path):
        try:
            record = orjson.loads(line)
        except ValueError:
            record = None
        if not isinstance(record, dict) or (
            "status" not in record and not record.keys() >= {*fields}
        ):
            msg = f"{path}: line {number + 1} has not the fields {', '.join(fields)}: "
            raise Refused(msg + "deidentify --out OUT.jsonl --risk --audit writes them")
        if record.keys() >= {*fields}:
            yield cast("dict[str, Any]", record)
