"""The commands ``detect`` and ``deidentify``: the pipeline on files of notes."""

import stat
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import BinaryIO

import orjson

from deidstream.agents.compose import Runtime
from deidstream.agents.engine import local_service
from deidstream.agents.lines import count_lines, progress, read_lines, say
from deidstream.agents.service import TenantPipelines, watch
from deidstream.agents.settings import Settings
from deidstream.models.detection.detector import Detector
from deidstream.models.records import Detected
from deidstream.schemas.errors import (
    InvalidNote,
    InvalidSettings,
    MissingArtefact,
    Rejected,
    Stage,
)
from deidstream.schemas.note import RawNote
from deidstream.schemas.outcome import Anonymized, Coordinates, DeadLetter, Failed, Outcome
from deidstream.schemas.ports import SurrogateStore
from deidstream.schemas.span import Span
from deidstream.schemas.wire import (
    decode,
    encode_anonymized,
    encode_audit,
    encode_dead_letter,
    encode_risk,
)
from deidstream.stream import metrics
from deidstream.stream.batching import halve

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


@dataclass(frozen=True, slots=True)
class Tally:
    """Number of quarantined notes, by reason and stage."""

    failed: Counter[str] = field(default_factory=Counter[str])

    def add(self, failed: Failed) -> None:
        """Count one."""
        self.failed[f"{failed.reason} at {failed.stage}"] += 1

    def close(self) -> int:
        """Write the counts to stderr and return the exit code."""
        for why, count in sorted(self.failed.items()):
            say(f"quarantined: {count} x {why}")
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
    tally = Tally()
    try:
        with ExitStack() as stack:
            sink = _Sink(files, parts, tally, stack)
            for lines in _chunks(files.notes, "deidentify"):
                sink.write(lines, await service.run([value for _, value in lines]))
    finally:
        service.lane.close()
    return tally.close()


def detect(files: Files, detector: Detector, *, note_bytes: int) -> int:
    """Find the PHI in the notes of a file; return 0, or 1 if notes were quarantined.

    Raises:
        InvalidSettings: The output is the input.
        MissingArtefact: A file cannot be read or written.
    """
    tally = Tally()
    files.outputs()
    with ExitStack() as stack:
        out = _open_output(files.out, stack)
        for lines in _chunks(files.notes, "detect"):
            notes = list(_decode_lines(lines, note_bytes, tally))
            for item in _detect_notes(detector, notes, tally):
                out.write(_spans_line(item.note, item.spans))
    return tally.close()


@dataclass(slots=True)
class _Sink:
    files: Files
    parts: Runtime
    tally: Tally
    stack: ExitStack
    handles: dict[Path, BinaryIO] = field(default_factory=dict[Path, BinaryIO])

    def __post_init__(self) -> None:
        for path in self.files.outputs():
            self.handles[path] = _open_output(path, self.stack)

    def write(self, lines: Sequence[Line], outcomes: Sequence[Outcome]) -> None:
        for line, outcome in zip(lines, outcomes, strict=True):
            if isinstance(outcome, Failed):
                self._write_failed(line, outcome)
            else:
                self._write_anonymized(line, outcome)

    def _write_anonymized(self, line: Line, outcome: Anonymized) -> None:
        metrics.count("deid_notes_total", "emitted")
        self._write_record(self.files.out, encode_anonymized(outcome.note))
        self._write_record(self.files.risk, encode_risk(outcome))
        if self.files.audit is not None:
            given = decode(line[1], limit_bytes=len(line[1])).note_id
            self._write_record(self.files.audit, encode_audit(outcome.note, given))

    def _write_failed(self, line: Line, failed: Failed) -> None:
        self.tally.add(failed)
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


def _chunks(path: Path, verb: str) -> Iterator[list[Line]]:
    total = count_lines(path)
    with progress() as bar:
        task = bar.add_task(verb, total=total)
        lines = read_lines(path)
        while chunk := list(islice(lines, CHUNK)):
            yield chunk
            bar.advance(task, len(chunk))


def _open_output(path: Path, stack: ExitStack) -> BinaryIO:
    try:
        return stack.enter_context(path.open("wb"))
    except OSError as error:
        msg = f"{path}: cannot be written: {type(error).__name__}"
        raise MissingArtefact(msg) from None


def _decode_lines(lines: Sequence[Line], note_bytes: int, tally: Tally) -> Iterator[RawNote]:
    for _, value in lines:
        try:
            yield decode(value, limit_bytes=note_bytes)
        except InvalidNote as invalid:
            tally.add(Failed.by(invalid))


def _detect_notes(detector: Detector, notes: Sequence[RawNote], tally: Tally) -> Iterator[Detected]:
    try:
        with watch(Stage.DETECT):
            yield from detector.detect(notes)
    except Rejected as rejected:
        if len(notes) == 1:
            tally.add(Failed.by(rejected))
            return
        for half in halve(range(len(notes))):
            yield from _detect_notes(detector, [notes[place] for place in half], tally)


def _spans_line(note: RawNote, spans: Sequence[Span]) -> bytes:
    return orjson.dumps({"note_id": note.note_id, "spans": spans}) + b"\n"
