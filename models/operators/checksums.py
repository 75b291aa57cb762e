"""Checks that published numbers pass; a surrogate must pass none, so that it is nobody's number."""

_VIN_VALUES = dict(zip("abcdefghjklmnprstuvwxyz", "12345678123457923456789", strict=True))
_VIN_WEIGHTS = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)


def is_somebodys(value: str) -> bool:
    """Tell whether lower-case letters and digits pass the check of a number in use.

    These are Luhn (cards, and NPI after its prefix 80840), NHS number, DEA number and VIN.

    >>> is_somebodys("1234567893"), is_somebodys("1234567890")
    (True, False)
    """
    if value.isdigit():
        return _is_card(value) or _is_npi(value) or _is_nhs(value)
    return _is_dea(value) or _is_vin(value)


def _luhn(digits: str) -> bool:
    doubled = [int(d) * (1 + place % 2) for place, d in enumerate(reversed(digits))]
    return sum(d - 9 * (d > 9) for d in doubled) % 10 == 0  # noqa: PLR2004


def _is_card(value: str) -> bool:
    return 13 <= len(value) <= 19 and _luhn(value)  # noqa: PLR2004


def _is_npi(value: str) -> bool:
    return len(value) == 10 and _luhn("80840" + value)  # noqa: PLR2004


def _is_nhs(value: str) -> bool:
    if len(value) != 10:  # noqa: PLR2004
        return False
    return sum(int(d) * (10 - place) for place, d in enumerate(value)) % 11 == 0


def _is_dea(value: str) -> bool:
    digits = value[2:]
    if len(value) != 9 or not value[:2].isalpha() or not digits.isdigit():  # noqa: PLR2004
        return False
    odd, even = sum(map(int, digits[0:6:2])), sum(map(int, digits[1:6:2]))
    return (odd + 2 * even) % 10 == int(digits[6])


def _is_vin(value: str) -> bool:
    if len(value) != 17 or set(value) & set("ioq"):  # noqa: PLR2004
        return False
    total = sum(
        int(_VIN_VALUES.get(c, c)) * weight for c, weight in zip(value, _VIN_WEIGHTS, strict=True)
    )
    return value[8] == "0123456789x"[total % 11]
