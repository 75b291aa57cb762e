"""Find what states an age: numbers in years, codes that say so, and early years of birth."""

import re

from deidstream.models.messages.fhir.exact_json import Json, JsonNumber
from deidstream.models.messages.fhir.fhir_template import NumberSlot
from deidstream.models.messages.fhir.fhir_values import cut_date
from deidstream.models.messages.fhir.walking import Fields, Walking, find_objects, find_string
from deidstream.models.messages.forms.form_text import write_heading
from deidstream.models.messages.forms.kept_values import AGE_CODES
from deidstream.models.phi.dates.calendar import PRESENT
from deidstream.schemas.label import PhiLabel

_SAYS_AGE = re.compile(r"(?i)\b(?:age|alter)\b")
_OF_NO_LIFE = re.compile(r"(?i)gestation|f[o]?etal|bone|mental|group")


_LAST_OLD_BIRTH = PRESENT - 90
"""Who was born in this year becomes 90 years old in the present one."""


def shows_old_birth(fields: Fields) -> bool:
    """Return whether the birth date of a person shows an age over 89 (45 CFR 164.514(b)(2)(i)(C)).

    The policy compares a birth with the date of the record. A resource that states neither when it
    was written nor a death counts as written today.
    """
    born = cut_date(find_string(fields, "birthDate"))
    if born is None or int(born[0][:4]) > _LAST_OLD_BIRTH:
        return False
    written = [find_string(meta, "lastUpdated") for meta in find_objects(fields, "meta")]
    return not any(map(cut_date, (*written, find_string(fields, "deceasedDateTime"))))


def states_age(concept: Json) -> bool:
    """Return whether the code of an observation says that its value is an age."""
    holder: Fields = {"concept": concept}
    for one in find_objects(holder, "concept"):
        codings = find_objects(one, "coding")
        if not AGE_CODES.isdisjoint(find_string(coding, "code") for coding in codings):
            return True
        shown = " ".join([find_string(one, "text"), *(find_string(c, "display") for c in codings)])
        if _SAYS_AGE.search(shown) and not _OF_NO_LIFE.search(shown):
            return True
    return False


def add_age(walk: Walking, number: JsonNumber, heading: str) -> NumberSlot:
    """Write an age in years into the text, where the policy treats it as one."""
    part = walk.text.add_beside(number.text, f"{write_heading(heading)}: ", PhiLabel.AGE)
    walk.text.add_line(" years")
    return NumberSlot(part)
