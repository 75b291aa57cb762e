"""The rule that a test slower than a second has the mark ``slow``.

What counts is processor time, of this process and of the children it has waited for, so that other
work on the machine fails nothing. Waiting is limited too, but loosely, since on a busy machine
everything waits. What fixtures and cached functions load once in a run counts for no test.

``TEST_TIME_FACTOR`` multiplies both limits, for a machine that is slow or instrumented.
``TEST_TIMES`` names a file to which the seconds of every test are written, a line each.
"""

import os
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from inspect import signature
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from support.profiles import profile_name

LOADED = ("deidstream.", "support.")
UNLIMITED = ("broker", "browser", "chaos", "gpu", "helm", "slow")
"""Marks of tests that may take longer."""


@dataclass(frozen=True, slots=True)
class Seconds:
    """What a test took, or may take."""

    processor: float
    wall: float

    @classmethod
    def now(cls) -> "Seconds":
        """Read the clocks."""
        spent = os.times()
        processor = spent.user + spent.system + spent.children_user + spent.children_system
        return cls(processor, time.monotonic())

    def since(self, start: "Seconds") -> "Seconds":
        """Return the seconds from ``start`` to this reading."""
        return Seconds(self.processor - start.processor, self.wall - start.wall)

    def exceed(self, limit: "Seconds") -> bool:
        """Return whether either clock is beyond its limit."""
        return self.processor > limit.processor or self.wall > limit.wall


def limit() -> Seconds:
    """Return what a test without the mark may take."""
    factor = float(os.environ.get("TEST_TIME_FACTOR", "1"))
    return Seconds(1.0 * factor, 10.0 * factor)


def may_be_slow(item: pytest.Item) -> bool:
    """Return whether a test has a mark that allows it to take longer."""
    return any(item.get_closest_marker(name) for name in UNLIMITED)


def judge(item: pytest.Item, taken: Seconds) -> None:
    """Note what a test took, and fail it where that is too long for its marks."""
    if path := os.environ.get("TEST_TIMES"):
        with Path(path).open("a") as file:
            marks = ",".join(sorted({mark.name for mark in item.iter_markers()}))
            file.write(f"{taken.processor:.2f}\t{taken.wall:.2f}\t{marks}\t{item.nodeid}\n")
    if taken.exceed(limit()) and not may_be_slow(item) and profile_name() != "nightly":
        pytest.fail(
            f"took {taken.processor:.1f} s of processor time in {taken.wall:.1f} s:"
            " make it faster, or mark it slow",
            pytrace=False,
        )


def load_once() -> None:
    """Call every cached function without parameters, so that no test pays for another's table."""
    for name, module in list(sys.modules.items()):
        if name.startswith(LOADED):
            for function in cached_functions(module):
                function()


def cached_functions(module: ModuleType) -> Iterator[Any]:
    """Yield the functions of a module that load something once and keep it."""
    for value in list(vars(module).values()):
        is_own = getattr(value, "__module__", None) == module.__name__
        if is_own and hasattr(value, "cache_info") and not signature(value).parameters:
            yield value
