"""Look up the resources of persons in the files that hold them, without keeping them in memory.

Memory has 16 bytes for each name of a person, a digest and a place, and the persons that were
looked up last.
"""

import re
from array import array
from bisect import bisect_left
from codecs import BOM_UTF8
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import BinaryIO

import orjson

from deidstream.models.messages.fhir.exact_json import parse_exactly
from deidstream.models.messages.fhir.stated_persons import names_of_person, state_person
from deidstream.models.messages.fhir.walking import Fields, find_string, require_object
from deidstream.models.messages.forms.form_text import merge_known
from deidstream.schemas.errors import InvalidNote, MissingArtefact
from deidstream.schemas.note import KnownIdentifiers

_PERSON = re.compile(rb'"resourceType"\s*:\s*"(?:Patient|Practitioner|RelatedPerson)"')
LONGEST_LINE = 64_000_000
"""Bytes of a line that is read."""
_REMEMBERED = 4_096
_FILE_BITS = 20
"""Bits of a place for the number of the file; the others are for the byte in it."""


@dataclass(slots=True)
class PersonIndex:
    """The persons of some files."""

    paths: Sequence[Path]
    _digests: "array[int]" = field(default_factory=lambda: array("Q"), repr=False)
    _places: "array[int]" = field(default_factory=lambda: array("Q"), repr=False)
    _remembered: OrderedDict[str, KnownIdentifiers] = field(
        default_factory=OrderedDict[str, KnownIdentifiers], repr=False
    )

    @classmethod
    def of_files(cls, paths: Sequence[Path]) -> "PersonIndex":
        """Read the files once, and keep where the persons are.

        Raises:
            MissingArtefact: A file cannot be read.
        """
        entries: list[tuple[int, int]] = []
        for number, path in enumerate(paths):
            for start, line in read_places(path):
                if _PERSON.search(line):
                    place = (start << _FILE_BITS) | number
                    entries += ((_digest(name), place) for name in _names_in(line))
        entries.sort()
        index = cls(paths)
        index._digests.extend(digest for digest, _ in entries)
        index._places.extend(place for _, place in entries)
        return index

    @property
    def remembered(self) -> int:
        """Number of names whose identifiers are in memory."""
        return len(self._remembered)

    def look_up(self, names: Iterable[str]) -> KnownIdentifiers:
        """Return what the files state of persons; those that they do not have are passed over."""
        known = KnownIdentifiers()
        for name in names:
            known = merge_known(known, self._find(name))
        return known

    def _find(self, name: str) -> KnownIdentifiers:
        found = self._remembered.get(name)
        if found is None:
            found = KnownIdentifiers()
            for person in self._read(name):
                found = merge_known(found, _state(person))
            self._remembered[name] = found
            if len(self._remembered) > _REMEMBERED:
                self._remembered.popitem(last=False)
        self._remembered.move_to_end(name)
        return found

    def _read(self, name: str) -> Iterator[Fields]:
        digest = _digest(name)
        for at in range(bisect_left(self._digests, digest), len(self._digests)):
            if self._digests[at] != digest:
                return
            number = self._places[at] & ((1 << _FILE_BITS) - 1)
            with self.paths[number].open("rb") as file:
                file.seek(self._places[at] >> _FILE_BITS)
                person = require_object(parse_exactly(file.readline()))
            # Two names may have one digest.
            if name in names_of_person(person):
                yield person


def read_places(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of a file that are not blank, with the byte at which each begins.

    For a line that is longer than ``LONGEST_LINE`` it yields no bytes.

    Raises:
        MissingArtefact: It cannot be read, or is packed.
    """
    try:
        with path.open("rb") as file:
            if file.peek(2)[:2] == b"\x1f\x8b":
                msg = f"{path}: is packed; unpack it first"
                raise MissingArtefact(msg)
            start = len(BOM_UTF8) if file.peek(3).startswith(BOM_UTF8) else 0
            file.seek(start)
            while line := file.readline(LONGEST_LINE):
                size = len(line)
                if size == LONGEST_LINE and not line.endswith(b"\n"):
                    size += _pass_over(file)
                    yield start, b""
                elif line.strip():
                    yield start, line.strip()
                start += size
    except OSError as error:
        msg = f"{path}: cannot be read: {type(error).__name__}"
        raise MissingArtefact(msg) from None


def _pass_over(file: BinaryIO) -> int:
    """Read to the end of a line; return the bytes that were read."""
    size = 0
    while rest := file.readline(LONGEST_LINE):
        size += len(rest)
        if rest.endswith(b"\n"):
            break
    return size


def _names_in(line: bytes) -> Iterator[str]:
    try:
        fields: object = orjson.loads(line)
    except orjson.JSONDecodeError:
        return
    if isinstance(fields, dict) and _PERSON.search(
        b'"resourceType":"%b"' % find_string(fields, "resourceType").encode()  # pyright: ignore[reportUnknownArgumentType]
    ):
        yield from names_of_person(require_object(fields))


def _state(person: Fields) -> KnownIdentifiers:
    try:
        return state_person(person)
    except InvalidNote:
        return KnownIdentifiers()


def _digest(name: str) -> int:
    return int.from_bytes(blake2b(name.encode(), digest_size=8).digest(), "big")
