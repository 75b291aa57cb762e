"""Find the word pieces that begin a line: places where a note may be cut."""

import re
from bisect import bisect_left
from typing import Final

from tokenizers import Encoding

_ENDS: Final = re.compile(r"[\r\n]+")


def find_line_starts(text: str, encoding: Encoding) -> list[int]:
    """Return the places of the first pieces after line ends, ascending, each once.

    Args:
        text: What was cut into pieces.
        encoding: Its pieces, without special ones.
    """
    starts = [start for start, _ in encoding.offsets]
    places = {bisect_left(starts, match.start()) for match in _ENDS.finditer(text)}
    # No line begins at the first piece that did not begin the text, or after the last one.
    return sorted(place for place in places if 0 < place < len(starts))
