"""The word before a number that says what kind of number it is: ``MRN-0081 2245``."""

import re2

from deidstream.models.operators.wordlists import listed

_KINDS = listed(
    "account acct accession accn admission appt auth authorization badge case cert certificate "
    "chart chi claim clia clm csn dea dmv dob-id eid emr enc encounter enrollee enrolment fin "
    "grp group guarantor gtin har hicn hosp iban icn id idno imei inv invoice license licence lic "
    "lot mbi mbr medicaid medicare member meid mpi mrn mrno nhi nhs npi ord order patient patid "
    "permit plate policy pol rec record ref referral reg registration req rxnorm sample seq ser "
    "serial specimen ssn sub subscriber taxid tin udi vin visit"
)
"""Words and abbreviations of three letters and more: two may be somebody's initials. ``id`` is the
exception, nobody's initials by itself."""
_PREFIX = re2.compile(
    r"(?i)^\s*(?:(?:" + "|".join(sorted(_KINDS, key=len, reverse=True)) + r")"
    r"(?:[\s.:#/_-]+(?:number|num|nr|no|id)\b)?\.?[\s.:#/_-]*)\b"
)
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
