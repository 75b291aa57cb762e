"""List the versions of an adaptation with what was measured of them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from deidstream.agents.settings.adaptation import (
    VERSIONS,
    Adaptation,
    read_in_force,
    read_version,
)


def list_versions(folder: Path) -> Iterator[str]:
    """Yield lines about each version, the oldest first.

    Raises:
        InvalidSettings: The folder is none of an adaptation.
    """
    in_force = read_in_force(folder)
    names = [path.name for path in (folder / VERSIONS).iterdir() if not path.name.startswith(".")]
    versions = [read_version(folder, name) for name in names]
    for version in sorted(versions, key=lambda one: (str(one.facts.get("made")), one.name)):
        yield from _describe(version, in_force)


def _describe(version: Adaptation, in_force: list[str]) -> Iterator[str]:
    facts = version.facts
    state = ""
    if version.name in in_force:
        state = " (in force)" if version.name == in_force[-1] else " (in force before)"
    yield f"{version.name} of {facts.get('made', 'unknown')}{state}"
    terms = sum(facts.get("lists", {}).values())
    tagger = "taught" if facts.get("tagger_taught") else "not taught"
    yield (
        f"  extends {version.base}: {terms:,} terms, {len(facts.get('patterns', {}))} patterns, "
        f"{facts.get('allowed', 0)} allowed words; tagger {tagger}"
    )
    apart: Any = facts.get("apart")
    if apart:
        yield f"  {apart['after']['notes']} notes kept apart: " + "; ".join(
            f"{name} {_show(apart['before'][key])} to {_show(apart['after'][key])}"
            for name, key in (("direct recall", "direct_recall"), ("precision", "precision"))
        )


def _show(share: float | None) -> str:
    return "none" if share is None else f"{share:.3f}"
