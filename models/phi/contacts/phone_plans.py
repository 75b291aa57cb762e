"""Read of what country a telephone number is, however it is dialled.

What is written tells it: the code of the country, the number of digits, how they begin, and how
they are grouped where several countries have such numbers.
"""

from dataclasses import dataclass, field, replace

from deidstream.models.text.word_files import listed

NATIONAL, TRUNK = 10, 11
"""Digits of a number with its area, in North America and with a 0 before elsewhere."""
_TRUNKS = ("353", "49", "33")
_NIGERIAN = listed("070 080 081 090 091")
_BRITISH_FREE = listed("0800 0808")
_PAIRS, _AUSTRALIAN = (2, 2, 2, 2, 2), (2, 4, 4)


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
    home: str = ""
    """The country's code, which is in ``value`` and is not written."""
    trunk: str = ""
    """What is written in place of ``home``."""

    def digits(self, surrogate: str) -> str:
        """The digits of a surrogate of ``value`` as the writer would put them."""
        bare = (surrogate[1:] if self.trunkless else surrogate).removeprefix("+")
        if self.home:
            bare = self.trunk + bare[len(self.home) :]
        if self.zero_after:
            bare = f"{bare[: self.zero_after]}0{bare[self.zero_after :]}"
        return self.before + bare


def read_number(digits: str, *, abroad: bool, groups: tuple[int, ...] = ()) -> Number:
    """Tell what number is meant.

    Args:
        digits: As dialled.
        abroad: Whether a ``+`` stands before.
        groups: How many digits stand together.

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
    """Tell a Chinese mobile from an American number behind a 1."""
    mobile = len(digits) == TRUNK and digits[0] == "1" and digits[1] in "3456789"
    return mobile and (groups == (3, 4, 4) or digits[4] in "01")


def _elsewhere(digits: str) -> Number:
    code = next((code for code in (*_TRUNKS, "61") if digits.startswith(code + "0")), "")
    return Number("+" + code + digits[len(code) + bool(code) :], zero_after=len(code))


def _at_home(digits: str, code: str, trunk: str = "0") -> Number:
    return Number("+" + code + digits[len(trunk) :], home=code, trunk=trunk)


def _national(digits: str, groups: tuple[int, ...]) -> Number:
    if len(digits) == NATIONAL and digits[0] == "0":
        code = _of_ten(digits, groups)
        return _at_home(digits, code) if code else Number(digits)
    if len(digits) == NATIONAL and groups == (5, 5) and digits[0] in "6789":
        return _at_home(digits, "91", "")
    if len(digits) == NATIONAL and groups == _AUSTRALIAN and digits[0] not in "01":
        return _at_home(digits, "52", "")
    if len(digits) == TRUNK and digits[0] == "0":
        code = _of_eleven(digits, groups)
        return _at_home(digits, code) if code else Number(digits)
    return Number(digits)


def _of_ten(digits: str, groups: tuple[int, ...]) -> str:
    """The country of ten digits that begin with 0; empty if several may be meant."""
    if groups == _PAIRS:
        return "33"
    if groups == _AUSTRALIAN and digits[1] in "2378":
        return "61"
    if digits[1] == "4" and groups in {(4, 3, 3), (10,), (4, 6)}:
        return "61"
    return "353" if digits[1] == "8" and digits[2] in "35679" else ""


def _of_eleven(digits: str, groups: tuple[int, ...]) -> str:
    """Likewise of eleven; British ones are known with their 0."""
    if groups in {(6, 5), (1, 5, 5)} and digits[1] in "6789":
        return "91"
    free = digits.startswith(_BRITISH_FREE)
    return "234" if digits.startswith(_NIGERIAN) and not free else ""
