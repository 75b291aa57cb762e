"""Checksums of identifiers: they tell a number from an identifier."""

_NPI_DIGITS, _SSN_DIGITS, _DEA_LENGTH, _OCTETS = 10, 9, 9, 4
_NHS_WEIGHTS = tuple(range(10, 1, -1))
_VIN_VALUES = (1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 7, 9, 2, 3, 4, 5, 6, 7, 8, 9)
_VIN_WEIGHTS = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)


def digits(text: str) -> str:
    """The ASCII digits of a text, in order."""
    return "".join(c for c in text if c in "0123456789")


def holds(text: str, at_least: int) -> bool:
    """Tell whether a text holds so many digits."""
    return len(digits(text)) >= at_least


def luhn(number: str) -> bool:
    """Tell whether digits pass the Luhn check (ISO/IEC 7812-1, annex B)."""
    doubled = "0246813579"
    total = sum(int(d) for d in number[::-2])
    return bool(number) and (total + sum(int(doubled[int(d)]) for d in number[-2::-2])) % 10 == 0


def is_npi(text: str) -> bool:
    """Tell whether a text is a US National Provider Identifier (45 CFR 162.406).

    Ten digits, the first 1 or 2; with the prefix 80840 they pass the Luhn check.
    """
    good = len(text) == _NPI_DIGITS and digits(text) == text and text[0] in "12"
    return good and luhn("80840" + text)


def is_dea(text: str) -> bool:
    """Tell whether a text is a US DEA registration number.

    Two letters (or a letter and 9) and seven digits; the last is the last digit of the sum of the
    odd places and twice the even ones.
    """
    number = text[2:]
    if len(text) != _DEA_LENGTH or digits(number) != number or not text[0].isalpha():
        return False
    values = [int(d) for d in number]
    return (sum(values[0:6:2]) + 2 * sum(values[1:6:2])) % 10 == values[6]


def is_nhs_number(text: str) -> bool:
    """Tell whether a text holds an NHS number of England: ten digits, modulus 11."""
    number = digits(text)
    if len(number) != len(_NHS_WEIGHTS) + 1:
        return False
    total = sum(int(d) * w for d, w in zip(number, _NHS_WEIGHTS, strict=False))
    return (11 - total % 11) % 11 == int(number[-1])


def is_vin(text: str) -> bool:
    """Tell whether a text has the form and check digit of a VIN (49 CFR 565.15)."""
    if len(text) != len(_VIN_WEIGHTS) or not text.isascii() or not text.isalnum():
        return False
    values = dict(zip("ABCDEFGHJKLMNPRSTUVWXYZ", _VIN_VALUES, strict=True))
    numbers = [int(c) if c.isdigit() else values.get(c, -1) for c in text.upper()]
    total = sum(n * w for n, w in zip(numbers, _VIN_WEIGHTS, strict=True))
    return -1 not in numbers and "0123456789X"[total % 11] == text[8].upper()


def is_ssn(text: str) -> bool:
    """Tell whether a text has the form of a US SSN.

    Areas 000, 666 and 9xx were never issued, but stand in notes as placeholders and as ITINs.
    """
    return len(digits(text)) == _SSN_DIGITS


def is_ipv4(text: str) -> bool:
    """Tell whether a text is four numbers below 256."""
    parts = text.split(".")
    return len(parts) == _OCTETS and all(int(p) in range(256) for p in parts)
