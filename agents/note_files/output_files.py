"""Write output files so that an interrupted run does not look complete.

A file is written beside its place as ``NAME.partial`` and gets its name at the end. What stood
there before stays until then. Devices and pipes are written to directly.
"""

import stat
from collections.abc import Generator, Iterable
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import BinaryIO

from deidstream.schemas.errors import MissingArtefact


@contextmanager
def open_outputs(paths: Iterable[Path]) -> Generator[dict[Path, BinaryIO]]:
    """Open files for writing; they get their names when the body ends without an error.

    Raises:
        MissingArtefact: One cannot be written.
    """
    with ExitStack() as stack:
        partial = {path: _partial(path) for path in paths}
        handles = {path: _open_output(written, path, stack) for path, written in partial.items()}
        yield handles
    for path, written in partial.items():
        if written != path:
            _name(written, path.resolve())


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


def _name(written: Path, target: Path) -> None:
    try:
        if target.exists():
            written.chmod(stat.S_IMODE(target.stat().st_mode))
        written.replace(target)
    except OSError as error:
        msg = f"{target}: cannot be written: {type(error).__name__}; the output is in {written}"
        raise MissingArtefact(msg) from None
