"""Where a run over a file of notes stands, so that another one can go on with it.

Every few seconds the outputs are forced to the disk, and a file beside the first of them says how
many notes are in them. A run that goes on cuts off what was written after that. It is the same run
only if the policies, the key, the software and models, and what is read and written are the same,
if the input begins with the same notes, and if the outputs are what had been written; otherwise it
is refused, so that no output is of two kinds.

Surrogates that are kept in memory go with the process. They are kept beside the file too, sealed as
in Redis: without them, an identity whose surrogate was taken would get another one from then on.
"""

import hashlib
import os
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

import orjson

from deidstream.agents.note_files.note_source import InputNote
from deidstream.agents.runtime.terminal import say
from deidstream.models.keyring import join_prefixed
from deidstream.schemas.errors import InvalidSettings
from deidstream.schemas.outcome import Failed
from deidstream.stream.redis.memory_store import MemorySurrogateStore

EVERY_SECONDS = 5.0
_FORMAT = 1
_LENGTH = 4
_OWNER_ALONE = 0o600


@dataclass(frozen=True, slots=True)
class ResumePoint:
    """How far a run has come."""

    notes: int
    lengths: Mapping[Path, int]
    """Bytes of each output that are of these notes."""
    tally: Mapping[str, Any]
    input_digest: str


@dataclass(slots=True)
class _Prefix:
    """The digest of a file as far as it has been read."""

    path: Path
    length: int = 0
    digest: Any = field(default_factory=hashlib.sha256)

    def read_to(self, end: int) -> None:
        with self.path.open("rb") as file:
            file.seek(self.length)
            while self.length < end and (block := file.read(min(1 << 20, end - self.length))):
                self.digest.update(block)
                self.length += len(block)


