"""Replace an occupation by another one."""

from collections.abc import Mapping
from dataclasses import dataclass

from deidstream.models.keyring import canonical
from deidstream.models.mention import Draws, Identity, Mention
from deidstream.models.operators.redact import write_label
from deidstream.models.phi.places.draw_place import pick_unlike
from deidstream.models.phi.professions import jobs_like, read_job
from deidstream.models.text.runs import recase
from deidstream.schemas.policy import RedactStyle


@dataclass(frozen=True, slots=True)
class ReplaceProfession:
    """The surrogate is of the same setting and grade, and shares no word with the original.

    Words such as ``retired`` and ``trainee`` stay before it; case is kept, number is not.
    """

    name: str = "surrogate"
    style: RedactStyle = RedactStyle.LABEL
    """How what cannot be replaced is written."""

    def identities(self, mention: Mention) -> tuple[Identity, ...]:
        """Name the occupation."""
        value = canonical(read_job(mention.text).job)
        return (Identity("profession", value),) if any(map(str.isalnum, value)) else ()

    def derive(self, identity: Identity, draws: Draws) -> str:
        """Draw another occupation."""
        return pick_unlike(jobs_like(identity.value), identity.value, draws.own(identity))

    def render(self, mention: Mention, surrogates: Mapping[Identity, str]) -> str:
        """Write the drawn occupation."""
        identities = self.identities(mention)
        if not identities:
            return write_label(mention, self.style)
        drawn, written = surrogates[identities[0]], read_job(mention.text)
        if mention.text.istitle():
            return written.grade + drawn.title().replace("'S", "'s")
        capital = drawn[0].upper() + drawn[1:] if written.job[0].isupper() else drawn
        return written.grade + recase(capital, written.job)
