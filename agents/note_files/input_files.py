"""Open an input: a file or stdin, as it is or packed by gzip or zstd."""

import stat
import sys
import zlib
from collections.abc import Generator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path
from typing import BinaryIO, cast

from deidstream.agents.runtime.lines import unpack_gzip
from deidstream.schemas.errors import MissingArtefact
from deidstream.schemas.extras import Extra, needing
from deidstream.schemas.system_faults import say_why

STDIN = Path("-")
_ZSTD = b"\x28\xb5\x2f\xfd"


def is_read_once(path: Path) -> bool:
    """Return whether an input is stdin, a pipe or a device, so that it cannot be read twice."""
    return path == STDIN or not stat.S_ISREG(path.stat().st_mode)


@contextmanager
def open_input(path: Path) -> Generator[BinaryIO]:
    """Open a file, or stdin for ``-``; gzip and zstd are unpacked.

    Raises:
        MissingArtefact: It cannot be read, or ends before it should.
        MissingExtra: It is packed by zstd, and what unpacks it is not installed.
    """
    try:
        if path == STDIN:
            yield _unpack(cast("BufferedReader", sys.stdin.buffer))
            return
        with path.open("rb") as plain:
            yield _unpack(plain)
    except (OSError, EOFError, zlib.error) as error:
        msg = f"{path}: cannot be read: {say_why(error)}"
        raise MissingArtefact(msg) from None


def _unpack(file: BufferedReader) -> BinaryIO:
    if file.peek(len(_ZSTD))[: len(_ZSTD)] != _ZSTD:
        return unpack_gzip(file)
    with needing(Extra.ANALYTICS, "a file packed by zstd"):
        from deidstream.agents.tables.zstd_stream import unpack_zstd  # noqa: PLC0415  pyarrow
    return unpack_zstd(file)
