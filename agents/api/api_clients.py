"""Read who may call the interface: one client by a token, or those of a TOML file."""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import cast

from deidstream.agents.runtime.policy_files import content
from deidstream.agents.settings import ApiSettings
from deidstream.schemas.errors import InvalidSettings
from deidstream.schemas.shown_file import show_file
from deidstream.stream.http.http_clients import LEAST_TOKEN, ClientBook, HttpClient
from deidstream.stream.http.own_hosts import is_loopback


class ClientRight(StrEnum):
    """What a client of the interface may do."""

    DEIDENTIFY = "deidentify"
    FIND = "find"
    """See where PHI is, in its own notes."""
    REPLACEMENTS = "replacements"
    """See which words of an output are surrogates."""
    METRICS = "metrics"


USUAL = frozenset({ClientRight.DEIDENTIFY, ClientRight.FIND})
"""Rights of a client whose entry names none."""
_KEYS = frozenset({"token_file", "rights", "tenants"})


def read_clients(settings: ApiSettings) -> ClientBook:
    """Read the clients of the interface.

    Raises:
        InvalidSettings: A token is too short or missing, the file is wrong, or the interface would
            be open to other machines.
    """
    rights = USUAL | {ClientRight.METRICS}
    if settings.replacements:
        rights |= {ClientRight.REPLACEMENTS}
    one = HttpClient("client", frozenset(map(str, rights)))
    if settings.clients_file and settings.token:
        msg = "DEIDSTREAM_API_TOKEN: has no effect beside DEIDSTREAM_API_CLIENTS_FILE"
        raise InvalidSettings(msg)
    if settings.clients_file:
        return _ClientFile.read(settings.clients_file).book()
    if settings.token:
        if len(settings.token) < LEAST_TOKEN:
            msg = f"DEIDSTREAM_API_TOKEN: must have at least {LEAST_TOKEN} characters"
            raise InvalidSettings(msg)
        return ClientBook.of_tokens([(settings.token, one)])
    if not is_loopback(settings.host) and not settings.tls_client_ca:
        msg = (
            "DEIDSTREAM_API_TOKEN: the interface would be open to other machines; set a token, a "
            "file of clients, or DEIDSTREAM_API_TLS_CLIENT_CA"
        )
        raise InvalidSettings(msg)
    return ClientBook.open_to(one)


def list_token_files(settings: ApiSettings) -> list[str]:
    """Return the files of tokens that the file of clients names; none where there is no such file.

    Raises:
        InvalidSettings: The file cannot be read.
    """
    return _ClientFile.read(settings.clients_file).token_files() if settings.clients_file else []


@dataclass(slots=True)
class _ClientFile:
    """The file of clients, with what is wrong in it."""

    path: Path
    table: Mapping[str, object] = field(repr=False)
    mistakes: list[str] = field(default_factory=list[str])

    @classmethod
    def read(cls, name: str) -> "_ClientFile":
        source = content(Path(name))
        try:
            if isinstance(source, str):
                raise InvalidSettings(_say(name, source))
            return cls(Path(name), tomllib.loads(source.decode()))
        except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            where = f"it is not TOML ({type(error).__name__})"
            raise InvalidSettings(_say(name, where)) from None

    def book(self) -> ClientBook:
        """Return the clients.

        Raises:
            InvalidSettings: Every mistake of the file, one a line.
        """
        clients = self.table.get("clients")
        if set(self.table) != {"clients"} or not isinstance(clients, dict) or not clients:
            self.mistakes.append("must hold tables [clients.NAME] and nothing else")
            clients = {}
        found = [
            (token, client)
            for name, entry in cast("dict[str, object]", clients).items()
            for token, client in self._read_client(name, entry)
        ]
        if len({token for token, _ in found}) < len(found):
            self.mistakes.append("two clients have the same token")
        if self.mistakes:
            raise InvalidSettings("\n".join(_say(str(self.path), one) for one in self.mistakes))
        return ClientBook.of_tokens(found)

    def token_files(self) -> list[str]:
        """Return the files of tokens that entries name."""
        clients = self.table.get("clients")
        entries = cast("dict[str, object]", clients).values() if isinstance(clients, dict) else ()
        named = (
            cast("dict[str, object]", e).get("token_file") for e in entries if isinstance(e, dict)
        )
        return [str(self.path.parent / file) for file in named if isinstance(file, str)]

    def _read_client(self, name: str, entry: object) -> Iterator[tuple[str, HttpClient]]:
        if not isinstance(entry, dict):
            self.mistakes.append(f"clients.{name}: must be a table")
            return
        table = cast("dict[str, object]", entry)
        self.mistakes += [
            f"clients.{name}.{key}: unknown key" for key in sorted(set(table) - _KEYS)
        ]
        rights = self._read_names(name, table, "rights")
        if unknown := sorted((rights or frozenset()) - set(ClientRight)):
            known = ", ".join(ClientRight)
            self.mistakes.append(f"clients.{name}.rights: {unknown[0]}: must be among {known}")
        tenants = self._read_names(name, table, "tenants")
        token = self._read_token(name, table.get("token_file"))
        if token:
            usual = frozenset(map(str, USUAL))
            yield token, HttpClient(name, usual if rights is None else rights, tenants)

    def _read_names(
        self, name: str, table: Mapping[str, object], key: str
    ) -> frozenset[str] | None:
        if key not in table:
            return None
        value = table[key]
        names = cast("list[object]", value) if isinstance(value, list) else [None]
        if all(isinstance(each, str) for each in names):
            return frozenset(map(str, names))
        self.mistakes.append(f"clients.{name}.{key}: must be a list of names")
        return frozenset()

    def _read_token(self, name: str, file: object) -> str:
        if not isinstance(file, str):
            self.mistakes.append(f"clients.{name}.token_file: must name a file")
            return ""
        try:
            token = (self.path.parent / file).read_text().strip()
        except (OSError, UnicodeDecodeError) as error:
            kind = type(error).__name__
            self.mistakes.append(f"clients.{name}.token_file: cannot be read: {kind}")
            return ""
        if len(token) < LEAST_TOKEN:
            where = f"clients.{name}.token_file"
            self.mistakes.append(f"{where}: a token has at least {LEAST_TOKEN} characters")
        return token


def _say(file: str, mistake: str) -> str:
    return f"DEIDSTREAM_API_CLIENTS_FILE: {show_file(file)}: {mistake}"
