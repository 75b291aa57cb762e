"""How thoroughly tests look: a profile sets the number of examples, of notes and of races.

``TEST_PROFILE`` names it. Without it, ``CI=true`` means ``ci``, and anything else ``default``.
"""

import os
from dataclasses import dataclass

from hypothesis import HealthCheck, settings


@dataclass(frozen=True, slots=True)
class Profile:
    """How much of everything the tests of one run try."""

    examples: int
    """Of each property; of one that asks for ``few``, in proportion."""
    searched_notes: int
    """Notes after which every byte of Redis is searched for text."""
    chaos_notes: int
    """Notes that flow while workers and servers are killed."""
    chaos_scale: float
    """Of the number and length of faults in the fault matrix; ``make chaos`` has 1."""
    races: int
    """Identities that two workers meet at once."""
    slow_notes: int
    """Notes that are read in a precision that the processor has no instructions for."""
    growing_characters: int
    """Of the shorter of two texts whose stages are timed."""
    derandomized: bool = False
    """Try the same examples in every run."""


PROFILES = {
    "default": Profile(100, 200, 160, 0.2, 500, 4, 4_000),
    "ci": Profile(100, 200, 160, 0.2, 500, 4, 4_000, derandomized=True),
    "nightly": Profile(1_000, 1_000, 4_000, 1.0, 4_000, 24, 8_000),
}


def profile_name() -> str:
    """Return the name of the profile in force.

    Raises:
        ValueError: There is no profile of that name.
    """
    name = os.environ.get("TEST_PROFILE") or ("ci" if in_ci() else "default")
    if name not in PROFILES:
        message = f"TEST_PROFILE is one of {', '.join(PROFILES)}"
        raise ValueError(message)
    return name


def in_ci() -> bool:
    """Return whether this run decides about a commit: a missing server then fails its tests."""
    return os.environ.get("CI") == "true"


PROFILE = PROFILES[profile_name()]


def few(examples: int) -> settings:
    """Return the settings of a property whose every example is slow.

    Args:
        examples: How many of them to try where other properties try 100.
    """
    return settings(max_examples=max(1, examples * PROFILE.examples // 100))


def load_hypothesis() -> None:
    """Give hypothesis the settings of the profile in force."""
    for name, profile in PROFILES.items():
        settings.register_profile(
            f"deidstream-{name}",
            deadline=None,
            derandomize=profile.derandomized,
            max_examples=profile.examples,
            print_blob=True,
            suppress_health_check=[HealthCheck.too_slow],
        )
    settings.load_profile(f"deidstream-{profile_name()}")
