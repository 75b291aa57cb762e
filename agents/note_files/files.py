"""The commands ``detect`` and ``deidentify``: the pipeline on files of notes."""

import stat
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import BinaryIO

import orjson

from deidstream.agents.note_files.input_files import STDIN
from deidstream.agents.note_files.input_hints import InputHints
from deidstream.agents.note_files.note_source import InputNote, NoteSource
from deidstream.agents.note_files.open_notes import Reading, open_notes
from deidstream.agents.note_files.output_files import check_outputs, open_outputs, partial_files
from deidstream.agents.note_files.output_rows import (
    Crosswalk,
    OutputEncoder,
    ResourceLines,
    choose_encoder,
)
from deidstream.agents.note_files.resume import Checkpoint, digest_parts
from deidstream.agents.note_files.tally import Tally
from deidstream.agents.runtime.compose import Runtime
from deidstream.agents.runtime.lines import check_input
from deidstream.agents.runtime.local_service import local_service
from deidstream.agents.runtime.policy_files import TenantPipelines
from deidstream.agents.runtime.progress_bar import ProgressLines, progress
from deidstream.agents.runtime.service import Service, watch
from deidstream.agents.runtime.terminal import say
from deidstream.agents.settings import Settings
from deidstream.models.detection.detector import Detector
from deidstream.models.keyring import Keyring
from deidstream.models.messages.read_message import read_message
from deidstream.models.messages.word.write_docx import write_docx
from deidstream.models.records import Detected
from deidstream.models.risk.levels_by_share import OwnRanks
from deidstream.schemas.documents.attachment import AttachmentFault, UnscannableAttachment
from deidstream.schemas.errors import (
    InvalidSettings,
    MissingArtefact,
    Rejected,
    Stage,
)
from deidstream.schemas.note import RawNote
from deidstream.schemas.outcome import (
    Anonymized,
    AnonymizedNote,
    Coordinates,
    DeadLetter,
    Failed,
    Outcome,
    Retracted,
)
from deidstream.schemas.ports import SurrogateStore
from deidstream.schemas.span import Span
from deidstream.schemas.wire import (
    encode_audit,
    encode_dead_letter,
    encode_retraction,
    encode_risk,
)
from deidstream.stream.lanes.batching import halve
from deidstream.stream.observing import metrics
from deidstream.stream.redis.memory_store import MemorySurrogateStore

CHUNK = 64


@dataclass(frozen=True, slots=True)
class Files:
    """The files that a command reads and writes."""

    notes: Path
    out: Path
    risk: Path | None = None
    audit: Path | None = None
    quarantine: Path | None = None
    crosswalk: Path | None = field(default=None, kw_only=True)
    documents: Path | None = field(default=None, kw_only=True)
    """Folder of the Word and clinical documents that come out, each in a file named by its note."""
    resources: Path | None = field(default=None, kw_only=True)
    """File of the FHIR resources that come out, a line each."""
    reading: Reading = field(default_factory=Reading, kw_only=True)
    """How the notes are read."""
    resume: bool = field(default=False, kw_only=True)
    """Whether to go on with a run that was cut off."""

    def open(self) -> NoteSource:
        """Open the notes.

        Raises:
            MissingArtefact: They cannot be read.
            InvalidSettings: A column is missing.
        """
        return open_notes(self.notes, self.reading)

    def encoders(self, source: NoteSource) -> dict[Path, OutputEncoder]:
        """Return what writes the outputs, the resources among them, and the crosswalk.

        Raises:
            InvalidSettings: A column is to be kept that has no place in the outputs.
            MissingExtra: What writes them is not installed.
        """
        chosen = {self.out: choose_encoder(self.out, source)}
        if self.resources:
            chosen[self.resources] = ResourceLines()
        if self.crosswalk:
            chosen[self.crosswalk] = Crosswalk()
        return chosen

    def outputs(self) -> tuple[Path, ...]:
        """Return the output files, which are overwritten.

        Raises:
            InvalidSettings: One of them is the input, or another of them.
        """
        beside = (self.risk, self.audit, self.quarantine, self.crosswalk, self.resources)
        named = (self.out, *beside)
        found = tuple(path for path in named if path is not None)
        inputs = () if self.notes == STDIN else (self.notes,)
        places = [_identify_file(path) for path in (*inputs, *found)]
        if len(set(places)) < len(places):
            msg = "input and outputs must be different files, because outputs are overwritten"
            raise InvalidSettings(msg)
        if self.notes.is_dir() and any(
            path.resolve().is_relative_to(self.notes.resolve())
            for path in (*found, *filter(None, [self.documents]))
        ):
            msg = "outputs must not lie in the folder of the input, whose files are all read"
            raise InvalidSettings(msg)
        return found

    def check(self) -> None:
        """Check before anything is loaded that all can be read or written.

        Raises:
            InvalidSettings: An output is the input, or another output.
            MissingArtefact: A file cannot be read or written.
        """
        outputs = self.outputs()
        if self.notes != STDIN and not self.notes.is_dir():
            check_input(self.notes)
        check_outputs(outputs)
        if self.documents is not None:
            _make_folder(self.documents)


