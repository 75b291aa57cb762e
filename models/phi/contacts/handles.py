"""Read and write the part of an e-mail address or user name that names its owner.

The parts of a person's name in it rest on the identities of that name, so that the surrogate of
``h.obuya`` is made of the surrogates of ``H`` and ``Obuya``. A word that several names are run
together in, such as ``jsmith``, ``smithja``, ``johnsmith`` or ``mgarcialopez``, is cut into them.
"""

import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto

from deidstream.models.keyring import canonical
from deidstream.models.mention import NO_USES, Distinct, Draws, Identity, NameUses
from deidstream.models.phi.codes.draw_code import code_of, draw_code, write_code
from deidstream.models.phi.names.identity import is_listed, share_of
from deidstream.models.phi.names.kept_words import PARTICLES
from deidstream.models.phi.names.name_lists import is_known, may_have_two_letters
from deidstream.models.phi.names.spellings import to_plain_letters
from deidstream.models.phi.names.write_name import (
    derive_name,
    name_identities,
    read_name,
    write_name,
)
from deidstream.models.text.runs import Sort, recase, words
from deidstream.models.text.word_files import split_list

ROLES = frozenset(
    split_list(
        "admin agency appointments billing cases claims clerk clinic contact data desk devices "
        "docs education enquiries er evidence front frontdesk help helpdesk home hr info inbox "
        "intake intern lab leave locum mail manager md med medical news night nights no noreply "
        "np nurse office ot pharmacy privacy pt qa radiology rad recept reception records "
        "referrals refill refills reply research results rn sales scheduling scribe sec secretary "
        "service services sleep staff student supply support svc team tech temp user visas ward "
        "dr family portal patient patients record users profile people photo photos visit login "
        "view share status rooms secs coord coordinator moa path gp "
        "admissions discharge triage theatre theatres bookings booking "
        "stores complaints safety legal finance payroll general clinical trials bloodbank "
        "transfusion warfarin anticoag genetics palliative hospice surgery maternity midwives "
        "community district safeguarding governance library volunteers patientline switchboard "
        "dispatch"
    )
)
"""Words that say who reads what is sent; they name no person."""
_PART = "contact.part"
_PARTICLES = frozenset(split_list("van der den von de del della la da di dos das bin ibn al el te"))
"""Within a handle these lead a surname."""
_INITIALS, _LISTED = 3, 0.002
"""Letters of a name that may be initials, and how common it is if it is a name, in percent."""
_LONGEST = 320
"""No address is longer (RFC 3696); what is, holds no name."""
_JOINTS = "._-+@\\"
_LONG, _LONGEST_WORD = 8, 32
_LEAST = {3: 0.02, 4: 0.002}
"""How common a short name must be, in percent, to be seen behind initials."""
_LEAST_JOINED = {3: 0.05, 4: 0.02}
"""Likewise next to another name."""
_LEAST_LONG, _LEAST_TWO = 0.002, 0.02
"""Likewise for any longer name; and for one beside two initials."""
_LEAST_OWNER = 5
"""Letters of a user name that is read as an initial and a surname."""
_SLIP_TIMES = 20
"""A listed name is cut if what is left is so many times as common: ``smithj`` is a slip."""
_PREFIXES = split_list("vander vanden vonder dela delos van von")

_LEADING = frozenset(name for one in PARTICLES if len(name := to_plain_letters(one)) > 1)
"""Particles of names as they stand in a user name; one letter would be an initial."""


