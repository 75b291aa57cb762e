"""Find the parts of stated addresses in a text: words that follow each other there too."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from deidstream.models.phi.known.known_match import KnownMatch
from deidstream.models.phi.known.stated_addresses import (
    DIRECTIONS,
    AddressPart,
    StatedAddresses,
    StatedPlace,
)
from deidstream.models.phi.known.written_words import WrittenText
from deidstream.models.phi.places.phrases import STREET_KINDS
from deidstream.models.text.context import is_in_hyphenated_word
from deidstream.schemas.label import PhiLabel

_BETWEEN = frozenset(" \t\r\n.,;#-/|^'\u2019\u2013:\"")
"""What may be between two words of one address."""
_WIDEST, _WIDEST_BROKEN = 4, 40
"""Most characters between two words, on one line and over the end of a line."""
_FURTHEST = 3
"""How many words further on in the address the next word of a match may be."""
_LONG = 7
"""Letters of a word that is no other word by chance, even in small letters."""
_ZIP = 5
_NAMES = frozenset({AddressPart.PROPER, AddressPart.PLAIN})


@dataclass(slots=True)
class _AddressRun:
    """Words of a text that follow each other in an address."""

    first: int
    """Place of the first word in the text."""
    ends: tuple[StatedPlace, ...]
    """Where the last word may be in the addresses."""
    roles: list[AddressPart]


def find_addresses(written: WrittenText, stated: StatedAddresses) -> list[KnownMatch]:
    """Find parts of stated addresses, in order; matches are disjoint. Linear in the text.

    A word alone counts if it is a name that is no ordinary word, or a postcode; a number with the
    name of its street; a name with ``St``, a state or another name, written as names are.
    """
    found: list[KnownMatch] = []
    for run in _gather_runs(written, stated):
        label = _label_of(stated, run)
        _trim(written, run)
        if run.roles and _is_part_of_address(written, run):
            last = run.first + len(run.roles) - 1
            end = written.words[_take_kind(written, run, last)].end
            found.append(KnownMatch(written.words[run.first].start, end, label, exact=False))
    return found


def _gather_runs(written: WrittenText, stated: StatedAddresses) -> Iterator[_AddressRun]:
    run: _AddressRun | None = None
    for at, word in enumerate(written.words):
        places = stated.places.get(word.form, ())
        if run is not None:
            following = _follow(run.ends, places) if _are_beside(written, at - 1) else ()
            if following and _may_follow(written, stated, at, following[0]):
                run.ends = following
                run.roles.append(stated.roles[following[0].address][following[0].at])
                continue
            yield run
            run = None
        if places:
            run = _AddressRun(at, places, [stated.roles[places[0].address][places[0].at]])
    if run is not None:
        yield run


def _follow(ends: Sequence[StatedPlace], places: Sequence[StatedPlace]) -> tuple[StatedPlace, ...]:
    """Return the places that are soon behind a place where the match may end."""
    return tuple(
        place
        for place in places
        if any(place.address == end.address and 0 < place.at - end.at <= _FURTHEST for end in ends)
    )


def _may_follow(written: WrittenText, stated: StatedAddresses, at: int, place: StatedPlace) -> bool:
    """Return whether a word is more than the ordinary word that a town is called by."""
    plain = stated.roles[place.address][place.at] is AddressPart.PLAIN
    return not plain or written.lower or not written.text[written.words[at].start].islower()


def _are_beside(written: WrittenText, at: int) -> bool:
    gap = written.gap(at)
    widest = _WIDEST_BROKEN if gap.count("\n") == 1 else _WIDEST
    return len(gap) <= widest and set(gap) <= _BETWEEN


def _trim(written: WrittenText, run: _AddressRun) -> None:
    """Leave out words such as ``of`` at both ends."""
    while run.roles and _is_small(written, run, len(run.roles) - 1):
        run.roles.pop()
    while run.roles and _is_small(written, run, 0):
        run.roles.pop(0)
        run.first += 1


def _is_small(written: WrittenText, run: _AddressRun, place: int) -> bool:
    form = written.words[run.first + place].form
    return run.roles[place] is AddressPart.SMALL and form not in DIRECTIONS


def _take_kind(written: WrittenText, run: _AddressRun, last: int) -> int:
    """Return the place of the last word, with the kind of street that the sender left out."""
    behind = last + 1
    if run.roles[-1] not in _NAMES or behind == len(written.words) or written.gap(last) != " ":
        return last
    word = written.words[behind]
    return behind if word.form in STREET_KINDS and written.text[word.start].isupper() else last


def _is_part_of_address(written: WrittenText, run: _AddressRun) -> bool:
    roles, first = set(run.roles), written.words[run.first]
    if AddressPart.PROPER in roles:
        return len(run.roles) > 1 or _stands_alone(written, first.start, first.end)
    if len(run.roles) == 1:
        return first.form.isdigit() and len(first.form) == _ZIP
    number = AddressPart.NUMBER in roles
    if AddressPart.UNIT in roles:
        return number
    if AddressPart.PLAIN in roles:
        named = (
            run.roles.count(AddressPart.PLAIN) > 1
            or AddressPart.KIND in roles
            or AddressPart.STATE in roles
        )
        return named and (number or _has_capitals(written, run))
    return number and AddressPart.STATE in roles


def _stands_alone(written: WrittenText, start: int, end: int) -> bool:
    if is_in_hyphenated_word(written.text, start, end):
        return False
    return written.text[start].isupper() or written.lower or end - start >= _LONG


def _has_capitals(written: WrittenText, run: _AddressRun) -> bool:
    """Return whether the words are written as names are, where capitals say so."""
    words = written.words[run.first : run.first + len(run.roles)]
    if written.is_upper(words[0].start, words[-1].end):
        return False
    named = (word for word, role in zip(words, run.roles, strict=True) if role in _NAMES)
    return all(written.text[w.start].isupper() or w.form[0].isdigit() for w in named)


def _label_of(stated: StatedAddresses, run: _AddressRun) -> PhiLabel:
    """Return the label of what ends there: of a street or a town, if any word of it is of one."""
    address, at = run.ends[0]
    labels = stated.labels[address][max(0, at + 1 - len(run.roles)) : at + 1]
    return next((one for one in (PhiLabel.STREET, PhiLabel.CITY) if one in labels), labels[-1])
