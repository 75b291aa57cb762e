"""Local servers that speak the protocols of the services that wrap keys.

Each holds an AES key, checks whatever its service checks of a request, and answers as it does.
"""

import base64
import json
import os
import threading
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from deidstream.stream.key_services.aws_signature import AwsCredentials, AwsScope, sign

TOKEN = "a-token-of-a-test"
AWS = AwsCredentials("AKIDEXAMPLE", "secret-of-a-test", "session-of-a-test")
Reply = tuple[int, Mapping[str, Any] | str]
"""Status, and JSON or a text."""


@dataclass(slots=True)
class KeyDesk:
    """A key that does not leave its server."""

    key: AESGCM = field(default_factory=lambda: AESGCM(AESGCM.generate_key(256)))
    asked: list[str] = field(default_factory=list[str])
    """Addresses that were asked for."""
    answer: Reply | None = None
    """What is answered to everything."""

    def close(self, plain: bytes) -> bytes:
        nonce = os.urandom(12)
        return nonce + self.key.encrypt(nonce, plain, None)

    def open(self, closed: bytes) -> bytes:
        return self.key.decrypt(closed[:12], closed[12:], None)


Answer = Callable[[KeyDesk, str, Mapping[str, str], bytes], Reply]


@contextmanager
def serving_keys(answer: Answer, desk: KeyDesk) -> Generator[str]:
    """Serve a desk, and give its host and port."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            desk.asked.append(self.path)
            headers = {name.lower(): value for name, value in self.headers.items()}
            try:
                status, reply = desk.answer or answer(desk, self.path, headers, body)
            except (InvalidTag, KeyError, ValueError):
                status, reply = 400, {"error": "refused"}
            sent = (reply if isinstance(reply, str) else json.dumps(reply)).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(sent)))
            self.end_headers()
            self.wfile.write(sent)

        do_GET = do_POST  # noqa: N815 - as the base calls it

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - of the base
            del format, args

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join(10)


def _b64(raw: bytes) -> str:
    return base64.b64encode(raw).decode()


def answer_transit(desk: KeyDesk, path: str, headers: Mapping[str, str], body: bytes) -> Reply:
    """HashiCorp Vault: ``/v1/MOUNT/encrypt/KEY`` and ``decrypt``; data within ``data``."""
    if headers.get("x-vault-token") != TOKEN or headers.get("x-vault-namespace") != "clinic":
        return 403, {"errors": ["permission denied"]}
    given = json.loads(body)
    if path == "/v1/site/transit/encrypt/notes":
        closed = desk.close(base64.b64decode(given["plaintext"], validate=True))
        return 200, {"data": {"ciphertext": f"vault:v1:{_b64(closed)}", "key_version": 1}}
    if path == "/v1/site/transit/decrypt/notes":
        closed = base64.b64decode(given["ciphertext"].removeprefix("vault:v1:"))
        return 200, {"data": {"plaintext": _b64(desk.open(closed))}}
    return 404, {"errors": []}


ARN = "arn:aws:kms:eu-central-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab"


def answer_aws(desk: KeyDesk, path: str, headers: Mapping[str, str], body: bytes) -> Reply:
    """AWS: STS by a form, KMS by ``X-Amz-Target`` with a signature that is computed again."""
    if headers["content-type"] == "application/x-www-form-urlencoded":
        asked = {name: values[0] for name, values in parse_qs(body.decode()).items()}
        if asked["WebIdentityToken"] != TOKEN or asked["Version"] != "2011-06-15":
            return 403, {}
        action = asked["Action"]
        return 200, (
            f'<{action}Response xmlns="https://sts.amazonaws.com/doc/2011-06-15/">'
            f"<{action}Result><Credentials><AccessKeyId>{AWS.key_id}</AccessKeyId>"
            f"<SecretAccessKey>{AWS.secret}</SecretAccessKey>"
            f"<SessionToken>{AWS.session}</SessionToken></Credentials></{action}Result>"
            f"</{action}Response>"
        )
    moment = datetime.strptime(headers["x-amz-date"], "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
    own = {name: headers[name] for name in ("content-type", "host", "x-amz-target")}
    scope = AwsScope("eu-central-1", "kms", moment)
    wanted = sign("POST", own, body, credentials=AWS, scope=scope)["Authorization"]
    if path != "/" or headers.get("authorization") != wanted:
        return 400, {"__type": "InvalidSignatureException"}
    given = json.loads(body)
    if given["KeyId"] != ARN:
        return 400, {"__type": "NotFoundException"}
    if headers["x-amz-target"] == "TrentService.Encrypt":
        closed = desk.close(base64.b64decode(given["Plaintext"]))
        return 200, {"CiphertextBlob": _b64(closed), "KeyId": ARN}
    opened = desk.open(base64.b64decode(given["CiphertextBlob"]))
    return 200, {"Plaintext": _b64(opened), "KeyId": ARN}


RESOURCE = "projects/p/locations/europe/keyRings/r/cryptoKeys/notes"


def answer_google(desk: KeyDesk, path: str, headers: Mapping[str, str], body: bytes) -> Reply:
    """Google: the metadata server's token, and ``NAME:encrypt`` and ``NAME:decrypt``."""
    if path.startswith("/computeMetadata/v1/"):
        if headers.get("metadata-flavor") != "Google":
            return 403, {}
        return 200, {"access_token": TOKEN, "expires_in": 3599, "token_type": "Bearer"}
    if headers.get("authorization") != f"Bearer {TOKEN}":
        return 401, {}
    given = json.loads(body)
    if path == f"/v1/{RESOURCE}:encrypt":
        return 200, {"ciphertext": _b64(desk.close(base64.b64decode(given["plaintext"])))}
    if path == f"/v1/{RESOURCE}:decrypt":
        return 200, {"plaintext": _b64(desk.open(base64.b64decode(given["ciphertext"])))}
    return 404, {}


def answer_azure(desk: KeyDesk, path: str, headers: Mapping[str, str], body: bytes) -> Reply:
    """Azure: Entra's token for a federated assertion, ``wrapkey`` and ``unwrapkey``."""
    if path == "/tenant-1/oauth2/v2.0/token":
        asked = {name: values[0] for name, values in parse_qs(body.decode()).items()}
        if asked["client_assertion"] != "assertion-1" or asked["client_id"] != "client-1":
            return 401, {}
        return 200, {"access_token": TOKEN, "token_type": "Bearer", "expires_in": 3599}
    if headers.get("authorization") != f"Bearer {TOKEN}" or not path.endswith("?api-version=7.4"):
        return 401, {}
    given = json.loads(body)
    if given["alg"] != "RSA-OAEP-256":
        return 400, {}
    kid = f"http://{headers['host']}/keys/notes/v7"
    raw = base64.urlsafe_b64decode(given["value"] + "=" * (-len(given["value"]) % 4))
    if path.startswith("/keys/notes/wrapkey?"):
        made = desk.close(raw)
    elif path.startswith("/keys/notes/v7/unwrapkey?"):
        made = desk.open(raw)
    else:
        return 404, {}
    return 200, {"kid": kid, "value": base64.urlsafe_b64encode(made).decode().rstrip("=")}
