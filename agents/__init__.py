"""Who wires: settings, composition root, the Faust agent and the command line.

``from deidstream.agents import Deidentifier, Failed, RawNote`` is what scripts and notebooks need
(docs/python.md). The names are looked up when they are first used, as they import the models.
"""

from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from deidstream.agents.deidentifier import DeidentifiedNote, Deidentifier, Result
    from deidstream.agents.tables.input_columns import InputColumns
    from deidstream.models.explanation.explained_note import ExplainedNote
    from deidstream.schemas.errors import Refused, Rejected, Unavailable
    from deidstream.schemas.note import KnownIdentifiers, RawNote
    from deidstream.schemas.outcome import Failed

__all__ = [
    "DeidentifiedNote",
    "Deidentifier",
    "ExplainedNote",
    "Failed",
    "InputColumns",
    "KnownIdentifiers",
    "RawNote",
    "Refused",
    "Rejected",
    "Result",
    "Unavailable",
]
_HOMES = MappingProxyType(
    {
        "DeidentifiedNote": "deidstream.agents.deidentifier",
        "Deidentifier": "deidstream.agents.deidentifier",
        "ExplainedNote": "deidstream.models.explanation.explained_note",
        "Failed": "deidstream.schemas.outcome",
        "InputColumns": "deidstream.agents.tables.input_columns",
        "KnownIdentifiers": "deidstream.schemas.note",
        "RawNote": "deidstream.schemas.note",
        "Refused": "deidstream.schemas.errors",
        "Rejected": "deidstream.schemas.errors",
        "Result": "deidstream.agents.deidentifier",
        "Unavailable": "deidstream.schemas.errors",
    }
)


def __getattr__(name: str) -> object:
    """Look up a public name.

    Raises:
        AttributeError: It is none.
    """
    if name not in _HOMES:
        msg = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(msg)
    return getattr(import_module(_HOMES[name]), name)
