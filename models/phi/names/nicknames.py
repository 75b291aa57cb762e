"""Which given names are one name: short forms, pet names and spellings."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from deidstream.models.text.word_files import lines

_FONDLE = ("y", "ie", "i")
_WIDEST = 2


@dataclass(frozen=True, slots=True)
class Nicknames:
    """The groups; every form, in plain letters, is in one group at most."""

    heads: Mapping[str, str]
    """The name that stands for all of its group, by form."""
    gender: Mapping[str, str]
    """``f`` or ``m``, by form."""


@lru_cache(maxsize=1)
def nicknames() -> Nicknames:
    """Read the groups once."""
    heads: dict[str, str] = {}
    gender: dict[str, str] = {}
    heading = ""
    for line in lines("names.nicknames.txt"):
        if line.startswith("["):
            heading = line.strip("[]")
            continue
        forms = line.split()
        heads |= dict.fromkeys(forms, forms[0])
        gender |= dict.fromkeys(forms, heading)
    return Nicknames(MappingProxyType(heads), MappingProxyType(gender))


def is_short(form: str, head: str) -> bool:
    """Tell a short form or pet name from a mere spelling of ``head``.

    >>> is_short("jon", "jonathan"), is_short("jonathon", "jonathan"), is_short("peggy", "margaret")
    (True, False, True)
    """
    if form == head:
        return False
    fondled = form.endswith(_FONDLE) and not head.endswith(_FONDLE)
    apart = form[0] != head[0] or abs(len(form) - len(head)) > _WIDEST
    shared = (Counter(form) & Counter(head)).total()
    return fondled or apart or shared < min(len(form), len(head)) - 1
