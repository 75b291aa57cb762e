"""Check digits and other published rules of numbers in use.

One table serves both sides: a number that passes is found as an identifier, and a surrogate must
pass none, so that it is no number in use. Private checks take lower-case letters and digits of the
shape under which ``_OF_SHAPE`` lists them.
"""

from collections.abc import Callable, Mapping

from deidstream.models.text.word_files import split_list

_NPI_DIGITS, _NHS_DIGITS, _SSN_DIGITS, _DEA_LENGTH = 10, 10, 9, 9
_VIN_VALUES = dict(zip("abcdefghjklmnprstuvwxyz", "12345678123457923456789", strict=True))
_VIN_WEIGHTS = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)
_NHI_LETTERS = "abcdefghjklmnpqrstuvwxyz"
_DNI_LETTERS = "trwagmyfpdxbnjzsqvhlcke"
_PPS_LETTERS = "wabcdefghijklmnopqrstuv"
_NRIC = {"s": (0, "jzihgfedcba"), "t": (4, "jzihgfedcba"), "f": (0, "xwutrqpnmlk"),
         "g": (4, "xwutrqpnmlk")}  # fmt: skip
_VERHOEFF_TURN = split_list(
    "0123456789 1576283094 5803796142 8916043527 9453126870 4286573901 2793806415 7046913258"
)
_VERHOEFF_TIMES = split_list(
    "0123456789 1234067895 2340178956 3401289567 4012395678 5987604321 6598710432 7659821043 "
    "8765932104 9876543210"
)


def passes_a_check(value: str) -> bool:
    """Return whether lower-case letters and digits pass the check of a number in use.

    These are cards and whatever else Luhn guards (NPI, IMEI, Canadian SIN), NHS and CHI, DEA, VIN,
    Medicare (American and Australian), bank routing numbers and IBAN, NHI, HKID, Aadhaar, BSN, TFN,
    NRIC, DNI, PPS, CPF, National Insurance and PAN numbers, and British number plates.

    >>> passes_a_check("1234567893"), passes_a_check("1234567890")
    (True, False)
    """
    if not value.isascii() or len(value) > _LONGEST:
        return False
    shape = "".join("9" if c.isdigit() else "a" for c in value)
    checks = _OF_SHAPE.get(shape, ())
    return _is_vin(value) or _is_iban(value, shape) or any(check(value) for check in checks)


def digits(text: str) -> str:
    """Return the ASCII digits of a text, in order."""
    return "".join(c for c in text if c in "0123456789")


def holds(text: str, at_least: int) -> bool:
    """Return whether a text holds so many digits."""
    return len(digits(text)) >= at_least


def luhn(number: str) -> bool:
    """Return whether digits pass the Luhn check (ISO/IEC 7812-1, annex B)."""
    doubled = [int(d) * (1 + place % 2) for place, d in enumerate(reversed(number))]
    return bool(number) and sum(d - 9 * (d > 9) for d in doubled) % 10 == 0  # noqa: PLR2004


def is_npi(text: str) -> bool:
    """Return whether a text is a US National Provider Identifier (45 CFR 162.406).

    Ten digits, the first 1 or 2; with the prefix 80840 they pass the Luhn check.
    """
    good = len(text) == _NPI_DIGITS and digits(text) == text and text[0] in "12"
    return good and _is_npi(text)


def is_dea(text: str) -> bool:
    """Return whether a text is a US DEA registration number.

    Two letters (or a letter and 9) and seven digits; the last is the last digit of the sum of the
    odd places and twice the even ones.
    """
    number = text[2:]
    formed = len(text) == _DEA_LENGTH and digits(number) == number and text[0].isalpha()
    return formed and _is_dea(text)


def is_nhs_number(text: str) -> bool:
    """Return whether a text holds an NHS number of England: ten digits, modulus 11."""
    number = digits(text)
    return len(number) == _NHS_DIGITS and _is_nhs(number)


def is_vin(text: str) -> bool:
    """Return whether a text has the form and check digit of a VIN (49 CFR 565.15)."""
    formed = len(text) == len(_VIN_WEIGHTS) and text.isascii() and text.isalnum()
    return formed and _is_vin(text.lower())


def is_ssn(text: str) -> bool:
    """Return whether a text has the form of a US SSN.

    Areas 000, 666 and 9xx were never issued, but stand in notes as placeholders and as ITINs.
    """
    return len(digits(text)) == _SSN_DIGITS


def _weighted_sum(number: str, weights: tuple[int, ...]) -> int:
    return sum(int(d) * weight for d, weight in zip(number, weights, strict=True))


def _is_npi(value: str) -> bool:
    return luhn("80840" + value)


def _is_nhs(value: str) -> bool:
    return _weighted_sum(value, tuple(range(10, 0, -1))) % 11 == 0


def _is_dea(value: str) -> bool:
    number = value[2:]
    odd, even = sum(map(int, number[0:6:2])), sum(map(int, number[1:6:2]))
    return (odd + 2 * even) % 10 == int(number[6])


def _is_vin(value: str) -> bool:
    if len(value) != len(_VIN_WEIGHTS) or set(value) & set("ioq"):
        return False
    total = sum(
        int(_VIN_VALUES.get(c, c)) * weight for c, weight in zip(value, _VIN_WEIGHTS, strict=True)
    )
    return value[8] == "0123456789x"[total % 11]


