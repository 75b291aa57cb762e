"""Read the folders of real prose, as they lie on disk."""

import lzma
from collections.abc import Iterator, Mapping
from pathlib import Path

import orjson

from deidstream.schemas.errors import MissingArtefact

Row = Mapping[str, object]


def rows(data: Path, name: str) -> Iterator[Row]:
    """Yield the JSON lines of the file ``name`` below ``data``, packed with xz or not.

    Raises:
        MissingArtefact: The file is not there.
    """
    path = data / name
    if not path.is_file():
        msg = f"{path} is not there: training prose is read from a folder of your own"
        raise MissingArtefact(msg)
    with lzma.open(path) if path.suffix == ".xz" else path.open("rb") as lines:
        yield from (orjson.loads(line) for line in lines if line.strip())


def text_of(row: Row, name: str) -> str:
    """Return a field that is text, every line end a line feed."""
    return str(row.get(name) or "").replace("\r\n", "\n").replace("\r", "\n")
