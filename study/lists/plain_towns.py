"""Tell names of towns that a reader takes for nothing else from words and given names."""

from deidstream.models.phi.names.name_lists import is_given
from deidstream.models.phi.places.country_codes import country_code
from deidstream.models.phi.places.regions import state_of
from deidstream.models.text.word_files import split_list, words_in

_SHORTEST = 4
_KNOWN = 100_000
"""People of a city that is known by a name that is a word or a given name too, such as Austin."""
_HEADS = frozenset(
    split_list(
        "city town village park beach falls lake lakes creek valley ridge heights grove springs "
        "vernon island bay river rapids forest gardens haven harbor harbour"
    )
)
"""Last words that say that a name of several words is that of a town."""


def is_plain_town(name: str, people: int) -> bool:
    """Return whether a reader takes a name for that of a town wherever it stands.

    Args:
        name: Such as ``Normal`` or ``Cut Bank``, which are none.
        people: Who live in the largest place of it.
    """
    if len(name) < _SHORTEST or state_of(name) or country_code(name):
        return False
    words = name.casefold().split()
    if people >= _KNOWN or (len(words) > 1 and words[-1] in _HEADS):
        return True
    return not all(word in words_in("lexicon.txt") or is_given(word) for word in words)
