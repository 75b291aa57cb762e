"""The containers of docker compose: confined, with every secret in a file."""

import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from cryptography import x509

ROOT = Path(__file__).parents[2]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = sorted(name for name in SERVICES if SERVICES[name]["image"].startswith("deidstream:"))
PROMETHEUS: dict[str, Any] = yaml.safe_load((ROOT / "deploy/prometheus.yml").read_text())


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
    """Whether a network has no way to other machines, though ports of it may be published."""
    known = COMPOSE["networks"][network] or {}
    masked = "com.docker.network.bridge.enable_ip_masquerade"
    return bool(known.get("internal")) or known.get("driver_opts", {}).get(masked) == "false"


@pytest.mark.parametrize("name", OURS)
def test_every_secret_is_in_a_file(name: str) -> None:
    from deidstream.agents.settings import secrets_in_environment  # noqa: PLC0415

    assert secrets_in_environment(SERVICES[name].get("environment", {})) == ()


def test_the_token_of_the_http_port_is_seen_by_prometheus_and_what_it_asks_alone() -> None:
    seen = {name for name in SERVICES if "http-token" in mounted(name)}
    assert seen == {"http-token", "worker", "worker-gpu", "prometheus", "probe", "mllp"}
    script, drawn = SERVICES["http-token"]["entrypoint"][1:]
    assert drawn == SERVICES["worker"]["environment"]["DEIDSTREAM_HTTP_TOKEN_FILE"]
    assert script == "/http/token.sh"
    jobs = {job["job_name"]: job for job in PROMETHEUS["scrape_configs"]}
    scrape = jobs["deidstream"]
    place, _, mode = mounted("prometheus")["http-token"].partition(":")
    assert scrape["authorization"] == {"credentials_file": f"{place}/token"}
    assert mode == mounted("worker")["http-token"].partition(":")[2] == "ro"


def test_what_publishes_a_port_asks_who_is_there() -> None:
    published = {name for name in OURS if SERVICES[name].get("ports")}
    assert published == {"api", "mllp", "review"}
    assert "DEIDSTREAM_API_TOKEN_FILE" in SERVICES["api"]["environment"]
    assert "DEIDSTREAM_REVIEW_TLS_CERTIFICATE" in SERVICES["review"]["environment"]
    place, _, mode = mounted("api")["api-token"].partition(":")
    assert SERVICES["api"]["environment"]["DEIDSTREAM_API_TOKEN_FILE"] == f"{place}/token"
    assert mode == "ro"


def test_a_certificate_is_made_once_and_is_of_this_machine(tmp_path: Path) -> None:
    command = ["sh", str(ROOT / "deploy/tls/certificate.sh"), str(tmp_path)]
    made = set[bytes]()
    for _ in range(2):
        subprocess.run(command, check=True, env={"PATH": os.environ["PATH"]})  # noqa: S603
        made.add((tmp_path / "tls.crt").read_bytes())
    (pem,) = made
    names = x509.load_pem_x509_certificate(pem).extensions.get_extension_for_class(
        x509.SubjectAlternativeName
    )
    assert names.value.get_values_for_type(x509.DNSName) == ["localhost"]
    assert (tmp_path / "tls.key").stat().st_mode & 0o077 == 0


def test_a_token_is_drawn_once(tmp_path: Path) -> None:
    command, file = ["sh", str(ROOT / "deploy/http/token.sh")], tmp_path / "token"
    tokens = set[str]()
    for _ in range(2):
        subprocess.run([*command, str(file)], check=True, env={"PATH": os.defpath})  # noqa: S603
        tokens.add(file.read_text())
    (token,) = tokens
    assert re.fullmatch("[0-9a-f]{64}", token)
