"""Declare a setting as a field of its section, with all that there is to say of it."""

from collections.abc import Callable
from dataclasses import field
from typing import TypeVar

from deidstream.schemas.shown_file import show_file

Form = Callable[[str], str | None]
"""Returns what is wrong with a value; ``None`` if nothing is."""
Mask = Callable[[str], str]
"""Hides the secret in a value; a value without a secret stays as it is."""

_Value = TypeVar("_Value")


def setting(
    help_text: str,
    default: _Value,
    low: float | None = None,
    *,
    form: Form | None = None,
    mask: Mask | None = None,
) -> _Value:
    """Return the field of a setting.

    Its type is the one of its values, or a ``Literal`` of all of them.

    Args:
        help_text: What it decides.
        default: Its value if nothing else is given.
        low: Its least value.
        form: Checks values further.
        mask: Hides the secret in values; ``None``: they hold none.
    """
    metadata = {"help_text": help_text, "low": low, "form": form, "mask": mask}
    return field(default=default, repr=mask is None, metadata=metadata)


def hide(value: str) -> str:
    """Hide a password or token."""
    return "***" if value else ""


def hide_keys(listed: str) -> str:
    """Hide keys that stand in a list of ``VERSION=FILE`` in the place of their files."""
    shown: list[str] = []
    for entry in listed.split(","):
        version, _, file = entry.partition("=")
        stated = version.strip().isdecimal() and file
        shown.append(f"{version}={show_file(file)}" if stated else show_file(entry))
    return ",".join(shown)


def hide_user(url: str) -> str:
    """Hide the user and password in a URL, and what follows ``?`` if it names a password."""
    where, mark, options = url.partition("?")
    head, at, tail = where.rpartition("@")
    shown = f"{head.partition('//')[0]}//***@{tail}" if at else where
    return f"{shown}{mark}***" if "password" in options else f"{shown}{mark}{options}"
