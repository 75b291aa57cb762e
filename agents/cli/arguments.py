"""Arguments that several commands share: how they are read, and what makes one wrong."""

import argparse
import os
import re
from collections.abc import Callable, Mapping

from deidstream.agents.runtime.production import refuse_unsafe
from deidstream.agents.settings import Settings, read_settings

POLICY = "shipped policy, or path of a policy file"


def settings_from(flags: Mapping[str, object] | None = None, *, safe: bool = True) -> Settings:
    """Read the settings of this process; ``flags`` override them, except those that are ``None``.

    Args:
        flags: Values by dotted key.
        safe: Whether unsafe settings are refused in production.

    Raises:
        InvalidSettings: Every wrong setting, one a line; every unsafe one in production.
    """
    settings = read_settings(os.environ, flags)
    if safe:
        refuse_unsafe(settings, os.environ)
    return settings


def whole_number(least: int = 0, most: int = 10**18) -> Callable[[str], int]:
    """Return a converter of whole numbers from ``least`` to ``most``."""

    def convert(text: str) -> int:
        if text.isdecimal() and len(text) <= len(str(most)) and least <= int(text) <= most:
            return int(text)
        msg = f"must be a whole number from {least} to {most}"
        raise argparse.ArgumentTypeError(msg)

    return convert


def share(text: str) -> float:
    """Convert a share from 0 to 1.

    Raises:
        ArgumentTypeError: The text is not such a number.
    """
    try:
        number = float(text)
    except ValueError:
        number = -1
    if not 0 <= number <= 1:
        msg = "must be a share from 0 to 1"
        raise argparse.ArgumentTypeError(msg)
    return number


def shares(text: str) -> tuple[float, ...]:
    """Convert shares from 0 to 1 that commas separate; each comes once, the smallest first.

    Raises:
        ArgumentTypeError: A part is not such a number.
    """
    return tuple(sorted({share(part) for part in text.split(",")}))


def audit_head(text: str) -> str:
    """Convert the head of an audit log, a SHA-256 in hexadecimal digits.

    Raises:
        ArgumentTypeError: The text has not that form.
    """
    if not re.fullmatch("[0-9a-f]{64}", text):
        msg = "must be 64 hexadecimal digits"
        raise argparse.ArgumentTypeError(msg)
    return text
