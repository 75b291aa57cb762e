"""Find the names of a note that are forms of another name of it: slips, short forms, initials.

``Lacomb`` beside ``Lacombe``, ``Thiru`` of ``Thiruchelvam`` and ``TAK`` of ``Tessa A. Kerr`` are no
names of their own, though no list says so; the note does, by the other name. What the lists know
as a name of its own stays one: Hansen and Hanson may be two patients.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from deidstream.models.mention import NameUse, NameUses
from deidstream.models.phi.names.identity import is_listed
from deidstream.models.phi.names.parts import Part, Role
from deidstream.models.phi.names.spellings import to_plain_letters

_SHORTEST_SLIP = 6
"""Letters of a name that is a slip for another one, and not another short name."""
_SHORTEST, _CUT = 3, 3
"""Letters of a short form, and how many of the name it leaves out at least."""
_MOST_INITIALS = 4
_MOST_NAMES = 200
"""Of a note whose names are compared with each other: a list of more is of many people."""


@dataclass(slots=True)
class _Counted:
    """How often the names of a note stand in its mentions, and the initials of the full ones."""

    alone: Counter[str] = field(default_factory=Counter[str], repr=False)
    """The only name of a mention."""
    beside: Counter[str] = field(default_factory=Counter[str], repr=False)
    """Beside other names or initials."""
    initials: set[str] = field(default_factory=set[str], repr=False)

    def add(self, parts: Sequence[Part]) -> None:
        """Count the names of a mention."""
        named = [part for part in parts if part.role in {Role.NAME, Role.INITIALS}]
        words = [to_plain_letters(part.value) for part in named if part.role is Role.NAME]
        (self.alone if len(named) == 1 else self.beside).update(filter(None, words))
        letters = "".join(
            to_plain_letters(part.text)[: len(part.text) if part.role is Role.INITIALS else 1]
            for part in named
        )
        if len(named) > 1 and words:
            self.initials |= {letters, letters[1:] + letters[:1], letters[:1] + letters[-1:]}


def tell_forms(mentions: Iterable[Sequence[Part]], uses: NameUses) -> Mapping[str, NameUse]:
    """Return the uses of the names of a note, with what each is a form of.

    Args:
        mentions: The parts of each mention of a person.
        uses: How the note uses its names.
    """
    counted = _Counted()
    for parts in mentions:
        counted.add(parts)
    found = dict(uses)
    for name in uses:
        if name not in counted.beside and name in counted.initials and len(name) <= _MOST_INITIALS:
            found[name] = replace(found[name], initials=True)
    if len(uses) > _MOST_NAMES:
        return found
    forms = {name: of for name in uses if (of := _find_original(name, uses, counted))}
    for name, of in forms.items():
        # What a form is a form of is a name.
        if of not in forms:
            found[name] = replace(found[name], of=of)
    return found


def _find_original(name: str, uses: NameUses, counted: _Counted) -> str:
    """Return the name of the note that an unlisted one is a form of; empty if it is of none."""
    if len(name) < _SHORTEST or is_listed(name):
        return ""
    slips = [other for other in uses if _is_slip(name, other) and _outweighs(other, name, counted)]
    if slips:
        return max(slips, key=lambda other: counted.alone[other] + counted.beside[other])
    longer = list(_find_longer(name, uses)) if name not in counted.beside else []
    return longer[0] if len(longer) == 1 else ""


def _find_longer(name: str, uses: NameUses) -> Iterator[str]:
    for other in uses:
        if other.startswith(name) and len(other) - len(name) >= _CUT:
            yield other


def _outweighs(other: str, name: str, counted: _Counted) -> bool:
    """Return whether of two names the other one is right: listed, more frequent, or the first."""
    if is_listed(other):
        return True
    own, others = (counted.alone[one] + counted.beside[one] for one in (name, other))
    return others > own or (others == own and other < name)


def _is_slip(name: str, other: str) -> bool:
    """Return whether one letter more, less or changed makes one name of the other, or two swapped.

    The first letter is right, and so is a last one that replaces another: ``Roberto``, ``Roberta``.
    """
    short, long = sorted((name, other), key=len)
    if len(short) < _SHORTEST_SLIP or name == other or name[0] != other[0]:
        return False
    at = next((n for n, pair in enumerate(zip(short, long, strict=False)) if len({*pair}) > 1), -1)
    if at < 0 or len(long) > len(short):
        return short[at:] == long[at + 1 :] if at >= 0 else len(long) - len(short) == 1
    rest, others = name[at:], other[at:]
    return (rest[1:] == others[1:] and len(rest) > 1) or rest == others[1::-1] + others[2:]
