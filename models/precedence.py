"""Which of two versions of a note is the newer one, told without a day.

Outputs may not state when a note was changed. So they have a text that is greater for a newer
version of the same note. It is the place of a time, or of a number, in a range that is cut by the
key for each note anew: into sixteen parts of very unequal size by its first hexadecimal digit, and
each part again by the next digit. So the order stays, a single one tells nothing, and two tell
only roughly how far they are apart.
"""

from deidstream.models.keyring import Keyring
from deidstream.schemas.note import NoteStatus, RawNote
from deidstream.schemas.source_version import read_moment

_DIGITS = 13
"""Hexadecimal digits of a version, or of a time in milliseconds from the year 1 on."""
_EARLIEST = 1 << 46
"""More milliseconds than lie between the year 1 and 1970."""
_LARGEST = 7
"""The parts are from 1 to 2 ** 7 wide, so that a digit takes at most 11 bits of the range."""
_WIDTH = 4 * 36
"""Bits of the range: no part of the last digit is empty."""
_STATED, _AUTHORED = "1", "0"
"""Before a version that the source states, and before one of which the day of writing is known."""
_ABSENT, _PRESENT = "0", "1"
_RANKS = {None: "0", NoteStatus.CORRECTED: "1", NoteStatus.CANCELLED: "2"}


def state_precedence(keyring: Keyring, pseudonym: str, note: RawNote) -> str | None:
    """Return a text that is greater for a newer version of a note; ``None``: nothing is known.

    The later ``source_time`` is newer; if that is equal or missing, the higher ``version``. Of one
    version, a note that is taken back stands before a corrected one, and that before others. If a
    note states neither, a corrected one is newer, and then the one that was written later.

    Args:
        keyring: The keys of the note's tenant.
        pseudonym: That of the note, which all its versions have.
        note: The version.
    """
    rank = _RANKS[note.status]
    if note.source_time is None and note.version is None:
        authored = read_moment(note.authored_at or "")
        if authored is None:
            return None
        return _AUTHORED + rank + _place(keyring, pseudonym, "authored", authored + _EARLIEST)
    stated = _STATED
    moment = None if note.source_time is None else read_moment(note.source_time)
    for name, number in (("time", moment), ("version", note.version)):
        placed = number is not None and _place(keyring, pseudonym, name, number + _EARLIEST)
        stated += _PRESENT + placed if placed else _ABSENT
    return stated + rank


def end_version(precedence: str | None) -> str | None:
    """Return the precedence of a retraction that states none, and takes back this version.

    A version that was stated does not come back. One that was not may be sent again.
    """
    stated = precedence is not None and precedence.startswith(_STATED)
    return precedence[:-1] + _RANKS[NoteStatus.CANCELLED] if precedence and stated else precedence


def is_older(one: str | None, other: str | None) -> bool:
    """Return whether a precedence is less than another one; one that is unknown is the least."""
    return (one or "") < (other or "")


def _place(keyring: Keyring, pseudonym: str, name: str, number: int) -> str:
    """Return where a number from 0 lies in a range that is cut for this note."""
    digits = f"{number:0{_DIGITS}x}"
    low, width = 0, 1 << _WIDTH
    for at, digit in enumerate(digits):
        cut = keyring.digest("precedence", pseudonym, name, digits[:at])
        parts = [1 << (byte & _LARGEST) for byte in cut[:16]]
        chosen, whole = int(digit, 16), sum(parts)
        low += width * sum(parts[:chosen]) // whole
        width = width * parts[chosen] // whole
    return f"{low:0{_WIDTH // 4}x}"
