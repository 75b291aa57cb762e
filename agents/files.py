"""The pipeline on files: detect and deidentify, for batches, tests and evaluation."""

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
    """Where the file commands read and write."""

    notes: Path
    out: Path
    risk: Path | None = None
    audit: Path | None = None
    quarantine: Path | None = None

    def written(self) -> tuple[Path, ...]:
        """What is written over.

        Raises:
            InvalidSettings: One of them is the input, or another of them.
        """
        named = (self.out, self.risk, self.audit, self.quarantine)
        found = tuple(path for path in named if path is not None)
        places = [_place(path) for path in (self.notes, *found)]
        if len(set(places)) < len(places):
            msg = "input and outputs must be different files, as an output is written over"
            raise InvalidSettings(msg)
        return found


@dataclass(frozen=True, slots=True)
class Tally:
    """How many notes were quarantined, by reason and stage."""

    failed: Counter[str] = field(default_factory=Counter[str])

    def add(self, failed: Failed) -> None:
        """Count one."""
        self.failed[f"{failed.reason} at {failed.stage}"] += 1

    def close(self) -> int:
        """Say the counts, if any, and return the exit code."""
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
        parts: Of the policy in force.
        store: Keeps the surrogates.
        own: The pipelines of tenants that have a policy of their own.

    Returns:
        0, or 1 when notes were quarantined; the others are written all the same.

    Raises:
        InvalidSettings: An output is the input, or another output.
        MissingArtefact: A file cannot be read or written.
        Unavailable: Never: while the store is away it waits.
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
    """Find the PHI in the notes of a file; return 0, or 1 when notes were quarantined.

    Raises:
        InvalidSettings: The output is the input.
        MissingArtefact: A file cannot be read or written.
    """
    tally = Tally()
    files.written()
    with ExitStack() as stack:
        out = _opened(files.out, stack)
        for lines in _chunks(files.notes, "detect"):
            notes = list(_readable(lines, note_bytes, tally))
            for item in _detected(detector, notes, tally):
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
        for path in self.files.written():
            self.handles[path] = _opened(path, self.stack)

    def write(self, lines: Sequence[Line], outcomes: Sequence[Outcome]) -> None:
        for line, outcome in zip(lines, outcomes, strict=True):
            if isinstance(outcome, Failed):
                self._failed(line, outcome)
            else:
                self._anonymized(line, outcome)

    def _anonymized(self, line: Line, outcome: Anonymized) -> None:
        metrics.count("deid_notes_total", "emitted")
        self._put(self.files.out, encode_anonymized(outcome.note))
        self._put(self.files.risk, encode_risk(outcome))
        if self.files.audit is not None:
            given = decode(line[1], limit_bytes=len(line[1])).note_id
            self._put(self.files.audit, encode_audit(outcome.note, given))

    def _failed(self, line: Line, failed: Failed) -> None:
        self.tally.add(failed)
        source = Coordinates(self.files.notes.name, 0, line[0])
        letter = DeadLetter(source, failed, failed.stamp or self.parts.stamp)
        self._put(self.files.quarantine, encode_dead_letter(letter))

    def _put(self, path: Path | None, record: bytes) -> None:
        if path is not None:
            self.handles[path].write(record + b"\n")


def _place(path: Path) -> object:
    """What two names of one file have in common; a device or a pipe may be written to twice."""
    try:
        told = path.stat()
    except OSError:
        return path.resolve()
    regular = stat.S_ISREG(told.st_mode)
    return (told.st_dev, told.st_ino) if regular else object()


def _chunks(path: Path, verb: str) -> Iterator[list[Line]]:
    total = count_lines(path)
    with progress() as bar:
        task = bar.add_task(verb, total=total)
        lines = read_lines(path)
        while chunk := list(islice(lines, CHUNK)):
            yield chunk
            bar.advance(task, len(chunk))


def _opened(path: Path, stack: ExitStack) -> BinaryIO:
    try:
        return stack.enter_context(path.open("wb"))
    except OSError as error:
        msg = f"{path}: cannot be written: {type(error).__name__}"
        raise MissingArtefact(msg) from None


def _readable(lines: Sequence[Line], note_bytes: int, tally: Tally) -> Iterator[RawNote]:
    for _, value in lines:
        try:
            yield decode(value, limit_bytes=note_bytes)
        except InvalidNote as invalid:
            tally.add(Failed(invalid.reason, invalid.stage))


def _detected(detector: Detector, notes: Sequence[RawNote], tally: Tally) -> Iterator[Detected]:
    try:
        with watch(Stage.DETECT):
            yield from detector.detect(notes)
    except Rejected as rejected:
        if len(notes) == 1:
            tally.add(Failed(rejected.reason, rejected.stage))
            return
        for half in halve(range(len(notes))):
            yield from _detected(detector, [notes[place] for place in half], tally)


def _spans_line(note: RawNote, spans: Sequence[Span]) -> bytes:
    return orjson.dumps({"note_id": note.note_id, "spans": spans}) + b"\n"
