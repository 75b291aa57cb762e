"""Shorten what may be no PHI: an operator may leave a part of it, and add nothing."""

from collections.abc import Mapping
from dataclasses import dataclass

from deidstream.models.mention import Draws, Identity, Mention
from deidstream.models.operators.operator import Operator
from deidstream.models.operators.redact import write_label
from deidstream.schemas.policy import RedactStyle


@dataclass(frozen=True, slots=True)
class KeepPart:
    """What an operator writes stays if it is a part of the mention, else it is the label.

    Under ``generalise`` the doubtful ``3/4/2024`` becomes ``2024`` and the age ``34`` stays. What
    the text does not say becomes ``[DATE]`` and ``[AGE]``: the year of ``3/4/24``, or that of
    ``34 3/7``, which is none, and ``90 or older`` in the place of a score.
    """

    operator: Operator
    style: RedactStyle = RedactStyle.LABEL

    @property
    def name(self) -> str:
        """Name of the operator itself."""
        return self.operator.name

    def identities(self, mention: Mention) -> tuple[Identity, ...]:
        """Return those of the operator."""
        return self.operator.identities(mention)

    def derive(self, identity: Identity, draws: Draws) -> str:
        """Derive as the operator does."""
        return self.operator.derive(identity, draws)

    def render(self, mention: Mention, surrogates: Mapping[Identity, str]) -> str:
        """Write what the operator leaves of the mention."""
        written = self.operator.render(mention, surrogates)
        return written if written in mention.text else write_label(mention, self.style)
