"""Declare a setting as a field of its section."""

from dataclasses import field
from typing import Any


def declare(help_text: str, default: object, low: float | None = None) -> Any:  # noqa: ANN401 - a field
    """Return the field of a setting, with its help text and its least value."""
    return field(default=default, metadata={"help": help_text, "low": low})
