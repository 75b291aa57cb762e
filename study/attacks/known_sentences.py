"""The sentences of an original that an attacker knows, though not the original itself."""

from typing import Final

from deidstream.models.keyring import seed_draw
from deidstream.models.text.sentences import split_sentences

_FEWEST_WORDS: Final = 3
"""Words that a known sentence has at least."""


def draw_known(text: str, most: int, seed: int) -> list[str]:
    """Draw sentences of a note, in the order of the note; the same seed and note give the same.

    Headings, cells of tables and sentences of one or two words are not drawn.

    Args:
        text: The note.
        most: How many are drawn, where the note has as many different ones.
        seed: Another seed draws others.
    """
    pieces = split_sentences(text)
    prose = [text[one.start : one.end] for one in pieces if not one.heading and not one.cell]
    left = list(dict.fromkeys(one for one in prose if len(one.split()) >= _FEWEST_WORDS))
    draw = seed_draw(seed.to_bytes(8, "big"), "known sentences", text)
    while len(left) > most:
        left.pop(draw.below(len(left)))
    return left
