"""Find the word pieces that begin a line: places where a note may be cut."""

import re
from typing import Final

import numpy as np
from tokenizers import Encoding

_ENDS: Final = re.compile(r"[\r\n]+")


def find_line_starts(text: str, encoding: Encoding) -> list[int]:
    """Return the places of the first pieces after line ends, ascending, each once.

    Args:
        text: What was cut into pieces.
        encoding: Its pieces, without special ones.
    """
    ends = [match.start() for match in _ENDS.finditer(text)]
    starts = [start for start, _ in encoding.offsets]
    places = np.unique(np.searchsorted(starts, ends))
    # No line begins at the first piece that did not begin the text, or after the last one.
    inner: list[int] = places[(places > 0) & (places < len(starts))].tolist()
    return inner