def _is_medicare(value: str) -> bool:
    """Check the letters of a Medicare Beneficiary Identifier, which has no check digit.

    Source: CMS, Understanding the MBI format.
    """
    return value[0] != "0" and not set(value) & set("sloibz")


def _is_australian_medicare(value: str) -> bool:
    weighed = _weighted_sum(value[:8], (1, 3, 7, 9, 1, 3, 7, 9))
    return value[0] in "23456" and weighed % 10 == int(value[8])


def _is_routing(value: str) -> bool:
    return _weighted_sum(value, (3, 7, 1) * 3) % 10 == 0


def _is_iban(value: str, shape: str) -> bool:
    if not shape.startswith("aa99") or not 15 <= len(value) <= 34:  # noqa: PLR2004
        return False
    return int("".join(str(int(c, 36)) for c in value[4:] + value[:4])) % 97 == 1


def _is_nhi(value: str) -> bool:
    """Check a New Zealand NHI number (HISO 10046), in the older form or that of 2019."""
    if set(value) & set("io"):
        return False
    units = [_NHI_LETTERS.index(c) + 1 if c.isalpha() else int(c) for c in value[:6]]
    total = sum(unit * weight for unit, weight in zip(units, (7, 6, 5, 4, 3, 2), strict=True))
    if value[6].isdigit():
        return total % 11 != 0 and (11 - total % 11) % 10 == int(value[6])
    return _NHI_LETTERS[23 - total % 23 - 1] == value[6]


def _is_hkid(value: str) -> bool:
    """Check a Hong Kong identity card; a missing letter counts as a space, 36."""
    padded = value.rjust(9)
    units = [36 if c == " " else int(c, 36) for c in padded]
    return sum(unit * weight for unit, weight in zip(units, range(9, 0, -1), strict=True)) % 11 == 0


def _is_aadhaar(value: str) -> bool:
    """Check by Verhoeff's method of 1969."""
    check = "0"
    for place, digit in enumerate(reversed(value)):
        check = _VERHOEFF_TIMES[int(check)][int(_VERHOEFF_TURN[place % 8][int(digit)])]
    return check == "0" and value[0] not in "01"


def _is_bsn(value: str) -> bool:
    return _weighted_sum(value, (9, 8, 7, 6, 5, 4, 3, 2, -1)) % 11 == 0


def _is_tfn(value: str) -> bool:
    return _weighted_sum(value, (1, 4, 3, 7, 5, 8, 6, 9, 10)) % 11 == 0


def _is_cpf(value: str) -> bool:
    for length in (9, 10):
        rest = _weighted_sum(value[:length], tuple(range(length + 1, 1, -1))) * 10 % 11 % 10
        if rest != int(value[length]):
            return False
    return True


def _is_nric(value: str) -> bool:
    if value[0] not in _NRIC:
        return False
    offset, letters = _NRIC[value[0]]
    return letters[(_weighted_sum(value[1:8], (2, 7, 6, 5, 4, 3, 2)) + offset) % 11] == value[8]


def _is_dni(value: str) -> bool:
    return _DNI_LETTERS[int(value[:8]) % 23] == value[8]


def _is_pps(value: str) -> bool:
    extra = 9 * (ord(value[8]) - 96) if len(value) == 9 else 0  # noqa: PLR2004
    return _PPS_LETTERS[(_weighted_sum(value[:7], (8, 7, 6, 5, 4, 3, 2)) + extra) % 23] == value[7]


def _is_nino(value: str) -> bool:
    """Check the letters of a National Insurance number, which has no check digit.

    Source: HMRC manual NIM39110.
    """
    first, second, suffix = value[0], value[1], value[8]
    unused = {"bg", "gb", "kn", "nk", "nt", "tn", "zz"}
    given = first not in "dfiquv" and second not in "dfioquv" and value[:2] not in unused
    return given and suffix in "abcd"


def _is_pan(value: str) -> bool:
    """Check the fourth letter of an Indian tax number, which says what its holder is."""
    return value[3] in "abcfghjlpt"


def _is_british_plate(value: str) -> bool:
    """Check a number plate (DVLA INF104); from 51 on the two digits are of an autumn, plus 50."""
    known_age = int(value[2:4]) in {*range(2, 30), *range(51, 80)}
    return known_age and not set(value[:2] + value[4:]) & set("iq")


Check = Callable[[str], bool]
_LONGEST = 34
_MEDICARE = tuple(f"9a{a}9a{b}9aa99" for a in "9a" for b in "9a")
_OF_SHAPE: Mapping[str, tuple[Check, ...]] = {
    "9" * 9: (luhn, _is_routing, _is_bsn, _is_tfn),
    "9" * 10: (luhn, _is_npi, _is_nhs, _is_australian_medicare),
    "9" * 11: (_is_australian_medicare, _is_cpf),
    "9" * 12: (_is_aadhaar,),
    **{"9" * length: (luhn,) for length in range(13, 20)},
    "aa9999999": (_is_dea, _is_hkid),
    "a9999999a": (_is_nric,),
    "99999999a": (_is_dni,),
    "9999999a": (_is_pps,),
    "9999999aa": (_is_pps,),
    "aaa9999": (_is_nhi,),
    "aaa99aa": (_is_nhi,),
    "a9999999": (_is_hkid,),
    "a999999a": (_is_hkid,),
    "aa999999a": (_is_hkid, _is_nino),
    "aaaaa9999a": (_is_pan,),
    "aa99aaa": (_is_british_plate,),
    **dict.fromkeys(_MEDICARE, (_is_medicare,)),
}
