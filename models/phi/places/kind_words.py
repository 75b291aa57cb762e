"""Tell which words of an institution's name say what kind of thing it is.

``Thyroid`` of ``Tillery Thyroid Centre`` says what is treated there, ``Tillery`` where. What is a
word of kinds and no name of a person, town or street stays.
"""

import re
from functools import lru_cache

from deidstream.models.phi.names.identity import share_of
from deidstream.models.phi.names.name_lists import is_given
from deidstream.models.phi.places.cities import cities
from deidstream.models.phi.places.institution_words import CARE, GENERIC, ORGANISED
from deidstream.models.phi.places.place_pools import has_class, is_namesake
from deidstream.models.text.word_files import words_in

INSTITUTIONS = "institutions.kept.txt"
KINDS = "places.kinds.txt"
"""The file; ``study.lists.make_kinds`` makes it from its source."""
_NAME_PERCENT = 0.0015
"""How common a name is at least that a word of an institution may be."""
_FORMED = (
    "al", "ance", "ar", "ary", "emia", "ery", "ic", "ics", "ing", "itis", "ive", "ment", "ology",
    "ory", "osis", "ous", "tension", "tion",
)  # fmt: skip
"""How words of clinical notes and trades end that are formed from others: diseases, what is done
about them and adjectives. Those that are not, such as ``horse`` and ``gate``, also make names."""
_SURELY = ("ical", "ional", "ular")
"""How words end that are formed so, also those that no list has."""


@lru_cache(maxsize=1)
def _kinds() -> frozenset[str]:
    ordinary = words_in("lexicon.txt") | words_in("professions.txt")
    formed = {word for word in ordinary if word.endswith(_FORMED)}
    organs = {word.casefold() for word in words_in("allow_anatomy.txt")}
    ending = {word.casefold() for word in re.findall("[A-Za-z]{4,}", CARE + ORGANISED)}
    return words_in(INSTITUTIONS) | words_in(KINDS) | organs | formed | GENERIC | ending


def is_kind_word(value: str) -> bool:
    """Return whether a word, in lower case, says a kind and is no name.

    >>> is_kind_word("thyroid"), is_kind_word("cellular"), is_kind_word("barber")
    (True, True, False)
    """
    number = (value, value.removesuffix("s"), value + "s")
    kind = value.endswith(_SURELY) or any(one in _kinds() for one in number)
    return kind and not _is_name(value)


def _is_name(value: str) -> bool:
    if share_of(value) >= _NAME_PERCENT or is_given(value) or is_namesake(value):
        return True
    if has_class(value) and value not in words_in(INSTITUTIONS) | words_in(KINDS):
        return True
    return value in cities().names or value in cities().home
