"""Find codes of terminologies by their shape and the words or the code system beside them."""

import re
from collections.abc import Iterator

from deidstream.models.detection.clinical.line_forms import LineForm
from deidstream.models.detection.clinical.value import ALL, MACHINED, NUMERIC, ClinicalValue
from deidstream.models.phi.codes.checksums import luhn
from deidstream.models.text.patterns import any_of


def has_check_digit(code: str) -> bool:
    """Return whether a LOINC code ends with its check digit, that of Luhn."""
    return luhn(code.replace("-", ""))


_GAP = r"[^0-9A-Za-z\n]{0,12}(?:(?:code|codes|no|id|value|item|pt|llt)\b[^0-9A-Za-z\n]{1,8})?"
"""Between the name of a terminology and a code: signs, and the key of an export."""
_CATEGORY = r"[A-TV-Z][0-9][0-9AB]"
_DIAGNOSIS = rf"{_CATEGORY}(?:\.[0-9A-Z]{{1,4}})?"
_CUED = tuple(
    LineForm(
        re.compile(
            rf"(?i)(?<![A-Za-z])(?:{cue}){_GAP}((?:{shape})(?:[ ,;/|]{{1,3}}(?:{shape})){{0,11}})"
            r"(?![0-9A-Za-z])"
        ),
        NUMERIC,
        group=1,
    )
    for cue, shape in (
        (
            r"icd[- ]?(?:9|10)(?:[- ]?(?:cm|pcs|am|ca))?|icd",
            rf"{_DIAGNOSIS}|[0-9]{{3}}\.[0-9]{{1,2}}",
        ),
        (r"icd-?10-?pcs", r"[0-9A-HJ-NP-Z]{7}"),
        (r"dx|ddx|diagnos[ei]s", rf"{_DIAGNOSIS}"),
        (r"snomed(?:[- ]?ct)?|sctid|sct", r"[0-9]{6,18}|[A-Z]-[0-9A-Z]{4,6}"),
        (r"loinc(?:\.org)?", r"[0-9]{1,5}-[0-9]"),
        (r"cpt(?:-?4)?|hcpcs|cdt", r"[0-9]{4}[0-9FTU](?:-[0-9A-Z]{2})?|[A-V][0-9]{4}"),
        (r"procedure code|proc(?:edure)?\.? code", r"[0-9]{5}(?:-[0-9A-Z]{2})?|[A-V][0-9]{4}"),
        (r"ndc", r"[0-9]{4,5}-[0-9]{3,4}-[0-9]{1,2}|[0-9]{10,11}"),
        (r"rxnorm|rxcui", r"[0-9]{3,8}"),
        (r"(?:ms-?|apr-?)?drg", r"[0-9]{3}"),
        (r"apc|rev(?:enue)? code", r"[0-9]{4}"),
        (r"mbs(?: item)?", r"[0-9]{3,5}"),
        (r"opcs(?:-?4)?|achi", r"[A-Z][0-9]{2}\.[0-9]|[0-9]{5}-[0-9]{2}"),
        (r"icd-?o(?:-?3)?|morphology", r"[89][0-9]{3}/[0-9]|C[0-9]{2}\.[0-9]"),
        (r"nqf|cms measure|hedis", r"[0-9]{3,4}"),
        (r"cvx|mvx", r"[0-9]{2,3}"),
        (r"modifier|mod", r"[0-9A-Z]{2}"),
    )
)
"""A terminology, then its codes, several where they are listed."""
_SYSTEM = any_of(r"""
LN, LOINC, SCT, SNM3?, I9C?, I10C?, ICD-?10(?:-?CM)?, CDCREC, CVX, MVX, NDC, CPT4?, C4, HCPCS
RXNORM, UCUM, NIP[0-9]{3}, HL7[0-9]{4}, [A-Z]{2,4}CODE
""")
_OF_SYSTEM = rf"(?<=[|^])[0-9A-Z][0-9A-Z.-]{{1,17}}(?=\^[^|^\n]{{0,80}}\^{_SYSTEM}(?:[|^\n~]|$))"
"""The code of an element of HL7, which ends with its code system."""
_MACHINE = (
    r"(?<![0-9A-Za-z])(?i:host(?:name)?|node|server|workstation|printer)[\"']?[ :=]{1,3}[\"']?"
    r"([A-Z]{2,8}[0-9A-Z]{0,8}(?:-[0-9A-Z]{1,8}){0,3}|[a-z]{2,16}(?:-[0-9a-z]{1,16}){1,3})"
    r"(?![0-9A-Za-z@._-])"
)
_ALONE = tuple(
    LineForm(re.compile(pattern), refutes)
    for pattern, refutes in (
        (rf"(?<![0-9A-Za-z.]){_CATEGORY}\.[0-9A-Z]{{1,4}}(?![0-9A-Za-z])", NUMERIC),
        (r"(?<![0-9A-Za-z.])[A-DGHJLMNPRSV][0-9]{2}[A-Z]{2}[0-9]{2}(?![0-9A-Za-z])", NUMERIC),
        (r"(?<![0-9A-Za-z/])[89][0-9]{3}/[0-369](?![0-9A-Za-z/])", NUMERIC),
        (r"(?<![0-9.])[0-2](?:\.[0-9]{1,10}){5,15}(?![0-9]|\.[0-9])", ALL),
        (r"(?<![0-9A-Za-z])urn:(?:oid|ietf|iso):[a-z0-9:.-]{1,64}", ALL),
        (_OF_SYSTEM, ALL),
        (r"(?<=\^)(?:NIP[0-9]{3}|HL7[0-9]{4}|CDCREC)(?=[|^\n~]|$)", ALL),
    )
)
"""Shapes that need no name beside them."""
FORMS = (
    *_CUED,
    *_ALONE,
    LineForm(re.compile(_MACHINE), MACHINED, group=1),
    LineForm(
        re.compile(r"(?i)(?<![A-Za-z])code[=:] ?([0-9]{3,5}-[0-9])(?![0-9A-Za-z-])"),
        NUMERIC,
        group=1,
        counts=has_check_digit,
    ),
)
_LOINC = re.compile(r"(?<![0-9A-Za-z-])[0-9]{3,5}-[0-9](?![0-9A-Za-z-])")
_NDC = re.compile(r"(?<![0-9A-Za-z-])[0-9]{4,5}-[0-9]{3,4}-[0-9]{2}(?![0-9A-Za-z-])")
"""Shapes of terminologies that count where the note names these somewhere."""


def find_named_codes(text: str) -> Iterator[ClinicalValue]:
    """Yield the codes of terminologies that the note names somewhere."""
    for match in _LOINC.finditer(text) if "loinc" in text.casefold() else ():
        if has_check_digit(match[0]):
            yield ClinicalValue(*match.span(), NUMERIC)
    for match in _NDC.finditer(text) if "NDC" in text else ():
        yield ClinicalValue(*match.span(), NUMERIC)
