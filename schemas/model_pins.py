"""How precisely models must compute, by their digests: the form in settings."""

import re
from collections.abc import Mapping
from typing import Final

SHORTEST: Final = 12
"""Digits of a digest that name a model."""
_PIN: Final = re.compile(rf"([0-9a-f]{{{SHORTEST},64}})=([0-9a-z-]+)")


def is_pin(digest: str, precision: str) -> bool:
    """Return whether a model and its precision have the form that settings may have."""
    return _PIN.fullmatch(f"{digest}={precision}") is not None


def read_pins(text: str) -> dict[str, str]:
    """Read precisions by model, as ``DIGEST=PRECISION,DIGEST=PRECISION``.

    Raises:
        ValueError: They have another form.
    """
    pins: dict[str, str] = {}
    for each in filter(None, (part.strip() for part in text.split(","))):
        if (pin := _PIN.fullmatch(each)) is None:
            msg = f"must be DIGEST=PRECISION, with {SHORTEST} digits or more, comma separated"
            raise ValueError(msg)
        pins[pin[1]] = pin[2]
    return pins


def show_pins(pins: Mapping[str, str]) -> str:
    """Return precisions by digest in the form that :func:`read_pins` reads."""
    return ",".join(f"{digest[:SHORTEST]}={its}" for digest, its in sorted(pins.items()))
