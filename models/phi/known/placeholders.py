"""What registration systems write where they know nothing: it must not be looked for in a note."""

from collections.abc import Iterable
from dataclasses import replace

from deidstream.models.text.folding import words_of
from deidstream.models.text.word_files import split_list
from deidstream.schemas.note import KnownIdentifiers

_NOTHING = frozenset(
    split_list(
        """
    unknown unkn unk none nil null nan na n a no not known given provided applicable available
    recorded stated specified disclosed reported obtained listed entered on file see chart above
    below same as the is patient pt client test testing dummy tbd tba tbc pending other others
    undefined declined refused withheld confidential anonymous anon blank missing void fixed abode
    address nfa homeless undomiciled unhoused
    """
    )
)
_FILLED = frozenset("09x")
"""Characters with which a field is filled that must not be empty."""


def is_placeholder(value: str) -> bool:
    """Return whether a stated value says nothing: a lone sign, ``N/A``, ``Unknown``, ``0000``.

    >>> [is_placeholder(one) for one in ("A", "N/A", "Not Known", "000-00-0000", "Ng", "4471")]
    [True, True, True, True, False, False]
    """
    words = words_of(value)
    plain = "".join(words)
    filled = len(set(plain)) == 1 and plain[0] in _FILLED
    return len(plain) <= 1 or filled or _NOTHING.issuperset(words)


def drop_placeholders(known: KnownIdentifiers) -> KnownIdentifiers:
    """Return what of a ``known`` block states something."""
    return replace(
        known,
        names=_keep(known.names),
        identifiers=_keep(known.identifiers),
        dates=_keep(known.dates),
        phones=_keep(known.phones),
        addresses=_keep(known.addresses),
        staff=_keep(known.staff),
    )


def _keep(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(value for value in values if not is_placeholder(value))
