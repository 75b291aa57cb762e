"""Find medicines by the form or the dose beside them, whatever their name."""

import re

from deidstream.models.detection.clinical.line_forms import LineForm
from deidstream.schemas.label import INSTITUTIONS, PERSONS, PhiLabel

_FORM = r"(?:T|C|Tabs?|TAB|Caps?|CAP|Inj|INJ|Sy[pr]|SYP|Susp|Oint)\.?"
_NAME = r"[A-Z][A-Za-z]{3,}(?:-[A-Za-z0-9]{1,12})?(?: [A-Z][a-z]{3,})?"
_TAKEN = r"(?:[ ]?[0-9]|[ ](?:bd|tds|od|hs|sos|prn|stat|qds|qid|bid|tid|po|iv|im|sc|daily)\b)"
_MEDICINE = re.compile(rf"(?<![A-Za-z.])({_FORM}[ ]{_NAME})(?={_TAKEN})")
_REFUTED = PERSONS | INSTITUTIONS | {PhiLabel.CITY, PhiLabel.LOCATION_OTHER, PhiLabel.PROFESSION}
FORMS = (LineForm(_MEDICINE, _REFUTED, group=1),)
"""A dosage form with the capitalised word behind it, where a dose or a time follows."""
