"""The secrets engine ``transit`` of HashiCorp Vault, by its HTTP API."""

import base64
import binascii
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast
from urllib.parse import urlsplit

import orjson

from deidstream.schemas.errors import InvalidSettings, MissingArtefact
from deidstream.stream.key_services.exchange import KeyServer, read_text
from deidstream.stream.key_services.wrapped_key import WrappedKey

NAMED = "HashiCorp Vault"


@dataclass(frozen=True, slots=True)
class Transit:
    """A key of ``transit``; ``address`` is ``transit+https://HOST:PORT/MOUNT/KEY``."""

    address: str
    environment: Mapping[str, str] = field(repr=False)
    """``VAULT_TOKEN_FILE``, which an agent may keep, or ``VAULT_TOKEN``; ``VAULT_NAMESPACE``."""

    def wrap(self, root: bytes) -> WrappedKey:
        """Wrap a root key; see :class:`KeyService`."""
        text = self._ask("encrypt", "plaintext", base64.b64encode(root).decode(), "ciphertext")
        return WrappedKey(self.address, text)

    def unwrap(self, wrapped: str) -> bytes:
        """Unwrap a root key; see :class:`KeyService`."""
        text = self._ask("decrypt", "ciphertext", wrapped, "plaintext")
        try:
            return base64.b64decode(text, validate=True)
        except binascii.Error:
            msg = f"key: what {NAMED} has unwrapped is no base64"
            raise MissingArtefact(msg) from None

    def _ask(self, verb: str, given: str, value: str, wanted: str) -> str:
        parts = urlsplit(self.address.removeprefix("transit+"))
        mount, _, key = parts.path.strip("/").rpartition("/")
        if not (parts.hostname and mount and key):
            msg = "key: the address must be transit+https://HOST:PORT/MOUNT/KEY"
            raise InvalidSettings(msg)
        server = KeyServer(NAMED, f"{parts.scheme}://{parts.netloc}/v1/{mount}")
        headers = {"X-Vault-Token": self._token(), "Content-Type": "application/json"}
        if namespace := self.environment.get("VAULT_NAMESPACE"):
            headers["X-Vault-Namespace"] = namespace
        reply = server.post(f"/{verb}/{key}", orjson.dumps({given: value}), headers)
        data = reply.get("data")
        found = cast("Mapping[str, object]", data) if isinstance(data, dict) else {}
        return read_text(found, wanted, NAMED)

    def _token(self) -> str:
        if file := self.environment.get("VAULT_TOKEN_FILE"):
            try:
                return Path(file).read_text("utf-8").strip()
            except (OSError, UnicodeDecodeError) as error:
                msg = f"VAULT_TOKEN_FILE cannot be read: {type(error).__name__}"
                raise MissingArtefact(msg) from None
        if token := self.environment.get("VAULT_TOKEN"):
            return token
        msg = f"key: {NAMED} needs VAULT_TOKEN_FILE or VAULT_TOKEN"
        raise InvalidSettings(msg)
