"""The Helm chart: its numbers follow from what was measured, and its choices keep notes safe."""

import json
from pathlib import Path
from typing import Any

import pytest

from deidstream.agents.runtime.production import find_unsafe
from deidstream.agents.settings import Settings, read_settings
from support.chart import Manifest, environment, pods, render

pytestmark = pytest.mark.helm

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "benchmarks/results"


def worker(values: dict[str, Any], kind: str = "Deployment") -> Manifest:
    return render(values).named(kind, "-worker")


def scaler(values: dict[str, Any]) -> Manifest:
    on = {**values, "keda": {"enabled": True, **values.get("keda", {})}}
    spec: Manifest = render(on).named("ScaledObject", "-worker")["spec"]
    return spec


def settings_of(pod: Manifest, folder: Path) -> tuple[Settings, dict[str, str]]:
    """Read the settings of a pod, with its mounted Secrets as files of a folder."""
    contents = {"url": "rediss://worker:secret@redis:6379/0", "key": "ab" * 32}
    given = environment(pod)
    for name, value in given.items():
        if value.startswith("/etc/deidstream/"):
            file = folder / value.removeprefix("/")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(contents.get(file.name, "a-long-secret-of-a-test"))
            file.chmod(0o440)
            given[name] = str(file)
    return read_settings(given), given


@pytest.mark.parametrize("part", ["worker", "api", "mllp", "review", "exporter"])
def test_production_refuses_nothing_that_the_chart_sets(tmp_path: Path, part: str) -> None:
    made = render({} if part == "worker" else {part: {"enabled": True}})
    for name, pod in pods(made.manifests):
        settings, given = settings_of(pod, tmp_path / name)
        assert settings.env == "prod"
        if name.endswith(f"-{part}"):
            mine = ("DEIDSTREAM_REDIS_URL:",) if "DEIDSTREAM_REDIS_URL_FILE" not in given else ()
            found = [line for line in find_unsafe(settings, given) if not line.startswith(mine)]
            assert found == []


def test_the_review_page_shows_notes_of_the_stream_when_it_is_told_to(tmp_path: Path) -> None:
    for told in (False, True):
        page = {"enabled": True, "quarantine": told, "risk": told}
        (pod,) = [
            pod
            for name, pod in pods(render({"review": page}).manifests)
            if name.endswith("-review")
        ]
        settings, _ = settings_of(pod, tmp_path)
        assert (settings.review.quarantine, settings.review.risk) == (told, told)


def test_a_worker_has_time_to_end() -> None:
    pod = worker({"worker": {"drainSeconds": 40}})["spec"]["template"]["spec"]
    assert environment(pod)["DEIDSTREAM_WORKER_DRAIN_SECONDS"] == "40"
    assert pod["terminationGracePeriodSeconds"] > 40 + 20


def test_no_more_workers_than_partitions_even_for_a_moment() -> None:
    assert worker({})["spec"]["strategy"]["rollingUpdate"]["maxSurge"] == 0
    assert scaler({"kafka": {"partitions": 6}})["maxReplicaCount"] == 6
    assert scaler({"kafka": {"partitions": 60}})["maxReplicaCount"] == 9
    assert render({"keda": {"enabled": True, "minReplicas": 3}, "kafka": {"partitions": 2}}).code


def test_workers_follow_the_lag_slowly_and_never_end() -> None:
    spec = scaler({})
    assert spec["minReplicaCount"] >= 1
    assert spec["cooldownPeriod"] >= 300
    down = spec["advanced"]["horizontalPodAutoscalerConfig"]["behavior"]["scaleDown"]
    assert down["stabilizationWindowSeconds"] >= 300
    (trigger,) = spec["triggers"]
    said = trigger["metadata"]
    assert said["excludePersistentLag"] == said["limitToPartitionsWithLag"] == "true"
    assert said["scaleToZeroOnInvalidOffset"] == said["allowIdleConsumers"] == "false"
    assert (said["tls"], said["sasl"]) == ("enable", "scram_sha512")
    given = environment(worker({})["spec"]["template"]["spec"])
    assert said["consumerGroup"] == given["DEIDSTREAM_KAFKA_GROUP"]
    assert said["topic"] == given["DEIDSTREAM_KAFKA_RAW_TOPIC"]


def test_what_scales_leaves_the_number_of_workers_alone() -> None:
    assert worker({})["spec"]["replicas"] == 2
    assert "replicas" not in worker({"keda": {"enabled": True}})["spec"]


def test_the_speed_of_a_worker_is_the_measured_one() -> None:
    path = json.loads((RESULTS / "worker.json").read_text())["path"]
    measured = int(path["notes_per_second"]["median"])
    (trigger,) = scaler({})["triggers"]
    assert int(trigger["metadata"]["lagThreshold"]) == measured * 10


