"""A small OIDC issuer on this machine, which admits whoever comes, with the claims of a test."""

import base64
import json
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import RSAKey

from support.ports import LOOPBACK

CLIENT = "deidstream-review"


@dataclass(slots=True)
class OidcIssuer:
    """An issuer; its address has another host name than the page, so that it is another site."""

    port: int = 0
    claims: dict[str, Any] = field(default_factory=dict[str, Any])
    """Added to each ID token, or in place of what it would hold."""
    key: RSAKey = field(default_factory=lambda: RSAKey.generate_key(2048, {"kid": "1"}))
    signer: RSAKey | None = None
    """Signs in place of ``key``, as a forger would."""
    asked: dict[str, dict[str, str]] = field(default_factory=dict[str, dict[str, str]])
    """What the page asked for, by code."""

    @property
    def url(self) -> str:
        """Its name."""
        return f"http://localhost:{self.port}"

    def token(self, query: dict[str, str]) -> str:
        """Write an ID token."""
        claims = {
            "iss": self.url,
            "aud": query["client_id"],
            "sub": "u-1",
            "preferred_username": "olga",
            "nonce": query["nonce"],
            "exp": int(time.time()) + 60,
            **self.claims,
        }
        return jwt.encode({"alg": "RS256", "kid": "1"}, claims, self.signer or self.key)


def _handler(issuer: OidcIssuer) -> type[BaseHTTPRequestHandler]:
    class Answers(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            if parts.path == "/.well-known/openid-configuration":
                names = {"authorization_endpoint": "auth", "token_endpoint": "token"}
                places = {name: f"{issuer.url}/{place}" for name, place in names.items()}
                self._say({"issuer": issuer.url, "jwks_uri": f"{issuer.url}/keys", **places})
            elif parts.path == "/keys":
                self._say({"keys": [issuer.key.as_dict(private=False)]})
            else:
                query = {name: found[0] for name, found in parse_qs(parts.query).items()}
                code = f"code-{len(issuer.asked)}"
                issuer.asked[code] = query
                back = urlencode({"code": code, "state": query["state"]})
                self.send_response(302)
                self.send_header("Location", f"{query['redirect_uri']}?{back}")
                self.end_headers()

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            form = {name: found[0] for name, found in parse_qs(body).items()}
            query = issuer.asked.get(form["code"], {})
            digest = sha256(form["code_verifier"].encode()).digest()
            challenge = base64.urlsafe_b64encode(digest).decode().rstrip("=")
            if challenge != query.get("code_challenge"):
                self.send_error(400)
                return
            self._say({"id_token": issuer.token(query), "token_type": "Bearer"})

        def _say(self, body: dict[str, Any]) -> None:
            content = json.dumps(body).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            """Say nothing."""

    return Answers


@contextmanager
def running_issuer() -> Generator[OidcIssuer]:
    """Run an issuer."""
    issuer = OidcIssuer()
    server = ThreadingHTTPServer((LOOPBACK, 0), _handler(issuer))
    issuer.port = server.server_port
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield issuer
    finally:
        server.shutdown()
        server.server_close()
