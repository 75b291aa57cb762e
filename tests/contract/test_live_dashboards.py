"""Every panel has data when Prometheus scrapes a worker at work: the demo's, with real models."""

import json
import re
import sys
import urllib.parse
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support.ports import LOOPBACK, free_port
from support.processes import start, wait_until

ROOT = Path(__file__).parents[2]
PANELS = [
    (file.stem, panel["title"], target["expr"])
    for file in sorted((ROOT / "deploy/helm/deidstream/files/dashboards").glob("*.json"))
    for panel in json.loads(file.read_text())["panels"]
    for target in panel.get("targets", ())
]
EVENTS = re.compile(
    r"deid_(?:quarantine|unavailable|policy_reloads|breaker|drift|label_rate|probe|http|api|mllp|table"
    r"|leak_bound|leak_claim|leak_notes)"
)
"""Metrics without a series before something happens that a quiet demo has not: a failure, a probe,
a request, a week, readers."""
CONFIG = """
global: {{ scrape_interval: 1s, evaluation_interval: 1s }}
rule_files: [{rules}]
scrape_configs:
  - job_name: deidstream
    static_configs: [{{ targets: ["{target}"] }}]
"""
pytestmark = [pytest.mark.broker, pytest.mark.slow]


@pytest.fixture(scope="module")
def prometheus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Run a demo and a Prometheus that scrapes its worker, until there are a few samples."""
    home = tmp_path_factory.mktemp("prometheus")
    log = home / "demo.log"
    demo = start((sys.executable, "-m", "deidstream.agents", "demo", "--forever"), log=log)
    try:
        wait_until(lambda: "operations page, live" in log.read_text(), seconds=200)
        target = re.findall(r"http://([\d.:]+)/", log.read_text())[0]
        config = CONFIG.format(
            rules=ROOT / "deploy/helm/deidstream/files/alerts.yml", target=target
        )
        (home / "prometheus.yml").write_text(config)
        address = f"{LOOPBACK}:{free_port()}"
        server = start(
            (
                "prometheus",
                f"--config.file={home / 'prometheus.yml'}",
                f"--storage.tsdb.path={home / 'data'}",
                f"--web.listen-address={address}",
            ),
            log=home / "prometheus.log",
        )
        try:
            url = f"http://{address}"
            wait_until(lambda: emitted(url) > 40, seconds=120)
            yield url
        finally:
            server.stop()
    finally:
        demo.stop(60)


def query(url: str, expression: str) -> list[Any]:
    asked = urllib.parse.urlencode({"query": expression})
    try:
        with urllib.request.urlopen(f"{url}/api/v1/query?{asked}", timeout=10) as answer:  # noqa: S310
            found: list[Any] = json.load(answer)["data"]["result"]
            return found
    except OSError:
        return []


def emitted(url: str) -> float:
    found = query(url, 'increase(deid_notes_total{outcome="emitted"}[30s])')
    return float(found[0]["value"][1]) if found else 0.0


def test_every_panel_has_data(prometheus: str) -> None:
    empty = [
        (board, title)
        for board, title, expression in PANELS
        if not EVENTS.search(expression)
        and not query(
            prometheus,
            expression.replace("$__rate_interval", "30s").replace("$__range", "1m"),
        )
    ]
    # No fault is what this panel shows where all is well.
    assert [each for each in empty if each != ("vault", "Faults of Redis")] == []


def test_prometheus_evaluates_the_rules(prometheus: str) -> None:
    with urllib.request.urlopen(f"{prometheus}/api/v1/rules", timeout=10) as answer:  # noqa: S310
        groups = json.load(answer)["data"]["groups"]
    rules = [rule for group in groups for rule in group["rules"]]
    assert rules
    assert {rule["name"] for rule in rules if rule["health"] == "err"} == set()


def test_alerts_of_a_good_demo_are_quiet(prometheus: str) -> None:
    found = query(prometheus, 'ALERTS{alertstate="firing"}')
    firing = {str(each["metric"]["alertname"]) for each in found}
    # How late notes are depends on the machine.
    assert {name for name in firing if not name.startswith("BudgetBurns")} == set()
