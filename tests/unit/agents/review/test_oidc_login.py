"""Login by an OIDC issuer: who is admitted, in which role, and which tokens are refused."""

import asyncio
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit
from urllib.request import urlopen

import pytest
from joserfc.jwk import RSAKey
from playwright.sync_api import Browser, expect

from deidstream.agents.review.oidc_login import LoginRefused, OidcLogin
from deidstream.agents.review.users import ReviewRole, ReviewUser
from deidstream.agents.settings import ReviewSettings
from deidstream.schemas.errors import InvalidSettings, Unavailable
from support.browser import open_window
from support.oidc_issuer import CLIENT, OidcIssuer, running_issuer
from support.ports import LOOPBACK, free_port
from support.review_site import make_review_desk, running_review


@pytest.fixture
def issuer() -> Iterator[OidcIssuer]:
    with running_issuer() as running:
        running.claims = {"roles": ["deid-reviewer"]}
        yield running


def settings(issuer: OidcIssuer, url: str = "http://127.0.0.1:1") -> ReviewSettings:
    return ReviewSettings(oidc_issuer=issuer.url, oidc_client=CLIENT, oidc_url=url)


CODE = "code-x"


def log_in(issuer: OidcIssuer) -> ReviewUser:
    async def whole() -> ReviewUser:
        login = OidcLogin(settings(issuer))
        state, place = await login.begin()
        query = {name: found[0] for name, found in parse_qs(urlsplit(place).query).items()}
        assert query["code_challenge_method"] == "S256"
        issuer.asked[CODE] = query
        user = await login.finish(state, CODE)
        with pytest.raises(LoginRefused):
            await login.finish(state, CODE)
        return user

    return asyncio.run(whole())


@pytest.mark.parametrize(
    ("roles", "role"),
    [
        (["deid-reviewer", "other"], ReviewRole.REVIEWER),
        ("deid-reader", ReviewRole.READER),
    ],
)
def test_role_follows_from_the_claim(issuer: OidcIssuer, roles: object, role: ReviewRole) -> None:
    issuer.claims = {"roles": roles}
    assert log_in(issuer) == ReviewUser("olga", role, subject="u-1")


@pytest.mark.parametrize(
    "claims",
    [
        {"roles": ["other"]},
        {"roles": None},
        {"roles": [{"name": "deid-reviewer"}]},
        {"roles": {"deid-reviewer": {}}},
        {"sub": ""},
        {"aud": "another-client"},
        {"iss": "https://elsewhere.example"},
        {"nonce": "of another login"},
        {"exp": int(time.time()) - 3600},
        {"azp": "another-client"},
    ],
)
def test_other_tokens_are_refused(issuer: OidcIssuer, claims: dict[str, Any]) -> None:
    issuer.claims |= claims
    with pytest.raises(LoginRefused):
        log_in(issuer)


def test_forged_token_is_refused(issuer: OidcIssuer) -> None:
    issuer.signer = RSAKey.generate_key(2048, {"kid": "1"})
    with pytest.raises(LoginRefused):
        log_in(issuer)


def test_unknown_state_is_refused(issuer: OidcIssuer) -> None:
    with pytest.raises(LoginRefused):
        asyncio.run(OidcLogin(settings(issuer)).finish("unknown", CODE))


def test_absent_issuer_is_told(issuer: OidcIssuer) -> None:
    own = replace(settings(issuer), oidc_issuer=f"http://{LOOPBACK}:{free_port()}")
    with pytest.raises(Unavailable):
        asyncio.run(OidcLogin(own).begin())


def test_settings_that_cannot_work_are_refused(issuer: OidcIssuer) -> None:
    right = settings(issuer)
    for wrong in (
        replace(right, oidc_client=""),
        replace(right, oidc_url=""),
        replace(right, oidc_issuer="http://issuer.example"),
    ):
        with pytest.raises(InvalidSettings):
            OidcLogin(wrong)


@pytest.mark.browser
def test_browser_goes_to_the_issuer_and_back(
    browser: Browser, issuer: OidcIssuer, tmp_path: Path
) -> None:
    desk = make_review_desk(tmp_path / "review")
    with running_review(tmp_path, desk) as site:
        desk.settings = replace(desk.settings, review=settings(issuer, site.url))
        desk.oidc = OidcLogin(desk.settings.review)
        with open_window(browser, site.url) as window:
            window.page.goto("/")
            window.page.get_by_role("link", name="hospital account").click()
            expect(window.page.get_by_role("heading", name="Work lists")).to_be_visible()
            expect(window.page.get_by_text("olga")).to_be_visible()
            # Names may be chosen at the issuer; the trail has what is unique there.
            assert [one.get("subject") for one in site.audit()] == ["u-1"]
            (cookie,) = window.context.cookies()
            assert (cookie.get("httpOnly"), cookie.get("sameSite")) == (True, "Strict")
        issuer.claims = {}
        with open_window(browser, site.url) as window:
            window.page.goto("/api/oidc/login")
            expect(window.page.get_by_role("alert")).to_contain_text("no role")
        assert urlopen(f"{site.url}/livez").status == 200  # noqa: S310
