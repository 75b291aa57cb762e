"""AWS Key Management Service, by its JSON protocol."""

import base64
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import orjson
from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]

from deidstream.schemas.errors import InvalidSettings, MissingArtefact
from deidstream.stream.key_services.aws_signature import AwsCredentials, AwsScope, sign
from deidstream.stream.key_services.exchange import KeyServer, read_text
from deidstream.stream.key_services.wrapped_key import WrappedKey

NAMED = "AWS KMS"
_ARN_PARTS = 6
_DOMAIN = {"aws-cn": "amazonaws.com.cn"}


@dataclass(frozen=True, slots=True)
class AwsKms:
    """A key of KMS; ``address`` is its ARN."""

    address: str
    environment: Mapping[str, str] = field(repr=False)
    """``AWS_ACCESS_KEY_ID``, ``AWS_SECRET_ACCESS_KEY`` and ``AWS_SESSION_TOKEN``; or, as a cluster
    sets them, ``AWS_ROLE_ARN`` and ``AWS_WEB_IDENTITY_TOKEN_FILE``. ``AWS_ENDPOINT_URL_KMS`` and
    ``AWS_ENDPOINT_URL_STS`` name other servers, such as those of a private network."""

    def wrap(self, root: bytes) -> WrappedKey:
        """Wrap a root key; see :class:`KeyService`."""
        asked = {"KeyId": self.address, "Plaintext": base64.b64encode(root).decode()}
        return WrappedKey(self.address, self._ask("Encrypt", asked, "CiphertextBlob"))

    def unwrap(self, wrapped: str) -> bytes:
        """Unwrap a root key; see :class:`KeyService`."""
        asked = {"KeyId": self.address, "CiphertextBlob": wrapped}
        return base64.b64decode(self._ask("Decrypt", asked, "Plaintext"))

    def _ask(self, action: str, asked: Mapping[str, str], wanted: str) -> str:
        url = self._endpoint("KMS", "kms")
        body = orjson.dumps(asked)
        headers = {
            "Content-Type": "application/x-amz-json-1.1",
            "Host": urlsplit(url).netloc,
            "X-Amz-Target": f"TrentService.{action}",
        }
        scope = AwsScope(self._arn()[3], "kms", datetime.now(UTC))
        credentials = self._credentials()
        signed = sign("POST", headers, body, credentials=credentials, scope=scope)
        return read_text(KeyServer(NAMED, url).post("/", body, signed), wanted, NAMED)

    def _arn(self) -> list[str]:
        parts = self.address.split(":", _ARN_PARTS - 1)
        if len(parts) < _ARN_PARTS or parts[2] != "kms" or not parts[3]:
            msg = "key: the address must be arn:aws:kms:REGION:ACCOUNT:key/ID"
            raise InvalidSettings(msg)
        return parts

    def _endpoint(self, name: str, host: str) -> str:
        _, partition, _, region, *_ = self._arn()
        domain = _DOMAIN.get(partition, "amazonaws.com")
        own = self.environment.get(f"AWS_ENDPOINT_URL_{name}")
        return own.rstrip("/") if own else f"https://{host}.{region}.{domain}"

    def _credentials(self) -> AwsCredentials:
        given = self.environment
        if given.get("AWS_ACCESS_KEY_ID") and given.get("AWS_SECRET_ACCESS_KEY"):
            session = given.get("AWS_SESSION_TOKEN", "")
            return AwsCredentials(
                given["AWS_ACCESS_KEY_ID"], given["AWS_SECRET_ACCESS_KEY"], session
            )
        if given.get("AWS_ROLE_ARN") and given.get("AWS_WEB_IDENTITY_TOKEN_FILE"):
            return self._assume(given["AWS_ROLE_ARN"], given["AWS_WEB_IDENTITY_TOKEN_FILE"])
        msg = f"key: {NAMED} needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_ROLE_ARN "
        raise InvalidSettings(msg + "and AWS_WEB_IDENTITY_TOKEN_FILE")

    def _assume(self, role: str, token_file: str) -> AwsCredentials:
        """Take the role of a workload, by the token that its cluster gives it."""
        try:
            token = Path(token_file).read_text("utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            msg = f"AWS_WEB_IDENTITY_TOKEN_FILE cannot be read: {type(error).__name__}"
            raise MissingArtefact(msg) from None
        asked = {
            "Action": "AssumeRoleWithWebIdentity",
            "Version": "2011-06-15",
            "RoleArn": role,
            "RoleSessionName": "deidstream",
            "WebIdentityToken": token,
        }
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        server = KeyServer("AWS STS", self._endpoint("STS", "sts"))
        reply = server.send("/", urlencode(asked).encode(), headers)
        try:
            found = etree.fromstring(reply, etree.XMLParser(resolve_entities=False))
        except etree.XMLSyntaxError:
            msg = "key: the reply of AWS STS is no XML; is its address right?"
            raise MissingArtefact(msg) from None
        names = ("AccessKeyId", "SecretAccessKey", "SessionToken")
        stated = {name: found.findtext(f".//{{*}}{name}") for name in names}
        return AwsCredentials(*(read_text(stated, name, "AWS STS") for name in names))
