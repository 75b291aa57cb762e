"""The Redis of docker compose, with its own command line, users and settings, on a real server."""

import asyncio
import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import redis as blocking
import yaml
from redis.exceptions import NoPermissionError

from deidstream.agents.cli.main import main
from deidstream.agents.runtime.guards.redis_guard import connect_guard
from deidstream.agents.settings import read_settings
from deidstream.schemas.errors import InvalidSettings, UntrustedStore
from support.redis_server import Redis, running_redis

pytestmark = pytest.mark.broker
ROOT = Path(__file__).parents[2]
SERVICES: dict[str, dict[str, Any]] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())[
    "services"
]
NAMES = [bytes([number]) * 32 for number in range(5)]
PAIRS = [(name, name[::-1]) for name in NAMES]


def interpolated(text: str, given: Mapping[str, str]) -> str:
    """Put what is given, or the default, for each ``${NAME:-default}``."""
    return re.sub(r"\$\{(\w+):-([^}]*)\}", lambda found: given.get(found[1]) or found[2], text)


@dataclass(frozen=True, slots=True)
class Site:
    """Volumes as folders, and one Redis."""

    volumes: Path

    def there(self, service: str, text: str) -> str:
        """What a container calls ``text``, as it is called here."""
        text = text.replace("/run/secrets/deidstream_key", str(self.volumes / "key"))
        for volume in SERVICES[service].get("volumes", ()):
            source, target = volume.split(":")[:2]
            here = ROOT / source if source.startswith(".") else self.volumes / source
            text = re.sub(rf"{target}(?=/|$)", str(here), text)
        return text

    def give_passwords(self) -> None:
        """Run the container that draws them, as often as wanted."""
        service = SERVICES["redis-users"]
        words = [*service["entrypoint"], *service["command"]]
        for volume in service["volumes"]:
            if not volume.startswith("."):
                (self.volumes / volume.split(":")[0]).mkdir(exist_ok=True)
        here = [self.there("redis-users", word) for word in words]
        subprocess.run(here, check=True, env={"PATH": os.defpath})  # noqa: S603

    def options(self) -> tuple[str, ...]:
        """Redis's command line."""
        program, *options = SERVICES["redis"]["command"]
        assert program == "redis-server"
        return tuple(self.there("redis", interpolated(word, {})) for word in options)

    def environment(self, service: str, server: Redis, **given: str) -> dict[str, str]:
        """The settings of a container."""
        stated: dict[str, str] = SERVICES[service]["environment"]
        made = {k: self.there(service, interpolated(v, given)) for k, v in stated.items()}
        url = Path(made.pop("DEIDSTREAM_REDIS_URL_FILE")).read_text()
        assert "@redis:6379/0" in url
        made.pop("DEIDSTREAM_HTTP_TOKEN_FILE", None)  # nothing of Redis
        here = url.strip().replace("@redis:6379", f"@127.0.0.1:{server.port}")
        return made | {"DEIDSTREAM_REDIS_URL": here}


@pytest.fixture
def site(tmp_path: Path) -> Site:
    # A folder with a space in its name, as a checkout may have.
    made = Site(tmp_path / "the volumes")
    made.volumes.mkdir()
    assert main(["keys", "new", str(made.volumes / "key")]) == 0
    made.give_passwords()
    return made


@pytest.fixture
def server(site: Site, tmp_path: Path) -> Iterator[Redis]:
    (tmp_path / "data").mkdir()
    with running_redis(tmp_path / "data", options=site.options()) as running:
        yield running


@pytest.mark.parametrize("mode", ["prf", "random"])
def test_a_worker_is_admitted_and_claims_with_its_own_rights(
    site: Site, server: Redis, mode: str
) -> None:
    settings = read_settings(site.environment("worker", server, REDIS_MODE=mode))
    assert settings.redis.mode == mode
    guard = connect_guard(settings, writes=True)

    async def body() -> tuple[list[bytes], list[bytes | None]]:
        try:
            await guard.admit()
            await guard.store.ping()
            won = await guard.store.claim(PAIRS)
            await guard.check()
            with pytest.raises(InvalidSettings):
                await guard.store.forget([NAMES[0][:16]])
            return won, await guard.store.recall(NAMES)
        finally:
            await guard.store.close()

    values = [value for _, value in PAIRS]
    assert asyncio.run(body()) == (values, values)
    assert guard.seen == set()
    assert [file.name for file in (site.volumes / "state").glob("*.mark")] == ["worker-0.mark"]


