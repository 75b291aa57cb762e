"""The commands ``detect`` and ``deidentify``: the pipeline on files of notes."""

import stat
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import BinaryIO

import orjson

from deidstream.agents.note_files.input_hints import InputHints
from deidstream.agents.note_files.output_files import check_outputs, open_outputs
from deidstream.agents.runtime.compose import Runtime
from deidstream.agents.runtime.lines import check_input, count_lines, read_lines
from deidstream.agents.runtime.local_service import local_service
from deidstream.agents.runtime.policy_files import TenantPipelines
from deidstream.agents.runtime.progress_bar import progress
from deidstream.agents.runtime.service import watch
from deidstream.agents.runtime.terminal import say
from deidstream.agents.settings import Settings
from deidstream.models.detection.detector import Detector
from deidstream.models.messages.read_message import read_message
from deidstream.models.records import Detected
from deidstream.schemas.errors import (
    InvalidSettings,
    Rejected,
    Stage,
)
from deidstream.schemas.note import RawNote
from deidstream.schemas.outcome import (
    Anonymized,
    Coordinates,
    DeadLetter,
    Failed,
    Outcome,
    Retracted,
)
from deidstream.schemas.ports import SurrogateStore
from deidstream.schemas.span import Span
from deidstream.schemas.wire import (
    encode_anonymized,
    encode_audit,
    encode_dead_letter,
    encode_retraction,
    encode_risk,
)
from deidstream.stream.lanes.batching import halve
from deidstream.stream.observing import metrics

CHUNK = 64
DONE, SOME_QUARANTINED = 0, 1

Line = tuple[int, bytes]


@dataclass(frozen=True, slots=True)
class Files:
    """The files that a command reads and writes."""

    notes: Path
    out: Path
    risk: Path | None = None
    audit: Path | None = None
    quarantine: Path | None = None

    def outputs(self) -> tuple[Path, ...]:
        """Return the output files, which are overwritten.

        Raises:
            InvalidSettings: One of them is the input, or another of them.
        """
        named = (self.out, self.risk, self.audit, self.quarantine)
        found = tuple(path for path in named if path is not None)
        places = [_identify_file(path) for path in (self.notes, *found)]
        if len(set(places)) < len(places):
            msg = "input and outputs must be different files, because outputs are overwritten"
            raise InvalidSettings(msg)
        return found

    def check(self) -> None:
        """Check before anything is loaded that all can be read or written.

        Raises:
            InvalidSettings: An output is the input, or another output.
            MissingArtefact: A file cannot be read or written.
        """
        outputs = self.outputs()
        check_input(self.notes)
        check_outputs(outputs)


@dataclass(frozen=True, slots=True)
class Tally:
    """Number of quarantined notes, by reason, stage and field."""

    failed: Counter[str] = field(default_factory=Counter[str])
    first: dict[str, int] = field(default_factory=dict[str, int])
    """Number of the first line of each."""

    def add(self, failed: Failed, line: int) -> None:
        """Count one; lines are numbered from 0 and said from 1."""
        why = f"{failed.reason} at {failed.stage}"
        why += f", field {failed.field}" if failed.field else ""
        self.first.setdefault(why, line + 1)
        self.failed[why] += 1

    def close(self, hints: InputHints) -> int:
        """Write the counts and hints to stderr and return the exit code."""
        for why, count in sorted(self.failed.items()):
            say(f"quarantined: {count} x {why} (first in line {self.first[why]})")
        for hint in hints.say():
            say(hint)
        return SOME_QUARANTINED if self.failed else DONE


async def deidentify(
    files: Files,
    settings: Settings,
    parts: Runtime,
    store: SurrogateStore,
    own: TenantPipelines | None = None,
) -> int:
    """De-identify the notes of a file.

    Args:
        files: Where to read and write.
        settings: All settings.
        parts: The parts of the policy in force.
        store: Keeps the surrogates.
        own: The pipelines of tenants that have a policy of their own.

    Returns:
        0, or 1 if notes were quarantined; the other notes are written.

    Raises:
        InvalidSettings: An output is the input, or another output.
        MissingArtefact: A file cannot be read or written.
        Unavailable: Never; it waits until the store can be reached.
    """
    service = local_service(settings, parts, store, own or TenantPipelines())
    tally, hints = Tally(), InputHints()
    try:
        with open_outputs(files.outputs()) as handles:
            sink = _Sink(files, parts, tally, handles)
            for lines in _chunks(files.notes, "deidentify", hints):
                sink.write(lines, await service.run([value for _, value in lines]))
    finally:
        service.lane.close()
    return tally.close(hints)


