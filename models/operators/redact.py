"""Put the label instead of the span."""

from collections.abc import Mapping
from dataclasses import dataclass

from deidstream.models.mention import Draws, Identity, Mention
from deidstream.schemas.label import LABELS, PhiLabel
from deidstream.schemas.policy import RedactStyle


def redacted(label: PhiLabel, style: RedactStyle) -> str:
    """Write a label as it stands in a redacted note.

    >>> redacted(PhiLabel.DOCTOR, RedactStyle.LABEL), redacted(PhiLabel.DOCTOR, RedactStyle.XXX)
    ('[DOCTOR]', 'XXX-Name')
    """
    if style is RedactStyle.XXX:
        return f"XXX-{LABELS[label].deidclinic}"
    return f"[{label}]"


@dataclass(frozen=True, slots=True)
class Redact:
    """Every mention becomes its label; nothing of it is remembered."""

    style: RedactStyle = RedactStyle.LABEL
    name: str = "redact"

    def identities(self, mention: Mention) -> tuple[Identity, ...]:  # noqa: ARG002
        """Rest on nothing."""
        return ()

    def derive(self, identity: Identity, draws: Draws) -> str:  # noqa: ARG002
        """Derive nothing."""
        return ""

    def render(self, mention: Mention, surrogates: Mapping[Identity, str]) -> str:  # noqa: ARG002
        """Write the label."""
        return redacted(mention.label, self.style)
