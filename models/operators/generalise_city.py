"""Replace a city by its state (45 CFR 164.514(b)(2)(i)(B))."""

from collections.abc import Mapping
from dataclasses import dataclass

from deidstream.models.keyring import canonical
from deidstream.models.mention import Draws, Identity, Mention
from deidstream.models.operators.redact import write_label
from deidstream.models.phi.places.cities import cities, city_key
from deidstream.models.phi.places.regions import states
from deidstream.models.text.runs import recase
from deidstream.schemas.policy import RedactStyle

_HOME = "US."


@dataclass(frozen=True, slots=True)
class GeneraliseCity:
    """``Boston`` becomes ``Massachusetts``; a city that is not known becomes ``[CITY]``.

    Only American cities are known, and those whose name may as well be another place's are not
    (``Cities.home``). A city whose state would say its name, such as ``Oklahoma City``,
    becomes ``[CITY]`` too.
    """

    name: str = "generalise"
    style: RedactStyle = RedactStyle.LABEL
    """How what cannot be replaced is written."""

    def identities(self, mention: Mention) -> tuple[Identity, ...]:  # noqa: ARG002
        """Return no identities."""
        return ()

    def derive(self, identity: Identity, draws: Draws) -> str:  # noqa: ARG002
        """Derive nothing."""
        return ""

    def render(self, mention: Mention, surrogates: Mapping[Identity, str]) -> str:  # noqa: ARG002
        """Write the state."""
        state = state_of(mention.text)
        if not state or set(canonical(mention.text).split()) & set(state.casefold().split()):
            return write_label(mention, self.style)
        return recase(state, mention.text)


def state_of(city: str) -> str:
    """Return the full name of a city's American state; empty if its name alone does not tell."""
    home = cities().home.get(city_key(city), "")
    state = states().get(home.removeprefix(_HOME).casefold()) if home.startswith(_HOME) else None
    return state.full if state else ""
