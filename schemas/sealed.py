"""What a store keeps of a reversible record: nothing in it can be read without its key."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SealedRecord:
    """One reversible record, and its line in the list of its patient's records."""

    patient: bytes
    """16 bytes under which the patient's list is kept."""
    entry: bytes
    """The record's name, sealed for that list alone."""
    name: bytes
    """16 bytes under which the record is kept."""
    value: bytes
    """The originals, sealed."""
