"""Name the identities of a person's name, draw their surrogates and write the name with them.

A surrogate is of the same people and gender, and its initial is given. It is written in one form or
in two, separated by a space: the second is how a given name is shortened, or how women bear a
surname.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from hashlib import shake_256

from deidstream.models.keyring import Draw
from deidstream.models.mention import Draws, Identity
from deidstream.models.phi.names.identity import (
    FAMILY,
    GIVEN,
    feminine,
    gender_of,
    is_feminine,
    is_plural,
    key_of,
)
from deidstream.models.phi.names.initials import ALPHABET, initial, letter_table, mapped
from deidstream.models.phi.names.name_lists import (
    ENGLISH,
    census,
    family_people,
    given_people,
    peoples,
    tiers,
)
from deidstream.models.phi.names.parts import Part, Role, parse
from deidstream.models.phi.names.spellings import is_short, nicknames, plain, plural
from deidstream.models.text.runs import recase, recase_char
from deidstream.models.text.word_files import listed

LETTERS = Identity("name.letters")
"""What a scope has once: the table by which initials map."""

SMALL = 64
"""Names of a pool that is dealt out like cards, so that frequent names do not meet in one."""
_HALF = 1 << 63
_STRIDES = (5, 7, 11, 13)
"""No pool of 64 is a multiple of all of them."""


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
    """Write a name with its surrogates; empty if it has neither letter nor digit."""
    written_parts: list[str] = []
    is_name = False
    for part in parse(text):
        identity = _identity(part)
        is_name = is_name or identity is not None
        written_parts.append(_write(part, identity, surrogates))
    return "".join(written_parts) if is_name else ""


def _identity(part: Part) -> Identity | None:
    if part.role is Role.NAME:
        return key_of(part.value)
    return LETTERS if part.role in {Role.INITIALS, Role.DIGITS} else None


def _write(part: Part, identity: Identity | None, surrogates: Mapping[Identity, str]) -> str:
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


def draw_name(identity: Identity, first: str, draws: Draws) -> str:
    """Draw a name whose initial is ``first``; the next probe gives another one.

    Of a people with fewer than 3 names of that initial the neighbours' are drawn, and in the end
    English ones; so too when the probes have been through a small pool.
    """
    name, told = _told(identity)
    sort = "family" if identity.kind == FAMILY else gender_of(name)
    pools = [pool for pool in (_called(name, first), *tiers(told, sort, first)) if pool]
    slavic = told == "slavic" and sort == "family"
    return _forms(_drawn(identity, (told, sort), draws, pools), slavic=slavic)


def _drawn(
    identity: Identity, of: tuple[str, str], draws: Draws, pools: Sequence[tuple[str, ...]]
) -> str:
    probe = draws.probe
    for pool in pools:
        if len(pool) > SMALL:
            break
        if probe < len(pool):
            return pool[_dealt(identity, of, replace(draws, probe=probe), len(pool))]
        probe -= len(pool)
    large = next((pool for pool in pools if len(pool) > SMALL), pools[-1])
    return draws.own(identity).pick(large)


def _told(identity: Identity) -> tuple[str, str]:
    """The name, or what is left of one that no list has, and its people."""
    name, _, told = identity.value.partition(" ")
    if told:
        return name, told
    return name, family_people(name) if identity.kind == FAMILY else given_people(name)


def _called(name: str, first: str) -> tuple[str, ...]:
    group = nicknames().heads.get(name) == name and given_people(name) == ENGLISH
    return peoples().called.get((gender_of(name), first), ()) if group else ()


def _dealt(identity: Identity, of: tuple[str, str], draws: Draws, size: int) -> int:
    """Deal a place of a small pool: names of one list and initial get different ones."""
    source = initial(identity.value)
    rank = (
        None if draws.seed else _ranks().get((identity.kind, *of, source), {}).get(identity.value)
    )
    start = replace(draws, probe=0).own(identity).below(size) if rank is None else rank
    stride = next(step for step in _STRIDES if size % step)
    cards = _shuffled(size, draws.shared("-".join(("names", *of, source, str(size)))))
    return cards[(start + draws.probe * stride) % size]


def _shuffled(size: int, draw: Draw) -> list[int]:
    seed = draw.below(_HALF).to_bytes(8, "big") + draw.below(_HALF).to_bytes(8, "big")
    keys = shake_256(seed).digest(size * 8)
    return sorted(range(size), key=lambda card: keys[card * 8 : card * 8 + 8])


@lru_cache(maxsize=1)
def _ranks() -> Mapping[tuple[str, str, str, str], Mapping[str, int]]:
    """The names of each list and initial, numbered from the most frequent one."""
    lists = census()
    found: dict[tuple[str, str, str, str], list[tuple[float, str]]] = {}
    for name, told in peoples().family.items():
        place = (FAMILY, told, "family", name[0])
        found.setdefault(place, []).append((-lists.family.get(name, 0.0), name))
    for name in peoples().given.keys() | nicknames().heads.values():
        sort = gender_of(name)
        share = (lists.female if sort == "f" else lists.male).get(name, 0.0)
        found.setdefault((GIVEN, given_people(name), sort, name[0]), []).append((-share, name))
    return {
        place: {name: rank for rank, (_, name) in enumerate(sorted(some))}
        for place, some in found.items()
    }


def _forms(drawn: str, *, slavic: bool) -> str:
    forms = drawn.split("/")
    if slavic:
        forms.append(feminine(forms[0]))
    return " ".join(dict.fromkeys(map(written, forms)))


def written(name: str) -> str:
    """Write a name of the lists, which know no lower case, as people do.

    >>> written("mcdowell"), written("obrien"), written("stone")
    ('McDowell', "O'Brien", 'Stone')
    """
    if name.startswith("mc") and len(name) > 4:  # noqa: PLR2004
        return "Mc" + name[2:].capitalize()
    if name[:2] in {"ob", "oc", "od", "oh"} and name[2:3] in set("aeiour"):
        return "O'" + name[1:].capitalize() if name in _IRISH else name.capitalize()
    return name.capitalize()


_IRISH = frozenset(listed("obrien obrian obryan ohara ohare ohearn odonnell odonoghue odea"))
