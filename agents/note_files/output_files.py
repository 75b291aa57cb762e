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
Finish = Callable[[Path], None]
"""Makes of a file that has been written what it is to be, in its place."""


@contextmanager
def open_outputs(
    paths: Iterable[Path],
    *,
    private: Path | None = None,
    finish: Mapping[Path, Finish] | None = None,
) -> Generator[dict[Path, BinaryIO]]:
    """Open files for writing; they get their names when the body ends without an error.

    One whose name ends in ``.gz`` is packed by gzip then.

    Args:
        paths: Of the files.
        private: The one that its owner alone may read.
        finish: What is done to files before they get their names.

    Raises:
        MissingArtefact: One cannot be written.
    """
    with ExitStack() as stack:
        partial = {path: _partial(path) for path in paths}
        handles = {path: _open_output(written, path, stack) for path, written in partial.items()}
        if private is not None and partial[private] != private:
            partial[private].chmod(stat.S_IRUSR | stat.S_IWUSR)
        yield handles
    for path, written in partial.items():
        if written != path:
            if finish and path in finish:
                finish[path](written)
            if path.suffix.lower() == GZIP_ENDING:
                _pack(written)
            _name(written, path.resolve(), private=path == private)


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


def _pack(written: Path) -> None:
    fresh = written.with_name(written.name + GZIP_ENDING)
    # Without a name and a time: equal outputs are equal files.
    with (
        written.open("rb") as plain,
        fresh.open("wb") as file,
        gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed,
    ):
        fresh.chmod(stat.S_IMODE(written.stat().st_mode))
        shutil.copyfileobj(plain, packed)
    fresh.replace(written)


def _name(written: Path, target: Path, *, private: bool) -> None:
    try:
        if target.exists() and not private:
            written.chmod(stat.S_IMODE(target.stat().st_mode))
        written.replace(target)
    except OSError as error:
        msg = f"{target}: cannot be written: {type(error).__name__}; the output is in {written}"
        raise MissingArtefact(msg) from None
