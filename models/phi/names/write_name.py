"""Find the identities of a person's name, draw their surrogates and write the name with them.

A surrogate is of the same people and gender, and its initial is given. It has one form or two,
separated by a space: the second is the short form of a given name, or the feminine form of a
surname.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, cycle, islice

from deidstream.models.mention import NO_USES, Draws, Identity, NameUses
from deidstream.models.phi.names.identity import (
    FAMILY,
    gender_of,
    identify_name,
    is_feminine,
    is_plural,
    read_key,
    to_feminine,
)
from deidstream.models.phi.names.initials import ALPHABET, draw_letter_table, initial, map_char
from deidstream.models.phi.names.name_lists import family_people, given_people, names_of_either
from deidstream.models.phi.names.name_pools import NamePool, find_pools, rank_names
from deidstream.models.phi.names.parts import Part, Role, parse_name
from deidstream.models.phi.names.spellings import (
    is_short,
    nicknames,
    reduce_to_consonants,
    to_plain_letters,
    to_plural,
)
from deidstream.models.phi.unlike import is_unfit, resembles
from deidstream.models.text.runs import recase, recase_char
from deidstream.models.text.word_files import split_list

LETTERS = Identity("name.letters")
"""Identity of the table by which initials map; a scope has one."""


@dataclass(frozen=True, slots=True)
class NamePart:
    """A part of a mention, and the identity whose surrogate it is written with, if it has one."""

    part: Part
    identity: Identity | None = field(repr=False)
    plural: bool = False
    """It is the plural of a name of the note that is on no list."""


def read_name(text: str, uses: NameUses = NO_USES) -> tuple[NamePart, ...]:
    """Cut a name into parts, and find the identity of each.

    Args:
        text: The name.
        uses: How its note uses names that the lists leave open.
    """
    return tuple(_read_part(part, uses) for part in parse_name(text))


def name_identities(parts: Iterable[NamePart]) -> tuple[Identity, ...]:
    """Return the identity of each name token, and the letter table for initials and digits."""
    return tuple(dict.fromkeys(one.identity for one in parts if one.identity))


def derive_name(identity: Identity, draws: Draws) -> str:
    """Draw a name in one form or two; its initial is not the original's.

    The table of letters ignores probes.
    """
    table = draw_letter_table(draws)
    if identity == LETTERS:
        return table
    first = table[ALPHABET.index(initial(identity.value))]
    return draw_name(identity, first, draws)


def write_name(parts: Sequence[NamePart], surrogates: Mapping[Identity, str]) -> str:
    """Write a name with its surrogates; empty if it has neither letter nor digit."""
    if all(one.identity is None for one in parts):
        return ""
    return "".join(_write_part(one, surrogates) for one in parts)


def _read_part(part: Part, uses: NameUses) -> NamePart:
    if part.role is not Role.NAME:
        return NamePart(part, LETTERS if part.role in {Role.INITIALS, Role.DIGITS} else None)
    name = to_plain_letters(part.value)
    use = uses.get(name) if uses else None
    if use and use.initials and part.text.isupper():
        return NamePart(replace(part, role=Role.INITIALS), LETTERS)
    if use and use.of:
        whole = replace(part, value=use.of)
        return NamePart(whole, identify_name(use.of, uses.get(use.of)), name == f"{use.of}s")
    return NamePart(part, identify_name(part.value, use))


def _write_part(one: NamePart, surrogates: Mapping[Identity, str]) -> str:
    part, identity = one.part, one.identity
    if identity is None:
        return part.text
    surrogate = surrogates[identity]
    if identity == LETTERS:
        return "".join(recase_char(map_char(c, surrogate), c) for c in part.text)
    form = _choose_form(part.value, identity, surrogate)
    form = to_plural(form) if one.plural else form
    return recase(" ".join(form) if part.spelled else form, part.text)


def _choose_form(value: str, identity: Identity, surrogate: str) -> str:
    """Choose the form of the surrogate that corresponds to the written one."""
    forms, name = surrogate.split(), to_plain_letters(value)
    if name and is_plural(name):
        return to_plural(forms[0])
    other = is_feminine(name) if identity.kind == FAMILY else _is_short(name, identity.value)
    return forms[-1] if other else forms[0]


def _is_short(name: str, value: str) -> bool:
    key = read_key(value)
    return bool(name) and not key.people and is_short(name, key.name)


def draw_name(identity: Identity, first: str, draws: Draws) -> str:
    """Draw a name whose initial is ``first``; the next probe gives another one.

    Names are drawn as often as people have them. If a people has fewer than 3 names of that
    initial, its neighbours' names are drawn, and in the end English ones; likewise when the probes
    have used up a pool. No form of the name that is replaced is drawn.
    """
    people, sort = _find_people_and_sort(identity)
    pools = find_pools(people, sort, first)
    drawn = _order_names(identity, (people, sort), draws, pools)
    return _write_forms(next(islice(drawn, draws.probe, None)), people, sort)


def find_name_pool(identity: Identity, surrogate: str) -> NamePool:
    """Return the pool that a surrogate of an identity was drawn from."""
    people, sort = _find_people_and_sort(identity)
    pools = find_pools(people, sort, initial(surrogate))
    for pool in pools[:-1]:
        if any(_write_forms(name, people, sort) == surrogate for name in pool.names):
            return pool
    return pools[-1]


def _find_people_and_sort(identity: Identity) -> tuple[str, str]:
    key = read_key(identity.value)
    if identity.kind == FAMILY:
        return key.people or family_people(key.name), "family"
    either = key.name in names_of_either() and not key.people
    return key.people or given_people(key.name), key.sex or ("n" if either else gender_of(key.name))


def _order_names(
    identity: Identity, of: tuple[str, str], draws: Draws, pools: Sequence[NamePool]
) -> Iterator[str]:
    """Yield the draws of an identity, one for each probe, without end."""
    draw = replace(draws, probe=0).own(identity)
    dealt = () if draws.seed else _deal_name(identity, of, draws, pools[0])
    drawn = chain(dealt, *(pool.draw_all(draw) for pool in pools))
    fit = list[str]()
    for name in drawn:
        if name not in fit and _may_replace(name, identity.value):
            fit.append(name)
            yield name
    yield from cycle(fit or pools[-1].names)


def _may_replace(drawn: str, value: str) -> bool:
    """Return whether a drawn name may stand for one: Peggy is no stand-in for Margaret.

    Nor is a short form that stands alone one for a name that has short forms of its own, nor a name
    that gives the other away.
    """
    if is_unfit(drawn) or any(_gives_away(form, value) for form in drawn.split("/")):
        return False
    name = read_key(value).name
    group = nicknames().forms.get(name, ())
    called = any(is_short(form, name) for form in group)
    return set(group).isdisjoint(drawn.split("/")) and not (called and _is_lone_short(drawn))


def _gives_away(form: str, value: str) -> bool:
    """Return whether a form is too like the name; of an unlisted one only consonants are known."""
    key = read_key(value)
    alike = bool(key.people) and reduce_to_consonants(form)[1:] == key.name[1:]
    return alike or resembles(form, key.name)


def _is_lone_short(drawn: str) -> bool:
    head = nicknames().heads.get(drawn, "")
    return bool(head) and is_short(drawn, head)


def _deal_name(
    identity: Identity, of: tuple[str, str], draws: Draws, pool: NamePool
) -> tuple[str, ...]:
    """Deal one of the frequent names of a list and initial its name of the pool; none to others.

    Two of them never get the same: each is dealt the name of its own rank in one keyed order.
    """
    source = initial(identity.value)
    rank = rank_names(identity.kind, *of, source).get(identity.value)
    if rank is None:
        return ()
    order = pool.draw_all(draws.shared("-".join(("names", *of, source))))
    return tuple(islice((name for name in order if not _is_lone_short(name)), rank, rank + 1))


def _write_forms(drawn: str, people: str, sort: str) -> str:
    forms = drawn.split("/")
    if people == "slavic" and sort == "family":
        forms.append(to_feminine(forms[0]))
    return " ".join(dict.fromkeys(map(write_listed_name, forms)))


def write_listed_name(name: str) -> str:
    """Write a name of the lists, which are in lower case, with its capitals.

    >>> write_listed_name("mcdowell"), write_listed_name("obrien"), write_listed_name("stone")
    ('McDowell', "O'Brien", 'Stone')
    """
    if name.startswith("mc") and len(name) > 4:  # noqa: PLR2004
        return "Mc" + name[2:].capitalize()
    return "O'" + name[1:].capitalize() if name in _IRISH else name.capitalize()


_IRISH = frozenset(
    split_list(
        "obrian obrien obryan obryant ocallaghan oconnell oconner oconnor odea odonnell odonoghue "
        "ofarrell oflaherty ogara ogrady ohalloran ohanlon ohara ohare ohearn okeefe okelley "
        "oleary omalley omara oneal oneil oneill oquinn oreilly orourke oshaughnessy oshea "
        "osullivan otoole"
    )
)
