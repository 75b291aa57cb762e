"""The signs that show a reader of the text alone which sentence or word was exchanged."""

from typing import Final, NamedTuple


class Signs(NamedTuple):
    """What stands before and behind each exchanged sentence or word."""

    opening: str
    closing: str

    @classmethod
    def of(cls, *, shown: bool) -> "Signs":
        """Return the white square brackets, which notes do not have, or nothing."""
        return _BRACKETS if shown else _NONE


_BRACKETS: Final = Signs("\u27e6", "\u27e7")
_NONE: Final = Signs("", "")