async def deidentify(
    files: Files,
    settings: Settings,
    parts: Runtime,
    store: SurrogateStore,
    own: TenantPipelines | None = None,
    source: NoteSource | None = None,
) -> int:
    """De-identify the notes of a file.

    Args:
        files: Where to read and write.
        settings: All settings.
        parts: The parts of the policy in force.
        store: Keeps the surrogates.
        own: The pipelines of tenants that have a policy of their own.
        source: The notes, if they have been opened.

    Returns:
        0, or 1 if notes were quarantined; the other notes are written.

    Raises:
        InvalidSettings: An output is the input, or another output.
        MissingArtefact: A file cannot be read or written.
        Unavailable: Never; it waits until the store can be reached.
    """
    source = source or files.open()
    encoders = files.encoders(source)
    total = source.count()
    service = local_service(settings, parts, store, own or TenantPipelines())
    tally, hints, ranks = Tally(source.unit), InputHints(), OwnRanks()
    finish = {path: encoder.finish for path, encoder in encoders.items()}
    checkpoint = _choose_checkpoint(files, settings, source, service)
    point = checkpoint.load() if checkpoint and files.resume else None
    notes = _look_at(source.read(), hints)
    try:
        if checkpoint and point:
            tally.restore(point.tally)
            ranks.restore(point.tally["ranks"])
            checkpoint.skip(notes, point)
        elif checkpoint:
            checkpoint.forget()
        with open_outputs(
            files.outputs(),
            private=files.crosswalk,
            finish=finish,
            kept=point.lengths if point else {},
        ) as handles:
            sink = _Sink(files, parts, tally, handles, encoders)
            if not point:
                sink.begin()
            chunks = _chunks(notes, Amount(total, tally.earlier), "deidentify")
            await _write_all(service, chunks, sink, ranks, checkpoint)
    finally:
        service.lane.close()
    if checkpoint:
        checkpoint.remove()
    say(tally.summarize())
    return tally.close(hints)


def _choose_checkpoint(
    files: Files, settings: Settings, source: NoteSource, service: Service
) -> Checkpoint | None:
    """Return what keeps where the run stands; nothing where no other run could go on with it."""
    written = partial_files(files.outputs())
    if not settings.key.file or files.out not in written:
        return None
    memory = service.store if isinstance(service.store, MemorySurrogateStore) else None
    job = {
        **identify_makers(settings, service),
        "how the input is read": digest_parts(files.notes.name, type(source), files.reading),
        "the outputs": digest_parts(
            [path.name for path in files.outputs()], files.documents is not None
        ),
    }
    return Checkpoint.of(files.out, written, job, memory)


