"""Draw a postcode of the province that its own moves to, in its own form."""

from deidstream.models.keyring import Draw
from deidstream.models.mention import Draws, Identity
from deidstream.models.phi.codes.draw_code import draw_code
from deidstream.models.phi.names.initials import DIGITS
from deidstream.models.phi.places.address import (
    Province,
    moved_province,
    province_of,
    provinces,
    rich,
)

_INWARD = "abdefghjlnpqrstuwxyz"
"""Letters after the space of a British postcode. Source: BS 7666, Royal Mail PAF guide."""
_OUTWARD = "abcdefghijklmnoprstuwyz"
_CANADIAN = "abceghjklmnprstvwxyz"
_BRITISH_LENGTHS = range(5, 8)
_ZIP = 5


def draw_postcode(identity: Identity, draws: Draws) -> str:
    """Draw letters and digits for those of ``identity``; never its own.

    ZIP codes of one area (their first three digits) stay in one area, and an area alone agrees with
    them. Whatever tells no province changes in its own form.
    """
    value, draw = identity.value, draws.own(identity)
    if value.isascii() and value.isdigit() and len(value) in {3, 4, _ZIP}:
        return _numeric(value, draws, draw)
    drawn = value
    while drawn == value:
        drawn = _lettered(value, draws, draw)
    return drawn


def _numeric(value: str, draws: Draws, draw: Draw) -> str:
    province = province_of(value)
    if province is None and len(value) == 4:  # noqa: PLR2004
        return _european(value, draw)
    start = _moved(value, province, draws) if province else _anywhere(draw)
    if len(value) == _ZIP:
        # Number 00 is that of hardly any post office.
        return f"{start}{1 + draw.below(99):02d}"
    return start + "".join(draw.pick(DIGITS) for _ in range(len(value) - len(start)))


def _european(value: str, draw: Draw) -> str:
    drawn = value
    while drawn == value:
        drawn = draw.pick(DIGITS[1:]) + "".join(draw.pick(DIGITS) for _ in value[1:])
    return drawn


def _anywhere(draw: Draw) -> str:
    """Beginning of an American postcode for one that begins like none."""
    return draw.pick(provinces()[draw.pick(rich("US"))].prefixes)


def _moved(value: str, province: Province, draws: Draws) -> str:
    """How the postcodes of an area begin where it moves to."""
    target = moved_province(province, draws)
    turn = draws.shared("areas:" + province.land).below(1000)
    place = sum(head <= value for head in province.prefixes)
    return target.prefixes[(place + turn) % len(target.prefixes)]


def _lettered(value: str, draws: Draws, draw: Draw) -> str:
    shape = "".join(
        "9" if c in DIGITS else "a" if c.isascii() and c.isalpha() else "?" for c in value
    )
    if shape == "a9a9a9":
        return _canadian(value, draws, draw)
    if len(value) in _BRITISH_LENGTHS and shape[-3:] == "9aa" and shape[0] == "a":
        inward = draw.pick(DIGITS) + draw.pick(_INWARD) + draw.pick(_INWARD)
        return "".join(_outward(kind, draw) for kind in shape[:-3]) + inward
    return draw_code(value, draw)


def _outward(kind: str, draw: Draw) -> str:
    return draw.pick(DIGITS[1:] if kind == "9" else _OUTWARD)


def _canadian(value: str, draws: Draws, draw: Draw) -> str:
    province = province_of(value)
    heads = moved_province(province, draws).prefixes if province else tuple(_CANADIAN)
    second, third = draw.pick(DIGITS[1:]), draw.pick(_CANADIAN)
    last = draw.pick(DIGITS) + draw.pick(_CANADIAN) + draw.pick(DIGITS)
    return draw.pick(heads) + second + third + last
