"""The word before a number that says what kind of number it is: ``MRN-0081 2245``."""

import re2

from deidstream.models.text.word_files import listed

_KINDS = listed(
    "accession accn account acct admission appt auth authorization badge case cert certificate "
    "chart chi claim clia clm csn dea dmv dob-id eid emr enc encounter enrollee enrolment fin gmc "
    "group grp gtin guarantor har hcpc hicn hosp iban icn id idno imei inv invoice lic licence "
    "license lot mbi mbr medicaid medicare meid member mpi mrn mrno nhi nhs nino nmc npi ord "
    "order pan patid patient permit plate pol policy pps ppsn rec record ref referral reg "
    "registration req rxnorm sample seq ser serial specimen ssn sub subscriber taxid tin udi vin "
    "visit"
)
"""Words and abbreviations of three letters and more: two may be somebody's initials. ``id`` is the
exception, nobody's initials by itself."""
_SHORT_KINDS = r"(?:mr|sn|s/n|dl|rn|pt)\s*(?:[#:]|(?:number|num|nr|no)\b\.?)[\s.:#/_-]*"
"""Of two letters, which nobody takes for initials before such a sign."""
_PHRASES = (
    r"(?:ssn\s*)?last\s+(?:4|four)(?:\s+(?:digits|ssn|of\s+ssn))?[\s:#=-]*"
    r"|(?:ends|ending)\s+(?:in|with)[\s:#=-]*|sort\s?code[\s:#-]*"
)
_WORDS = (
    r"(?:" + "|".join(sorted(_KINDS, key=len, reverse=True)) + r")"
    r"(?:[\s.:#/_-]+(?:number|num|nr|no|id)\b)?\.?[\s.:#/_-]*"
)
_PREFIX = re2.compile(rf"(?i)^\s*(?:{_SHORT_KINDS}|{_PHRASES}|{_WORDS})\b")
_LONGEST = 40


def kind_length(text: str) -> int:
    """How many characters of ``text`` say what kind of number follows; 0 if no number follows.

    >>> kind_length("MRN-0081"), kind_length("Acct no. 77-12"), kind_length("JS-0081")
    (4, 9, 0)
    """
    found = _PREFIX.match(text[:_LONGEST])
    if not found:
        return 0
    end = found.end()
    follows = text[end : end + 1]
    glued = text[end - 1 : end].isalpha() and not follows.isdigit()
    return end if any(map(str.isdigit, text[end:])) and not glued else 0
