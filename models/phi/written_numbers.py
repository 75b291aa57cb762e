"""Patterns of postcodes and telephone numbers, as notes write them.

Pieces for google-re2, for finding them and for telling which country a note is from. What is to be
found may be of no real area, since examples and placeholders stand in notes too; what shows the
country must be real.
"""

_UK_OUTWARD, _UK_INWARD = r"[A-Z]{1,2}[0-9][0-9A-Z]?", r"[0-9][A-Z]{2}"
UK_CODE = rf"(?:{_UK_OUTWARD}[ ]{_UK_INWARD})"
UK_CODE_ALONE = rf"(?:{_UK_OUTWARD} ?{_UK_INWARD})"
"""The space may be missing where nothing else is written."""
ZIP_CODE = r"(?:[0-9]{5}(?:-[0-9]{4})?)"
CANADA_CODE = r"(?:[A-Z][0-9][A-Z][ ]?[0-9][A-Z][0-9])"
EIRE_CODE = r"(?:[A-Z][0-9]{2}[ ][0-9A-Z]{4})"

NANP_NUMBER = r"(?:(?:\+?1[ .-]?)?\(?[2-9][0-9]{2}\)?[ .-]{0,2}[2-9][0-9]{2}[ .-][0-9]{4})"
"""A number of an area that the North American plan may have."""
NANP = (
    r"(?:(?:\+?1[-. ]{0,2})?(?:\([0-9]{3}\)[ ]?|[0-9]{3}[-./ ])[0-9]{3}[-. ][0-9]{4}"
    r"|1?[2-9][0-9]{2}555[0-9]{4})"
)
LOCAL = r"[0-9]{3}-[0-9]{4}"
ABROAD = (
    r"(?:\+[0-9]{1,3}[ -]?(?:\(0?[0-9]{1,4}\)[ -]?)?[0-9]{1,5}(?:[ -][0-9]{2,6}){1,4}"
    r"|\+[0-9]{9,14}|\(0[0-9]{1,4}\)[ ]?[0-9]{3,4}[ -]?[0-9]{3,4}"
    r"|0[0-9]{1,4}[ -][0-9]{3,4}[ -]?[0-9]{3,4}|0[0-9]{4}[ -][0-9]{5,6}|07[0-9]{3}[ ][0-9]{6}"
    r"|1[38]00[ ][0-9]{3}[ ][0-9]{3}|0[0-9]{9,10})"
)
ANY_PHONE = (
    rf"(?:{NANP}|{ABROAD}|{LOCAL}|[0-9]{{3}}[ ][0-9]{{4}}|[0-9]{{4}}[ ][0-9]{{4}}"
    r"|[0-9]{7,11}|[0-9OlI]{3}[-. ][0-9OlI]{3,4}[-. ]?[0-9OlI]{0,4}"
    r"|\([0-9OlI]{3}\)[ ]?[0-9OlI]{3}-[0-9OlI]{4})"
)
EXTENSION = r"(?:,?[ ](?i:ext\.?|extension|x)[ ]?[0-9]{1,6})?"
FOREIGN_PREFIX = r"(?:\+(?:[2-9]|1[^0-9 (.-])|00[2-9]|\(?0[1-9])"
"""The country code, not that of North America, or the trunk's 0."""
