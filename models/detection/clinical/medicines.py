"""Find medicines by the form or the dose beside them, whatever their name."""

import re
from collections.abc import Iterator

from deidstream.models.detection.clinical.value import ClinicalValue
from deidstream.schemas.label import INSTITUTIONS, PERSONS, PhiLabel

_FORM = r"(?:T|C|Tabs?|TAB|Caps?|CAP|Inj|INJ|Sy[pr]|SYP|Susp|Oint)\.?"
_NAME = r"[A-Z][A-Za-z]{3,}(?:-[A-Za-z0-9]{1,12})?(?: [A-Z][a-z]{3,})?"
_TAKEN = r"(?:[ ]?[0-9]|[ ](?:bd|tds|od|hs|sos|prn|stat|qds|qid|bid|tid|po|iv|im|sc|daily)\b)"
_MEDICINE = re.compile(rf"(?<![A-Za-z.])({_FORM}[ ]{_NAME})(?={_TAKEN})")
_REFUTED = PERSONS | INSTITUTIONS | {PhiLabel.CITY, PhiLabel.LOCATION_OTHER, PhiLabel.PROFESSION}


def find_medicines(text: str) -> Iterator[ClinicalValue]:
    """Yield a dosage form with the capitalised word behind it, where a dose or a time follows."""
    for match in _MEDICINE.finditer(text):
        yield ClinicalValue(*match.span(1), _REFUTED)
