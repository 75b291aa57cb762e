"""De-identify on request: the HTTP interface of ``deidstream serve`` (docs/api.md)."""
