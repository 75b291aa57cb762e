"""The extras of the installation, by what a user does, and what is said where one is missing."""

from collections.abc import Generator
from contextlib import contextmanager
from enum import StrEnum

from deidstream.schemas.errors import MissingExtra


class Extra(StrEnum):
    """What is installed beyond what files and the Python door need."""

    SERVICE = "service"
    """Kafka and Redis: the worker, and whatever feeds, reads or checks it."""
    API = "api"
    """The service over HTTP."""
    REVIEW = "review"
    """The review page."""
    ANALYTICS = "analytics"
    """Tables of the outputs."""
    KNEO = "kneo"
    """Policies that exchange sentences, or compare notes by their meaning."""
    TORCH = "torch"
    """Graphics cards, int8 on processors without VNNI, and models of other kinds than BERT."""
    DEMO = "demo"
    """A broker and a Redis of its own."""
    TRACES = "traces"
    """Traces for an OTLP receiver."""
    SPARK = "spark"
    """Spark, where no cluster brings its own."""
    RAY = "ray"
    """Ray Data, where no cluster brings its own."""
    STUDY = "study"
    """Measuring and training."""


@contextmanager
def needing(extra: Extra, what: str) -> Generator[None]:
    """Say which extra to install if a library is not there.

    Args:
        extra: The extra that brings what is imported inside.
        what: Needs it: a command, an option, an engine.

    Raises:
        MissingExtra: A library that is imported inside is not installed.
    """
    try:
        yield
    except ModuleNotFoundError as missing:
        if (missing.name or "").startswith("deidstream"):
            raise
        raise MissingExtra(what, extra) from None
