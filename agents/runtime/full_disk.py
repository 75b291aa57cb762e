"""Tell that a disk is full from what else may go wrong."""

import errno
import os

FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
"""Error numbers of a write without room, on stdout or to a file."""


def raise_if_full(error: Exception) -> None:
    """Raise what a library has raised as the error of the system, if there was no room.

    Libraries that are no Python wrap that error into one of their own and keep its words alone.

    Raises:
        OSError: The disk was full; the number says in which way.
    """
    said = str(error)
    for number in FULL:
        if os.strerror(number) in said:
            raise OSError(number, os.strerror(number)) from None
