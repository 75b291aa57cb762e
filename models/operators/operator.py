"""Define the interface of an operator.

A mention is one span of a note. An operator names the *identities* a mention rests on (a surname, a
patient's date shift, an account number), derives a surrogate for each identity from a keyed draw,
and writes the replacement from the surrogates of its identities. Two mentions that share an
identity thereby agree, in one note or across notes, whatever their written form.
"""

from collections.abc import Mapping
from typing import Protocol

from deidstream.models.mention import Draws, Identity, Mention


class Operator(Protocol):
    """Replaces mentions of the labels it is given."""

    @property
    def name(self) -> str:
        """Name under which replacements record it."""
        ...

    def identities(self, mention: Mention) -> tuple[Identity, ...]:
        """Return the identities the mention rests on; empty when it is replaced without memory."""
        ...

    def derive(self, identity: Identity, draws: Draws) -> str:
        """Derive an identity's surrogate from keyed draws alone; never the identity's own value.

        It must not depend on the note, so that any worker derives the same. Should the surrogate
        be an original of the note, the caller asks again with the next ``probe``.
        """
        ...

    def render(self, mention: Mention, surrogates: Mapping[Identity, str]) -> str:
        """Write the replacement; ``surrogates`` holds every identity of the mention."""
        ...
