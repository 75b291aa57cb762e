"""Keys of Azure Key Vault and Managed HSM, by their REST API."""

import base64
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import orjson

from deidstream.schemas.errors import InvalidSettings, MissingArtefact
from deidstream.stream.key_services.exchange import KeyServer, read_text
from deidstream.stream.key_services.wrapped_key import WrappedKey

NAMED = "Azure Key Vault"
_VERSION = "api-version=7.4"
_ALGORITHM = "RSA-OAEP-256"
_IDENTITY = ("AZURE_CLIENT_ID", "AZURE_TENANT_ID", "AZURE_FEDERATED_TOKEN_FILE")


@dataclass(frozen=True, slots=True)
class AzureKeys:
    """An RSA key; ``address`` is ``azure+https://HOST/keys/KEY``, with or without its version."""

    address: str
    environment: Mapping[str, str] = field(repr=False)
    """What workload identity sets: ``AZURE_CLIENT_ID``, ``AZURE_TENANT_ID``,
    ``AZURE_FEDERATED_TOKEN_FILE``, and ``AZURE_AUTHORITY_HOST`` for other clouds."""

    def wrap(self, root: bytes) -> WrappedKey:
        """Wrap a root key; the address that is kept names the version of the key."""
        reply = self._ask("wrapkey", base64.urlsafe_b64encode(root).decode().rstrip("="))
        address = f"azure+{read_text(reply, 'kid', NAMED)}"
        return WrappedKey(address, read_text(reply, "value", NAMED))

    def unwrap(self, wrapped: str) -> bytes:
        """Unwrap a root key; see :class:`KeyService`."""
        value = read_text(self._ask("unwrapkey", wrapped), "value", NAMED)
        return base64.urlsafe_b64decode(value + "=" * (-len(value) % 4))

    def _ask(self, verb: str, value: str) -> Mapping[str, object]:
        url = self.address.removeprefix("azure+")
        headers = {"Content-Type": "application/json"}
        headers["Authorization"] = f"Bearer {self._token(urlsplit(url).hostname or '')}"
        body = orjson.dumps({"alg": _ALGORITHM, "value": value})
        return KeyServer(NAMED, url).post(f"/{verb}?{_VERSION}", body, headers)

    def _token(self, host: str) -> str:
        missing = [name for name in _IDENTITY if not self.environment.get(name)]
        if missing:
            msg = f"key: {NAMED} needs {', '.join(missing)}, as workload identity sets them"
            raise InvalidSettings(msg)
        client, tenant, file = (self.environment[name] for name in _IDENTITY)
        try:
            assertion = Path(file).read_text("utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            msg = f"AZURE_FEDERATED_TOKEN_FILE cannot be read: {type(error).__name__}"
            raise MissingArtefact(msg) from None
        asked = {
            "client_id": client,
            "grant_type": "client_credentials",
            # The resource is the domain of the vaults, without the name of this one.
            "scope": f"https://{host.partition('.')[2] or host}/.default",
            "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
            "client_assertion": assertion,
        }
        default = "https://login.microsoftonline.com/"
        url = self.environment.get("AZURE_AUTHORITY_HOST", default).rstrip("/")
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        server = KeyServer("Microsoft Entra", f"{url}/{tenant}")
        reply = server.post("/oauth2/v2.0/token", urlencode(asked).encode(), headers)
        return read_text(reply, "access_token", "Microsoft Entra")
