"""Replace the name of a person by another name, part by part."""

from collections.abc import Mapping
from dataclasses import dataclass

from deidstream.models.mention import Draws, Identity, Mention
from deidstream.models.operators.redact import write_label
from deidstream.models.phi.contacts import handles
from deidstream.models.phi.names.write_name import (
    NamePart,
    derive_name,
    name_identities,
    read_name,
    write_name,
)
from deidstream.schemas.policy import RedactStyle


@dataclass(frozen=True, slots=True)
class ReplaceName:
    """Surnames become surnames, given names given names of the same gender, of the same people.

    Kind, people and gender depend on the token alone, and the initial of its surrogate on its own
    initial alone, so a full name, the surname and the initials of one person agree in every
    note. Short forms and spellings of a given name are that name (``Jon``, ``Jonathon``,
    ``Jonathan``), and a short form is written as the short form of the surrogate; so are slips of
    the pen where a list or the consonants tell them. Case, order, punctuation, particles, titles,
    suffixes, credentials and possessives stay. Surrogates are written in plain letters. A user name
    that stands for a person of the note is made of the parts of that name (``azubiri``).
    """

    name: str = "surrogate"
    style: RedactStyle = RedactStyle.LABEL
    """How what cannot be replaced is written."""

    def identities(self, mention: Mention) -> tuple[Identity, ...]:
        """Name each name token, and the letter table where there are initials or digits."""
        uses = mention.facts.names
        if login := handles.read_login(mention.text, uses):
            return handles.identities(login, uses)
        return name_identities(_read(mention))

    def derive(self, identity: Identity, draws: Draws) -> str:
        """Draw a name in one form or two; its initial is not the original's."""
        return derive_name(identity, draws)

    def render(self, mention: Mention, surrogates: Mapping[Identity, str]) -> str:
        """Write the surrogates; a mention without letter or digit becomes its label."""
        uses = mention.facts.names
        if login := handles.read_login(mention.text, uses):
            return handles.write(login, surrogates, uses)
        return write_name(_read(mention), surrogates) or write_label(mention, self.style)


def _read(mention: Mention) -> tuple[NamePart, ...]:
    return mention.readings.read(read_name, mention.text, mention.facts.names)
