"""Read the country of a telephone number, and draw another number that is not in use.

The country follows from what is written, however it is dialled: the country's code, the number of
digits, how they begin, and how they are grouped where several countries have such numbers.

Source of the numbers that are drawn: NANPA (555-0100 to 555-0199), Ofcom's numbers for drama,
ACMA's numbers for film, ComReg's 020 91, BNetzA's and ARCEP's numbers for media; +999 is no
country's (ITU-T E.164). China, India, Mexico, Nigeria and some others keep none for fiction; there
numbers begin as no subscriber's does.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache

from deidstream.models.keyring import Draw
from deidstream.models.mention import Draws
from deidstream.models.phi.names.initials import DIGITS
from deidstream.models.phi.places.address import drawable_provinces, provinces, target_province
from deidstream.models.text.word_files import sections, split_list

NATIONAL, TRUNK = 10, 11
"""Digits of a number with its area, in North America and with a 0 before elsewhere."""
_TRUNKS = ("353", "49", "33")
_NIGERIAN = split_list("070 080 081 090 091")
_BRITISH_FREE = split_list("0800 0808")
_PAIRS, _AUSTRALIAN = (2, 2, 2, 2, 2), (2, 4, 4)
_LOCAL = 7
_NOBODYS, _NO_AREA, _NO_TRUNK = "999", "100", "02091"
"""Beginnings that no country has: of foreign numbers, of eleven digits, of ten with a 0."""
_FREE = 3
"""Fewest digits that are drawn."""
TOLL_FREE = split_list("800 833 844 855 866 877 888")
"""North American area codes of lines that cost the caller nothing: of institutions, no person's."""
_BRITISH = {
    "01": "01632960", "02": "02079460", "03": "03069990", "07": "07700900", "08": "08081570",
}  # fmt: skip
_AUSTRALIAN_AREAS = {"2": "25550", "3": "35550", "7": "75550", "8": "85550"}
_AUSTRALIAN_CALLS = split_list("1300 1800")
_AUSTRALIAN_FREE = split_list("975707 975708 975709 975710 975711")
_FRENCH = {"1": "19900", "2": "26191", "3": "35301", "4": "46571", "5": "53649", "6": "63998",
           "7": "63998", "8": "26191", "9": "26191"}  # fmt: skip
_UNUSED = {
    "86": "86129", "91": "91100", "52": "52100", "234": "234100", "27": "2799", "64": "64100",
    "65": "65100", "852": "852100", "63": "63100", "60": "60200", "92": "92100",
}  # fmt: skip
"""Unused beginnings of numbers in countries that keep none for fiction, and that stay."""
_GERMAN = split_list("3023125 6990009 4066969 2214710 8999998 17139200")


@dataclass(frozen=True, slots=True)
class Number:
    """A number in normal form, the same whether dialled from abroad or at home."""

    value: str = field(repr=False)
    """With the trunk's 0 at home, with ``+`` and the country's code elsewhere."""
    before: str = field(repr=False, default="")
    """Digits that the writer put before it; they stay."""
    trunkless: bool = False
    """The trunk's 0 of ``value`` is not written."""
    zero_after: int = 0
    """Digits before a 0 that is dialled at home only: ``+49 (0)30``; 0 without such a 0."""
    home: str = ""
    """The country's code, which is in ``value`` and is not written."""
    trunk: str = ""
    """Digits that are written in place of ``home``."""

    def digits(self, surrogate: str) -> str:
        """Return the digits of a surrogate of ``value`` as the writer would put them."""
        bare = (surrogate[1:] if self.trunkless else surrogate).removeprefix("+")
        if self.home:
            bare = self.trunk + bare[len(self.home) :]
        if self.zero_after:
            bare = f"{bare[: self.zero_after]}0{bare[self.zero_after :]}"
        return self.before + bare


def read_number(digits: str, *, abroad: bool, groups: tuple[int, ...] = ()) -> Number:
    """Return the number in normal form.

    Args:
        digits: As dialled.
        abroad: Whether a ``+`` precedes them.
        groups: Lengths of the groups in which they are written.

    >>> read_number("447911123456", abroad=True).value
    '07911123456'
    >>> read_number("0861234567", abroad=False, groups=(3, 3, 4)).value
    '+353861234567'
    """
    if not abroad and digits.startswith("00") and len(digits) > TRUNK:
        inner = read_number(digits[2:], abroad=True)
        return replace(inner, before="00" + inner.before)
    if not abroad and _is_chinese(digits, groups):
        return _at_home(digits, "86", "")
    if len(digits) == NATIONAL + 1 and digits[0] == "1" and digits[1] not in "01":
        return Number(digits[1:], "1")
    if digits[:2] == "44" and (abroad or (len(digits) == TRUNK + 1 and digits[2] in "1237")):
        written = digits[2:3] == "0"
        return Number(digits[2:] if written else "0" + digits[2:], "44", not written)
    if digits[:2] == "61" and not abroad and len(digits) == TRUNK and digits[2] in "23478":
        return Number("+" + digits)
    return _elsewhere(digits) if abroad else _national(digits, groups)


def _is_chinese(digits: str, groups: tuple[int, ...]) -> bool:
    """Return whether digits are a Chinese mobile rather than an American number after a 1."""
    mobile = len(digits) == TRUNK and digits[0] == "1" and digits[1] in "3456789"
    return mobile and (groups == (3, 4, 4) or digits[4] in "01")


