"""Numbers that ring nowhere, by the numbering plan of the original.

Source: NANPA (555-0100 to 555-0199), Ofcom's numbers for drama, ACMA's numbers for film, ComReg's
020 91, BNetzA's and ARCEP's numbers for media; +999 is no country's (ITU-T E.164).
"""

from dataclasses import dataclass, field, replace

from deidstream.models.keyring import Draw
from deidstream.models.operators.letters import DIGITS
from deidstream.models.operators.wordlists import listed

_LOCAL, _NATIONAL, _TRUNK = 7, 10, 11
_NOBODYS = "999"
_FREE = 3
"""So many digits at least are drawn."""
_TRUNKS = ("353", "49", "33")
_TOLL_FREE = listed("800 833 844 855 866 877 888")
_BRITISH = {
    "01": "01632960", "02": "02079460", "03": "03069990", "07": "07700900", "08": "08081570",
    "09": "09098790",
}  # fmt: skip
_AUSTRALIAN = {"02": "025550", "03": "035550", "07": "075550", "08": "085550"}
_AUSTRALIAN_MOBILE = listed(
    "0491570006 0491570156 0491570157 0491570158 0491570159 0491570110 0491570313 0491570737 "
    "0491571266 0491571491 0491571804 0491572549 0491572665 0491572983 0491573770 0491573087 "
    "0491574118 0491574632 0491575254 0491575789 0491576398 0491576801 0491577426 0491577644 "
    "0491578957 0491578148 0491578888 0491579212 0491579760 0491579455"
)
_AUSTRALIAN_FREE = listed("975707 975708 975709 975710 975711")
_FRENCH = {"1": "19900", "2": "26191", "3": "35301", "4": "46571", "5": "53649", "6": "63998"}
_GERMAN = listed("3023125 6990009 4066969 2214710 8999998 17139200")


@dataclass(frozen=True, slots=True)
class Number:
    """A number as it is known: dialled from abroad or at home, it is the same."""

    value: str = field(repr=False)
    """With the trunk's 0 at home, with ``+`` and the country's code elsewhere."""
    before: str = ""
    """Digits that the writer put before; they stay."""
    trunkless: bool = False
    """The trunk's 0 of ``value`` is not written."""
    zero_after: int = 0
    """After so many digits the writer put a 0 that is dialled at home alone: ``+49 (0)30``."""

    def digits(self, surrogate: str) -> str:
        """The digits of a surrogate of ``value`` as the writer would put them."""
        bare = (surrogate[1:] if self.trunkless else surrogate).removeprefix("+")
        if self.zero_after:
            bare = f"{bare[: self.zero_after]}0{bare[self.zero_after :]}"
        return self.before + bare


def read_number(digits: str, *, abroad: bool) -> Number:
    """Tell what number is meant.

    Args:
        digits: As dialled.
        abroad: Whether a ``+`` stands before.

    >>> read_number("447911123456", abroad=True).value
    '07911123456'
    """
    if not abroad and digits.startswith("00") and len(digits) > _TRUNK:
        inner = read_number(digits[2:], abroad=True)
        return replace(inner, before="00" + inner.before)
    if len(digits) == _NATIONAL + 1 and digits[0] == "1":
        return Number(digits[1:], "1")
    if digits[:2] in {"44", "61"} and (
        abroad or (len(digits) == _TRUNK + 1 and digits[2] in "1237")
    ):
        written = digits[2:3] == "0"
        return Number(digits[2:] if written else "0" + digits[2:], digits[:2], not written)
    return _elsewhere(digits) if abroad else Number(digits)


def _elsewhere(digits: str) -> Number:
    code = next((code for code in _TRUNKS if digits.startswith(code + "0")), "")
    return Number("+" + code + digits[len(code) + bool(code) :], zero_after=len(code))


def draw_number(value: str, draw: Draw) -> str:
    """Draw a number of as many digits as ``value``, which is longer than an extension."""
    stem = _stem(value, draw)
    return stem + "".join(draw.pick(DIGITS) for _ in range(len(value) - len(stem)))


def _stem(value: str, draw: Draw) -> str:
    """How the surrogate begins; never longer than ``value``."""
    if value[0] == "+":
        return _abroad(value[1:], draw)
    if len(value) == _LOCAL:
        return "55501"
    if len(value) == _NATIONAL and value[0] not in "01":
        return _area(value, draw) + "55501"
    if len(value) == _TRUNK and value[:2] in _BRITISH:
        return _BRITISH[value[:2]]
    if len(value) == _NATIONAL:
        return _australian(value, draw)
    zeros = len(value) - len(value.lstrip("0"))
    return ("0" * zeros + _NOBODYS)[: len(value) - _FREE]


def _area(value: str, draw: Draw) -> str:
    """An area's code, perhaps of none; a number free of charge stays one."""
    if value[:3] in _TOLL_FREE:
        return draw.pick(_TOLL_FREE)
    return f"{2 + draw.below(8)}{draw.below(9)}{2 + draw.below(8)}"


def _australian(value: str, draw: Draw) -> str:
    if value[:2] == "04":
        return draw.pick(_AUSTRALIAN_MOBILE)
    if value[:4] in {"1300", "1800"}:
        return value[:4] + draw.pick(_AUSTRALIAN_FREE)
    if value[0] == "0" and value[1] in "156":
        return "0" + _FRENCH[value[1]]
    return _AUSTRALIAN.get(value[:2], value[0] + _NOBODYS if value[0] == "0" else _NOBODYS)


def _abroad(digits: str, draw: Draw) -> str:
    if digits.startswith("353"):
        stem = "3532091"
    elif digits.startswith("49"):
        stem = "49" + draw.pick(_GERMAN)
    elif digits[:2] == "33" and digits[2:3] in _FRENCH:
        stem = "33" + _FRENCH[digits[2]]
    else:
        stem = _NOBODYS
    # Too short a number for its country's plan is no number of that plan.
    return "+" + (stem if len(stem) < len(digits) else _NOBODYS)[: len(digits)]
