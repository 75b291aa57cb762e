"""The deployment files agree with each other and with the code."""

import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
ONE_SHOT = frozenset({"topics", "redis-users", "http-token", "forget"})
OURS = ("topics", "redis-users", "http-token", "worker", "forget")
VOLUMES = "/var/lib/deidstream/"

PROMETHEUS: dict[str, Any] = yaml.safe_load((ROOT / "deploy/prometheus.yml").read_text())
ALERTS: dict[str, Any] = yaml.safe_load((ROOT / "deploy/alerts.yml").read_text())
GRAFANA = ROOT / "deploy/grafana"
DASHBOARD: dict[str, Any] = json.loads((GRAFANA / "dashboards/deidstream.json").read_text())
DOCKERFILE = (ROOT / "deploy/Dockerfile").read_text()

ALERT_NAMES = {
    "DatesUnread",
    "EventLoopLag",
    "LagHigh",
    "LeakScanHit",
    "LostToRetention",
    "NoProgress",
    "PolicyRefused",
    "QuarantineSpike",
    "RedisAway",
    "RedisLax",
    "RedisUnsafe",
    "RedisWentBack",
    "SurrogatesShared",
    "WorkerDown",
    "WorkerStalled",
    "WorkersDiffer",
}


def rules() -> list[dict[str, Any]]:
    return [rule for group in ALERTS["groups"] for rule in group["rules"]]


def panels() -> list[dict[str, Any]]:
    return list(DASHBOARD["panels"])


def expressions() -> list[str]:
    """Every query of the dashboard and the alerts."""
    drawn = [target["expr"] for panel in panels() for target in panel.get("targets", ())]
    return drawn + [rule["expr"] for rule in rules()]


def metrics(expression: str) -> set[str]:
    """The metrics of ours in one query; the series of a histogram count as the histogram."""
    series: list[str] = re.findall(r"\bdeid_\w+", expression)
    return {re.sub(r"_(?:bucket|sum|count)$", "", each) for each in series}


def mounts() -> Iterator[str]:
    """Every file or folder of the checkout that a container sees."""
    for service in SERVICES.values():
        sources = (volume.split(":")[0] for volume in service.get("volumes", ()))
        yield from (source for source in sources if source.startswith("."))


@pytest.mark.parametrize("name", SERVICES)
def test_image_is_pinned(name: str) -> None:
    _, _, tag = SERVICES[name]["image"].rpartition(":")
    assert re.fullmatch(r"v?\d+\.\d+\.\d+(-\w+)?", tag)


def test_one_service_builds_the_image_that_all_of_ours_name() -> None:
    assert [name for name in SERVICES if "build" in SERVICES[name]] == ["topics"]
    assert len({SERVICES[name]["image"] for name in OURS}) == 1


def test_base_image_is_pinned() -> None:
    bases: list[str] = re.findall(r"^FROM (\S+)", DOCKERFILE, re.MULTILINE)
    assert bases
    assert all(re.search(r":\d+\.\d+\.\d+", base) for base in bases)


@pytest.mark.parametrize("name", sorted(SERVICES.keys() - ONE_SHOT))
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


def test_a_worker_of_any_uid_may_write_its_volumes() -> None:
    (made,) = re.findall(
        rf"cd {VOLUMES[:-1]} && mkdir -m 0777 ([a-z ]+)$", DOCKERFILE, re.MULTILINE
    )
    places = {place for service in OURS for place in volumes(service).values()}
    assert {place.partition(":")[0] for place in places} == {VOLUMES + one for one in made.split()}


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
        "forget": {"forget-login"},
    }


@pytest.mark.parametrize("mode", ["prf", "random"])
def test_one_variable_puts_the_vault_in_another_mode(mode: str) -> None:
    from deidstream.agents.settings_reader import read_settings  # noqa: PLC0415

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


def test_every_metric_exists_and_is_looked_at() -> None:
    from deidstream.stream.metrics import METRIC_NAMES  # noqa: PLC0415

    used = set[str]().union(*map(metrics, expressions()))
    assert used == METRIC_NAMES


