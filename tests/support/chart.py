"""The chart as helm renders it, and what Kubernetes says of the result."""

import json
import shutil
import subprocess
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

ROOT = Path(__file__).parents[2]
CHART = ROOT / "deploy/helm/deidstream"
_TOOLS = ROOT / ".cache/helm"
_SCHEMAS = _TOOLS / "kubernetes_validate-1.37.0-py3-none-any.whl"
OLDEST, NEWEST = "1.30", "1.37"
"""Versions of Kubernetes that manifests are made for and checked against."""
GIVEN = {"kafka": {"brokers": "kafka-0.kafka.svc:9093,kafka-1.kafka.svc:9093"}}
"""The values without which nothing is rendered."""

Manifest = dict[str, Any]


def missing() -> str | None:
    """Say what keeps the tests of the chart from running; ``None`` when nothing does."""
    if shutil.which("node") is None:
        return "no node on the path"
    if not ((_TOOLS / "helm").exists() and _SCHEMAS.exists()):
        return "no helm in .cache/helm (run: make services)"
    return None


@dataclass(frozen=True, slots=True)
class Rendering:
    """What helm printed and how it ended."""

    code: int
    manifests: Sequence[Manifest]
    complaint: str

    def of(self, kind: str) -> list[Manifest]:
        """Return the manifests of a kind."""
        return [each for each in self.manifests if each["kind"] == kind]

    def named(self, kind: str, ending: str) -> Manifest:
        """Return the one manifest of a kind whose name has an ending."""
        (found,) = (each for each in self.of(kind) if each["metadata"]["name"].endswith(ending))
        return found


def render(
    values: Mapping[str, Any], *, kubernetes: str = NEWEST, chart: Path = CHART
) -> Rendering:
    """Render the chart as release ``r`` with values beside those of ``GIVEN``."""
    merged = json.dumps(_merge(GIVEN, values))
    done = _helm("template", "r", str(chart), "--kube-version", kubernetes, "-f", "-", given=merged)
    found = (
        [each for each in yaml.safe_load_all(done.stdout) if each] if not done.returncode else []
    )
    return Rendering(done.returncode, found, done.stderr)


def lint(values: Mapping[str, Any]) -> str:
    """Return what ``helm lint --strict`` complains of; empty when it does not."""
    merged = json.dumps(_merge(GIVEN, values))
    done = _helm("lint", str(CHART), "--strict", "--kube-version", NEWEST, "-f", "-", given=merged)
    return done.stdout if done.returncode else ""


def pods(manifests: Sequence[Manifest]) -> Iterator[tuple[str, Manifest]]:
    """Name and specification of each pod that the manifests start."""
    for each in manifests:
        if "template" in each.get("spec", {}):
            yield each["metadata"]["name"], each["spec"]["template"]["spec"]


def environment(pod: Manifest) -> dict[str, str]:
    """Return the environment of the only container of a pod, as far as it is stated."""
    (container,) = pod["containers"]
    stated = (entry for entry in container.get("env", ()) if "value" in entry)
    return {entry["name"]: entry["value"] for entry in stated}


def faults(manifest: Manifest, kubernetes: str) -> list[str]:
    """List what the schema of a version refuses in a manifest, unknown fields among it."""
    kind, version = manifest["kind"].lower(), manifest["apiVersion"]
    group, _, number = version.rpartition("/")
    name = f"{kind}-{group.partition('.')[0]}-{number}" if group else f"{kind}-{number}"
    schema = _schema(f"v{kubernetes}.0-local-strict/{name}.json")
    shared = _schema(f"v{kubernetes}.0-local-strict/_definitions.json")
    registry = Resource.from_contents(shared) @ (Resource.from_contents(schema) @ Registry())
    validator = Draft202012Validator(schema, registry=registry)
    return [
        f"{manifest['kind']}: {fault.json_path}: {fault.message}"
        for fault in validator.iter_errors(manifest)
    ]


def faults_of_custom(manifests: Sequence[Manifest]) -> list[str]:
    """List what KEDA and the Prometheus operator refuse; unknown fields are not seen."""
    command = ["node", "custom_resources.mjs"]
    done = subprocess.run(  # noqa: S603 - our own words
        command, cwd=_TOOLS, input=json.dumps(manifests), capture_output=True, text=True, check=True
    )
    return done.stdout.splitlines()


def _helm(*words: str, given: str) -> subprocess.CompletedProcess[str]:
    command = [str(_TOOLS / "helm"), *words]
    return subprocess.run(command, input=given, capture_output=True, text=True, check=False)  # noqa: S603


def _merge(low: Mapping[str, Any], high: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(low)
    for key, value in high.items():
        known = merged.get(key)
        if isinstance(known, Mapping) and isinstance(value, Mapping):
            merged[key] = _merge(known, value)
        else:
            merged[key] = value
    return merged


@cache
def _schema(name: str) -> Any:
    with zipfile.ZipFile(_SCHEMAS) as schemas:
        return json.loads(schemas.read(f"kubernetes_validate/kubernetes-json-schema/{name}"))
