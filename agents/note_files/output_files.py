"""Write output files so that an interrupted run does not look complete.

A file is written beside its place as ``NAME.partial`` and gets its name at the end. What stood
there before stays until then. Devices and pipes are written to directly.
"""

import gzip
import shutil
import stat
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import BinaryIO

from deidstream.schemas.errors import MissingArtefact

GZIP_ENDING = ".gz"
Finish = Callable[[Path, Path], bool]
"""Makes of a file that has been written, if need be, another one: what the output is to be."""


@contextmanager
def open_outputs(
    paths: Iterable[Path],
    *,
    private: Path | None = None,
    finish: Mapping[Path, Finish] | None = None,
    kept: Mapping[Path, int] | None = None,
) -> Generator[dict[Path, BinaryIO]]:
    """Open files for writing; they get their names when the body ends without an error.

    One whose name ends in ``.gz`` is packed by gzip then.

    Args:
        paths: Of the files.
        private: The one that its owner alone may read.
        finish: What is done to files before they get their names.
        kept: Bytes that an earlier run has written and that stay; by default none.

    Raises:
        MissingArtefact: One cannot be written.
    """
    with ExitStack() as stack:
        partial = {path: _partial(path) for path in paths}
        handles: dict[Path, BinaryIO] = {}
        for path, written in partial.items():
            length = (kept or {}).get(path)
            handles[path] = _open_output(written, path, stack, "wb" if length is None else "r+b")
            if length is not None:
                handles[path].truncate(length)
                handles[path].seek(length)
        if private is not None and partial[private] != private:
            partial[private].chmod(stat.S_IRUSR | stat.S_IWUSR)
        yield handles
    made = {
        path: _make(written, path, (finish or {}).get(path))
        for path, written in partial.items()
        if written != path
    }
    for path, whole in made.items():
        _name(whole, path.resolve(), private=path == private)
        partial[path].unlink(missing_ok=True)


def check_outputs(paths: Iterable[Path]) -> None:
    """Check, before anything is loaded, that files can be written.

    Raises:
        MissingArtefact: One cannot be written.
    """
    for path in paths:
        written = _partial(path)
        there = written.exists()
        with ExitStack() as stack:
            if written != path:
                _open_output(written, path, stack, mode="ab")
        if written != path and not there:
            written.unlink(missing_ok=True)


def partial_files(paths: Iterable[Path]) -> dict[Path, Path]:
    """Return where each file is written before it gets its name; devices and pipes have none."""
    partial = {path: _partial(path) for path in paths}
    return {path: written for path, written in partial.items() if written != path}


def _partial(path: Path) -> Path:
    """Return where the file is written; a device or a pipe is its own place."""
    if path.exists() and not (path.is_file() or path.is_dir()):
        return path
    target = path.resolve()
    return target.with_name(target.name + ".partial")


def _open_output(written: Path, path: Path, stack: ExitStack, mode: str = "wb") -> BinaryIO:
    try:
        if path.is_file() or path.is_dir():
            # A file that may not be written is not replaced either.
            path.open("ab").close()
        return stack.enter_context(written.open(mode))  # type: ignore[return-value]
    except OSError as error:
        msg = f"{path}: cannot be written: {type(error).__name__}"
        raise MissingArtefact(msg) from None


def _make(written: Path, path: Path, finish: Finish | None) -> Path:
    """Return the file that is to get the name; what was written stays until it has it."""
    whole = written
    fresh = written.with_name(written.name + ".whole")
    if finish is not None and finish(written, fresh):
        whole = fresh
    if path.suffix.lower() == GZIP_ENDING:
        packed = written.with_name(written.name + GZIP_ENDING)
        _pack(whole, packed)
        fresh.unlink(missing_ok=True)
        whole = packed
    return whole


def _pack(written: Path, fresh: Path) -> None:
    # Without a name and a time: equal outputs are equal files.
    with (
        written.open("rb") as plain,
        fresh.open("wb") as file,
        gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed,
    ):
        fresh.chmod(stat.S_IMODE(written.stat().st_mode))
        shutil.copyfileobj(plain, packed)


def _name(written: Path, target: Path, *, private: bool) -> None:
    try:
        if target.exists() and not private:
            written.chmod(stat.S_IMODE(target.stat().st_mode))
        written.replace(target)
    except OSError as error:
        msg = f"{target}: cannot be written: {type(error).__name__}; the output is in {written}"
        raise MissingArtefact(msg) from None
