"""Alerts and dashboards name metrics that exist; alerts fire when they should, and only then."""

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from metrics_page import PAGE, page

from support.alert_scenes import SCENES, promtool_tests

ROOT = Path(__file__).parents[2]
RULES = ROOT / "deploy/helm/deidstream/files/alerts.yml"
GROUPS: list[dict[str, Any]] = yaml.safe_load(RULES.read_text())["groups"]
ALERTS = [rule for group in GROUPS for rule in group["rules"] if "alert" in rule]
RECORDS = [rule for group in GROUPS for rule in group["rules"] if "record" in rule]
GRAFANA = ROOT / "deploy/grafana"
DASHBOARDS: dict[str, dict[str, Any]] = {
    file.stem: json.loads(file.read_text())
    for file in sorted((RULES.parent / "dashboards").glob("*.json"))
}
PANELS = [
    panel for board in DASHBOARDS.values() for panel in board["panels"] if panel["type"] != "row"
]
_OTHERS = frozenset({"instance", "le", "job", "alertname", "alertstate"})
"""Labels that Prometheus gives."""


def expressions() -> list[str]:
    """Every query of the dashboards and of the rules."""
    drawn = [target["expr"] for panel in PANELS for target in panel["targets"]]
    return drawn + [rule["expr"] for rule in (*ALERTS, *RECORDS)]


def metrics(expression: str) -> set[str]:
    """The metrics of ours in one query; the series of a histogram count as the histogram."""
    series: list[str] = re.findall(r"\bdeid_\w+", expression)
    return {re.sub(r"_(?:bucket|sum|count)$", "", each) for each in series}


def test_every_metric_exists_and_is_looked_at() -> None:
    from deidstream.stream.observing.metric_catalogue import METRIC_NAMES  # noqa: PLC0415

    assert set[str]().union(*map(metrics, expressions())) == METRIC_NAMES


def test_the_page_of_metrics_is_that_of_the_catalogue() -> None:
    assert PAGE.read_text() == page()


def test_queries_group_and_filter_by_labels_that_exist() -> None:
    from deidstream.stream.observing.metric_catalogue import LABELS  # noqa: PLC0415

    for query in expressions():
        known = _OTHERS.union(*(LABELS.get(name, ()) for name in metrics(query)))
        grouped = re.findall(r"\b(?:by|on|group_left) \(([^)]*)\)", query)
        filtered = re.findall(r"(\w+)\s*(?:=~|!~|!=|=)\s*\"", query)
        used = {label.strip() for each in grouped for label in each.split(",")} | set(filtered)
        assert used - {""} <= known or "ALERTS" in query or "deid:" in query, query


def test_every_recorded_share_is_used() -> None:
    text = " ".join(rule["expr"] for rule in ALERTS)
    assert all(rule["record"] in text for rule in RECORDS)


def test_every_fault_of_redis_is_in_one_alert() -> None:
    from deidstream.stream.redis.redis_checks import Fault  # noqa: PLC0415

    named: list[str] = re.findall(r'fault=~"([^"]+)"', " ".join(rule["expr"] for rule in ALERTS))
    assert sorted("|".join(named).split("|")) == sorted(Fault)


def test_alerts_say_what_to_do() -> None:
    runbooks = (ROOT / "docs/runbooks.md").read_text()
    for rule in ALERTS:
        assert rule["labels"]["severity"] in {"page", "ticket"}
        assert rule["annotations"].keys() == {"summary", "description", "runbook_url"}
        name = rule["alert"]
        assert rule["annotations"]["runbook_url"] == f"docs/runbooks.md#{name.lower()}"
        assert re.search(rf"^### {name}$", runbooks, re.MULTILINE), name


def test_runbooks_are_of_alerts_that_exist() -> None:
    _, _, alerts = (ROOT / "docs/runbooks.md").read_text().partition("\n## Alerts\n")
    named = re.findall(r"^### (\w+)$", alerts, re.MULTILINE)
    assert sorted(named) == sorted(rule["alert"] for rule in ALERTS)


def test_concerns_of_the_page_are_alerts() -> None:
    source = (ROOT / "agents/operations/attention.py").read_text()
    said = set(re.findall(r'"([A-Z][a-z]+(?:[A-Z][a-z]+)+)"', source))
    assert said
    assert said <= {rule["alert"] for rule in ALERTS}


def test_alerts_of_lag_are_those_of_the_group() -> None:
    asked = re.compile(r"\bsum\b.*deid_consumer_lag\b")
    lag = [rule["expr"] for rule in ALERTS if asked.search(rule["expr"])]
    assert lag
    # Two workers may show one partition while it moves: it counts once, in whatever worker has it.
    group = "sum(max by (topic, partition) (deid_consumer_lag))"
    assert all(expr.count("deid_consumer_lag") == expr.count(group) for expr in lag)


