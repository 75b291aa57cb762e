"""Load what a worker decides with, and run it once before notes wait."""

import gc
from collections.abc import Collection

from deidstream.agents.runtime.policy_choice import PolicyChoice, choose_policies
from deidstream.agents.runtime.process.garbage import keep_loaded
from deidstream.agents.settings import Settings
from deidstream.models.pipeline import Pipeline
from deidstream.models.surrogates.allocation import allocate_without_store
from deidstream.schemas.note import RawNote

PROBE = RawNote(
    "probe",
    "probe",
    "Mr. John Smith, 93, a teacher of 12 Elm Street, Boston, MA 02118, Canada, MRN: 4471098, was "
    "seen on Monday 03/04/2024 at Mercy Hospital by Dr. Ann Jones, ph (617) 555-0101, "
    "a.jones@example.org, SSN 900-12-3456. He works for Acme Ltd and slept well since Christmas.",
)
"""A fictional note with a span of most kinds."""


def load_and_warm(
    settings: Settings, *, root: bytes | None = None, others: Collection[str] = ()
) -> PolicyChoice:
    """Load the policies with their models, and run each once.

    Args:
        settings: All settings.
        root: The root key; read from the key file when not given.
        others: Policies to load beside those that tenants have.

    Raises:
        Refused: A policy, key, model or index is missing or wrong.
    """
    choice = choose_policies(settings, root=root)
    choice.load_others(others)
    for runtime in choice.runtimes.values():
        warm(runtime.pipeline)
    # Gazetteers are a million objects; a collection that walks them stops the event loop.
    gc.collect()
    keep_loaded()
    return choice


def warm(pipeline: Pipeline) -> None:
    """Run a pipeline once, on a fictional note whose outcome is dropped.

    Lists that are read at their first use hold the interpreter while they are parsed. That happens
    here, before notes wait and heartbeats are due.

    Raises:
        Rejected: A stage cannot do its work.
    """
    planned = pipeline.prepare([PROBE])
    pipeline.finish(planned, allocate_without_store(pipeline.allocate(planned)))
