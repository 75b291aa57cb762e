"""Which service wraps the root key: the port, and the services by the form of an address."""

from collections.abc import Mapping
from typing import Protocol

from deidstream.schemas.errors import InvalidSettings
from deidstream.stream.key_services.aws_kms import AwsKms
from deidstream.stream.key_services.azure_keys import AzureKeys
from deidstream.stream.key_services.google_kms import GoogleKms
from deidstream.stream.key_services.transit import Transit
from deidstream.stream.key_services.wrapped_key import WrappedKey

FORMS = """\
transit+https://HOST:PORT/MOUNT/KEY (HashiCorp Vault), arn:aws:kms:REGION:ACCOUNT:key/ID,
projects/P/locations/L/keyRings/R/cryptoKeys/K (Google), azure+https://HOST/keys/KEY"""


class KeyService(Protocol):
    """Wraps a root key by a key that never leaves the service."""

    def wrap(self, root: bytes) -> WrappedKey:
        """Wrap a root key.

        Raises:
            Refused: The service refuses, or is not set up here.
            Unavailable: It cannot be reached.
        """
        ...

    def unwrap(self, wrapped: str) -> bytes:
        """Unwrap the text of a wrapped root key.

        Raises:
            Refused: The service refuses, or is not set up here.
            Unavailable: It cannot be reached.
        """
        ...


def open_key_service(address: str, environment: Mapping[str, str]) -> KeyService:
    """Return the service that holds the key of an address.

    Args:
        address: The key that wraps, in a form of ``FORMS``.
        environment: Where the right to use it is named, as the clients of each service do.

    Raises:
        InvalidSettings: The address has none of these forms.
    """
    scheme = address.partition(":")[0]
    if scheme.startswith("transit+http"):
        return Transit(address, environment)
    if address.startswith("arn:aws"):
        return AwsKms(address, environment)
    if address.startswith("projects/"):
        return GoogleKms(address, environment)
    if scheme.startswith("azure+http"):
        return AzureKeys(address, environment)
    msg = f"key: this names no key that wraps; the forms are\n{FORMS}"
    raise InvalidSettings(msg)
