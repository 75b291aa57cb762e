"""Write the bill of materials: what a deployment installs, as CycloneDX JSON.

    python benchmarks/sbom.py build/sbom.json

Versions and hashes are those of requirements.lock; the installed packages say who needs whom. A
deployment is the base with the extras of the image (deploy/Dockerfile). Equal locks give equal
bytes.
"""

import json
import re
import sys
import tomllib
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, metadata, requires
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
_PINNED = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[^\]]*\])?==(\S+)")
_EXTRAS = re.compile(r"^ARG EXTRAS=(\S+)$", re.MULTILINE)
_HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")


@dataclass(frozen=True, slots=True)
class Pin:
    """A package of the lock; each hash is that of one file that may be installed for it."""

    name: str
    version: str
    hashes: tuple[str, ...]

    @property
    def purl(self) -> str:
        return f"pkg:pypi/{self.name}@{self.version.replace('+', '%2B')}"


def read_lock(text: str) -> dict[str, Pin]:
    pins: dict[str, Pin] = {}
    for entry in re.split(r"\n(?=[A-Za-z0-9])", text):
        if found := _PINNED.match(entry):
            name = canonicalize_name(found[1])
            pins[name] = Pin(name, found[2], tuple(_HASH.findall(entry)))
    return pins


def needed_by(requirements: Iterable[str], extras: Iterable[str] = ()) -> dict[str, set[str]]:
    """Names that these requirements ask for on this platform, with the extras asked of each."""
    asked = ("", *extras)
    found: dict[str, set[str]] = {}
    for line in requirements:
        one = Requirement(line)
        if one.marker is None or any(one.marker.evaluate({"extra": extra}) for extra in asked):
            found.setdefault(canonicalize_name(one.name), set()).update(one.extras)
    return found


def graph(direct: Iterable[str], pins: Mapping[str, Pin]) -> dict[str, list[str]]:
    """Who needs whom, for what the direct requirements bring; packages without a pin are left out.

    A wheel of another platform may need more; such packages are in the lock and not here.
    """
    found: dict[str, set[str]] = {}
    waiting = list(needed_by(direct).items())
    while waiting:
        name, extras = waiting.pop()
        if name not in pins:
            continue
        needed = needed_by(_requirements(name), extras)
        before = found.get(name)
        edges = {other for other in needed if other in pins}
        found[name] = (before or set()) | edges
        if before is None or not edges <= before:
            waiting.extend(needed.items())
    return {name: sorted(others) for name, others in sorted(found.items())}


def _requirements(name: str) -> list[str]:
    try:
        return requires(name) or []
    except PackageNotFoundError:
        return []


def _component(pin: Pin) -> dict[str, Any]:
    hashes = [{"alg": "SHA-256", "content": digest} for digest in pin.hashes]
    made: dict[str, Any] = {
        "type": "library",
        "bom-ref": pin.purl,
        "name": pin.name,
        "version": pin.version,
        "purl": pin.purl,
        "hashes": hashes,
    }
    licence = "License-Expression"
    try:
        about = metadata(pin.name)
    except PackageNotFoundError:
        return made
    return made | ({"licenses": [{"expression": about[licence]}]} if licence in about else {})


def bill(project: Mapping[str, Any], pins: Mapping[str, Pin]) -> dict[str, Any]:
    ours = Pin(project["name"], project["version"], ())
    edges = graph(project["dependencies"], pins)
    head: dict[str, Any] = {
        "type": "application",
        "bom-ref": ours.purl,
        "name": ours.name,
        "purl": ours.purl,
    }
    head |= {"version": ours.version, "licenses": [{"expression": project["license"]}]}
    direct = sorted(pins[name].purl for name in needed_by(project["dependencies"]) if name in pins)
    depends: list[dict[str, Any]] = [{"ref": ours.purl, "dependsOn": direct}]
    for name, others in edges.items():
        depends.append({"ref": pins[name].purl, "dependsOn": [pins[o].purl for o in others]})
    body: dict[str, Any] = {
        "metadata": {"component": head},
        "components": [_component(pins[name]) for name in edges],
        "dependencies": depends,
    }
    number = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(body, sort_keys=True))
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{number}",
        "version": 1,
        **body,
    }


def shipped() -> dict[str, Any]:
    project: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    (extras,) = _EXTRAS.findall((ROOT / "deploy/Dockerfile").read_text())
    asked = [*project["dependencies"], *list_extras(project, extras.split(","))]
    lock = read_lock((ROOT / "requirements.lock").read_text())
    return bill({**project, "dependencies": asked}, lock)


def list_extras(project: Mapping[str, Any], extras: Iterable[str]) -> list[str]:
    """Return what extras of the project ask for, with those that they contain."""
    found: list[str] = []
    for extra in extras:
        for line in project["optional-dependencies"][extra]:
            one = Requirement(line)
            within = one.name == project["name"]
            found += list_extras(project, sorted(one.extras)) if within else [line]
    return list(dict.fromkeys(found))


def main(place: str) -> None:
    file, made = Path(place), shipped()
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(made, indent=2) + "\n")
    print(f"{file}: {len(made['components'])} components")


if __name__ == "__main__":
    main(sys.argv[1])
