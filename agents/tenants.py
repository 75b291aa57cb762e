"""Read the file that gives each tenant its policy, and those policies."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from deidstream.agents.policy_files import content, find_policy, policy_path
from deidstream.agents.settings import Settings
from deidstream.models.policy.toml_lines import TomlMistake, parse, report
from deidstream.schemas.errors import InvalidPolicy, InvalidSettings
from deidstream.schemas.policy import Policy

DEFAULT = ""
"""Name of the policy of the settings in this module."""
TABLE, OTHERWISE, REFUSE = "tenants", "otherwise", "refuse"


@dataclass(frozen=True, slots=True)
class Tenants:
    """The policy of each tenant, and that of all tenants that are not listed."""

    by_tenant: Mapping[str, str] = field(default_factory=dict[str, str])
    """The name of a shipped policy, or the path of a policy file."""
    otherwise: str | None = DEFAULT
    """The same for all other tenants; ``None``: their notes are refused."""

    def names(self) -> list[str]:
        """The names of all policies but that of the settings, each once."""
        named = {*self.by_tenant.values(), self.otherwise or DEFAULT}
        return sorted(named - {DEFAULT})


def read_tenants(file: str) -> Tenants:
    """Read which tenant has which policy: a TOML file with a table ``[tenants]``.

    A policy is named as in ``DEIDSTREAM_POLICY``; a path counts from the file's own folder.

    Args:
        file: Path of the file; empty: no tenant has a policy of its own.

    Raises:
        InvalidSettings: The file cannot be read, or every mistake in it, one a line.
    """
    if not file:
        return Tenants()
    source = content(Path(file))
    if isinstance(source, str):
        msg = f"DEIDSTREAM_POLICIES_FILE: {file}: {source}"
        raise InvalidSettings(msg)
    table = _parsed(source, file)
    if mistakes := list(_mistakes(table)):
        raise InvalidSettings(report(mistakes, source, file))
    folder, otherwise = Path(file).parent, str(table.get(OTHERWISE, DEFAULT))
    return Tenants(
        {
            tenant: _resolved(str(policy), folder)
            for tenant, policy in cast("Mapping[str, object]", table[TABLE]).items()
        },
        None if otherwise == REFUSE else _resolved(otherwise, folder),
    )


def read_policies(settings: Settings) -> dict[str, Policy]:
    """Read the policy of the settings and those of all tenants, by their names here.

    Raises:
        InvalidSettings: The file of the tenants is wrong.
        InvalidPolicy: Every mistake of every policy, one a line.
    """
    found: dict[str, Policy] = {}
    mistakes: list[str] = []
    for name in (DEFAULT, *read_tenants(settings.policies_file).names()):
        try:
            found[name] = find_policy(name or settings.policy)
        except InvalidPolicy as invalid:
            mistakes.append(str(invalid))
    if mistakes:
        raise InvalidPolicy("\n".join(mistakes))
    return found


def describe_otherwise(settings: Settings, policies: Mapping[str, Policy]) -> str:
    """Return what happens to notes of tenants that are not listed; empty without a file."""
    if not settings.policies_file:
        return ""
    otherwise = read_tenants(settings.policies_file).otherwise
    if otherwise is None:
        return "notes of tenants that are not listed are refused"
    return f"tenants that are not listed have the policy {policies[otherwise].name}"


def _parsed(source: bytes, file: str) -> Mapping[str, object]:
    try:
        return parse(source, file)
    except InvalidPolicy as invalid:
        raise InvalidSettings(str(invalid)) from None


def _mistakes(table: Mapping[str, object]) -> Iterator[TomlMistake]:
    unknown = [key for key in table if key not in {TABLE, OTHERWISE}]
    for key in unknown:
        yield TomlMistake((key,), f"unknown key; there are [{TABLE}] and {OTHERWISE}")
    if OTHERWISE in table and not _names(table[OTHERWISE]):
        yield TomlMistake((OTHERWISE,), f'must name a policy, or be "{REFUSE}"')
    named = table.get(TABLE)
    if isinstance(named, dict):
        yield from _wrong_tenants(cast("Mapping[str, object]", named))
    elif TABLE in table or not unknown:
        # A misspelled table is reported as an unknown key already.
        yield TomlMistake((TABLE,), f'must be a table [{TABLE}] of lines such as mercy = "redact"')


def _wrong_tenants(named: Mapping[str, object]) -> Iterator[TomlMistake]:
    for tenant, policy in named.items():
        if message := _wrong_tenant(tenant, policy):
            yield TomlMistake((TABLE, tenant), message)


def _wrong_tenant(tenant: str, policy: object) -> str:
    if not tenant.strip():
        return "a tenant must have a name"
    if tenant == OTHERWISE:
        return f"must be above [{TABLE}], or it is read as the name of a tenant"
    if isinstance(policy, dict):
        return 'must name a policy; write a tenant with a dot in quotes: "st.anne"'
    return "" if _names(policy) else "must name a policy"


def _names(policy: object) -> bool:
    return isinstance(policy, str) and bool(policy.strip())


def _resolved(name: str, folder: Path) -> str:
    path = policy_path(name) if name else None
    return name if path is None else str(folder / path)
