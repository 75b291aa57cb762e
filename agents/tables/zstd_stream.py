"""Unpack zstd; no other library of ours does so without holding the whole file."""

import io
from typing import BinaryIO

import pyarrow as pa


def unpack_zstd(file: BinaryIO) -> BinaryIO:
    """Return what a file packed by zstd holds."""
    return io.BufferedReader(pa.CompressedInputStream(pa.PythonFile(file, "r"), "zstd"))
