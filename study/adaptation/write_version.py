"""Write a version of an adaptation, put it in force, and undo that."""

import hashlib
import os
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

from deidstream.agents.runtime.policy_files import PolicyFiles, policy_path
from deidstream.agents.runtime.private_files import make_private, write_private
from deidstream.agents.settings.adaptation import (
    FACTS,
    IN_FORCE,
    TAGGER,
    VERSIONS,
    Adaptation,
    read_in_force,
    read_version,
)
from deidstream.models.neural.weights import digest
from deidstream.models.policy.extension import EXTENDS
from deidstream.models.policy.toml_writer import write_toml
from deidstream.schemas.errors import InvalidSettings, MissingArtefact
from deidstream.schemas.policy import Policy
from deidstream.schemas.site_list import ListedTerms
from deidstream.schemas.site_pattern import SitePattern

_NAME_LENGTH = 16
_FRESH = ".new"
_LISTS = "lists"
_ALLOWED = f"{_LISTS}/allowed.txt"


@dataclass(frozen=True, slots=True)
class SitePolicy:
    """What a policy gets of the site."""

    lists: Mapping[str, ListedTerms] = field(repr=False)
    patterns: Mapping[str, SitePattern] = field(repr=False)
    allowed: Sequence[str] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class BasePolicy:
    """The policy that an adaptation extends."""

    name: str
    """As settings name it; a path is a whole one."""
    policy: Policy

    @property
    def file(self) -> str:
        """The name of its file: the adapted one keeps it, and so the ids of its outputs."""
        return f"{self.policy.name}.toml"


def write_policy(folder: Path, base: BasePolicy, site: SitePolicy) -> Path:
    """Write the policy of a version with its lists; return its path.

    The terms that the base allows are listed too, as the list takes the place of the base's.

    Raises:
        InvalidPolicy: The policy has a mistake.
        MissingArtefact: The folder cannot be written.
    """
    path = policy_path(base.name)
    extended = base.name if path is None else os.path.relpath(path, folder)
    table: dict[str, Any] = {EXTENDS: extended}
    if site.allowed:
        table["allow_files"] = [_ALLOWED]
        _write_list(folder / _ALLOWED, [*base.policy.allow, *site.allowed])
    listed: dict[str, Any] = {}
    for name, own in sorted(site.lists.items()):
        if own.terms:
            file = f"{_LISTS}/{name}.txt"
            _write_list(folder / file, own.terms)
            listed[name] = {"label": own.label, "files": [file], "spelling": own.spelling}
    if listed:
        table["lists"] = listed
    if site.patterns:
        table["patterns"] = {name: _encode(one) for name, one in sorted(site.patterns.items())}
    path = folder / base.file
    write_private(path, write_toml(table).encode())
    PolicyFiles.gather(path).policy()
    return path


def _write_list(path: Path, terms: Sequence[str]) -> None:
    # A line that begins so would be a comment.
    lines = [f"{term}\n" for term in terms if not term.startswith("#")]
    write_private(path, "".join(lines).encode())


def _encode(pattern: SitePattern) -> dict[str, Any]:
    encoded: dict[str, Any] = {"pattern": pattern.pattern, "label": pattern.label}
    if pattern.before:
        encoded |= {"before": pattern.before, "within": pattern.within}
    encoded |= {"examples": pattern.examples, "counter_examples": pattern.counter_examples}
    return {key: value for key, value in encoded.items() if value != ()}


def open_folder(folder: Path) -> Path:
    """Make the folder of an adaptation if it is not there; return where a version is made.

    Raises:
        InvalidSettings: The folder has other things.
        MissingArtefact: It cannot be made.
    """
    if folder.is_dir() and any(folder.iterdir()) and not (folder / VERSIONS).is_dir():
        msg = f"{folder} has other files: name an empty folder, or a new one"
        raise InvalidSettings(msg)
    make_private(folder, VERSIONS)
    fresh = folder / VERSIONS / _FRESH
    shutil.rmtree(fresh, ignore_errors=True)
    return fresh


def write_version(
    folder: Path, fresh: Path, base: BasePolicy, facts: Mapping[str, Any]
) -> Adaptation:
    """Complete the version that was made in ``open_folder``'s folder, under the name of its digest.

    Args:
        folder: Of the adaptation.
        fresh: Has the policy that ``write_policy`` wrote; a tagger may stand beside it.
        base: What the policy extends.
        facts: What else is known of the version.

    Raises:
        MissingArtefact: It cannot be written.
    """
    policy, tagger = fresh / base.file, fresh / TAGGER
    try:
        policy_sha256 = PolicyFiles.gather(policy).digest
        tagger_sha256 = digest(tagger) if tagger.is_dir() else ""
        whole = hashlib.sha256(f"{policy_sha256}:{tagger_sha256}".encode()).hexdigest()
        known = {
            "schema": 1,
            "digest": whole,
            "base": base.name,
            "policy": policy.name,
            "policy_sha256": policy_sha256,
            "tagger_sha256": tagger_sha256,
        }
        content = orjson.dumps({**known, **facts}, option=orjson.OPT_INDENT_2) + b"\n"
        write_private(fresh / FACTS, content)
        target = folder / VERSIONS / whole[:_NAME_LENGTH]
        shutil.rmtree(target, ignore_errors=True)
        fresh.replace(target)
    except OSError as error:
        msg = f"{folder}: cannot be written: {type(error).__name__}"
        raise MissingArtefact(msg) from None
    return read_version(folder, target.name)


def put_in_force(folder: Path, name: str) -> None:
    """Put a version in force.

    Raises:
        InvalidSettings: There is no such version.
        MissingArtefact: The folder cannot be written.
    """
    read_version(folder, name)
    names = [one for one in read_in_force(folder) if one != name]
    _write_in_force(folder, [*names, name])


def undo(folder: Path) -> str | None:
    """Take the version in force out of force; return the one before, which is in force then.

    Raises:
        InvalidSettings: None is in force.
        MissingArtefact: The folder cannot be written.
    """
    names = read_in_force(folder)
    if not names:
        msg = f"{folder}: nothing is in force"
        raise InvalidSettings(msg)
    _write_in_force(folder, names[:-1])
    return names[-2] if len(names) > 1 else None


def _write_in_force(folder: Path, names: Sequence[str]) -> None:
    write_private(folder / IN_FORCE, orjson.dumps({"versions": list(names)}) + b"\n")
