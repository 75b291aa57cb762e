"""The word set of a note as a sketch: salted digests of its folded words, without any text.

The salt lies beside the sketches. So a sketch hides words from a glance and from a search for text,
but not from an attacker who holds the index and tries the words of a dictionary.
"""

from collections.abc import Iterable
from hashlib import blake2b

import numpy as np

from deidstream.models.references.number_lists import Numbers
from deidstream.models.text.folding import fold_text

_BYTES = 4


def sketch_text(text: str, salt: bytes) -> Numbers:
    """Sketch the words of a text: folded runs of letters and digits, each counted once.

    Returns:
        Ascending and distinct. Two of 10,000 words share a digest under about one salt in 86.
    """
    words = "".join(c if c.isalnum() else " " for c in fold_text(text)).split()
    return _sketch_words(words, salt)


def _sketch_words(words: Iterable[str], salt: bytes) -> Numbers:
    digests = sorted({_digest_word(word, salt) for word in set(words)})
    return np.array(digests, np.uint32)


def _digest_word(word: str, salt: bytes) -> int:
    digest = blake2b(word.encode("utf-8", "surrogatepass"), digest_size=_BYTES, key=salt).digest()
    return int.from_bytes(digest, "little")
