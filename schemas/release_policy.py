"""The part of a policy about releases: outputs that may be joined by their ids and surrogates."""

from dataclasses import dataclass
from enum import StrEnum


class Sharing(StrEnum):
    """Whether something is the same in all releases of one key."""

    AUTO = "auto"
    """``own`` under a KNEO technique, else ``shared``; no policy that was read has it."""
    SHARED = "shared"
    """The same in all releases that share it: who has two of them joins them by it."""
    OWN = "own"
    """It belongs to this release alone."""


@dataclass(frozen=True, slots=True)
class ReleasePolicy:
    """What the outputs of a policy have in common with those of other policies of the key."""

    name: str = ""
    """Name of the release; empty: that of the policy. Policies of one name are one release."""
    ids: Sharing = Sharing.AUTO
    """Pseudonyms of notes, patients and outputs."""
    surrogates: Sharing = Sharing.AUTO
    """Surrogates of names, places and numbers, and the shifts of dates and ages."""

    def resolve(self, policy: str, by_technique: Sharing) -> "ReleasePolicy":
        """Return it with what the file leaves to the policy's name and technique."""

        def choose(stated: Sharing) -> Sharing:
            return by_technique if stated is Sharing.AUTO else stated

        return ReleasePolicy(self.name or policy, choose(self.ids), choose(self.surrogates))
