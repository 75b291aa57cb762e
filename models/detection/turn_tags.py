"""Find the tags of roles that begin the turns of a transcript, such as ``AGT`` and ``CLR``.

A tagger takes letters in capitals before what somebody says for the initials of that person.
"""

import re
from collections import Counter
from functools import lru_cache

from deidstream.models.phi.contacts.handles import ROLES
from deidstream.models.phi.names.name_lists import is_listed
from deidstream.models.phi.names.stops import LEADING
from deidstream.models.text.word_files import words_in

_TAG = re.compile(r"(?m)^[ \t>]*([A-Z]{3,5})(?:[ \t]{2,}|:[ \t]+)(?=\S)")
_TURNS = 3
"""Lines that begin with a tag; two letters are initials."""


def find_role_tags(text: str) -> list[tuple[int, int]]:
    """Return where in a text tags stand that abbreviate a role and are no name."""
    tags = [match.span(1) for match in _TAG.finditer(text)]
    turns = Counter(text[start:end] for start, end in tags)
    roles = {tag for tag, count in turns.items() if count >= _TURNS and _is_role(tag.casefold())}
    return [(start, end) for start, end in tags if text[start:end] in roles]


@lru_cache(maxsize=256)
def _is_role(tag: str) -> bool:
    words = ROLES | LEADING | words_in("professions.txt")
    return not is_listed(tag) and any(_abbreviates(tag, word) for word in words)


def _abbreviates(tag: str, word: str) -> bool:
    """Return whether a tag begins a word, or has its ends and letters of it between: ``clr``."""
    if word.startswith(tag):
        return True
    letters = iter(word)
    return tag[0] == word[0] and tag[-1] == word[-1] and all(letter in letters for letter in tag)
