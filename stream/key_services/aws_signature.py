"""Sign a request to AWS (Signature Version 4, header form).

Source: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
"""

import hmac
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256

ALGORITHM = "AWS4-HMAC-SHA256"


@dataclass(frozen=True, slots=True)
class AwsCredentials:
    """Who signs."""

    key_id: str
    secret: str = field(repr=False)
    session: str = field(repr=False, default="")
    """Token of a session; empty: the credentials last."""


@dataclass(frozen=True, slots=True)
class AwsScope:
    """What a signature is valid for."""

    region: str
    service: str
    now: datetime
    """In UTC."""

    @property
    def moment(self) -> str:
        """The time of the request."""
        return self.now.strftime("%Y%m%dT%H%M%SZ")

    @property
    def text(self) -> str:
        """The scope as it is signed."""
        return f"{self.moment[:8]}/{self.region}/{self.service}/aws4_request"


def sign(
    method: str,
    headers: Mapping[str, str],
    body: bytes,
    *,
    credentials: AwsCredentials,
    scope: AwsScope,
) -> dict[str, str]:
    """Return the headers of a signed request for the path ``/`` without a query.

    Args:
        method: ``GET`` or ``POST``.
        headers: All others, ``Host`` among them; each is signed.
        body: What is sent.
        credentials: Who signs.
        scope: What the signature is valid for.
    """
    signed = dict(headers) | {"X-Amz-Date": scope.moment}
    if credentials.session:
        signed["X-Amz-Security-Token"] = credentials.session
    lower = {name.lower(): value.strip() for name, value in sorted(signed.items(), key=_by_name)}
    names = ";".join(lower)
    lines = [f"{name}:{value}" for name, value in lower.items()]
    request = "\n".join([method, "/", "", *lines, "", names, sha256(body).hexdigest()])
    digest = sha256(request.encode()).hexdigest()
    to_sign = f"{ALGORITHM}\n{scope.moment}\n{scope.text}\n{digest}"
    key = f"AWS4{credentials.secret}".encode()
    for part in scope.text.split("/"):
        key = hmac.digest(key, part.encode(), "sha256")
    signature = hmac.digest(key, to_sign.encode(), "sha256").hex()
    stated = f"Credential={credentials.key_id}/{scope.text}, SignedHeaders={names}, "
    return signed | {"Authorization": f"{ALGORITHM} {stated}Signature={signature}"}


def _by_name(header: tuple[str, str]) -> str:
    return header[0].lower()
