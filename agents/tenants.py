"""Which tenant has which policy: the file that says so, and the pipelines of those policies."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, cast

from deidstream.agents.policies import find_policy, policy_path
from deidstream.agents.settings import Settings
from deidstream.schemas.errors import InvalidPolicy, InvalidSettings
from deidstream.schemas.policy import Policy

if TYPE_CHECKING:
    # It brings the model libraries, which reading does without.
    from deidstream.models.pipeline import Pipeline

DEFAULT = ""
"""What the policy of all other tenants is called here."""
TABLE = "tenants"


@dataclass(slots=True)
class OwnPipelines:
    """The pipelines of tenants that have a policy of their own."""

    by_tenant: Mapping[str, str] = field(default_factory=dict[str, str])
    """The name of a policy by tenant."""
    pipelines: "dict[str, Pipeline]" = field(default_factory=dict[str, "Pipeline"])
    """By the name of the policy. Another may be put here at any time, on the event loop."""

    def parted(self, tenants: Sequence[str]) -> dict[str, list[int]]:
        """Part places by policy, in the order in which policies and places come."""
        parts: dict[str, list[int]] = {}
        for place, tenant in enumerate(tenants):
            parts.setdefault(self.by_tenant.get(tenant, DEFAULT), []).append(place)
        return parts


def read_tenants(file: str) -> dict[str, str]:
    """Read which tenant has which policy: a TOML file with a table ``[tenants]``.

    A policy is named as in ``DEIDSTREAM_POLICY``; a path counts from the file's own folder.

    Args:
        file: Path of the file; empty: no tenant has a policy of its own.

    Returns:
        By tenant, the name of a shipped policy or the path of a policy file.

    Raises:
        InvalidSettings: The file cannot be read, or every mistake in it, one a line.
    """
    if not file:
        return {}
    table = _table(Path(file))
    mistakes = [f"{file}: {key}: unknown key" for key in table if key != TABLE]
    named = table.get(TABLE)
    if not isinstance(named, dict):
        mistakes.append(f"{file}: [{TABLE}]: must be a table of tenant = policy")
        named = {}
    policies = cast("Mapping[str, object]", named)
    for tenant, policy in policies.items():
        if not tenant.strip() or not isinstance(policy, str) or not policy.strip():
            mistakes.append(f"{file}: {TABLE}.{tenant}: must name a policy")
    if mistakes:
        raise InvalidSettings("\n".join(mistakes))
    return {tenant: _resolved(str(name), Path(file)) for tenant, name in policies.items()}


def read_policies(settings: Settings) -> dict[str, Policy]:
    """Read the policy of the settings and those of all tenants, by their names here.

    Raises:
        InvalidSettings: The file of the tenants is wrong.
        InvalidPolicy: Every mistake of every policy, one a line.
    """
    named = read_tenants(settings.policies_file).values()
    found: dict[str, Policy] = {}
    mistakes: list[str] = []
    for name in (DEFAULT, *sorted(set(named))):
        try:
            found[name] = find_policy(name or settings.policy)
        except InvalidPolicy as invalid:
            mistakes.append(str(invalid))
    if mistakes:
        raise InvalidPolicy("\n".join(mistakes))
    return found


def _table(path: Path) -> Mapping[str, object]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        said = str(error) if isinstance(error, tomllib.TOMLDecodeError) else type(error).__name__
        msg = f"DEIDSTREAM_POLICIES_FILE: {path} cannot be read: {said}"
        raise InvalidSettings(msg) from None


def _resolved(name: str, file: Path) -> str:
    path = policy_path(name)
    return name if path is None else str(file.parent / path)