@pytest.mark.slow
def test_every_command_that_an_alert_names_exists() -> None:
    from deidstream.agents.cli.main import parser  # noqa: PLC0415

    described = " ".join(rule["annotations"]["description"] for rule in ALERTS)
    named = re.findall(r'"deidstream ([a-z0-9]+)', described)
    assert named
    assert all(re.search(rf"^ +{verb}\b", parser().format_help(), re.MULTILINE) for verb in named)


def test_every_alert_has_a_scene() -> None:
    assert list(dict.fromkeys(each.alert for each in SCENES)) == [rule["alert"] for rule in ALERTS]


def promtool(*words: str) -> str:
    ran = subprocess.run(  # noqa: S603 - Debian's own
        ["/usr/bin/env", "promtool", *words],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


@pytest.mark.broker  # it needs what deploy/services.sh fetches
@pytest.mark.parametrize("alert", ALERTS, ids=lambda alert: alert["alert"])
def test_each_alert_fires_and_is_quiet_as_its_scenes_say(
    tmp_path: Path, alert: dict[str, Any]
) -> None:
    # All rules at every step of days would take half a minute.
    read = [rule for rule in RECORDS if rule["record"] in alert["expr"]]
    rules, tests = tmp_path / "rules.yml", tmp_path / "tests.yml"
    rules.write_text(yaml.safe_dump({"groups": [{"name": "one", "rules": [*read, alert]}]}))
    tests.write_text(yaml.safe_dump(promtool_tests(str(rules), alert["alert"])))
    assert "SUCCESS" in promtool("test", "rules", str(tests))


@pytest.mark.broker
def test_prometheus_accepts_its_files(tmp_path: Path) -> None:
    assert f"{len(ALERTS) + len(RECORDS)} rules found" in promtool("check", "rules", str(RULES))
    text = (ROOT / "deploy/prometheus.yml").read_text()
    # The token is drawn where the services run.
    (tmp_path / "token").write_text("token")
    (tmp_path / "prometheus.yml").write_text(
        re.sub(r"/etc/prometheus/(?:http|api)/token", str(tmp_path / "token"), text)
    )
    (tmp_path / "alerts.yml").write_text(RULES.read_text())
    promtool("check", "config", str(tmp_path / "prometheus.yml"))


@pytest.mark.parametrize("name", DASHBOARDS)
def test_dashboard_reads_the_provisioned_source(name: str) -> None:
    provisioned = yaml.safe_load((GRAFANA / "provisioning/datasources/prometheus.yml").read_text())
    (source,) = provisioned["datasources"]
    (variable,) = DASHBOARDS[name]["templating"]["list"]
    assert (variable["query"], variable["current"]["value"]) == (source["type"], source["uid"])
    panels = DASHBOARDS[name]["panels"]
    assert {panel["datasource"]["uid"] for panel in panels} == {"${datasource}"}
    assert {t["datasource"]["uid"] for p in panels for t in p["targets"]} == {"${datasource}"}


@pytest.mark.parametrize("name", DASHBOARDS)
def test_panels_do_not_overlap_and_say_what_they_show(name: str) -> None:
    panels = DASHBOARDS[name]["panels"]
    cells = [cell for panel in panels for cell in covered(panel["gridPos"])]
    assert len(cells) == len(set(cells))
    assert len({panel["id"] for panel in panels}) == len(panels)
    assert all(panel["title"] and panel["description"].endswith(".") for panel in panels)


def test_bounds_of_the_standing_sample_are_drawn_beside_the_claim() -> None:
    drawn = [" ".join(target["expr"] for target in panel["targets"]) for panel in PANELS]
    bounds = [queries for queries in drawn if "deid_leak_bound_per_thousand" in queries]
    assert all("deid_leak_claim_per_thousand" in queries for queries in bounds)
    # Several workers show the same figures: they count once.
    assert all("max by" in queries for queries in bounds)
    assert any("by (bound)" in queries for queries in bounds)
    assert any("by (note_type)" in queries for queries in bounds)
    assert any("deid_leak_notes_read" in queries for queries in drawn)


def test_levels_are_drawn_by_the_rule_that_made_them() -> None:
    drawn = [target["expr"] for panel in PANELS for target in panel["targets"]]
    assert any("by (rule, level) (rate(deid_risk_level_total" in query for query in drawn)


def test_dashboards_have_names_of_their_own() -> None:
    assert len({board["uid"] for board in DASHBOARDS.values()}) == len(DASHBOARDS)
    assert "deidstream" in DASHBOARDS


def covered(place: dict[str, int]) -> list[tuple[int, int]]:
    columns = range(place["x"], place["x"] + place["w"])
    return [(x, y) for x in columns for y in range(place["y"], place["y"] + place["h"])]
