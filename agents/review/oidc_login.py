"""Log in by the hospital's OIDC issuer: authorization code with PKCE, roles from a claim.

OpenID Connect Core 1.0, sections 3.1.2 and 3.1.3.7; RFC 7636 (PKCE, S256).
"""

import base64
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, cast
from urllib.parse import urlencode, urlsplit

import aiohttp
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet

from deidstream.agents.review.users import LONGEST_USER_NAME, ReviewRole, ReviewUser
from deidstream.agents.settings import ReviewSettings
from deidstream.schemas.errors import InvalidSettings, Unavailable
from deidstream.stream.http.own_hosts import is_loopback

ALGORITHMS = ["RS256", "PS256", "ES256", "EdDSA"]
"""Signatures that are accepted: none with a shared secret, and never an unsigned token."""
ISSUER = "the OIDC issuer"
"""Its name in errors."""
PENDING_SECONDS = 600.0
MOST_PENDING = 1_000
_TIMEOUT = aiohttp.ClientTimeout(total=15)
_SKEW_SECONDS = 60
_NAME_CLAIMS = ("preferred_username", "email")


class LoginRefused(Exception):
    """The issuer, or what it answered, does not admit this user; nothing is quoted."""


@dataclass(frozen=True, slots=True)
class PendingLogin:
    """A login whose browser is at the issuer and has not come back."""

    verifier: str = field(repr=False)
    nonce: str = field(repr=False)
    since: float = 0


@dataclass(slots=True)
class OidcLogin:
    """The logins at one issuer."""

    settings: ReviewSettings
    clock: Callable[[], float] = time.monotonic
    _pending: dict[str, PendingLogin] = field(default_factory=dict[str, PendingLogin], repr=False)
    _endpoints: Mapping[str, str] | None = None

    def __post_init__(self) -> None:
        """Refuse settings that cannot work.

        Raises:
            InvalidSettings: A setting is missing, or the issuer is not reached by TLS.
        """
        own = self.settings
        if not own.oidc_issuer:
            return
        if not own.oidc_client or not own.oidc_url:
            msg = "DEIDSTREAM_REVIEW_OIDC_CLIENT and _URL: needed with an OIDC issuer"
            raise InvalidSettings(msg)
        parts = urlsplit(own.oidc_issuer)
        if parts.scheme != "https" and not is_loopback(parts.hostname or ""):
            msg = "DEIDSTREAM_REVIEW_OIDC_ISSUER: must be an https address"
            raise InvalidSettings(msg)

    @property
    def callback(self) -> str:
        """The address to which the issuer sends browsers back."""
        return f"{self.settings.oidc_url.rstrip('/')}/api/oidc/callback"

    async def begin(self) -> tuple[str, str]:
        """Begin a login.

        Returns:
            The state, which the browser has to show again, and the address at the issuer.

        Raises:
            Unavailable: The issuer cannot be reached.
        """
        self._forget_old()
        state = secrets.token_urlsafe(32)
        pending = PendingLogin(secrets.token_urlsafe(48), secrets.token_urlsafe(32), self.clock())
        self._pending[state] = pending
        challenge = base64.urlsafe_b64encode(sha256(pending.verifier.encode()).digest())
        query = {
            "response_type": "code",
            "client_id": self.settings.oidc_client,
            "redirect_uri": self.callback,
            "scope": "openid profile",
            "state": state,
            "nonce": pending.nonce,
            "code_challenge": challenge.decode().rstrip("="),
            "code_challenge_method": "S256",
        }
        place = (await self._find_endpoints())["authorization_endpoint"]
        return state, f"{place}{'&' if '?' in place else '?'}{urlencode(query)}"

    async def finish(self, state: str, code: str) -> ReviewUser:
        """Exchange the code for an ID token, and return the user that it names.

        Raises:
            LoginRefused: The state is unknown or too old, the token is not for this login, or it
                names no role of this page.
            Unavailable: The issuer cannot be reached.
        """
        self._forget_old()
        pending = self._pending.pop(state, None)
        if pending is None:
            raise LoginRefused
        endpoints = await self._find_endpoints()
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": self.callback,
            "client_id": self.settings.oidc_client,
            "code_verifier": pending.verifier,
        }
        if self.settings.oidc_secret:
            form["client_secret"] = self.settings.oidc_secret
        answer = await _ask("POST", endpoints["token_endpoint"], form)
        keys = await _ask("GET", endpoints["jwks_uri"])
        return self._read_user(str(answer.get("id_token", "")), keys, pending.nonce)

    def _read_user(self, token: str, keys: Mapping[str, Any], nonce: str) -> ReviewUser:
        own = self.settings
        try:
            known = KeySet.import_key_set(cast("Any", keys))
            claims = jwt.decode(token, known, algorithms=ALGORITHMS).claims
            registry = jwt.JWTClaimsRegistry(
                leeway=_SKEW_SECONDS,
                iss={"essential": True, "value": own.oidc_issuer},
                aud={"essential": True, "value": own.oidc_client},
                exp={"essential": True},
                nonce={"essential": True, "value": nonce},
            )
            registry.validate(claims)
        except (JoseError, KeyError, TypeError, ValueError):
            raise LoginRefused from None
        if claims.get("azp", own.oidc_client) != own.oidc_client:
            raise LoginRefused
        subject = str(claims.get("sub") or "")
        if not subject:
            raise LoginRefused
        name = next((str(claims[each]) for each in _NAME_CLAIMS if claims.get(each)), subject)
        role = self._find_role(claims.get(own.oidc_claim))
        return ReviewUser(name[:LONGEST_USER_NAME], role, subject=subject[:255])

    def _find_role(self, named: object) -> ReviewRole:
        names = cast("list[object]", named) if isinstance(named, list) else [named]
        if self.settings.oidc_reviewer in names:
            return ReviewRole.REVIEWER
        if self.settings.oidc_reader in names:
            return ReviewRole.READER
        raise LoginRefused

    async def _find_endpoints(self) -> Mapping[str, str]:
        if self._endpoints is None:
            issuer = self.settings.oidc_issuer
            found = await _ask("GET", f"{issuer.rstrip('/')}/.well-known/openid-configuration")
            if found.get("issuer") != issuer:
                raise Unavailable(ISSUER)
            names = ("authorization_endpoint", "token_endpoint", "jwks_uri")
            self._endpoints = {name: str(found.get(name, "")) for name in names}
        return self._endpoints

    def _forget_old(self) -> None:
        limit = self.clock() - PENDING_SECONDS
        kept = [(name, one) for name, one in self._pending.items() if one.since > limit]
        self._pending = dict(kept[-MOST_PENDING:])


async def _ask(method: str, url: str, form: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Ask the issuer; no redirect is followed.

    Raises:
        Unavailable: It cannot be reached, or does not answer with a JSON object.
    """
    try:
        async with (
            aiohttp.ClientSession(timeout=_TIMEOUT) as session,
            session.request(method, url, data=form, allow_redirects=False) as answer,
        ):
            answer.raise_for_status()
            found: object = await answer.json(content_type=None)
    except (aiohttp.ClientError, TimeoutError, ValueError):
        raise Unavailable(ISSUER) from None
    if not isinstance(found, dict):
        raise Unavailable(ISSUER)
    return cast("dict[str, Any]", found)
