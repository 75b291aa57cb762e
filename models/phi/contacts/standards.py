"""The web addresses of terminologies and standards, which name a code system and no one's site."""

_HOSTS = frozenset(
    {
        "hl7.org",
        "snomed.info",
        "loinc.org",
        "unitsofmeasure.org",
        "w3.org",
        "nlm.nih.gov",
        "dicom.nema.org",
        "ihe.net",
        "openehr.org",
        "ohdsi.org",
        "orpha.net",
        "whocc.no",
        "id.who.int",
        "dmd.nhs.uk",
        "fhir.nhs.uk",
        "fhir.org",
        "schema.org",
        "purl.org",
    }
)
_QUERY = frozenset("?@&=")
"""Signs that a path has which says more than the name of a system."""


def names_standard(address: str) -> bool:
    """Return whether a folded web address is that of a terminology or a standard.

    One with a log-in or a query is not: these may hold anything.
    """
    if not _QUERY.isdisjoint(address):
        return False
    rest = address.partition("://")[2] or address
    host = rest.partition("/")[0]
    parts = host.split(".")
    return any(".".join(parts[place:]) in _HOSTS for place in range(len(parts) - 1))