def identify_makers(settings: Settings, service: Service) -> dict[str, str]:
    """Return digests of what makes outputs, by what is said where one is not the same."""
    pipelines = {"": service.pipeline, **service.tenant_pipelines.pipelines}
    builders = {name: each.record_builder for name, each in pipelines.items()}
    policies = [(name, each.policy.sha256) for name, each in builders.items()]
    root, version = service.pipeline.record_builder.root, settings.key.version
    in_memory = isinstance(service.store, MemorySurrogateStore)
    return {
        "the policies": digest_parts(policies, service.tenant_pipelines.tenants),
        "the key": Keyring(root, version, "default").pseudonym("resume"),
        "the software or its models": digest_parts([each.stamp for each in builders.values()]),
        "where surrogates are kept": digest_parts(not in_memory),
    }


def _look_at(notes: Iterator[InputNote], hints: InputHints) -> Iterator[InputNote]:
    for note in notes:
        hints.look(note.message)
        yield note


async def _write_all(
    service: Service,
    chunks: Iterator[list[InputNote]],
    sink: "_Sink",
    ranks: OwnRanks,
    checkpoint: Checkpoint | None,
) -> None:
    def save() -> dict[str, object]:
        # A run that goes on gives the levels that this one would have given.
        return sink.tally.save() | {"ranks": ranks.save()}

    for chunk in chunks:
        sink.write(chunk, ranks.rank(await run_notes(service, chunk)))
        if checkpoint:
            checkpoint.save_when_due(chunk, sink.handles, save())
    if checkpoint:
        checkpoint.save(sink.handles, save())


async def run_notes(
    service: Service, notes: Sequence[InputNote], *, together: bool = False
) -> list[Outcome]:
    """Bring notes to their outcomes; one that could not be read has its own already.

    Args:
        service: Makes the outcomes.
        notes: The notes.
        together: Whether they are all notes of their patients.
    """
    values = [note.message for note in notes if isinstance(note.message, bytes)]
    made = iter(await (service.run_together(values) if together else service.run(values)))
    return [next(made) if isinstance(note.message, bytes) else note.message for note in notes]


def detect(
    files: Files, detector: Detector, *, note_bytes: int, source: NoteSource | None = None
) -> int:
    """Find the PHI in the notes of a file; return 0, or 1 if notes were quarantined.

    Raises:
        InvalidSettings: The output is the input.
        MissingArtefact: A file cannot be read or written.
    """
    source = source or files.open()
    total = source.count()
    tally, hints = Tally(source.unit), InputHints()
    with open_outputs(files.outputs()) as handles:
        for chunk in _chunks(_look_at(source.read(), hints), Amount(total), "detect"):
            notes = list(_decode_notes(chunk, note_bytes, tally))
            for item in _detect_notes(detector, notes, tally):
                handles[files.out].write(_spans_line(item.note, item.spans))
    return tally.close(hints)


@dataclass(slots=True)
class _Sink:
    files: Files
    parts: Runtime
    tally: Tally
    handles: Mapping[Path, BinaryIO]
    encoders: Mapping[Path, OutputEncoder]

    def begin(self) -> None:
        for path, encoder in self.encoders.items():
            self.handles[path].write(encoder.begin())

    def write(self, notes: Sequence[InputNote], outcomes: Sequence[Outcome]) -> None:
        if self.files.documents is not None:
            outcomes = [
                _write_document(self.files.documents, note, outcome)
                for note, outcome in zip(notes, outcomes, strict=True)
            ]
        for note, outcome in zip(notes, outcomes, strict=True):
            self.tally.add_outcome(outcome, note.place)
        for path, encoder in self.encoders.items():
            self.handles[path].write(encoder.encode(notes, outcomes))
        for note, outcome in zip(notes, outcomes, strict=True):
            if isinstance(outcome, Failed):
                self._write_failed(note, outcome)
            elif isinstance(outcome, Retracted):
                self._write_record(self.files.risk, encode_retraction(outcome))
            else:
                self._write_anonymized(note, outcome)

    def _write_anonymized(self, note: InputNote, outcome: Anonymized) -> None:
        metrics.count("deid_notes_total", "emitted")
        self._write_record(self.files.risk, encode_risk(outcome))
        if self.files.audit is not None and isinstance(note.message, bytes):
            given = read_message(note.message, limit_bytes=len(note.message)).note_id
            self._write_record(self.files.audit, encode_audit(outcome.note, given))

    def _write_failed(self, note: InputNote, failed: Failed) -> None:
        source = Coordinates(self.files.notes.name, 0, note.place)
        letter = DeadLetter(source, failed, failed.stamp or self.parts.stamp)
        self._write_record(self.files.quarantine, encode_dead_letter(letter))

    def _write_record(self, path: Path | None, record: bytes) -> None:
        if path is not None:
            self.handles[path].write(record + b"\n")


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        msg = f"{folder}: cannot be written: {type(error).__name__}"
        raise MissingArtefact(msg) from None


