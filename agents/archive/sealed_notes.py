"""Files of notes that wait for their shard, sealed under the root key.

A bucket is a file of frames. Each frame is packed and encrypted by AES-GCM (NIST SP 800-38D) with
a nonce of its own; the job, the bucket and the number of the frame are authenticated, so that no
frame is read in another place.
"""

import os
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import orjson
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from deidstream.agents.note_files.note_source import InputNote
from deidstream.agents.note_files.resume import split_prefixed
from deidstream.agents.runtime.private_files import OWNER
from deidstream.models.keyring import Keyring, join_prefixed
from deidstream.schemas.documents.attachment import AttachmentFault
from deidstream.schemas.errors import MissingArtefact, NoteField, Reason, Stage
from deidstream.schemas.outcome import Failed

_FRAME_BYTES = 1 << 20
_HELD_BYTES = 64 << 20
"""Bytes of all buckets that are in memory before they are written."""
_NONCE_BYTES, _LENGTH_BYTES, _PLACE_BYTES = 12, 4, 8
_NOTE, _FAILED = b"n", b"f"
_FASTEST = 1


@dataclass(frozen=True, slots=True)
class Seal:
    """Seals and opens the frames of one job."""

    job_id: str
    _cipher: AESGCM = field(repr=False)

    @classmethod
    def of(cls, root: bytes, key_version: int, job_id: str) -> "Seal":
        """Derive the key of a job."""
        ring = Keyring(root, key_version, "default")
        return cls(job_id, AESGCM(ring.digest("archive", job_id)))

    def close(self, bucket: int, frame: int, content: bytes) -> bytes:
        """Return a sealed frame."""
        nonce = os.urandom(_NONCE_BYTES)
        packed = zlib.compress(content, _FASTEST)
        return nonce + self._cipher.encrypt(nonce, packed, self._name(bucket, frame))

    def open(self, bucket: int, frame: int, sealed: bytes) -> bytes:
        """Return what was sealed as this frame.

        Raises:
            MissingArtefact: It was not.
        """
        nonce, rest = sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:]
        try:
            return zlib.decompress(self._cipher.decrypt(nonce, rest, self._name(bucket, frame)))
        except InvalidTag:
            msg = f"bucket {bucket} of the job: is damaged, or sealed under another key"
            raise MissingArtefact(msg) from None

    def _name(self, bucket: int, frame: int) -> bytes:
        return join_prefixed(self.job_id, str(bucket), str(frame))


@dataclass(slots=True)
class BucketWriter:
    """Spreads notes over buckets, with a bounded number of bytes in memory."""

    seal: Seal
    names: dict[int, Path] = field(default_factory=dict[int, Path])
    sizes: dict[int, int] = field(default_factory=dict[int, int])
    """Bytes of the notes of each bucket."""
    _held: dict[int, list[bytes]] = field(default_factory=dict[int, list[bytes]], repr=False)
    _held_bytes: dict[int, int] = field(default_factory=dict[int, int])
    _all_bytes: int = 0
    _frames: dict[int, int] = field(default_factory=dict[int, int])

    def add(self, bucket: int, path: Path, note: InputNote) -> None:
        """Add a note to a bucket, whose file is at a path.

        Raises:
            OSError: There is no room.
        """
        entry = _encode(note)
        self.names[bucket] = path
        self._held.setdefault(bucket, []).append(entry)
        self._held_bytes[bucket] = self._held_bytes.get(bucket, 0) + len(entry)
        self._all_bytes += len(entry)
        if self._held_bytes[bucket] >= _FRAME_BYTES:
            self._write(bucket)
        if self._all_bytes >= _HELD_BYTES:
            self.flush()

    def flush(self) -> None:
        """Write what is in memory.

        Raises:
            OSError: There is no room.
        """
        for bucket in list(self._held):
            self._write(bucket)

    def _write(self, bucket: int) -> None:
        frame = self._frames.get(bucket, 0)
        sealed = self.seal.close(bucket, frame, b"".join(self._held.pop(bucket)))
        with os.fdopen(_open_private(self.names[bucket]), "ab") as file:
            file.write(len(sealed).to_bytes(_LENGTH_BYTES) + sealed)
        size = self._held_bytes.pop(bucket)
        self.sizes[bucket] = self.sizes.get(bucket, 0) + size
        self._all_bytes -= size
        self._frames[bucket] = frame + 1


def read_bucket(path: Path, bucket: int, seal: Seal) -> Iterator[InputNote]:
    """Yield the notes of a bucket, in the order in which they were added.

    Raises:
        MissingArtefact: The file is damaged, or sealed under another key.
    """
    frame = 0
    with path.open("rb") as file:
        while length := file.read(_LENGTH_BYTES):
            parts = split_prefixed(seal.open(bucket, frame, file.read(int.from_bytes(length))))
            for place, content in zip(parts[::2], parts[1::2], strict=True):
                yield _decode(int.from_bytes(place), content)
            frame += 1


def _open_private(path: Path) -> int:
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, OWNER)


def _encode(note: InputNote) -> bytes:
    place, message = note.place.to_bytes(_PLACE_BYTES), note.message
    if isinstance(message, bytes):
        return join_prefixed(place, _NOTE + message)
    failed = [message.reason, message.stage, message.field, message.fault]
    return join_prefixed(place, _FAILED + orjson.dumps(failed))


def _decode(place: int, content: bytes) -> InputNote:
    if content[:1] == _NOTE:
        return InputNote(place, content[1:])
    reason, stage, field_name, fault = orjson.loads(content[1:])
    failed = Failed(
        Reason(reason),
        Stage(stage),
        field=NoteField(field_name) if field_name else None,
        fault=AttachmentFault(fault) if fault else None,
    )
    return InputNote(place, failed)
