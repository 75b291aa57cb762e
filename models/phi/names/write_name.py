"""Name the identities of a person's name, draw their surrogates and write the name anew."""

from collections.abc import Mapping

from deidstream.models.mention import Draws, Identity
from deidstream.models.phi.names.draw_name import draw_name
from deidstream.models.phi.names.fold import plain
from deidstream.models.phi.names.identity import FAMILY, is_feminine, is_plural, key_of
from deidstream.models.phi.names.initials import ALPHABET, initial, letter_table, mapped
from deidstream.models.phi.names.nicknames import is_short
from deidstream.models.phi.names.parts import Part, Role, parse
from deidstream.models.phi.names.plurals import plural
from deidstream.models.text.casing import recase, recase_char

LETTERS = Identity("name.letters")
"""What a scope has once: the table by which initials map."""


def name_identities(text: str) -> tuple[Identity, ...]:
    """Name each name token, and the letter table where there are initials or digits."""
    found = [_identity(part) for part in parse(text)]
    return tuple(dict.fromkeys(identity for identity in found if identity))


def derive_name(identity: Identity, draws: Draws) -> str:
    """Draw a name in one form or two; its initial is not the original's.

    The table of letters ignores probes.
    """
    table = letter_table(draws)
    if identity == LETTERS:
        return table
    first = table[ALPHABET.index(initial(identity.value))]
    return draw_name(identity, first, draws)


def write_name(text: str, surrogates: Mapping[Identity, str]) -> str:
    """Write the parts of a name anew; empty if it has neither letter nor digit."""
    parts = parse(text)
    if not any(map(_identity, parts)):
        return ""
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
