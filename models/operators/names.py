"""Replace the name of a person by another name, part by part."""

from collections.abc import Mapping
from dataclasses import dataclass

from deidstream.models.operators.casing import recase, recase_char
from deidstream.models.operators.letters import ALPHABET, initial, letter_table, mapped
from deidstream.models.operators.name_draws import draw_name
from deidstream.models.operators.name_folds import plain
from deidstream.models.operators.name_keys import FAMILY, is_feminine, is_plural, key_of
from deidstream.models.operators.name_parts import Part, Role, parse
from deidstream.models.operators.name_plurals import plural
from deidstream.models.operators.nicknames import is_short
from deidstream.models.operators.operator import Draws, Identity, Mention
from deidstream.models.operators.redact import redacted
from deidstream.schemas.policy import RedactStyle

LETTERS = Identity("name.letters")
"""What a scope has once: the table by which initials map."""


@dataclass(frozen=True, slots=True)
class ReplaceName:
    """Surnames become surnames, given names given names of the same gender, of the same people.

    Kind, people and gender of a token are told by the token alone, and its surrogate's initial by
    its own initial alone, so a full name, the surname and the initials of one person agree in every
    note. Short forms and spellings of a given name are that name (``Jon``, ``Jonathon``,
    ``Jonathan``), and a short form is written as the short form of the surrogate; so are slips of
    the pen where a list or the consonants tell them. Case, order, punctuation, particles, titles,
    suffixes, credentials and possessives stay. Surrogates are written in plain letters.
    """

    name: str = "surrogate"
    style: RedactStyle = RedactStyle.LABEL
    """How what cannot be replaced is written."""

    def identities(self, mention: Mention) -> tuple[Identity, ...]:
        """Name each name token, and the letter table where there are initials or digits."""
        found = [_identity(part) for part in parse(mention.text)]
        return tuple(dict.fromkeys(identity for identity in found if identity))

    def derive(self, identity: Identity, draws: Draws) -> str:
        """Draw a name in one form or two; its initial is not the original's. The table ignores
        probes.
        """  # noqa: D205
        table = letter_table(draws)
        if identity == LETTERS:
            return table
        first = table[ALPHABET.index(initial(identity.value))]
        return draw_name(identity, first, draws)

    def render(self, mention: Mention, surrogates: Mapping[Identity, str]) -> str:
        """Write the parts anew; a mention without letter or digit becomes its label."""
        parts = parse(mention.text)
        if not any(map(_identity, parts)):
            return redacted(mention.label, self.style)
        return "".join(_write(part, surrogates) for part in parts)


def _identity(part: Part) -> Identity | None:
    if part.role is Role.NAME:
        return key_of(part.value)
    return LETTERS if part.role in {Role.INITIALS, Role.DIGITS} else None


def _write(part: Part, surrogates: Mapping[Identity, str]) -> str:
    identity = _identity(part)
    if identity is None:
        return part.text
    surrogate = surrogates[identity]
    if identity == LETTERS:
        return "".join(recase_char(mapped(c, surrogate), c) for c in part.text)
    form = _form(part.value, identity, surrogate)
    return recase(" ".join(form) if part.spelled else form, part.text)


def _form(value: str, identity: Identity, surrogate: str) -> str:
    """Choose the form of the surrogate that answers to the one written."""
    forms, name = surrogate.split(), plain(value)
    if name and is_plural(name):
        return plural(forms[0])
    other = is_feminine(name) if identity.kind == FAMILY else _is_short(name, identity.value)
    return forms[-1] if other else forms[0]


def _is_short(name: str, head: str) -> bool:
    return bool(name) and is_short(name, head)
