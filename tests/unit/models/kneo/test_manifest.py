from hashlib import sha256
from pathlib import Path

import orjson
import pytest

from deidstream.models.checked_folder import DIGEST, MANIFEST
from deidstream.models.kneo import index_folder
from deidstream.models.kneo.index_folder import Facts
from deidstream.schemas.errors import MissingArtefact

FACTS = Facts("some-embedder", "abc", 4, 2, 1, 0, "", "SQfp16", "def", {"notes": 3})
FILES = {"a.txt": b"secret text", "b.bin": bytes(range(256))}
NAMES = frozenset(FILES)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    digest = index_folder.write_files(tmp_path, FACTS, FILES)
    folder = index_folder.read_files(tmp_path, NAMES)
    assert (folder.facts, dict(folder.files), folder.digest) == (FACTS, FILES, digest)


def test_the_digest_depends_on_every_byte(tmp_path: Path) -> None:
    first = index_folder.write_files(tmp_path, FACTS, FILES)
    assert index_folder.write_files(tmp_path, FACTS, FILES) == first
    assert index_folder.write_files(tmp_path, FACTS, {**FILES, "a.txt": b"secret tent"}) != first


@pytest.mark.parametrize("name", sorted(FILES))
def test_a_flipped_byte_is_refused_and_the_file_named(tmp_path: Path, name: str) -> None:
    index_folder.write_files(tmp_path, FACTS, FILES)
    content = bytearray((tmp_path / name).read_bytes())
    content[3] ^= 1
    (tmp_path / name).write_bytes(content)
    with pytest.raises(MissingArtefact, match=name) as raised:
        index_folder.read_files(tmp_path, NAMES)
    assert "secret" not in str(raised.value)


@pytest.mark.parametrize("name", [*sorted(FILES), MANIFEST])
def test_an_absent_file_is_refused_and_named(tmp_path: Path, name: str) -> None:
    index_folder.write_files(tmp_path, FACTS, FILES)
    (tmp_path / name).unlink()
    with pytest.raises(MissingArtefact, match=name):
        index_folder.read_files(tmp_path, NAMES)


@pytest.mark.parametrize(
    "content",
    [b"", b"[]", b"{}", b"null", b'{"format": 1}', b'{"format": 1, "files": {"a.txt": 3}}'],
)
def test_what_is_no_manifest_is_refused(tmp_path: Path, content: bytes) -> None:
    index_folder.write_files(tmp_path, FACTS, FILES)
    (tmp_path / MANIFEST).write_bytes(content)
    with pytest.raises(MissingArtefact, match=MANIFEST):
        index_folder.read_files(tmp_path, NAMES)


def test_another_format_is_refused(tmp_path: Path) -> None:
    index_folder.write_files(tmp_path, FACTS, FILES)
    path = tmp_path / MANIFEST
    path.write_bytes(orjson.dumps(orjson.loads(path.read_bytes()) | {"format": 1}))
    (tmp_path / DIGEST).write_text(sha256(path.read_bytes()).hexdigest())
    with pytest.raises(MissingArtefact, match="format"):
        index_folder.read_files(tmp_path, NAMES)


def test_a_file_outside_the_folder_cannot_be_named(tmp_path: Path) -> None:
    index_folder.write_files(tmp_path, FACTS, {**FILES, "c.txt": b""})
    with pytest.raises(MissingArtefact, match="list"):
        index_folder.read_files(tmp_path, NAMES)


def test_a_half_written_folder_is_refused(tmp_path: Path) -> None:
    index_folder.write_files(tmp_path, FACTS, FILES)
    with pytest.raises(FileNotFoundError):
        index_folder.write_files(tmp_path, FACTS, {**FILES, "no-such-folder/c": b""})
    with pytest.raises(MissingArtefact, match=MANIFEST):
        index_folder.read_files(tmp_path, NAMES)
