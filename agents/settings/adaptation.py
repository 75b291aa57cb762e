"""Read which adaptation to a site is in force, and let its policy and tagger stand in settings."""

import stat
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import orjson

from deidstream.agents.settings.all_settings import Settings
from deidstream.schemas.errors import InvalidSettings

IN_FORCE = "in-force.json"
"""File of an adaptation's folder: the versions that were put in force, the present one last."""
VERSIONS = "versions"
"""Folder of all versions, each in a folder that has its name."""
FACTS = "adaptation.json"
"""File of a version: what it is made of and what was measured, without text of notes."""
TAGGER = "tagger"


@dataclass(frozen=True, slots=True)
class Adaptation:
    """One version of what a site's own words and marks change."""

    folder: Path
    """Of this version."""
    digest: str
    """Of its policy and tagger together; the name of the folder begins it."""
    base: str
    """The policy that it extends, as settings name it."""
    policy: Path
    policy_sha256: str
    tagger_sha256: str
    """Of its own tagger; empty: it has none."""
    facts: Mapping[str, Any] = field(repr=False)

    @property
    def name(self) -> str:
        """What commands call it."""
        return self.folder.name

    @property
    def tagger(self) -> Path | None:
        """The folder of its own tagger."""
        return self.folder / TAGGER if self.tagger_sha256 else None


def read_in_force(folder: Path) -> list[str]:
    """Return the names of the versions that were put in force and not undone, the last one counts.

    Raises:
        InvalidSettings: The folder is none of ``deidstream adapt``.
    """
    try:
        content = orjson.loads((folder / IN_FORCE).read_bytes())
        return [str(name) for name in content["versions"]]
    except FileNotFoundError:
        if (folder / VERSIONS).is_dir():
            return []
        msg = f"{folder} is no folder of 'deidstream adapt'"
        raise InvalidSettings(msg) from None
    except (OSError, ValueError, TypeError, KeyError) as error:
        msg = f"{folder / IN_FORCE}: cannot be read: {type(error).__name__}"
        raise InvalidSettings(msg) from None


def read_version(folder: Path, name: str) -> Adaptation:
    """Read a version by its name.

    Raises:
        InvalidSettings: There is none, or others than its owner may write there.
    """
    version = folder / VERSIONS / name
    try:
        facts = orjson.loads((version / FACTS).read_bytes())
        found = Adaptation(
            version,
            str(facts["digest"]),
            str(facts["base"]),
            version / str(facts["policy"]),
            str(facts["policy_sha256"]),
            str(facts["tagger_sha256"]),
            facts,
        )
        others_write = version.stat().st_mode & stat.S_IWOTH
    except (OSError, ValueError, TypeError, KeyError) as error:
        msg = f"{folder}: version {name} cannot be read: {type(error).__name__}"
        raise InvalidSettings(msg) from None
    if others_write:
        msg = f"{version}: any user may write there"
        raise InvalidSettings(msg)
    return found


def find_adaptation(folder: str) -> Adaptation | None:
    """Return the version in force; ``None``: no folder is set, or none of it is in force.

    Raises:
        InvalidSettings: The folder or the version cannot be read.
    """
    if not folder:
        return None
    names = read_in_force(Path(folder))
    return read_version(Path(folder), names[-1]) if names else None


def apply_adaptation(settings: Settings, chosen: Mapping[str, object]) -> Settings:
    """Return settings with the policy and the tagger of the adaptation in force.

    Args:
        settings: As file, environment and flags have them.
        chosen: The flags by dotted key: a policy or tagger that a command line names is used.

    Raises:
        InvalidSettings: The adaptation cannot be read, or was made for another policy.
    """
    found = find_adaptation(settings.adaptation)
    if found is None:
        return settings
    if chosen.get("policy") is None:
        if not is_same_policy(settings.policy, found.base):
            msg = (
                f"DEIDSTREAM_ADAPTATION: it extends the policy {found.base}, and "
                f"DEIDSTREAM_POLICY names {settings.policy}: set that one, or adapt again"
            )
            raise InvalidSettings(msg)
        settings = replace(settings, policy=str(found.policy))
    if found.tagger and chosen.get("tagger.path") is None:
        own = replace(settings.tagger, path=str(found.tagger), sha256=found.tagger_sha256)
        settings = replace(settings, tagger=own)
    return settings


def is_same_policy(one: str, other: str) -> bool:
    """Return whether two settings name one policy, by name or path."""
    if one == other:
        return True
    return Path(one).is_file() and Path(one).resolve() == Path(other).resolve()
