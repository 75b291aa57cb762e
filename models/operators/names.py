"""Replace the name of a person by another name, part by part."""

from collections.abc import Mapping
from dataclasses import dataclass

from deidstream.models.operators.casing import recase, recase_char
from deidstream.models.operators.letters import (
    ALPHABET,
    initial,
    letter_table,
    mapped,
)
from deidstream.models.operators.name_parts import Part, Role, parse
from deidstream.models.operators.name_pools import gender, is_given, names
from deidstream.models.operators.operator import Draws, Identity, Mention
from deidstream.models.operators.redact import redacted

GIVEN, FAMILY = "name.given", "name.family"
LETTERS = Identity("name.letters")
"""What a scope has once: the table by which initials map."""


@dataclass(frozen=True, slots=True)
class ReplaceName:
    """Surnames become surnames, given names given names of the same gender.

    The kind of a token is told by the token alone, and its surrogate's initial by its own initial
    alone, so a full name, the surname and the initials of one person agree in every note. Case,
    order, punctuation, particles, suffixes and possessives stay. Culture is not kept: surrogates
    are US census names.
    """

    name: str = "surrogate"

    def identities(self, mention: Mention) -> tuple[Identity, ...]:
        """Name each name token, and the letter table where there are initials or digits."""
        found = [_identity(part) for part in parse(mention.text)]
        return tuple(dict.fromkeys(identity for identity in found if identity))

    def derive(self, identity: Identity, draws: Draws) -> str:
        """Draw a name; its initial is another than the original's. The table ignores probes."""
        table = letter_table(draws)
        if identity == LETTERS:
            return table
        first = table[ALPHABET.index(initial(identity.value))]
        return draws.own(identity).pick(_pool(identity, first))

    def render(self, mention: Mention, surrogates: Mapping[Identity, str]) -> str:
        """Write the parts anew; a mention without letter or digit becomes its label."""
        parts = parse(mention.text)
        if not any(map(_identity, parts)):
            return redacted(mention.label)
        return "".join(_write(part, surrogates) for part in parts)


def _identity(part: Part) -> Identity | None:
    if part.role is Role.NAME:
        return Identity(GIVEN if is_given(part.value) else FAMILY, part.value)
    return LETTERS if part.role in {Role.INITIALS, Role.DIGITS} else None


def _pool(identity: Identity, first: str) -> tuple[str, ...]:
    lists = names()
    if identity.kind == FAMILY:
        return lists.family_pool[first]
    wanted = gender(identity.value)
    if wanted == "n":
        return lists.given_pool["f", first] + lists.given_pool["m", first]
    return lists.given_pool[wanted, first]


def _write(part: Part, surrogates: Mapping[Identity, str]) -> str:
    identity = _identity(part)
    if identity is None:
        return part.text
    surrogate = surrogates[identity]
    if identity == LETTERS:
        return "".join(recase_char(mapped(c, surrogate), c) for c in part.text)
    return recase(" ".join(surrogate) if part.spelled else surrogate, part.text)
