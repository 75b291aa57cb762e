"""pyDeid of GEMINI, with the defaults of its ``deid_string``; no custom lists of names, no NER.

The project of that name on the package index is another one and holds no code. This runner takes
``pyDeid`` where somebody has put it into its environment.
"""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import TYPE_CHECKING

from exchange import UNNAMED, Absent, Found, Runner, serve

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyDeid.process_note.PHIHandler import PHIHandler

TYPES = ["names", "dates", "sin", "ohip", "mrn", "locations", "hospitals", "contact"]
YEARS = (30, 1900, 2050)
LABELS = {
    "name": "PATIENT",
    "initials": "PATIENT",
    "month": "DATE",
    "year": "DATE",
    "date": "DATE",
    "holiday": "DATE",
    "mrn": "MEDICALRECORD",
    "ohip": "HEALTHPLAN",
    "sin": "IDNUM",
    "ssn": "SSN",
    "telephone": "PHONE",
    "email": "EMAIL",
    "postal": "ZIP",
    "zipcode": "ZIP",
    "address": "STREET",
    "hospital": "HOSPITAL",
    "acronym": "HOSPITAL",
    "location": "LOCATION_OTHER",
}


def prepare() -> Runner:
    if find_spec("pyDeid") is None:
        msg = f"pydeid {version('pydeid')} holds no code; pyDeid is not in this environment"
        raise Absent(msg)
    from pyDeid.pyDeidBuilder import pyDeidBuilder  # noqa: PLC0415

    # Its replacer fails on some dates; what would be replaced is known before.
    builder = pyDeidBuilder().replace_phi(enable_replace=False, return_surrogates=False)
    handler = builder.set_phi_types(TYPES).set_valid_years(*YEARS).build().handler

    def find(texts: Sequence[str]) -> list[list[Found]]:
        return [spans(handler, text) for text in texts]

    return Runner(f"pyDeid {release()}, no NER model", find)


def release() -> str:
    try:
        return version("pyDeid")
    except PackageNotFoundError:
        return "of unknown version"


def spans(handler: PHIHandler, text: str) -> list[Found]:
    handler.handle_string(text)
    found = [(phi.start, min(phi.end, len(text)), label(t)) for phi, t in handler.phis.items()]
    # Some lie beyond the end of the note and replace nothing.
    return [each for each in found if each[0] < each[1]]


def label(types: list[str]) -> str:
    """Take the first type whose meaning is plain."""
    words = " ".join(types).lower()
    places = [(words.find(word), label) for word, label in LABELS.items() if word in words]
    return min(places, default=(0, UNNAMED))[1]


if __name__ == "__main__":
    serve(prepare)