class SegmentRole(Enum):
    """Kind of a segment."""

    JOINT = auto()
    WORD = auto()
    NAME = auto()
    OTHER = auto()


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of a handle, in order."""

    role: SegmentRole
    text: str = field(repr=False)


def segments(
    text: str, *, personal: bool, joints: str = _JOINTS, uses: NameUses = NO_USES
) -> list[Segment]:
    """Cut a handle into names, words that name no person, joints and other codes.

    Args:
        text: Such as ``h.obuya`` or ``lfarrow2``.
        personal: Whether words that no list has count as names.
        joints: Characters between them that stay.
        uses: Names of the note, which are read in it behind initials or a particle.

    >>> [segment.role.name for segment in segments("lfarrow2", personal=False)]
    ['NAME', 'NAME', 'OTHER']
    """
    if len(text) > _LONGEST:
        return [Segment(SegmentRole.OTHER, text)]
    found: list[Segment] = []
    read = words(text)
    for place, run in enumerate(read):
        inner = 0 < place < len(read) - 1
        if run.sort is Sort.OTHER:
            found.append(Segment(SegmentRole.JOINT, "".join(c for c in run.text if c in joints)))
        elif inner and canonical(run.text) in _PARTICLES:
            found.append(Segment(SegmentRole.WORD, run.text))
        elif run.sort is Sort.LETTERS and to_plain_letters(run.text):
            found += _words(run.text, uses, personal=personal)
        else:
            found.append(Segment(SegmentRole.OTHER, run.text))
    return found


def read_user_name(text: str, uses: NameUses = NO_USES) -> list[Segment]:
    """Cut a user name as ``segments`` does; empty if it names nobody.

    If no list knows a name in it, its first word is read as an initial and a surname, which is how
    most user names are made: ``kfjeld`` follows the surrogates of ``K`` and ``Fjeld``. Beside an
    initial it is a name as it is: ``k.fjeld``.

    >>> [segment.text for segment in read_user_name("kfjeld_pse")]
    ['k', 'fjeld', '_', 'pse']
    """
    found = segments(text, personal=False, uses=uses)
    if has_name(found):
        return found
    owners = [place for place, segment in enumerate(found) if _may_name_owner(segment)]
    if not owners:
        return []
    place, word = owners[0], found[owners[0]].text
    initial_beside = any(segment.role is SegmentRole.NAME for segment in found)
    names = (word,) if initial_beside else (word[0], word[1:])
    read = (Segment(SegmentRole.NAME, name) for name in names)
    return [*found[:place], *read, *found[place + 1 :]]


def read_login(text: str, uses: NameUses) -> list[Segment]:
    """Cut a word in small letters that is composed of a name of its note; empty if it is none.

    Log lines and reviews call people by user names: ``azubiri`` of Ana Zubiri.
    """
    word = to_plain_letters(text)
    if not text.islower() or len(word) != len(text) or is_listed(word):
        return []
    names = _cut_own_name(word, uses)
    return list(_cut_up(text, names)) if len(names) > 1 else []


def _may_name_owner(segment: Segment) -> bool:
    long = len(segment.text) >= _LEAST_OWNER
    return segment.role is SegmentRole.OTHER and long and bool(to_plain_letters(segment.text))


def _words(text: str, uses: NameUses, *, personal: bool) -> Iterator[Segment]:
    word = to_plain_letters(text)
    lead = "" if is_name(word) else leading_particle(word)
    whole = len(word) == len(text) and word not in ROLES
    own = _cut_own_name(word, uses) if whole else ()
    if own:
        yield from _cut_up(text, own)
    elif word in ROLES:
        yield Segment(SegmentRole.WORD, text)
    elif len(word) == 1 or is_name(word) or _is_rare_name(word):
        yield Segment(SegmentRole.NAME, text)
    elif lead and len(word) == len(text):
        yield from (
            Segment(SegmentRole.WORD, text[: len(lead)]),
            Segment(SegmentRole.NAME, text[len(lead) :]),
        )
    elif len(word) == len(text) and cut_names(word):
        yield from _cut_up(text, cut_names(word))
    else:
        yield Segment(SegmentRole.NAME if personal else SegmentRole.OTHER, text)


def _cut_own_name(word: str, uses: NameUses) -> tuple[str, ...]:
    """Cut a word into names of the note and what stands beside them in a user name.

    A name that the note has as a whole is not cut if the lists know it.
    """
    if word in uses and is_listed(word):
        return (word,)
    for name in sorted(uses, key=len, reverse=True):
        if len(name) < _LEAST_OWNER - 1 or word == name or name not in word:
            continue
        head, _, tail = word.partition(name)
        before, behind = _cut_beside(head, uses), _cut_beside(tail, uses)
        if before is not None and behind is not None:
            return (*before, name, *behind)
    return (word,) if len(word) >= _LEAST_OWNER - 1 and word in uses else ()


def _cut_beside(rest: str, uses: NameUses) -> tuple[str, ...] | None:
    """Cut what stands beside a name: initials, another name of the note, a particle; else none."""
    if len(rest) < _INITIALS and rest not in _PARTICLES:
        return tuple(rest)
    if rest in uses or rest in _PARTICLES:
        return (rest,)
    leads = (one for one in (*_PREFIXES, *_LEADING) if rest.endswith(one))
    lead = max(leads, key=len, default="")
    initials = rest.removesuffix(lead)
    return (*initials, lead) if lead and len(initials) < _INITIALS else None


def _cut_up(text: str, names: tuple[str, ...]) -> Iterator[Segment]:
    read = 0
    for name in names:
        stays = name in _PARTICLES or name in _PREFIXES or name in _LEADING
        role = SegmentRole.WORD if stays else SegmentRole.NAME
        yield Segment(role, text[read : read + len(name)])
        read += len(name)


def has_name(found: list[Segment]) -> bool:
    """Return whether more than initials name a person."""
    return any(segment.role is SegmentRole.NAME and len(segment.text) > 1 for segment in found)


def identities(found: list[Segment], uses: NameUses = NO_USES) -> tuple[Identity, ...]:
    """Return the identities of the names, and of the codes between them."""
    return tuple(dict.fromkeys(i for segment in found for i in _identities(segment, uses)))


def _identities(segment: Segment, uses: NameUses) -> tuple[Identity, ...]:
    if segment.role is SegmentRole.NAME:
        return name_identities(read_name(_as_name(segment), uses))
    code = code_of(segment.text) if segment.role is SegmentRole.OTHER else ""
    return (_part(code),) if code else ()


def _part(code: str) -> Identity:
    return Identity(_PART, code, Distinct.FROM_NOTHING)


def _as_name(segment: Segment) -> str:
    # In lower case a short name would be read as initials.
    word = to_plain_letters(segment.text)
    short = len(word) == _INITIALS and (may_have_two_letters(word) or share_of(word) >= _LISTED)
    return segment.text.capitalize() if short else segment.text


def derive(identity: Identity, draws: Draws) -> str:
    """Derive the surrogate of a name as its own operator does, of a code by its shape."""
    if identity.kind == _PART:
        return draw_code(identity.value, draws.own(identity), wordlike=True)
    return derive_name(identity, draws)


def is_handle_kind(identity: Identity) -> bool:
    """Return whether ``derive`` knows the kind."""
    return identity.kind == _PART or identity.kind.startswith("name.")


def write(
    found: list[Segment], surrogates: Mapping[Identity, str], uses: NameUses = NO_USES
) -> str:
    """Write the segments with their surrogates, in letters and digits that an address may have."""
    return "".join(_write(segment, surrogates, uses) for segment in found)


def _write(segment: Segment, surrogates: Mapping[Identity, str], uses: NameUses) -> str:
    if segment.role is SegmentRole.NAME:
        written = recase(write_name(read_name(_as_name(segment), uses), surrogates), segment.text)
        letters = unicodedata.normalize("NFKD", written)
        return "".join(c for c in letters if c.isascii() and c.isalnum())
    if segment.role is SegmentRole.OTHER:
        code = code_of(segment.text)
        return write_code(segment.text, surrogates[_part(code)]) if code else ""
    return segment.text


def is_name(word: str) -> bool:
    """Return whether a word in plain letters is a name by itself.

    >>> is_name("lee"), is_name("ent"), is_name("smithj")
    (True, False, False)
    """
    return len(word) >= min(_LEAST) and _is_common(word, _LEAST)


def _is_rare_name(word: str) -> bool:
    """Return whether a rare name would be cut into a hardly more common one: ``penick``."""
    share, names = share_of(word), cut_names(word)
    return bool(names) and share_of(max(names, key=len)) < _SLIP_TIMES * share


def cut_names(word: str) -> tuple[str, ...]:
    """Return the names and initials of a word in plain letters; nothing if it holds no names.

    >>> cut_names("jsmith"), cut_names("smithja"), cut_names("johnasmith"), cut_names("achterberg")
    (('j', 'smith'), ('smith', 'j', 'a'), ('john', 'a', 'smith'), ())
    """
    return next(_all_cuts(word), ()) if len(word) <= _LONGEST_WORD else ()


def leading_particle(word: str) -> str:
    """Return the particle that a word begins with, if a name follows it; else nothing.

    >>> leading_particle("vandersmith"), leading_particle("vance")
    ('vander', '')
    """
    able = (start for start in _PREFIXES if word.startswith(start))
    return next((start for start in able if is_name(word[len(start) :])), "")


def _all_cuts(word: str) -> Iterator[tuple[str, ...]]:
    for initials in (1, 2):
        head, tail = len(word) - initials, word[initials:]
        least = _LEAST_TWO if initials > 1 else 0.0
        if is_name(tail) and share_of(tail) >= least:
            yield (*word[:initials], tail)
        if is_name(word[:head]) and share_of(word[:head]) >= least:
            yield (word[:head], *word[head:])
        if initials == 1:
            yield from _cut_two_names(word)
    yield from ((word[0], *names) for names in _cut_two_names(word[1:]))
    yield from _cut_around_initial(word)


def _cut_two_names(word: str) -> Iterator[tuple[str, ...]]:
    """Cut a word into two names; of several ways take that with the most common rarer name."""
    ways = [(word[:place], word[place:]) for place in range(3, len(word) - 2)]
    able = [way for way in ways if all(map(_is_name_beside, way))]
    if able:
        yield max(able, key=lambda way: min(map(share_of, way)))


def _cut_around_initial(word: str) -> Iterator[tuple[str, ...]]:
    """Cut a word into two names with an initial between them."""
    ways = ((word[:place], word[place], word[place + 1 :]) for place in range(3, len(word) - 3))
    yield from (way for way in ways if _is_name_beside(way[0]) and _is_name_beside(way[2]))


def _is_name_beside(word: str) -> bool:
    return _is_common(word, _LEAST_JOINED)


def _is_common(word: str, least: Mapping[int, float]) -> bool:
    # Registers hold slips too, such as smithj, but hardly any long ones.
    if len(word) >= _LONG and is_known(word):
        return True
    return share_of(word) >= least.get(len(word), _LEAST_LONG)
