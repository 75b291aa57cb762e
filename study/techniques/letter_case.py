"""Write a word as another one is written: in capitals, with a capital, or small."""

from typing import Final

_LONGEST_INITIAL: Final = 1


def write_in_case(word: str, pattern: str) -> str:
    """Write ``word`` as ``pattern`` is written.

    >>> write_in_case("ache", "PAIN"), write_in_case("ache", "Pain"), write_in_case("ache", "pain")
    ('ACHE', 'Ache', 'ache')
    """
    if pattern.isupper() and len(pattern) > _LONGEST_INITIAL:
        return word.upper()
    return word[:1].upper() + word[1:] if pattern[:1].isupper() else word
