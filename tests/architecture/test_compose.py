"""The deployment files agree with each other and with the code."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
DRAWN = frozenset({"redis-users", "http-token", "api-token", "review-certificate"})
ONE_SHOT = DRAWN | {"topics", "forget"}
OURS = sorted(name for name in SERVICES if SERVICES[name]["image"].startswith("deidstream:"))
WORKERS = ("worker", "worker-gpu")
SENDERS = frozenset({"demo-notes"})
"""Services that answer nobody: compose restarts them, and nothing asks how they are."""
VOLUMES = "/var/lib/deidstream/"
PROFILES = {"obs", "demo", "gpu", "api", "mllp", "review", "forget"}

PROMETHEUS: dict[str, Any] = yaml.safe_load((ROOT / "deploy/prometheus.yml").read_text())
DOCKERFILE = (ROOT / "deploy/Dockerfile").read_text()


def mounts() -> Iterator[str]:
    """Every file or folder of the checkout that a container sees."""
    for service in SERVICES.values():
        sources = (volume.split(":")[0] for volume in service.get("volumes", ()))
        yield from (source for source in sources if source.startswith("."))


@pytest.mark.parametrize("name", SERVICES)
def test_image_is_pinned(name: str) -> None:
    _, _, tag = SERVICES[name]["image"].rpartition(":")
    assert re.fullmatch(r"v?\d+\.\d+\.\d+(-\w+)?", tag)


def test_one_service_builds_each_image_of_ours() -> None:
    built = {name: SERVICES[name]["image"] for name in SERVICES if "build" in SERVICES[name]}
    assert built == {"topics": "deidstream:0.1.0", "worker-gpu": "deidstream:0.1.0-cuda"}
    assert {SERVICES[name]["image"] for name in OURS} == set(built.values())


def test_only_the_image_for_a_card_has_the_libraries_of_cuda() -> None:
    torch = {name: SERVICES[name]["build"]["args"]["TORCH"] for name in ("topics", "worker-gpu")}
    assert torch == {"topics": "cpu", "worker-gpu": "lock"}


@pytest.mark.parametrize("name", SERVICES)
def test_a_service_needs_only_what_its_profiles_start(name: str) -> None:
    profiles = set(SERVICES[name].get("profiles", ()))
    assert profiles <= PROFILES
    for other in SERVICES[name].get("depends_on", {}):
        beside = set(SERVICES[other].get("profiles", ()))
        assert not beside or (profiles and profiles <= beside)


def test_without_a_profile_the_core_starts() -> None:
    core = {name for name in SERVICES if "profiles" not in SERVICES[name]}
    drawn = {"redis-users", "http-token", "api-token"}
    assert core == drawn | {"kafka", "topics", "redis", "worker"}


def test_the_head_of_the_file_names_every_profile_and_variable() -> None:
    text = (ROOT / "docker-compose.yml").read_text()
    head, _, body = text.partition("\nx-confined:")
    listed = set(re.findall(r"^#   ([a-z]+) +\S", head, re.MULTILINE))
    assert listed - {"docker", "deidstream"} == PROFILES
    asked = set(re.findall(r"\$\{(\w+):-", body))
    assert {name for name in asked if f"{name}=" not in head} == {"WORKER_GID"}


@pytest.mark.parametrize("name", sorted(SERVICES.keys() - ONE_SHOT - SENDERS))
def test_service_says_whether_it_is_healthy(name: str) -> None:
    assert SERVICES[name]["healthcheck"]["test"]


@pytest.mark.parametrize("name", SERVICES)
def test_service_waits_for_a_condition(name: str) -> None:
    for other, how in SERVICES[name].get("depends_on", {}).items():
        wanted = "service_completed_successfully" if other in ONE_SHOT else "service_healthy"
        assert how["condition"] == wanted


@pytest.mark.parametrize("name", SERVICES)
def test_ports_are_published_on_this_machine_only(name: str) -> None:
    assert all(port.startswith("127.0.0.1:") for port in SERVICES[name].get("ports", ()))


def test_prometheus_finds_what_else_has_metrics() -> None:
    asked = {
        name: str(found["port"])
        for scrape in PROMETHEUS["scrape_configs"]
        for found in scrape["dns_sd_configs"]
        for name in found["names"]
    }
    exposed = {name: each["expose"][0] for name, each in SERVICES.items() if each.get("expose")}
    assert asked == exposed
    targets = PROMETHEUS["alerting"]["alertmanagers"][0]["static_configs"][0]["targets"]
    assert targets == ["alertmanager:9093"]
    assert PROMETHEUS["rule_files"] == ["alerts.yml"]


@pytest.mark.parametrize("scrape", PROMETHEUS["scrape_configs"], ids=lambda each: each["job_name"])
def test_prometheus_has_the_token_that_is_asked_for(scrape: dict[str, Any]) -> None:
    (found,) = scrape["dns_sd_configs"]
    for name in found["names"]:
        service = SERVICES[name]
        assert set(service["networks"]) & set(SERVICES["prometheus"]["networks"])
        if name not in OURS:
            continue
        stated = service["environment"]
        part = "API" if name == "api" else "HTTP"
        assert stated[f"DEIDSTREAM_{part}_HOST"] == "0.0.0.0"  # noqa: S104 - inside a container
        assert stated[f"DEIDSTREAM_{part}_PORT"] == str(found["port"])
        asked = Path(stated[f"DEIDSTREAM_{part}_TOKEN_FILE"])
        sent = Path(scrape["authorization"]["credentials_file"])
        volume = {place.removesuffix(":ro"): key for key, place in volumes(name).items()}
        mounted = {p.removesuffix(":ro"): key for key, p in volumes("prometheus").items()}
        assert volume[str(asked.parent)] == mounted[str(sent.parent)]
        assert asked.name == sent.name


def test_worker_can_be_scaled() -> None:
    assert not SERVICES["worker"].keys() & {"container_name", "hostname", "ports"}


def test_redis_never_evicts() -> None:
    words = " ".join(SERVICES["redis"]["command"])
    assert "--maxmemory-policy noeviction" in words
    assert "--appendonly yes" in words
    assert "--appendfsync always" in words


def volumes(service: str) -> dict[str, str]:
    """Where each named volume of a container is, and how."""
    found = (volume.partition(":") for volume in SERVICES[service].get("volumes", ()))
    return {name: place for name, _, place in found if not name.startswith(".")}


def test_every_volume_is_declared_and_used() -> None:
    used = {name for service in SERVICES for name in volumes(service)}
    assert used == COMPOSE["volumes"].keys()


def test_a_password_of_redis_is_seen_by_its_user_alone() -> None:
    drawn = volumes("redis-users")
    logins = {name for name in drawn if name.endswith("-login")}
    for name in ("worker", "forget"):
        url = f"{VOLUMES}{name}/url"
        assert SERVICES[name]["environment"]["DEIDSTREAM_REDIS_URL_FILE"] == url
        assert volumes(name)[f"{name}-login"] == f"{VOLUMES}{name}:ro"
        assert f"{name}={drawn[f'{name}-login']}" in SERVICES["redis-users"]["command"]
    seen = {service: logins & volumes(service).keys() for service in SERVICES}
    assert {service: names for service, names in seen.items() if names} == {
        "redis-users": logins,
        "worker": {"worker-login"},
        "worker-gpu": {"worker-login"},
        "api": {"worker-login"},
        "forget": {"forget-login"},
    }


@pytest.mark.parametrize("mode", ["prf", "random"])
def test_one_variable_puts_the_vault_in_another_mode(mode: str) -> None:
    from deidstream.agents.settings import read_settings  # noqa: PLC0415

    for name in ("worker", "forget"):
        stated = SERVICES[name]["environment"]
        named = {
            key: text
            for key, text in stated.items()
            if not key.endswith(("_URL_FILE", "_TOKEN_FILE"))
        }
        given = {key: text.replace("${REDIS_MODE:-prf}", mode) for key, text in named.items()}
        redis = read_settings(given).redis
        assert (redis.mode, redis.state) == (mode, VOLUMES + "state")
    assert volumes("worker")["state"] == VOLUMES + "state"


def test_every_setting_exists() -> None:
    from deidstream.agents.settings import setting_names  # noqa: PLC0415

    given = {key for service in SERVICES.values() for key in service.get("environment", {})}
    given |= set(re.findall(r"\bDEIDSTREAM_\w+", DOCKERFILE))
    assert {key for key in given if key.startswith("DEIDSTREAM_")} <= setting_names()


def test_every_mounted_path_exists() -> None:
    found = list(mounts())
    assert found
    assert [source for source in found if not (ROOT / source).exists()] == []


def test_prometheus_finds_every_worker() -> None:
    scrape = next(each for each in PROMETHEUS["scrape_configs"] if each["job_name"] == "deidstream")
    (found,) = scrape["dns_sd_configs"]
    assert (found["names"], found["type"]) == ([*WORKERS], "A")
    port = str(found["port"])
    assert SERVICES["worker"]["environment"]["DEIDSTREAM_HTTP_PORT"] == port
    assert f"127.0.0.1:{port}/livez" in SERVICES["worker"]["healthcheck"]["test"][-1]
    assert set(SERVICES["worker"]["networks"]) & set(SERVICES["prometheus"]["networks"])
