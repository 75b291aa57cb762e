"""Finds the policy that the settings name."""

from pathlib import Path

from deidstream.models.policy_reader import read, read_shipped, shipped
from deidstream.schemas.errors import InvalidPolicy
from deidstream.schemas.policy import Policy


def find_policy(name: str) -> Policy:
    """Read a shipped policy by name, or a policy file by path.

    Raises:
        InvalidPolicy: There is none, or it is wrong.
    """
    if name in shipped():
        return read_shipped(name)
    path = Path(name)
    try:
        return read(path.read_bytes(), name=path.stem)
    except OSError as error:
        known = ", ".join(shipped())
        msg = f"policy: {name} is neither one of {known} nor a file: {type(error).__name__}"
        raise InvalidPolicy(msg) from None
