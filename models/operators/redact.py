"""Replace a span by its label."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from deidstream.models.mention import Draws, Identity, Mention
from deidstream.schemas.label import LABELS, PhiLabel
from deidstream.schemas.policy import RedactStyle


class Labelled(Protocol):
    """What has a label: a mention or a span."""

    @property
    def label(self) -> PhiLabel:
        """One of the 28."""
        ...

    @property
    def name(self) -> str:
        """The name of the label: the site's own, or that of ``label``."""
        ...


def write_label(labelled: Labelled, style: RedactStyle) -> str:
    """Write the label of a mention or span as a redacted note has it.

    >>> doctor = Mention("Kim", PhiLabel.DOCTOR)
    >>> [write_label(doctor, style) for style in (RedactStyle.LABEL, RedactStyle.XXX)]
    ['[DOCTOR]', 'XXX-Name']
    """
    if style is RedactStyle.XXX:
        return f"XXX-{LABELS[labelled.label].deidclinic}"
    return f"[{labelled.name}]"


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
        return write_label(mention, self.style)


def is_label(text: str, labelled: Labelled) -> bool:
    """Return whether a replacement's text is its label, in whatever style."""
    return any(text == write_label(labelled, style) for style in RedactStyle)
