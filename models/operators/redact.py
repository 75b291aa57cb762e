"""Replace a span by its label."""

from collections.abc import Mapping
from dataclasses import dataclass

from deidstream.models.mention import Draws, Identity, Mention
from deidstream.schemas.label import LABELS, PhiLabel
from deidstream.schemas.policy import RedactStyle


def write_label(label: PhiLabel, style: RedactStyle) -> str:
    """Write a label as a redacted note has it.

    >>> [write_label(PhiLabel.DOCTOR, style) for style in (RedactStyle.LABEL, RedactStyle.XXX)]
    ['[DOCTOR]', 'XXX-Name']
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
        """Return no identities."""
        return ()

    def derive(self, identity: Identity, draws: Draws) -> str:  # noqa: ARG002
        """Derive nothing."""
        return ""

    def render(self, mention: Mention, surrogates: Mapping[Identity, str]) -> str:  # noqa: ARG002
        """Write the label."""
        return write_label(mention.label, self.style)


def is_label(text: str, label: PhiLabel) -> bool:
    """Return whether a replacement's text is its label, in whatever style."""
    return any(text == write_label(label, style) for style in RedactStyle)
