"""Read the policy that the settings name, those of tenants, and which tenant has which."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Self, cast

from deidstream.agents.settings import Settings
from deidstream.models.policy.extension import gather_bases, list_all_paths
from deidstream.models.policy.reader import read_policy, read_shipped_policy
from deidstream.models.policy.shipped import list_policies
from deidstream.models.policy.term_lists import policy_digest
from deidstream.models.policy.toml_lines import TomlMistake, parse, report
from deidstream.schemas.errors import InvalidPolicy, InvalidSettings
from deidstream.schemas.policy import Policy

if TYPE_CHECKING:
    from deidstream.models.pipeline import Pipeline

MOST_BYTES = 16 * 1024 * 1024
"""Size of the largest file that is read as a policy or a list."""


def find_policy(name: str) -> Policy:
    """Read a shipped policy by name, or a policy file by path.

    Raises:
        InvalidPolicy: There is no such policy, or it or one of its lists is wrong.
    """
    path = policy_path(name)
    return read_shipped_policy(name) if path is None else PolicyFiles.gather(path).policy()


def policy_path(name: str) -> Path | None:
    """Return the path of a policy file; nothing for a shipped policy, which never changes."""
    return None if name in list_policies() else Path(name)


@dataclass(frozen=True, slots=True)
class PolicyFiles:
    """A policy file, what it extends and its lists, as they were when they were read."""

    path: Path
    source: bytes | str = field(repr=False)
    """Content of the policy file; a text says why it cannot be read."""
    lists: Mapping[str, bytes | str] = field(repr=False)
    """The same of each list, by its path from the policy."""
    bases: Mapping[str, bytes | str] = field(default_factory=dict[str, bytes | str], repr=False)
    """The same of each policy that it extends, by name or path."""

    @classmethod
    def gather(cls, path: Path) -> Self:
        """Read a policy file, what it extends and lists; ``policy`` reports what cannot be read.

        The files are read one after another: a file that is being written may be read in part.
        """
        source = content(path)
        if isinstance(source, str):
            return cls(path, source, {})
        bases = gather_bases(source, lambda named: content(path.parent / named))
        named = list_all_paths(source, bases)
        return cls(path, source, {name: content(path.parent / name) for name in named}, bases)

    @property
    def digest(self) -> str:
        """Digest of the contents; that of the policy if the file can be read."""
        if isinstance(self.source, str):
            return self.source
        return policy_digest(self.source, {**self.lists, **self.bases})

    def policy(self) -> Policy:
        """Read the policy.

        Raises:
            InvalidPolicy: It or one of its lists is wrong or cannot be read.
        """
        if isinstance(self.source, str):
            known = ", ".join(list_policies())
            msg = f"{self.path}: {self.source}; the shipped policies are {known}"
            raise InvalidPolicy(msg)
        return read_policy(
            self.source,
            name=self.path.stem,
            file=self.path.name,
            lists=self.lists,
            bases=self.bases,
        )


def content(path: Path) -> bytes | str:
    """Read a file; a text says why it cannot be read."""
    try:
        if not path.is_file():
            return _no_file(path)
        if path.stat().st_size > MOST_BYTES:
            return f"the file has more than {MOST_BYTES} bytes"
        return path.read_bytes()
    except (OSError, ValueError) as error:
        return f"the file cannot be read ({type(error).__name__})"


def _no_file(path: Path) -> str:
    if path.is_dir():
        return "it is a folder, not a file"
    return "it is not a regular file" if path.exists() else "there is no such file"


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


@dataclass(slots=True)
class TenantPipelines:
    """The pipelines of tenants whose policy is not the default one."""

    tenants: Tenants = field(default_factory=Tenants)
    pipelines: "dict[str, Pipeline]" = field(default_factory=dict)
    """By the name of the policy. One may be replaced at any time, on the event loop."""

    def group_by_policy(self, tenants: Sequence[str]) -> Mapping[str | None, list[int]]:
        """Group the positions of tenants by policy, in the order in which policies come.

        Tenants whose notes are refused are grouped under ``None``.
        """
        groups: dict[str | None, list[int]] = {}
        for position, tenant in enumerate(tenants):
            policy = self.tenants.by_tenant.get(tenant, self.tenants.otherwise)
            groups.setdefault(policy, []).append(position)
        return groups

    def choose(self, tenant: str, default: "Pipeline") -> "Pipeline | None":
        """Return the pipeline of a tenant; ``None`` where its notes are refused."""
        (policy,) = self.group_by_policy([tenant])
        if policy is None:
            return None
        return default if policy == DEFAULT else self.pipelines[policy]


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
    table = _parse_toml(source, file)
    if mistakes := list(_mistakes(table)):
        raise InvalidSettings(report(mistakes, source, file))
    folder, otherwise = Path(file).parent, str(table.get(OTHERWISE, DEFAULT))
    return Tenants(
        {
            tenant: _resolve_path(str(policy), folder)
            for tenant, policy in cast("Mapping[str, object]", table[TABLE]).items()
        },
        None if otherwise == REFUSE else _resolve_path(otherwise, folder),
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


def find_release(tenant: str, tenants: Tenants, policies: Mapping[str, Policy]) -> str | None:
    """Return the release whose ids the outputs of a tenant have; ``None``: its notes are refused.

    Args:
        tenant: The tenant.
        tenants: Which tenant has which policy.
        policies: Of :func:`read_policies`.
    """
    named = tenants.by_tenant.get(tenant, tenants.otherwise)
    return None if named is None else policies[named].id_release


def describe_otherwise(settings: Settings, policies: Mapping[str, Policy]) -> str:
    """Return what happens to notes of tenants that are not listed; empty without a file."""
    if not settings.policies_file:
        return ""
    otherwise = read_tenants(settings.policies_file).otherwise
    if otherwise is None:
        return "notes of tenants that are not listed are refused"
    return f"tenants that are not listed have the policy {policies[otherwise].name}"


def _parse_toml(source: bytes, file: str) -> Mapping[str, object]:
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


def _resolve_path(name: str, folder: Path) -> str:
    path = policy_path(name) if name else None
    return name if path is None else str(folder / path)