def _write_document(folder: Path, note: InputNote, outcome: Outcome) -> Outcome:
    """Write the document that a note came as; return why it failed, if there is none to write."""
    if not isinstance(outcome, Anonymized):
        return outcome
    made = outcome.note
    if made.document is not None:
        _write_whole(folder / f"{made.note_id}.xml", made.document.encode())
    elif note.file is not None:
        try:
            content = _rewrite_word(note, made)
        except Rejected as rejected:
            return Failed.by(rejected)
        _write_whole(folder / f"{made.note_id}.docx", content)
    return outcome


def _rewrite_word(note: InputNote, made: AnonymizedNote) -> bytes:
    """Return the Word document of a note with its permitted text.

    Raises:
        Rejected: It cannot be written.
    """
    if note.file is None or isinstance(note.message, Failed):
        raise UnscannableAttachment(AttachmentFault.NOT_WRITTEN)
    text = read_message(note.message, limit_bytes=len(note.message)).text
    try:
        content = note.file.read_bytes()
    except OSError:
        raise UnscannableAttachment(AttachmentFault.MALFORMED) from None
    return write_docx(content, text, made.permit)


def _write_whole(path: Path, content: bytes) -> None:
    """Write a file so that one with its name is whole."""
    fresh = path.with_suffix(".partial")
    try:
        fresh.write_bytes(content)
        fresh.replace(path)
    except OSError as error:
        msg = f"{path}: cannot be written: {type(error).__name__}"
        raise MissingArtefact(msg) from None


def _identify_file(path: Path) -> object:
    """Return a value that is equal for two names of one file, but unique for a device or pipe."""
    try:
        status = path.stat()
    except OSError:
        return path.resolve()
    regular = stat.S_ISREG(status.st_mode)
    return (status.st_dev, status.st_ino) if regular else object()


@dataclass(frozen=True, slots=True)
class Amount:
    """How many notes there are, if that is known, and how many an earlier run has done."""

    total: int | None
    done: int = 0


def _chunks(notes: Iterator[InputNote], amount: Amount, verb: str) -> Iterator[list[InputNote]]:
    lines = ProgressLines(verb, amount.total, amount.done)
    with progress() as bar:
        task = bar.add_task(verb, total=amount.total, completed=amount.done)
        while chunk := list(islice(notes, CHUNK)):
            yield chunk
            bar.advance(task, len(chunk))
            lines.advance(len(chunk))


def _decode_notes(
    chunk: Sequence[InputNote], note_bytes: int, tally: Tally
) -> Iterator[tuple[int, RawNote]]:
    for each in chunk:
        if isinstance(each.message, Failed):
            tally.add(each.message, each.place)
            continue
        try:
            with watch(Stage.DECODE):
                note = read_message(each.message, limit_bytes=note_bytes)
        except Rejected as rejected:
            tally.add(Failed.by(rejected), each.place)
        else:
            yield each.place, note


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
    records = [
        {"start": one.start, "end": one.end, "label": one.name}
        | ({"like": one.label} if one.own else {})
        | {"score": one.score, "source": one.source}
        for one in spans
    ]
    return orjson.dumps({"note_id": note.note_id, "spans": records}) + b"\n"
