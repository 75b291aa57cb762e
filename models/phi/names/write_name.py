"""Find the identities of a person's name, draw their surrogates and write the name with them.

A surrogate is of the same people and gender, and its initial is given. It has one form or two,
separated by a space: the second is the short form of a given name, or the feminine form of a
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
    gender_of,
    identify_name,
    is_feminine,
    is_plural,
    to_feminine,
)
from deidstream.models.phi.names.initials import ALPHABET, draw_letter_table, initial, map_char
from deidstream.models.phi.names.name_lists import (
    ENGLISH,
    census,
    family_people,
    find_pools,
    given_people,
    peoples,
)
from deidstream.models.phi.names.parts import Part, Role, parse_name
from deidstream.models.phi.names.spellings import is_short, nicknames, to_plain_letters, to_plural
from deidstream.models.text.runs import recase, recase_char
from deidstream.models.text.word_files import split_list

LETTERS = Identity("name.letters")
"""Identity of the table by which initials map; a scope has one."""

SMALL = 64
"""Most names of a pool that is dealt out like cards, so that no two frequent names get one."""
_HALF = 1 << 63
_STRIDES = (5, 7, 11, 13)
"""No pool of 64 is a multiple of all of them."""


def name_identities(text: str) -> tuple[Identity, ...]:
    """Return the identity of each name token, and the letter table for initials and digits."""
    found = [_identify(part) for part in parse_name(text)]
    return tuple(dict.fromkeys(identity for identity in found if identity))


def derive_name(identity: Identity, draws: Draws) -> str:
    """Draw a name in one form or two; its initial is not the original's.

    The table of letters ignores probes.
    """
    table = draw_letter_table(draws)
    if identity == LETTERS:
        return table
    first = table[ALPHABET.index(initial(identity.value))]
    return draw_name(identity, first, draws)


def write_name(text: str, surrogates: Mapping[Identity, str]) -> str:
    """Write a name with its surrogates; empty if it has neither letter nor digit."""
    written_parts: list[str] = []
    is_name = False
    for part in parse_name(text):
        identity = _identify(part)
        is_name = is_name or identity is not None
        written_parts.append(_write_part(part, identity, surrogates))
    return "".join(written_parts) if is_name else ""


def _identify(part: Part) -> Identity | None:
    if part.role is Role.NAME:
        return identify_name(part.value)
    return LETTERS if part.role in {Role.INITIALS, Role.DIGITS} else None


def _write_part(part: Part, identity: Identity | None, surrogates: Mapping[Identity, str]) -> str:
    if identity is None:
        return part.text
    surrogate = surrogates[identity]
    if identity == LETTERS:
        return "".join(recase_char(map_char(c, surrogate), c) for c in part.text)
    form = _choose_form(part.value, identity, surrogate)
    return recase(" ".join(form) if part.spelled else form, part.text)


def _choose_form(value: str, identity: Identity, surrogate: str) -> str:
    """Choose the form of the surrogate that corresponds to the written one."""
    forms, name = surrogate.split(), to_plain_letters(value)
    if name and is_plural(name):
        return to_plural(forms[0])
    other = is_feminine(name) if identity.kind == FAMILY else _is_short(name, identity.value)
    return forms[-1] if other else forms[0]


def _is_short(name: str, head: str) -> bool:
    return bool(name) and is_short(name, head)


def draw_name(identity: Identity, first: str, draws: Draws) -> str:
    """Draw a name whose initial is ``first``; the next probe gives another one.

    If a people has fewer than 3 names of that initial, its neighbours' names are drawn, and in the
    end English ones; likewise when the probes have used up a small pool.
    """
    name, people = _find_name_and_people(identity)
    sort = "family" if identity.kind == FAMILY else gender_of(name)
    pools = [
        pool
        for pool in (_find_shortened_names(name, first), *find_pools(people, sort, first))
        if pool
    ]
    slavic = people == "slavic" and sort == "family"
    return _write_forms(_pick_name(identity, (people, sort), draws, pools), slavic=slavic)


def _pick_name(
    identity: Identity, of: tuple[str, str], draws: Draws, pools: Sequence[tuple[str, ...]]
) -> str:
    probe = draws.probe
    for pool in pools:
        if len(pool) > SMALL:
            break
        if probe < len(pool):
            return pool[_deal_place(identity, of, replace(draws, probe=probe), len(pool))]
        probe -= len(pool)
    large = next((pool for pool in pools if len(pool) > SMALL), pools[-1])
    return draws.own(identity).pick(large)


def _find_name_and_people(identity: Identity) -> tuple[str, str]:
    """Return the name, or the consonants of one that is on no list, and its people."""
    name, _, people = identity.value.partition(" ")
    if people:
        return name, people
    return name, family_people(name) if identity.kind == FAMILY else given_people(name)


def _find_shortened_names(name: str, first: str) -> tuple[str, ...]:
    group = nicknames().heads.get(name) == name and given_people(name) == ENGLISH
    return peoples().called.get((gender_of(name), first), ()) if group else ()


def _deal_place(identity: Identity, of: tuple[str, str], draws: Draws, size: int) -> int:
    """Deal a place of a small pool; names of one list and initial get different places."""
    source = initial(identity.value)
    rank = (
        None
        if draws.seed
        else _rank_names().get((identity.kind, *of, source), {}).get(identity.value)
    )
    start = replace(draws, probe=0).own(identity).below(size) if rank is None else rank
    stride = next(step for step in _STRIDES if size % step)
    cards = _shuffle(size, draws.shared("-".join(("names", *of, source, str(size)))))
    return cards[(start + draws.probe * stride) % size]


def _shuffle(size: int, draw: Draw) -> list[int]:
    seed = draw.below(_HALF).to_bytes(8, "big") + draw.below(_HALF).to_bytes(8, "big")
    keys = shake_256(seed).digest(size * 8)
    return sorted(range(size), key=lambda card: keys[card * 8 : card * 8 + 8])


@lru_cache(maxsize=1)
def _rank_names() -> Mapping[tuple[str, str, str, str], Mapping[str, int]]:
    """Number the names of each list and initial, from the most frequent one."""
    lists = census()
    found: dict[tuple[str, str, str, str], list[tuple[float, str]]] = {}
    for name, people in peoples().family.items():
        place = (FAMILY, people, "family", name[0])
        found.setdefault(place, []).append((-lists.family.get(name, 0.0), name))
    for name in peoples().given.keys() | nicknames().heads.values():
        sort = gender_of(name)
        share = (lists.female if sort == "f" else lists.male).get(name, 0.0)
        found.setdefault((GIVEN, given_people(name), sort, name[0]), []).append((-share, name))
    return {
        place: {name: rank for rank, (_, name) in enumerate(sorted(some))}
        for place, some in found.items()
    }


def _write_forms(drawn: str, *, slavic: bool) -> str:
    forms = drawn.split("/")
    if slavic:
        forms.append(to_feminine(forms[0]))
    return " ".join(dict.fromkeys(map(write_listed_name, forms)))


def write_listed_name(name: str) -> str:
    """Write a name of the lists, which are in lower case, with its capitals.

    >>> write_listed_name("mcdowell"), write_listed_name("obrien"), write_listed_name("stone")
    ('McDowell', "O'Brien", 'Stone')
    """
    if name.startswith("mc") and len(name) > 4:  # noqa: PLR2004
        return "Mc" + name[2:].capitalize()
    if name[:2] in {"ob", "oc", "od", "oh"} and name[2:3] in set("aeiour"):
        return "O'" + name[1:].capitalize() if name in _IRISH else name.capitalize()
    return name.capitalize()


_IRISH = frozenset(split_list("obrien obrian obryan ohara ohare ohearn odonnell odonoghue odea"))
