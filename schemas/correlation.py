"""The correlation of a note: a text of the sender's choice that its outputs carry unchanged.

With it a sender finds the output of each note without the key. Its characters and its length are
limited, so that it can be the number of something but no sentence.
"""

import re

LONGEST = 128
"""Characters of a correlation."""
PATTERN = rf"^[A-Za-z0-9._:-]{{1,{LONGEST}}}$"
"""As JSON Schema writes it."""
_SIGNS = re.compile("[A-Za-z0-9._:-]+")


def is_well_formed(correlation: str) -> bool:
    """Return whether a text has the signs of a correlation, whatever its length."""
    return _SIGNS.fullmatch(correlation) is not None