def test_in_mode_random_every_claim_is_kept_and_the_next_worker_would_miss_it(
    site: Site, server: Redis
) -> None:
    settings = read_settings(site.environment("worker", server, REDIS_MODE="random"))

    async def body(pairs: Sequence[tuple[bytes, bytes]]) -> None:
        guard = connect_guard(settings, writes=True)
        try:
            await guard.admit()
            await guard.store.claim(pairs)
        finally:
            await guard.store.close()

    asyncio.run(body(PAIRS))
    server.kill9()
    server.start()
    asyncio.run(body([]))
    server.stop()
    shutil.rmtree(server.home / "appendonlydir")
    server.start()
    with pytest.raises(UntrustedStore, match="older state"):
        asyncio.run(body([]))


def test_a_worker_has_no_other_names_and_no_other_commands(site: Site, server: Redis) -> None:
    url = site.environment("worker", server)["DEIDSTREAM_REDIS_URL"]
    with blocking.Redis.from_url(url) as client:
        for words in (
            ("GET", "deid:rv:record"),
            ("GET", "other"),
            ("SET", "deid", ""),
            ("HDEL", "deid:marks", "x"),
            ("CONFIG", "GET", "save"),
            ("KEYS", "*"),
            ("FLUSHALL",),
        ):
            with pytest.raises(NoPermissionError):
                client.execute_command(*words)


def test_whoever_names_no_user_may_only_ask_for_a_pong(server: Redis) -> None:
    kind, command = SERVICES["redis"]["healthcheck"]["test"]
    assert kind == "CMD-SHELL"
    asked = command.replace("redis-cli", f"redis-cli -p {server.port}")
    assert asked != command
    assert subprocess.run(asked, shell=True, check=False).returncode == 0  # noqa: S602
    with (
        blocking.Redis.from_url(server.url) as client,
        pytest.raises(NoPermissionError),
    ):
        client.get("deid:key:1")


def test_passwords_stay_and_redis_has_only_their_digests(site: Site) -> None:
    files = [site.volumes / f"{name}-login" / "url" for name in ("worker", "forget")]
    urls = [file.read_text() for file in files]
    rules = (site.volumes / "redis-users" / "users.acl").read_text()
    site.give_passwords()
    assert [file.read_text() for file in files] == urls
    assert (site.volumes / "redis-users" / "users.acl").read_text() == rules
    passwords = [url.split(":")[2].partition("@")[0] for url in urls]
    assert len(set(passwords)) == 2
    assert not [password for password in passwords if password in rules]
    assert "@" not in rules.replace("-@all", "")


def test_a_patient_is_forgotten_by_a_user_that_can_do_little_else(
    site: Site, server: Redis, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    service = SERVICES["forget"]
    program, *verb = service["entrypoint"]
    assert program == "deidstream"
    environment = site.environment("forget", server, REDIS_MODE="random")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    (site.volumes / "ids").write_text("P1\nP2\n")
    assert main([*verb, "--patient-id-file", str(site.volumes / "ids")]) == 0
    assert "2 patients: 0 values deleted" in capsys.readouterr().err
    with blocking.Redis.from_url(environment["DEIDSTREAM_REDIS_URL"]) as client:
        assert client.bgrewriteaof()
        with pytest.raises(NoPermissionError):
            client.hget("deid:of:x", "y")


def test_the_manual_names_the_rights_that_the_users_have() -> None:
    manual = " ".join((ROOT / "docs/vault.md").read_text().split())
    lines = (ROOT / "deploy/redis/users.acl").read_text().splitlines()
    rights = {line.split()[1]: " ".join(line.split()[4:]) for line in lines}
    assert f"`{rights['worker']}`" in manual
    assert f"`{rights['forget']}`" in manual
