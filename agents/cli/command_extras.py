"""The extra that each command needs; one that is not listed works on files alone."""

from collections.abc import Mapping
from types import MappingProxyType

from deidstream.schemas.extras import Extra

EXTRAS: Mapping[str, Extra] = MappingProxyType(
    {
        "archive": Extra.ANALYTICS,
        "demo": Extra.DEMO,
        "serve": Extra.API,
        "review": Extra.REVIEW,
        "export": Extra.ANALYTICS,
    }
    | dict.fromkeys(
        (
            "worker",
            "produce",
            "consume",
            "ingest",
            "quarantine",
            "topics",
            "doctor",
            "probe",
            "keys",
            "vault",
            "reidentify",
        ),
        Extra.SERVICE,
    )
)
"""By command."""
