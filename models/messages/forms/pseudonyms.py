"""Declare what names the ids of a structured document."""

from typing import Protocol


class Pseudonyms(Protocol):
    """Names a resource, a document or a patient."""

    def __call__(self, identifier: str, *, of_patient: bool) -> str:
        """Return 32 hexadecimal digits."""
        ...
