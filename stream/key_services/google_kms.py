"""Cloud Key Management Service of Google, by its REST API."""

import base64
from collections.abc import Mapping
from dataclasses import dataclass, field

import orjson

from deidstream.stream.key_services.exchange import KeyServer, read_text
from deidstream.stream.key_services.wrapped_key import WrappedKey

NAMED = "Google Cloud KMS"
_TOKEN = "/computeMetadata/v1/instance/service-accounts/default/token"  # noqa: S105 - a path


@dataclass(frozen=True, slots=True)
class GoogleKms:
    """A key of Cloud KMS; ``address`` is its resource name, ``projects/…/cryptoKeys/K``."""

    address: str
    environment: Mapping[str, str] = field(repr=False)
    """The token is of the metadata server of the machine or workload (``GCE_METADATA_HOST`` names
    another one). ``CLOUDSDK_API_ENDPOINT_OVERRIDES_CLOUDKMS`` names another server of keys."""

    def wrap(self, root: bytes) -> WrappedKey:
        """Wrap a root key; see :class:`KeyService`."""
        text = self._ask("encrypt", "plaintext", base64.b64encode(root).decode(), "ciphertext")
        return WrappedKey(self.address, text)

    def unwrap(self, wrapped: str) -> bytes:
        """Unwrap a root key; see :class:`KeyService`."""
        return base64.b64decode(self._ask("decrypt", "ciphertext", wrapped, "plaintext"))

    def _ask(self, verb: str, given: str, value: str, wanted: str) -> str:
        default = "https://cloudkms.googleapis.com/"
        url = self.environment.get("CLOUDSDK_API_ENDPOINT_OVERRIDES_CLOUDKMS", default)
        headers = {"Authorization": f"Bearer {self._token()}", "Content-Type": "application/json"}
        server = KeyServer(NAMED, f"{url.rstrip('/')}/v1")
        reply = server.post(f"/{self.address}:{verb}", orjson.dumps({given: value}), headers)
        return read_text(reply, wanted, NAMED)

    def _token(self) -> str:
        # The metadata server is a part of the machine, and speaks http alone.
        host = self.environment.get("GCE_METADATA_HOST", "metadata.google.internal")
        server = KeyServer("the metadata server", f"http://{host}")
        reply = server.get_in_clear(_TOKEN, {"Metadata-Flavor": "Google"})
        return read_text(reply, "access_token", "the metadata server")