def _elsewhere(digits: str) -> Number:
    code = next((code for code in (*_TRUNKS, "61") if digits.startswith(code + "0")), "")
    return Number("+" + code + digits[len(code) + bool(code) :], zero_after=len(code))


def _at_home(digits: str, code: str, trunk: str = "0") -> Number:
    return Number("+" + code + digits[len(trunk) :], home=code, trunk=trunk)


def _national(digits: str, groups: tuple[int, ...]) -> Number:
    if len(digits) == NATIONAL and digits[0] == "0":
        code = _country_of_ten(digits, groups)
        return _at_home(digits, code) if code else Number(digits)
    if len(digits) == NATIONAL and groups == (5, 5) and digits[0] in "6789":
        return _at_home(digits, "91", "")
    if len(digits) == NATIONAL and groups == _AUSTRALIAN and digits[0] not in "01":
        return _at_home(digits, "52", "")
    if len(digits) == TRUNK and digits[0] == "0":
        code = _country_of_eleven(digits, groups)
        return _at_home(digits, code) if code else Number(digits)
    return Number(digits)


def _country_of_ten(digits: str, groups: tuple[int, ...]) -> str:
    """Return the country of ten digits that begin with 0; empty if several may be meant."""
    if groups == _PAIRS:
        return "33"
    if groups == _AUSTRALIAN and digits[1] in "2378":
        return "61"
    if digits[1] == "4" and groups in {(4, 3, 3), (10,), (4, 6)}:
        return "61"
    return "353" if digits[1] == "8" and digits[2] in "35679" else ""


def _country_of_eleven(digits: str, groups: tuple[int, ...]) -> str:
    """Return the country of eleven digits; empty for British numbers, which keep their 0."""
    if groups in {(6, 5), (1, 5, 5)} and digits[1] in "6789":
        return "91"
    free = digits.startswith(_BRITISH_FREE)
    return "234" if digits.startswith(_NIGERIAN) and not free else ""


def draw_number(value: str, draws: Draws, draw: Draw) -> str:
    """Draw a number of as many digits as ``value``, which is longer than an extension.

    Args:
        value: Normal form of the number.
        draws: Those of its scope, in which its area moves as the state does that it is of.
        draw: The stream of the number.
    """
    area = _draw_area(value[:3], draws, draw) if _is_american(value) else ""
    stem = area + "55501" if area else _stem(value, draw)
    return stem + "".join(draw.pick(DIGITS) for _ in range(len(value) - len(stem)))


def _stem(value: str, draw: Draw) -> str:
    """Return how the surrogate begins; never longer than ``value``."""
    if value[0] == "+":
        return _foreign_stem(value[1:], draw)
    if len(value) == _LOCAL:
        return "55501"
    if len(value) == NATIONAL:
        return _national_stem(value, draw)
    if len(value) == TRUNK:
        return _BRITISH.get(value[:2], "0" * (value[0] == "0") + _NO_AREA)
    zeros = len(value) - len(value.lstrip("0"))
    return ("0" * zeros + _NOBODYS)[: len(value) - _FREE]


def _national_stem(value: str, draw: Draw) -> str:
    if value[:4] in _AUSTRALIAN_CALLS:
        return value[:4] + draw.pick(_AUSTRALIAN_FREE)
    return _NO_TRUNK if value[0] == "0" else _NOBODYS


def _is_american(value: str) -> bool:
    """Return whether ten digits are a North American number."""
    return len(value) == NATIONAL and value[0] not in "01+" and value[:4] not in _AUSTRALIAN_CALLS


def _draw_area(area: str, draws: Draws, draw: Draw) -> str:
    """Draw an area code of the province to which that of ``area`` moves.

    A number free of charge stays one, and an area that is none becomes any of the United States.
    """
    if area in TOLL_FREE:
        return draw.pick(TOLL_FREE)
    code = province_of_area(area) or draw.pick(drawable_provinces("US"))
    areas = sections("phones.areas.txt")
    return draw.pick(areas[target_province(provinces()[code], draws).code])


def province_of_area(area: str) -> str:
    """Return the code of the province of a North American area code; empty for any other code."""
    return _provinces_by_area().get(area, "")


@cache
def _provinces_by_area() -> Mapping[str, str]:
    """Return the code of the province of each area code; of two the first one."""
    found: dict[str, str] = {}
    for code, areas in sections("phones.areas.txt").items():
        if code in provinces():
            found |= dict.fromkeys((area for area in areas if area not in found), code)
    return found


def _foreign_stem(digits: str, draw: Draw) -> str:
    stem = _country(digits, draw)
    # Too short a number for its country's plan is no number of that plan; of mobiles for film
    # every digit is drawn by now.
    whole = len(stem) == len(digits) and digits.startswith("614")
    return "+" + (stem if len(stem) < len(digits) or whole else _NOBODYS)[: len(digits)]


def _country(digits: str, draw: Draw) -> str:
    if digits.startswith("353"):
        return "3532091"
    if digits.startswith("49"):
        return "49" + draw.pick(_GERMAN)
    if digits[:2] == "33" and digits[2:3] in _FRENCH:
        return "33" + _FRENCH[digits[2]]
    if digits[:3] == "614":
        return "61" + draw.pick(sections("phones.areas.txt")["AU"])[1:]
    if digits[:2] == "61" and digits[2:3] in _AUSTRALIAN_AREAS:
        return "61" + _AUSTRALIAN_AREAS[digits[2]]
    return next((_UNUSED[code] for code in _UNUSED if digits.startswith(code)), _NOBODYS)
