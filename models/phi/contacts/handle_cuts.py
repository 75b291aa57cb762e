"""Cut a word of an e-mail address or user name into the names it is run together from.

What is told by the word alone: ``jsmith``, ``smithja``, ``johnsmith``, ``mgarcialopez``.
"""

from collections.abc import Iterator, Mapping

from deidstream.models.phi.names.identity import share_of
from deidstream.models.phi.names.name_lists import is_known
from deidstream.models.text.word_files import listed

_LONG, _LONGEST = 8, 32
_LEAST = {3: 0.02, 4: 0.002}
"""How common a short name must be, in percent, to be seen behind initials."""
_LEAST_JOINED = {3: 0.05, 4: 0.02}
"""Likewise, to be seen next to another name."""
_LEAST_LONG, _LEAST_TWO = 0.002, 0.02
"""Likewise of any longer name; and of one beside two initials."""
_PREFIXES = listed("vander vanden vonder dela delos van von")


def is_name(word: str) -> bool:
    """Tell whether a word in plain letters is a name by itself.

    >>> is_name("lee"), is_name("ent"), is_name("smithj")
    (True, False, False)
    """
    return len(word) >= min(_LEAST) and _is_common(word, _LEAST)


def cut(word: str) -> tuple[str, ...]:
    """Return the names and initials of a word in plain letters; nothing if it holds no names.

    >>> cut("jsmith"), cut("smithja"), cut("johnasmith"), cut("achterberg")
    (('j', 'smith'), ('smith', 'j', 'a'), ('john', 'a', 'smith'), ())
    """
    return next(_cuts(word), ()) if len(word) <= _LONGEST else ()


def prefix(word: str) -> str:
    """Return the particle that a word begins with, if a name follows it; else nothing.

    >>> prefix("vandersmith"), prefix("vance")
    ('vander', '')
    """
    able = (start for start in _PREFIXES if word.startswith(start))
    return next((start for start in able if is_name(word[len(start) :])), "")


def _cuts(word: str) -> Iterator[tuple[str, ...]]:
    for initials in (1, 2):
        head, tail = len(word) - initials, word[initials:]
        least = _LEAST_TWO if initials > 1 else 0.0
        if is_name(tail) and share_of(tail) >= least:
            yield (*word[:initials], tail)
        if is_name(word[:head]) and share_of(word[:head]) >= least:
            yield (word[:head], *word[head:])
        if initials == 1:
            yield from _joined(word)
    yield from ((word[0], *names) for names in _joined(word[1:]))
    yield from _parted(word)


def _joined(word: str) -> Iterator[tuple[str, ...]]:
    """Two names; of several ways the one whose rarer name is the most common."""
    ways = [(word[:place], word[place:]) for place in range(3, len(word) - 2)]
    able = [way for way in ways if all(map(_is_joined, way))]
    if able:
        yield max(able, key=lambda way: min(map(share_of, way)))


def _parted(word: str) -> Iterator[tuple[str, ...]]:
    """Two names with an initial between."""
    ways = ((word[:place], word[place], word[place + 1 :]) for place in range(3, len(word) - 3))
    yield from (way for way in ways if _is_joined(way[0]) and _is_joined(way[2]))


def _is_joined(word: str) -> bool:
    return _is_common(word, _LEAST_JOINED)


def _is_common(word: str, least: Mapping[int, float]) -> bool:
    # Registers hold slips too, such as smithj, but hardly any long ones.
    if len(word) >= _LONG and is_known(word):
        return True
    return share_of(word) >= least.get(len(word), _LEAST_LONG)
