"""Cover the letters and digits of a span; its length, case and signs stay."""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass

from deidstream.models.keyring import canonical
from deidstream.models.mention import Draws, Identity, Mention
from deidstream.models.operators.redact import write_label
from deidstream.schemas.policy import RedactStyle

_SPACES = "\n\r\t"


@dataclass(frozen=True, slots=True)
class Mask:
    """``McKee, J. 4/12`` becomes ``XxXxx, X. 0/00``.

    How many words of what length there were still shows. Symbols outside ASCII and control
    characters, which may spell something, become ``x`` too. A span that is its own mask, such as
    ``XXX``, becomes its label.
    """

    name: str = "mask"
    style: RedactStyle = RedactStyle.LABEL
    """How what cannot be replaced is written."""

    def identities(self, mention: Mention) -> tuple[Identity, ...]:  # noqa: ARG002
        """Return no identities."""
        return ()

    def derive(self, identity: Identity, draws: Draws) -> str:  # noqa: ARG002
        """Derive nothing."""
        return ""

    def render(self, mention: Mention, surrogates: Mapping[Identity, str]) -> str:  # noqa: ARG002
        """Write the mask."""
        mask = "".join(map(_mask_char, mention.text))
        same = canonical(mask) == canonical(mention.text)
        return write_label(mention, self.style) if same else mask


def _mask_char(char: str) -> str:
    category = unicodedata.category(char)
    if category[0] == "N":
        return "0"
    if char in _SPACES or category[0] in "PZ" or (char.isascii() and category[0] == "S"):
        return char
    return "X" if char.isupper() else "x"
