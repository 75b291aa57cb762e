"""Read the de-identified notes that a pool is chosen from, whatever form a site has them in.

Forms: records of ``notes.anonymized``, plain lines with note_id, patient_id and text, or
folders of text files. Input that cannot be read costs only itself: it is counted and named.
"""

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Final

import orjson

from deidstream.agents.runtime.lines import count_lines, read_lines
from deidstream.models.keyring import Keyring
from deidstream.models.release_ids import name_donor, patient_pseudonym
from deidstream.schemas.errors import InvalidNote, MissingArtefact, Refused
from deidstream.schemas.note import RawNote
from deidstream.schemas.wire import decode

TENANT: Final = "default"
_SUFFIX: Final = ".txt"
_NAMED: Final = 10
"""Places of unreadable input that are named; the others are only counted."""


class Donor(StrEnum):
    """What a donor is: whose sentences a patient never gets back."""

    AUTO = "auto"
    """``record`` for lines, ``file`` for text files."""
    RECORD = "record"
    """``patient_id`` of the line, which is the pseudonym that the key gives the patient."""
    KEYED = "keyed"
    """The pseudonym of ``patient_id``, or of the name of the text file without suffix."""
    FILE = "file"
    """Each text file is a patient of its own."""
    FOLDER = "folder"
    """The folder of a text file is the patient."""
    NONE = "none"
    """Nobody: the notes are of no patient that the stream will meet."""


@dataclass(frozen=True, slots=True)
class CorpusForm:
    """How a corpus is to be read."""

    donor: Donor = Donor.AUTO
    root: bytes = field(default=b"", repr=False)
    """The root key, required for ``Donor.KEYED``."""
    key_version: int = 1
    strict: bool = False
    """Whether unreadable input is refused."""
    note_bytes: int = 900_000
    """Longest line or file that is read."""


@dataclass(slots=True)
class Unreadable:
    """What could not be read."""

    count: int = 0
    reasons: Counter[str] = field(default_factory=Counter[str])
    places: list[str] = field(default_factory=list[str])
    """Where the first were, and why."""

    def add(self, place: str, why: str) -> None:
        """Count one."""
        self.count += 1
        self.reasons[why] += 1
        if len(self.places) < _NAMED:
            self.places.append(f"{place}: {why}")


def count_notes(paths: Sequence[Path]) -> int:
    """Count the lines and text files of a corpus.

    Raises:
        MissingArtefact: A path cannot be read, or a folder holds no text file.
    """
    return sum(len(_list_files(p)) if p.is_dir() else count_lines(p) for p in paths)


def read_corpus(
    paths: Sequence[Path], form: CorpusForm, unreadable: Unreadable
) -> Iterator[RawNote]:
    """Yield the notes of files and folders in their order; text files by their names.

    Args:
        paths: Lines as JSON, which may be packed by gzip, or folders of text files.
        form: How they are read.
        unreadable: Collects what cannot be read.

    Raises:
        MissingArtefact: A path cannot be read, or a folder holds no text file.
        Refused: Something is unreadable and the form is strict.
    """
    for path in paths:
        yield from (
            _read_folder(path, form, unreadable)
            if path.is_dir()
            else _read_records(path, form, unreadable)
        )


def _read_records(path: Path, form: CorpusForm, unreadable: Unreadable) -> Iterator[RawNote]:
    for number, line in read_lines(path):
        try:
            note = decode(line, limit_bytes=form.note_bytes)
        except InvalidNote as invalid:
            _refuse(f"{path}: line {number + 1}", str(invalid.reason), form, unreadable)
            continue
        if note.cancelled:
            continue
        donor = _name_patient(note, _release_of(line), form)
        yield RawNote(note.note_id, donor, note.text, note_type=note.note_type)


def _keyring(form: CorpusForm, tenant: str) -> Keyring:
    return Keyring(form.root, form.key_version, tenant)


def _release_of(line: bytes) -> str:
    policy = orjson.loads(line.removeprefix(b"\xef\xbb\xbf")).get("policy")
    release = policy.get("release") if isinstance(policy, dict) else None
    return release if isinstance(release, str) else ""


def _name_patient(note: RawNote, release: str, form: CorpusForm) -> str:
    if form.donor is Donor.NONE:
        return ""
    if form.donor is Donor.KEYED:
        return patient_pseudonym(_keyring(form, note.tenant), note.patient_id)
    return name_donor(note.patient_id, release)


def _read_folder(folder: Path, form: CorpusForm, unreadable: Unreadable) -> Iterator[RawNote]:
    for path in _list_files(folder):
        try:
            content = path.read_bytes()
            text = content.decode()
        except OSError as error:
            _refuse(str(path), type(error).__name__, form, unreadable)
            continue
        except UnicodeDecodeError:
            _refuse(str(path), "BAD_UTF8", form, unreadable)
            continue
        if not text.strip() or len(content) > form.note_bytes:
            _refuse(str(path), "TOO_LARGE" if text.strip() else "EMPTY", form, unreadable)
            continue
        yield RawNote(path.name, _name_writer(path, folder, form), text)


def _name_writer(path: Path, folder: Path, form: CorpusForm) -> str:
    """Name the donor of a text file; a name of a file may be that of a person."""
    if form.donor is Donor.NONE:
        return ""
    if form.donor is Donor.KEYED:
        return patient_pseudonym(_keyring(form, TENANT), path.stem)
    named = path.parent if form.donor is Donor.FOLDER else path
    return hashlib.sha256(named.relative_to(folder).as_posix().encode()).hexdigest()[:32]


def _list_files(folder: Path) -> list[Path]:
    found = sorted(path for path in folder.rglob(f"*{_SUFFIX}") if path.is_file())
    if not found:
        msg = f"{folder}: holds no {_SUFFIX} file"
        raise MissingArtefact(msg)
    return found


def _refuse(place: str, why: str, form: CorpusForm, unreadable: Unreadable) -> None:
    if form.strict:
        msg = f"{place}: {why}"
        raise Refused(msg)
    unreadable.add(place, why)
