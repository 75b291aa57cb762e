"""Defects that the harness must catch: planted into the stub worker by the environment."""

import os

from harness.orders import DEFECT


def plant() -> None:
    """Plant the defect that the environment names, if any."""
    name = os.environ.get(DEFECT)
    if name:
        raise SystemExit(name)