def test_redis_is_as_large_as_measured() -> None:
    figures = json.loads((RESULTS / "patients.json").read_text())
    a_name = figures["runs"][-1]["bytes_a_patient"] / figures["names_a_patient"]
    server = {"enabled": True, "patients": 1_000_000, "identities": 53}
    redis = render({"redis": {"server": server}}).named("StatefulSet", "-redis")
    (container,) = redis["spec"]["template"]["spec"]["containers"]
    words = " ".join(container["args"])
    megabytes = int(words.partition("--maxmemory ")[2].partition("mb")[0])
    assert megabytes == pytest.approx(1_000_000 * 53 * a_name / 1e6 * 4 / 3, rel=0.02)
    limit = int(container["resources"]["limits"]["memory"].removesuffix("M"))
    assert limit >= 2 * megabytes
    assert "--maxmemory-policy noeviction" in words
    assert "--appendonly yes --appendfsync always" in words
    assert "--port 0 --tls-port 6379" in words


def test_in_mode_random_counts_outlive_a_worker() -> None:
    found = worker({"redis": {"mode": "random"}}, "StatefulSet")
    (claim,) = found["spec"]["volumeClaimTemplates"]
    pod = found["spec"]["template"]["spec"]
    (mount,) = (m for m in pod["containers"][0]["volumeMounts"] if m["name"] == "state")
    assert claim["metadata"]["name"] == "state"
    assert environment(pod)["DEIDSTREAM_REDIS_STATE"] == mount["mountPath"]
    assert scaler({"redis": {"mode": "random"}})["scaleTargetRef"]["kind"] == "StatefulSet"


def test_a_card_is_one_workers_own() -> None:
    pod = worker({"gpu": {"enabled": True}})["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    assert container["image"].endswith("-cuda")
    assert container["resources"]["limits"]["nvidia.com/gpu"] == 1
    given = environment(pod)
    assert (given["DEIDSTREAM_MODEL_DEVICE"], given["DEIDSTREAM_MODEL_ENGINE"]) == ("cuda", "torch")


def test_what_reads_notes_reaches_kafka_redis_and_names_alone() -> None:
    policy = render({}).named("NetworkPolicy", "-worker")["spec"]
    assert policy["policyTypes"] == ["Ingress", "Egress"]
    ports = {port["port"] for rule in policy["egress"] for port in rule["ports"]}
    assert ports == {53, 9093, 6379}
    (inward,) = policy["ingress"]
    assert inward["from"] == [{"podSelector": {}}]


def test_metrics_of_interfaces_are_read_under_jobs_of_their_own() -> None:
    on = {"enabled": True}
    parts = {"mllp": on, "exporter": on, "review": on, "monitoring": on}
    made = render(parts | {"api": {**on, "metricsSecret": "prometheus-api"}})
    pods_of = {
        each["spec"]["template"]["metadata"]["labels"]["app.kubernetes.io/component"]: each
        for each in made.of("Deployment")
    }
    monitors = made.of("PodMonitor")
    found = {
        each["spec"]["selector"]["matchLabels"]["app.kubernetes.io/component"] for each in monitors
    }
    assert found == {"api", "mllp", "exporter"}  # the review page has no metrics
    for each in monitors:
        # The alerts look for workers in the job deidstream.
        assert each["spec"]["jobLabel"] == "app.kubernetes.io/component"
        selected = each["spec"]["selector"]["matchLabels"]
        name = selected["app.kubernetes.io/component"]
        assert selected.items() <= pods_of[name]["spec"]["template"]["metadata"]["labels"].items()
        (asked,) = each["spec"]["podMetricsEndpoints"]
        (container,) = pods_of[name]["spec"]["template"]["spec"]["containers"]
        (port,) = (p["containerPort"] for p in container["ports"] if p["name"] == asked["port"])
        policy = made.named("NetworkPolicy", f"-{name}")["spec"]
        assert port in {p["port"] for rule in policy["ingress"] for p in rule["ports"]}
        assert asked["authorization"]["credentials"]["key"] == "token"
        assert asked.get("scheme") == ("https" if name == "api" else None)


def test_metrics_of_the_interface_are_read_where_its_client_is_named() -> None:
    on = {"enabled": True}
    assert render({"api": on, "monitoring": on}).of("PodMonitor") == []
    peers = [{"namespaceSelector": {"matchLabels": {"name": "monitoring"}}}]
    named = {
        "api": {**on, "metricsSecret": "prometheus-api"},
        "monitoring": on,
        "networkPolicy": {"metricsPeers": peers},
    }
    policy = render(named).named("NetworkPolicy", "-api")["spec"]
    assert [rule["from"] for rule in policy["ingress"]] == [[{"podSelector": {}}], peers]


def test_interfaces_of_several_pods_are_not_all_evicted_at_once() -> None:
    on = {"enabled": True}
    made = render({"api": {**on, "replicas": 3}, "mllp": on, "review": on, "exporter": on})
    budgets = {each["metadata"]["name"] for each in made.of("PodDisruptionBudget")}
    assert budgets == {f"r-deidstream-{part}" for part in ("worker", "api", "mllp")}


def test_a_policy_of_ones_own_is_a_mounted_file() -> None:
    pod = worker({"policy": {"configMap": "mercy"}})["spec"]["template"]["spec"]
    assert environment(pod)["DEIDSTREAM_POLICY"] == "/etc/deidstream/policy/policy.toml"
    (volume,) = (each for each in pod["volumes"] if each["name"] == "policy")
    assert volume["configMap"] == {"name": "mercy"}
