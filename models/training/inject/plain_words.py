"""Words of frames that are no PHI: pronouns, times, drugs, tests."""

import random
from collections.abc import Mapping
from types import MappingProxyType

from deidstream.models.training.frames import TemplateSlot, words

_WOMAN: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "he": ("she",), "He": ("She",), "his": ("her",), "His": ("Her",), "him": ("her",),
        "man": ("woman", "female", "lady"), "boy": ("girl",),
        "title": ("Ms.", "Ms.", "Mrs.", "Mrs.", "Miss", "Ms", "Mrs"),
    }
)  # fmt: skip
_MAN: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "he": ("he",), "He": ("He",), "his": ("his",), "His": ("His",), "him": ("him",),
        "man": ("man", "male", "gentleman"), "boy": ("boy",),
        "title": ("Mr.", "Mr.", "Mr.", "Mr"),
    }
)  # fmt: skip


def word_for(slot: TemplateSlot, rng: random.Random, *, is_woman: bool) -> str:
    """Return a word for a slot that is no PHI.

    Raises:
        KeyError: There is no such list of words.
    """
    options = (_WOMAN if is_woman else _MAN).get(slot.name) or words()[slot.name]
    word = rng.choice(options)
    if slot.part == "cap":
        return word[:1].upper() + word[1:]
    return word.upper() if slot.part == "upper" else word