def detect(files: Files, detector: Detector, *, note_bytes: int) -> int:
    """Find the PHI in the notes of a file; return 0, or 1 if notes were quarantined.

    Raises:
        InvalidSettings: The output is the input.
        MissingArtefact: A file cannot be read or written.
    """
    tally, hints = Tally(), InputHints()
    with open_outputs(files.outputs()) as handles:
        for lines in _chunks(files.notes, "detect", hints):
            notes = list(_decode_lines(lines, note_bytes, tally))
            for item in _detect_notes(detector, notes, tally):
                handles[files.out].write(_spans_line(item.note, item.spans))
    return tally.close(hints)


@dataclass(slots=True)
class _Sink:
    files: Files
    parts: Runtime
    tally: Tally
    handles: Mapping[Path, BinaryIO]

    def write(self, lines: Sequence[Line], outcomes: Sequence[Outcome]) -> None:
        for line, outcome in zip(lines, outcomes, strict=True):
            if isinstance(outcome, Failed):
                self._write_failed(line, outcome)
            elif isinstance(outcome, Retracted):
                self._write_retracted(outcome)
            else:
                self._write_anonymized(line, outcome)

    def _write_retracted(self, outcome: Retracted) -> None:
        for path in (self.files.out, self.files.risk):
            self._write_record(path, encode_retraction(outcome))

    def _write_anonymized(self, line: Line, outcome: Anonymized) -> None:
        metrics.count("deid_notes_total", "emitted")
        self._write_record(self.files.out, encode_anonymized(outcome.note))
        self._write_record(self.files.risk, encode_risk(outcome))
        if self.files.audit is not None:
            given = read_message(line[1], limit_bytes=len(line[1])).note_id
            self._write_record(self.files.audit, encode_audit(outcome.note, given))

    def _write_failed(self, line: Line, failed: Failed) -> None:
        self.tally.add(failed, line[0])
        source = Coordinates(self.files.notes.name, 0, line[0])
        letter = DeadLetter(source, failed, failed.stamp or self.parts.stamp)
        self._write_record(self.files.quarantine, encode_dead_letter(letter))

    def _write_record(self, path: Path | None, record: bytes) -> None:
        if path is not None:
            self.handles[path].write(record + b"\n")


def _identify_file(path: Path) -> object:
    """Return a value that is equal for two names of one file, but unique for a device or pipe."""
    try:
        status = path.stat()
    except OSError:
        return path.resolve()
    regular = stat.S_ISREG(status.st_mode)
    return (status.st_dev, status.st_ino) if regular else object()


def _chunks(path: Path, verb: str, hints: InputHints) -> Iterator[list[Line]]:
    total = count_lines(path)
    with progress() as bar:
        task = bar.add_task(verb, total=total)
        lines = read_lines(path)
        while chunk := list(islice(lines, CHUNK)):
            for _, value in chunk:
                hints.look(value)
            yield chunk
            bar.advance(task, len(chunk))


def _decode_lines(
    lines: Sequence[Line], note_bytes: int, tally: Tally
) -> Iterator[tuple[int, RawNote]]:
    for number, value in lines:
        try:
            with watch(Stage.DECODE):
                note = read_message(value, limit_bytes=note_bytes)
        except Rejected as rejected:
            tally.add(Failed.by(rejected), number)
        else:
            yield number, note


def _detect_notes(
    detector: Detector, notes: Sequence[tuple[int, RawNote]], tally: Tally
) -> Iterator[Detected]:
    try:
        with watch(Stage.DETECT):
            yield from detector.detect([note for _, note in notes])
    except Rejected as rejected:
        if len(notes) == 1:
            tally.add(Failed.by(rejected), notes[0][0])
            return
        for half in halve(range(len(notes))):
            yield from _detect_notes(detector, [notes[place] for place in half], tally)


def _spans_line(note: RawNote, spans: Sequence[Span]) -> bytes:
    return orjson.dumps({"note_id": note.note_id, "spans": spans}) + b"\n"