def test_every_fault_of_redis_is_in_one_alert() -> None:
    from deidstream.stream.redis_checks import Fault  # noqa: PLC0415

    queries = (rule["expr"] for rule in rules())
    named: list[str] = re.findall(r'fault=~"([^"]+)"', " ".join(queries))
    assert sorted("|".join(named).split("|")) == sorted(Fault)


def test_every_mounted_path_exists() -> None:
    found = list(mounts())
    assert found
    assert [source for source in found if not (ROOT / source).exists()] == []


def test_key_stays_out_of_git_and_out_of_the_image() -> None:
    key = Path(COMPOSE["secrets"]["deidstream_key"]["file"])
    assert (ROOT / key.parent / ".gitignore").read_text().splitlines()[0] == "*"
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    assert "*" in ignored
    assert not any(line.startswith("!deploy") for line in ignored)
    assert SERVICES["worker"]["environment"]["DEIDSTREAM_KEY_FILE"] == "/run/secrets/deidstream_key"


def test_image_holds_every_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    folders = {name.split(".")[1] for name in project["tool"]["setuptools"]["packages"]}
    assert folders <= set(re.findall(r"^COPY (\w+) \1$", DOCKERFILE, re.MULTILINE))
    allowed = {
        line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line[:1] == "!"
    }
    copied: list[str] = re.findall(r"^COPY (?!--)(.+) \S+$", DOCKERFILE, re.MULTILINE)
    assert {word for words in copied for word in words.split()} == allowed


def test_prometheus_finds_every_worker() -> None:
    (scrape,) = PROMETHEUS["scrape_configs"]
    (found,) = scrape["dns_sd_configs"]
    assert (found["names"], found["type"]) == (["worker"], "A")
    port = str(found["port"])
    assert SERVICES["worker"]["environment"]["DEIDSTREAM_HTTP_PORT"] == port
    assert f"127.0.0.1:{port}/livez" in SERVICES["worker"]["healthcheck"]["test"][-1]
    assert set(SERVICES["worker"]["networks"]) & set(SERVICES["prometheus"]["networks"])


def test_alerts_are_loaded_and_say_what_to_do() -> None:
    assert PROMETHEUS["rule_files"] == ["alerts.yml"]
    assert {rule["alert"] for rule in rules()} == ALERT_NAMES
    assert all(rule["labels"]["severity"] in {"page", "ticket"} for rule in rules())
    assert all(rule["annotations"].keys() == {"summary", "description"} for rule in rules())


def test_alerts_of_lag_are_those_of_the_group() -> None:
    lag = [rule["expr"] for rule in rules() if "deid_consumer_lag" in rule["expr"]]
    assert lag
    # Two workers may show one partition while it moves: it counts once, in whatever worker has it.
    group = "sum(max by (topic, partition) (deid_consumer_lag))"
    assert all(expr.count("deid_consumer_lag") == expr.count(group) for expr in lag)


@pytest.mark.slow
def test_every_command_that_an_alert_names_exists() -> None:
    from deidstream.agents.cli.main import parser  # noqa: PLC0415

    described = " ".join(rule["annotations"]["description"] for rule in rules())
    named = re.findall(r'"deidstream ([a-z0-9]+)', described)
    assert named
    assert all(re.search(rf"^ +{verb}\b", parser().format_help(), re.MULTILINE) for verb in named)


def test_dashboard_reads_the_provisioned_source() -> None:
    provisioned = yaml.safe_load((GRAFANA / "provisioning/datasources/prometheus.yml").read_text())
    (source,) = provisioned["datasources"]
    (variable,) = DASHBOARD["templating"]["list"]
    assert (variable["query"], variable["current"]["value"]) == (source["type"], source["uid"])
    used = {panel["datasource"]["uid"] for panel in panels() if panel["type"] != "row"}
    assert used == {"${datasource}"}


def test_panels_do_not_overlap() -> None:
    cells = [cell for panel in panels() for cell in covered(panel["gridPos"])]
    assert len(cells) == len(set(cells))
    assert len({panel["id"] for panel in panels()}) == len(panels())


def covered(place: dict[str, int]) -> list[tuple[int, int]]:
    columns = range(place["x"], place["x"] + place["w"])
    return [(x, y) for x in columns for y in range(place["y"], place["y"] + place["h"])]