@dataclass(slots=True)
class Checkpoint:
    """The file that says where a run stands."""

    path: Path
    job: Mapping[str, str]
    """Digests of what must be the same in a run that goes on, by what is said where it is not."""
    store: MemorySurrogateStore | None
    """Where surrogates are, if no other process has them."""
    every_seconds: float = EVERY_SECONDS
    _outputs: dict[Path, _Prefix] = field(default_factory=dict[Path, _Prefix])
    _input: Any = field(default_factory=hashlib.sha256)
    _notes: int = 0
    _kept: int = 0
    """Entries of the store that have been written."""
    _saved_at: float = field(default_factory=time.monotonic)

    @classmethod
    def of(
        cls,
        out: Path,
        written: Mapping[Path, Path],
        job: Mapping[str, str],
        store: MemorySurrogateStore | None,
    ) -> "Checkpoint":
        """Return the checkpoint of a run.

        Args:
            out: The first output.
            written: Where each output is written before it gets its name.
            job: What must be the same.
            store: The surrogates, if they are in memory.
        """
        target = out.resolve()
        outputs = {path: _Prefix(place) for path, place in written.items()}
        path = target.with_name(target.name + ".resume")
        return cls(path, job, store, EVERY_SECONDS, outputs)

    @property
    def surrogates(self) -> Path:
        """Where the surrogates are kept."""
        return self.path.with_name(self.path.name + "-surrogates")

    def load(self) -> ResumePoint | None:
        """Read how far the run has come, if there is one; take over its surrogates.

        Raises:
            InvalidSettings: It is another run, or its outputs have been changed.
        """
        try:
            saved: dict[str, Any] = orjson.loads(self.path.read_bytes())
        except FileNotFoundError:
            return None
        except ValueError:
            saved = {}
        if saved.get("format") != _FORMAT:
            self._refuse("another version has written it")
        differ = [name for name, digest in self.job.items() if saved["job"].get(name) != digest]
        if differ:
            self._refuse(f"not the same as in that run: {', '.join(differ)}")
        for place, (path, prefix) in enumerate(self._outputs.items()):
            self._check_output(path, prefix, saved["outputs"][place])
        self._read_surrogates(saved["surrogates"])
        lengths = {path: prefix.length for path, prefix in self._outputs.items()}
        return ResumePoint(saved["notes"], lengths, saved["tally"], saved["input"])

    def skip(self, notes: Iterable[InputNote], point: ResumePoint) -> None:
        """Pass over the notes that are in the outputs.

        Raises:
            InvalidSettings: The input does not begin with them.
        """
        if point.notes:
            for note in notes:
                self._add(note)
                if self._notes == point.notes:
                    break
        if self._input.hexdigest() != point.input_digest:
            self._refuse("the input does not begin with the notes of that run")

    def save_when_due(
        self, notes: Sequence[InputNote], handles: Mapping[Path, BinaryIO], tally: Mapping[str, Any]
    ) -> None:
        """Count notes that have been written; save where the run stands, if it is time."""
        for note in notes:
            self._add(note)
        if time.monotonic() >= self._saved_at + self.every_seconds:
            self.save(handles, tally)

    def save(self, handles: Mapping[Path, BinaryIO], tally: Mapping[str, Any]) -> None:
        """Save where the run stands.

        Raises:
            OSError: A disk is full.
        """
        outputs: list[object] = []
        for path, prefix in self._outputs.items():
            handles[path].flush()
            os.fsync(handles[path].fileno())
            prefix.read_to(handles[path].tell())
            outputs.append({"bytes": prefix.length, "sha256": prefix.digest.hexdigest()})
        state = {
            "format": _FORMAT,
            "job": self.job,
            "notes": self._notes,
            "input": self._input.hexdigest(),
            "outputs": outputs,
            "tally": tally,
            "surrogates": self._write_surrogates(),
        }
        fresh = self.path.with_name(self.path.name + ".new")
        with _open_private(fresh, os.O_TRUNC) as file:
            file.write(orjson.dumps(state, option=orjson.OPT_INDENT_2))
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(self.path)
        self._saved_at = time.monotonic()

    def forget(self) -> None:
        """Delete what an earlier run has kept, for all notes are done anew."""
        if self.path.exists():
            say(f"{self.path}: that run was cut off and begins anew; --resume goes on with one")
        self.remove()

    def remove(self) -> None:
        """Delete what was kept."""
        self.path.unlink(missing_ok=True)
        self.surrogates.unlink(missing_ok=True)

    def _add(self, note: InputNote) -> None:
        message = note.message
        read = f"{message.reason} {message.fault}" if isinstance(message, Failed) else message
        self._input.update(join_prefixed(str(note.place), read, note.name, repr(note.kept)))
        self._notes += 1

    def _check_output(self, path: Path, prefix: _Prefix, saved: Mapping[str, Any]) -> None:
        if prefix.path.is_file():
            prefix.read_to(saved["bytes"])
        if (prefix.length, prefix.digest.hexdigest()) != (saved["bytes"], saved["sha256"]):
            self._refuse(f"{path.name}.partial is not as that run has left it")

    def _read_surrogates(self, length: int) -> None:
        if self.store is None or not length:
            return
        data = self.surrogates.read_bytes()[:length] if self.surrogates.is_file() else b""
        if len(data) < length:
            self._refuse(f"{self.surrogates.name} is not as that run has left it")
        parts = split_prefixed(data)
        self.store.restore(zip(parts[::2], parts[1::2], strict=True))
        self._kept = len(parts) // 2
        os.truncate(self.surrogates, length)

    def _write_surrogates(self) -> int:
        """Add the surrogates that are new; return the bytes of all."""
        if self.store is None:
            return 0
        fresh = self.store.list_entries(self._kept)
        with _open_private(self.surrogates, os.O_APPEND) as file:
            file.write(b"".join(join_prefixed(name, value) for name, value in fresh))
            file.flush()
            os.fsync(file.fileno())
            self._kept += len(fresh)
            return file.tell()

    def _refuse(self, why: str) -> None:
        msg = f"--resume: {self.path}: {why}; without --resume, all notes are done anew"
        raise InvalidSettings(msg)


def digest_parts(*parts: object) -> str:
    """Return a digest of things by what they look like."""
    return hashlib.sha256(join_prefixed(*map(repr, parts))).hexdigest()


def split_prefixed(data: bytes) -> list[bytes]:
    """Return the parts that ``join_prefixed`` has joined."""
    parts: list[bytes] = []
    at = 0
    while at < len(data):
        end = at + _LENGTH + int.from_bytes(data[at : at + _LENGTH])
        parts.append(data[at + _LENGTH : end])
        at = end
    return parts


def _open_private(path: Path, flags: int) -> BinaryIO:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | flags, _OWNER_ALONE)
    return os.fdopen(handle, "ab" if flags & os.O_APPEND else "wb")
