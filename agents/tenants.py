"""Reads the file that says which tenant has which policy, and those policies."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from deidstream.agents.policy_files import content, find_policy, policy_path
from deidstream.agents.settings import Settings
from deidstream.models.policy.line_numbers import Lines
from deidstream.models.policy.syntax import parse
from deidstream.schemas.errors import InvalidPolicy, InvalidSettings
from deidstream.schemas.policy import Policy

DEFAULT = ""
"""What the policy that the settings name is called here."""
TABLE, OTHERWISE, REFUSE = "tenants", "otherwise", "refuse"
_Mistake = tuple[tuple[str, ...], str]
"""The path of a key, and what is wrong under it."""


@dataclass(frozen=True, slots=True)
class Tenants:
    """Which tenant has which policy, and which has whoever is not named."""

    by_tenant: Mapping[str, str] = field(default_factory=dict[str, str])
    """The name of a shipped policy, or the path of a policy file."""
    otherwise: str | None = DEFAULT
    """The same for all other tenants; nothing: their notes are refused."""

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
        raise InvalidSettings("\n".join(_told(mistakes, source, file)))
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


def told_otherwise(settings: Settings, policies: Mapping[str, Policy]) -> str:
    """Say what becomes of notes whose tenant has no policy of its own; nothing of one policy."""
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


def _mistakes(table: Mapping[str, object]) -> Iterator[_Mistake]:
    unknown = [key for key in table if key not in {TABLE, OTHERWISE}]
    for key in unknown:
        yield (key,), f"unknown key; there are [{TABLE}] and {OTHERWISE}"
    if OTHERWISE in table and not _names(table[OTHERWISE]):
        yield (OTHERWISE,), f'must name a policy, or be "{REFUSE}"'
    named = table.get(TABLE)
    if isinstance(named, dict):
        yield from _wrong_tenants(cast("Mapping[str, object]", named))
    elif TABLE in table or not unknown:
        # A misspelled table has been told of already.
        yield (TABLE,), f'must be a table [{TABLE}] of lines such as mercy = "redact"'


def _wrong_tenants(named: Mapping[str, object]) -> Iterator[_Mistake]:
    for tenant, policy in named.items():
        key = (TABLE, tenant)
        if not tenant.strip():
            yield key, "a tenant has a name"
        elif tenant == OTHERWISE:
            yield key, f"stands above [{TABLE}], or is taken for a tenant"
        elif isinstance(policy, dict):
            yield key, 'must name a policy; a tenant with a dot stands in quotes: "st.anne"'
        elif not _names(policy):
            yield key, "must name a policy"


def _told(mistakes: list[_Mistake], source: bytes, file: str) -> list[str]:
    lines = Lines.of(source.decode())
    placed = sorted((lines.line_at(path) or 0, path, said) for path, said in mistakes)
    return [
        f"{file}{f':{line}' if line else ''}: {'.'.join(map(_key, path))}: {said}"
        for line, path, said in placed
    ]


def _key(part: str) -> str:
    """Write a part of a key as it stands in the file."""
    return part if part.replace("-", "a").isidentifier() else json.dumps(part)


def _names(policy: object) -> bool:
    return isinstance(policy, str) and bool(policy.strip())


def _resolved(name: str, folder: Path) -> str:
    path = policy_path(name) if name else None
    return name if path is None else str(folder / path)
