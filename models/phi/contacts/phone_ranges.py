"""Numbers that ring nowhere, by the numbering plan of the original.

Source: NANPA (555-0100 to 555-0199), Ofcom's numbers for drama, ACMA's numbers for film, ComReg's
020 91, BNetzA's and ARCEP's numbers for media; +999 is no country's (ITU-T E.164). China, India,
Mexico and Nigeria keep none for fiction; there numbers begin as no subscriber's does.
"""

from deidstream.models.keyring import Draw
from deidstream.models.phi.contacts.phone_plans import NATIONAL, TRUNK
from deidstream.models.phi.names.initials import DIGITS
from deidstream.models.text.word_files import listed

_LOCAL = 7
_NOBODYS, _NO_AREA, _NO_TRUNK = "999", "100", "02091"
"""How numbers begin that no country has: of a foreign one, of eleven digits, of ten with a 0."""
_FREE = 3
"""So many digits at least are drawn."""
_TOLL_FREE = listed("800 833 844 855 866 877 888")
_BRITISH = {
    "01": "01632960", "02": "02079460", "03": "03069990", "07": "07700900", "08": "08081570",
}  # fmt: skip
_AUSTRALIAN = {"2": "25550", "3": "35550", "7": "75550", "8": "85550"}
_AUSTRALIAN_MOBILE = listed(
    "0491570006 0491570156 0491570157 0491570158 0491570159 0491570110 0491570313 0491570737 "
    "0491571266 0491571491 0491571804 0491572549 0491572665 0491572983 0491573770 0491573087 "
    "0491574118 0491574632 0491575254 0491575789 0491576398 0491576801 0491577426 0491577644 "
    "0491578957 0491578148 0491578888 0491579212 0491579760 0491579455"
)
_AUSTRALIAN_CALLS = listed("1300 1800")
_AUSTRALIAN_FREE = listed("975707 975708 975709 975710 975711")
_FRENCH = {"1": "19900", "2": "26191", "3": "35301", "4": "46571", "5": "53649", "6": "63998",
           "7": "63998", "8": "26191", "9": "26191"}  # fmt: skip
_UNUSED = {"86": "86129", "91": "91100", "52": "52100", "234": "234100"}
"""How numbers begin that are nobody's in a country that keeps none for fiction."""
_GERMAN = listed("3023125 6990009 4066969 2214710 8999998 17139200")


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
    if len(value) == NATIONAL:
        return _national(value, draw)
    if len(value) == TRUNK:
        return _BRITISH.get(value[:2], "0" * (value[0] == "0") + _NO_AREA)
    zeros = len(value) - len(value.lstrip("0"))
    return ("0" * zeros + _NOBODYS)[: len(value) - _FREE]


def _national(value: str, draw: Draw) -> str:
    if value[:4] in _AUSTRALIAN_CALLS:
        return value[:4] + draw.pick(_AUSTRALIAN_FREE)
    if value[0] in "01":
        return _NO_TRUNK if value[0] == "0" else _NOBODYS
    return _area(value, draw) + "55501"


def _area(value: str, draw: Draw) -> str:
    """An area's code, perhaps of none; a number free of charge stays one."""
    if value[:3] in _TOLL_FREE:
        return draw.pick(_TOLL_FREE)
    return f"{2 + draw.below(8)}{draw.below(9)}{2 + draw.below(8)}"


def _abroad(digits: str, draw: Draw) -> str:
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
        return "61" + draw.pick(_AUSTRALIAN_MOBILE)[1:]
    if digits[:2] == "61" and digits[2:3] in _AUSTRALIAN:
        return "61" + _AUSTRALIAN[digits[2]]
    return next((_UNUSED[code] for code in _UNUSED if digits.startswith(code)), _NOBODYS)
