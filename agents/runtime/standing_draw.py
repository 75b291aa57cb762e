"""Draw outputs for the standing sample: by key, so that nobody can guess or choose which.

The draw depends on the key and the output's id alone: a message that is read again is drawn again,
or again not, by whichever worker.
"""

from dataclasses import dataclass, field

from deidstream.agents.runtime.root_keys import RootKeys
from deidstream.models.keyring import Keyring
from deidstream.schemas.outcome import Anonymized

TENANT = "deidstream standing sample"
"""In place of a tenant: the draw is over all tenants."""
_PARTS = 1 << 32


@dataclass(frozen=True, slots=True)
class StandingDraw:
    """Which outputs go to the readers."""

    ring: Keyring = field(repr=False)
    share: float

    @classmethod
    def under(cls, keys: RootKeys, share: float) -> "StandingDraw":
        """Draw a share of outputs by the root key in force."""
        return cls(Keyring(keys.roots[keys.version], keys.version, TENANT), share)

    def is_drawn(self, outcome: Anonymized) -> bool:
        """Return whether an output is in the sample."""
        number = self.ring.draw("standing", outcome.note.output_id).below(_PARTS)
        return number < self.share * _PARTS
