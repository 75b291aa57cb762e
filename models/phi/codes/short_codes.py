"""Tell which numbers of a note are shorter forms of others: ``99120`` of ``ZA-0099120``.

People leave out the letters before a number and the zeros before its digits, or before those of a
group of it. The digits that are left are the end of the other one, from the beginning of a group.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from deidstream.models.keyring import canonical
from deidstream.models.phi.codes.draw_code import code_of

_FEW = 4
"""Digits that recur by chance where no letter stands with them."""
_LONGEST = 40


@dataclass(frozen=True, slots=True)
class _Significant:
    """The letters and digits of a code without the zeros before those of each group."""

    text: str = field(repr=False)
    places: tuple[int, ...]
    """Of each, among all letters and digits of the code."""
    groups: tuple[int, ...]
    """Where the groups of letters and of digits begin in ``text``."""


def index_codes(codes: Iterable[str]) -> Mapping[str, str]:
    """Return the longest code of a note by each shorter form that it may have.

    >>> index_codes(["ZA-0099120"])["99120"]
    'ZA-0099120'
    """
    found: dict[str, str] = {}
    for code in sorted(dict.fromkeys(codes), key=lambda one: -len(code_of(one))):
        if len(code) <= _LONGEST and not find_half(code):
            read = _read_significant(code)
            for start in read.groups:
                found.setdefault(read.text[start:], code)
                end = read.places[start:]
                found.setdefault(code_of(code)[end[0] :] if end else "", code)
    return found


def find_half(text: str) -> str:
    """Return the code that a text holds twice without a blank, as barcodes do; empty otherwise.

    >>> find_half("ZA0099120ZA0099120")
    'za0099120'
    """
    code = code_of(text)
    half = code[: len(code) // 2]
    twice = len(half) > _FEW and code == 2 * half and len(set(half)) > 1
    return half if twice else ""


def find_whole_code(text: str, codes: Mapping[str, str]) -> str:
    """Return the code of the note that a number is a shorter form of; empty if it is none."""
    if not codes or len(text) > _LONGEST:
        return ""
    own = code_of(text).lstrip("0")
    for form in (own, _read_significant(text).text):
        digits = sum(map(str.isdigit, form))
        whole = codes.get(form, "") if len(form) > digits >= _FEW or digits > _FEW else ""
        if len(code_of(whole).lstrip("0")) > len(own):
            return whole
    return ""


def shorten_code(surrogate: str, whole: str, text: str) -> str:
    """Return of the surrogate of a whole code what stands for a shorter form of it.

    >>> shorten_code("xy0031847", "ZA-0099120", "99120")
    '31847'
    """
    code = code_of(text)
    end = code.lstrip("0")
    if code_of(whole).endswith(end):
        return "0" * (len(code) - len(end)) + surrogate[-len(end) :]
    read, own = _read_significant(whole), _read_significant(text)
    written = ["0"] * len(code)
    for place, source in zip(own.places, read.places[-len(own.places) :], strict=True):
        written[place] = surrogate[source]
    return "".join(written)


def _read_significant(code: str) -> _Significant:
    kept, places, groups = list[str](), list[int](), list[int]()
    sort, leading, place = "", False, 0
    for char in canonical(code):
        if not (char.isalnum() if char.isascii() else code_of(char)):
            sort = ""
            continue
        own = "digits" if char.isdigit() else "letters"
        if own != sort:
            groups.append(len(kept))
            sort, leading = own, own == "digits"
        leading = leading and char == "0"
        if not leading:
            kept.append(char)
            places.append(place)
        place += 1
    return _Significant("".join(kept), tuple(places), tuple(groups))
