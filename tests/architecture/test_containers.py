"""The containers of docker compose: confined, with every secret in a file."""

import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = ("topics", "redis-users", "http-token", "worker", "forget")
PROMETHEUS: dict[str, Any] = yaml.safe_load((ROOT / "deploy/prometheus.yml").read_text())
DOCKERFILE = (ROOT / "deploy/Dockerfile").read_text()


def mounted(service: str) -> dict[str, str]:
    """Where each named volume of a container is, and how."""
    found = (volume.partition(":") for volume in SERVICES[service].get("volumes", ()))
    return {name: place for name, _, place in found if not name.startswith(".")}


@pytest.mark.parametrize("name", SERVICES)
def test_service_is_confined(name: str) -> None:
    assert SERVICES[name]["cap_drop"] == ["ALL"]
    assert SERVICES[name]["security_opt"] == ["no-new-privileges:true"]


@pytest.mark.parametrize("name", OURS)
def test_our_containers_write_nothing_and_reach_nothing_outside(name: str) -> None:
    service = SERVICES[name]
    assert service["read_only"]
    assert not str(service["user"]).startswith(("0", "root"))
    assert [network for network in service["networks"] if not inside(network)] == []
    (scratch,) = service["tmpfs"]
    place, _, options = scratch.partition(":")
    assert place == "/tmp"  # noqa: S108 - of a container
    assert {"noexec", "nosuid", "nodev"} <= set(options.split(","))


def inside(network: str) -> bool:
    return bool((COMPOSE["networks"][network] or {}).get("internal"))


def test_image_runs_as_nobody_special() -> None:
    # The last stage is what runs.
    _, _, last = DOCKERFILE.rpartition("\nFROM ")
    (user,) = re.findall(r"^USER (\S+)$", last, re.MULTILINE)
    number = re.search(rf"useradd --uid (\d+) .* {user}$", last, re.MULTILINE)
    assert number
    assert int(number[1]) > 0


@pytest.mark.parametrize("name", OURS)
def test_every_secret_is_in_a_file(name: str) -> None:
    from deidstream.agents.settings_reader import secrets_in_environment  # noqa: PLC0415

    assert secrets_in_environment(SERVICES[name].get("environment", {})) == ()


def test_the_token_of_the_http_port_is_seen_by_workers_and_prometheus_alone() -> None:
    seen = {name for name in SERVICES if "http-token" in mounted(name)}
    assert seen == {"http-token", "worker", "prometheus"}
    script, drawn = SERVICES["http-token"]["entrypoint"][1:]
    assert drawn == SERVICES["worker"]["environment"]["DEIDSTREAM_HTTP_TOKEN_FILE"]
    assert script == "/http/token.sh"
    (scrape,) = PROMETHEUS["scrape_configs"]
    place, _, mode = mounted("prometheus")["http-token"].partition(":")
    assert scrape["authorization"] == {"credentials_file": f"{place}/token"}
    assert mode == mounted("worker")["http-token"].partition(":")[2] == "ro"


def test_a_token_is_drawn_once(tmp_path: Path) -> None:
    command, file = ["sh", str(ROOT / "deploy/http/token.sh")], tmp_path / "token"
    tokens = set[str]()
    for _ in range(2):
        subprocess.run([*command, str(file)], check=True, env={"PATH": os.defpath})  # noqa: S603
        tokens.add(file.read_text())
    (token,) = tokens
    assert re.fullmatch("[0-9a-f]{64}", token)
