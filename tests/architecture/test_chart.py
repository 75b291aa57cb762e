"""The Helm chart: what it renders is valid, confined, and made of settings that exist."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml

from support.chart import (
    CHART,
    NEWEST,
    OLDEST,
    Rendering,
    environment,
    faults,
    faults_of_custom,
    lint,
    pods,
    render,
)

pytestmark = pytest.mark.helm

ROOT = Path(__file__).parents[2]
CUSTOM = ("gateway.networking.k8s.io/", "keda.sh/", "monitoring.coreos.com/")
ON = {"enabled": True}
EVERYTHING: dict[str, Any] = {
    "keda": ON,
    "monitoring": {**ON, "labels": {"release": "prometheus"}},
    "redis": {"server": ON, "ca": True},
    "kafka": {"ca": True},
    "key": {"version": 2, "previous": [{"version": 1, "file": "key.v1"}]},
    "policy": {"configMap": "hospital-policy"},
    "image": {"pullSecrets": ["registry"]},
    "worker": {
        "priorityClassName": "notes",
        "nodeSelector": {"pool": "notes"},
        "tolerations": [{"key": "notes", "operator": "Exists"}],
        "podAnnotations": {"team": "records"},
    },
    "networkPolicy": {
        "kafkaPeers": [{"ipBlock": {"cidr": "10.1.0.0/16"}}],
        "metricsPeers": [{"namespaceSelector": {"matchLabels": {"name": "monitoring"}}}],
    },
}
GPU: dict[str, Any] = {"gpu": {**ON, "runtimeClassName": "nvidia"}, "redis": {"mode": "random"}}
INTERFACES: dict[str, Any] = {
    "monitoring": {**ON, "labels": {"release": "prometheus"}},
    "api": {**ON, "metricsSecret": "prometheus-api"},
    "mllp": {**ON, "serviceType": "LoadBalancer"},
    "review": ON,
    "exporter": {**ON, "kind": "delta", "claim": "tables"},
}
ARCHIVE: dict[str, Any] = {"archive": {**ON, "claim": "archive", "redis": True}}
INGRESS = {"host": "notes.hospital.example", "className": "nginx", "tlsSecret": "host"}
PLATFORM: dict[str, Any] = {
    "pod": {
        "user": 0,
        "labels": {"azure.workload.identity/use": "true"},
        "annotations": {"team": "records"},
        "env": [
            {
                "name": "DEIDSTREAM_KAFKA_GROUP",
                "valueFrom": {"fieldRef": {"fieldPath": "metadata.namespace"}},
            }
        ],
        "volumes": [{"name": "authorities", "configMap": {"name": "hospital-ca"}}],
        "mounts": [{"name": "authorities", "mountPath": "/etc/ca", "readOnly": True}],
    },
    "serviceAccount": {"annotations": {"eks.amazonaws.com/role-arn": "arn:aws:iam::1:role/n"}},
    "networkPolicy": {"egress": [{"ports": [{"port": 443, "protocol": "TCP"}]}]},
    "worker": {"podAnnotations": {"team": "workers"}},
    "api": {**ON, "ingress": {**INGRESS, "annotations": {"controller": "passthrough"}}},
    "review": {**ON, "ingress": {"host": "review.hospital.example"}},
    "archive": {**ON, "claim": "archive"},
}
GATEWAY: dict[str, Any] = {
    "api": {
        **ON,
        "gateway": {
            "host": "notes.hospital.example",
            "name": "front",
            "namespace": "gateways",
            "listener": "https",
            "caConfigMap": "hospital-ca",
        },
    },
    "review": {**ON, "gateway": {"host": "review.hospital.example", "name": "front"}},
}
VARIANTS: dict[str, dict[str, Any]] = {
    "plain": {},
    "archive": ARCHIVE,
    "everything": EVERYTHING,
    "gateway": GATEWAY,
    "gpu": GPU,
    "interfaces": INTERFACES,
    "platform": PLATFORM,
    "postgres": {"exporter": ON},
}


@pytest.fixture(scope="module", params=sorted(VARIANTS))
def rendering(request: pytest.FixtureRequest) -> Rendering:
    done = render(VARIANTS[request.param])
    assert done.code == 0, done.complaint
    return done


@pytest.mark.parametrize("variant", VARIANTS)
def test_helm_finds_nothing_to_complain_of(variant: str) -> None:
    assert lint(VARIANTS[variant]) == ""


@pytest.mark.parametrize("kubernetes", [OLDEST, NEWEST])
@pytest.mark.parametrize("variant", VARIANTS)
def test_manifests_are_valid_and_have_no_unknown_field(variant: str, kubernetes: str) -> None:
    found = render(VARIANTS[variant], kubernetes=kubernetes).manifests
    assert found
    own = [each for each in found if not each["apiVersion"].startswith(CUSTOM)]
    assert [fault for each in own for fault in faults(each, kubernetes)] == []


def test_a_wrong_manifest_is_seen(rendering: Rendering) -> None:
    account = {**rendering.of("ServiceAccount")[0], "automount": False}
    assert "'automount' was unexpected" in faults(account, NEWEST)[0]
    assert faults_of_custom([{"apiVersion": "keda.sh/v1alpha1", "kind": "ScaledObject"}]) != []


def test_custom_resources_are_valid() -> None:
    variants = (EVERYTHING, INTERFACES, GATEWAY)
    made = [each for values in variants for each in render(values).manifests]
    custom = [each for each in made if each["apiVersion"].startswith(CUSTOM)]
    scalers = {"ScaledObject", "TriggerAuthentication"}
    routes = {"HTTPRoute", "TLSRoute", "BackendTLSPolicy"}
    assert {each["kind"] for each in custom} == scalers | routes | {
        "ServiceMonitor",
        "PodMonitor",
        "PrometheusRule",
    }
    assert faults_of_custom(custom) == []


def test_pods_are_of_the_profile_restricted(rendering: Rendering) -> None:
    for _, pod in pods(rendering.manifests):
        assert pod["securityContext"]["runAsNonRoot"]
        assert pod["securityContext"].get("runAsUser") != 0
        assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
        assert pod["automountServiceAccountToken"] is False
        assert not {"hostNetwork", "hostPID", "hostIPC"} & pod.keys()
        assert not any("hostPath" in volume for volume in pod["volumes"])
        for container in pod["containers"]:
            confined = container["securityContext"]
            assert confined["allowPrivilegeEscalation"] is False
            assert confined["readOnlyRootFilesystem"] is True
            assert confined["capabilities"] == {"drop": ["ALL"]}


def test_containers_have_limits_and_what_serves_has_probes(rendering: Rendering) -> None:
    for name, pod in pods(rendering.manifests):
        for container in pod["containers"]:
            assert {"cpu", "memory"} <= container["resources"]["requests"].keys()
            assert "memory" in container["resources"]["limits"]
            probes = {"livenessProbe", "startupProbe"} & container.keys()
            assert len(probes) == (0 if name.endswith(("-topics", "-archive")) else 2)


def test_temporary_files_stay_in_memory(rendering: Rendering) -> None:
    for name, pod in pods(rendering.manifests):
        if name.endswith("-redis"):
            continue
        (tmp,) = (volume for volume in pod["volumes"] if volume["name"] == "tmp")
        assert tmp["emptyDir"]["medium"] == "Memory"
        assert tmp["emptyDir"]["sizeLimit"]


def test_every_setting_exists_and_no_secret_is_in_the_environment(rendering: Rendering) -> None:
    from deidstream.agents.settings import (  # noqa: PLC0415
        secrets_in_environment,
        setting_names,
    )

    for _, pod in pods(rendering.manifests):
        given = environment(pod)
        assert given.keys() <= setting_names()
        assert secrets_in_environment(given) == ()


def test_every_file_that_a_setting_names_is_mounted(rendering: Rendering) -> None:
    for _, pod in pods(rendering.manifests):
        (container,) = pod["containers"]
        places = {mount["name"]: Path(mount["mountPath"]) for mount in container["volumeMounts"]}
        volumes = {volume["name"] for volume in pod["volumes"]}
        assert volumes <= places.keys() <= volumes | {"state", "data"}  # claims, those two
        mounted = set(places.values())
        for value in environment(pod).values():
            for path in (part.partition("=")[2] or part for part in value.split(",")):
                if path.startswith("/"):
                    assert mounted & {Path(path), *Path(path).parents}


def test_every_command_exists(rendering: Rendering) -> None:
    from deidstream.agents.cli.main import parser  # noqa: PLC0415

    for _, pod in pods(rendering.manifests):
        (container,) = pod["containers"]
        if container["name"] != "redis":
            # Kubernetes puts the number of the pod into the arguments of an Indexed Job.
            words = [word.replace("$(JOB_COMPLETION_INDEX)", "0") for word in container["args"]]
            assert parser().parse_args(words).run


def test_values_are_typed_and_unknown_ones_refused() -> None:
    wrong: list[dict[str, Any]] = [
        {"worker": {"replcas": 2}},
        {"kafka": {"brokers": "no-port"}},
        {"kafka": {"security": "tls"}},
        {"image": {"tag": "latest"}},
        {"image": {"digest": "sha256:abc"}},
        {"settings": {"KAFKA_BROKERS": "b:1"}},
        {"keda": {"cooldownSeconds": 10}},
        {"redis": {"mode": "sometimes"}},
        {"pod": {"user": "root"}},
        {"pod": {"mounts": [{"name": "nowhere"}]}},
        {"api": {"ingress": {"host": "a b"}}},
    ]
    for values in wrong:
        assert render(values).code != 0, values


def test_the_schema_describes_every_value() -> None:
    schema = json.loads((CHART / "values.schema.json").read_text())
    values = yaml.safe_load((CHART / "values.yaml").read_text())

    def missing(part: dict[str, Any], known: dict[str, Any], place: str) -> list[str]:
        lacking = [f"{place}{key}" for key in part if key not in known]
        for key, value in part.items():
            inner = known.get(key, {}).get("properties")
            if isinstance(value, dict) and inner is not None:
                lacking += missing(value, inner, f"{place}{key}.")
        return lacking

    assert missing(values, schema["properties"], "") == []


def test_each_pod_of_an_archive_has_its_share() -> None:
    (job,) = [each for each in render(ARCHIVE).of("Job") if "-archive" in each["metadata"]["name"]]
    assert job["spec"]["completionMode"] == "Indexed"
    (container,) = job["spec"]["template"]["spec"]["containers"]
    assert f"$(JOB_COMPLETION_INDEX)/{job['spec']['completions']}" in container["args"]
    assert render({"archive": ON}).code != 0


def test_what_a_value_sets_wins() -> None:
    made = render({"settings": {"DEIDSTREAM_BATCH_NOTES": 32, "DEIDSTREAM_MODEL_THREADS": "4"}})
    given = environment(made.named("Deployment", "-worker")["spec"]["template"]["spec"])
    assert given["DEIDSTREAM_BATCH_NOTES"] == "32"
    assert given["DEIDSTREAM_MODEL_THREADS"] == "4"


def test_a_platform_gives_ids_identity_and_what_pods_have_more() -> None:
    made = render(PLATFORM)
    (account,) = made.of("ServiceAccount")
    assert "eks.amazonaws.com/role-arn" in account["metadata"]["annotations"]
    for name, pod in pods(made.manifests):
        assert not {"runAsUser", "runAsGroup", "fsGroup"} & pod["securityContext"].keys()
        (container,) = pod["containers"]
        assert "/etc/ca" in [mount["mountPath"] for mount in container["volumeMounts"]], name
        assert "DEIDSTREAM_KAFKA_GROUP" in [entry["name"] for entry in container["env"]]
    for each in made.manifests:
        if "template" in each.get("spec", {}):
            metadata = each["spec"]["template"]["metadata"]
            assert metadata["labels"]["azure.workload.identity/use"] == "true"
            mine = each["metadata"]["name"].endswith("-worker")
            assert metadata["annotations"] == {"team": "workers" if mine else "records"}
    for policy in made.of("NetworkPolicy"):
        rules = policy["spec"].get("egress")
        assert not rules or {"ports": [{"port": 443, "protocol": "TCP"}]} in rules


def test_an_ingress_leads_to_its_service() -> None:
    made = render(PLATFORM)
    for part in ("api", "review"):
        ingress, service = made.named("Ingress", f"-{part}"), made.named("Service", f"-{part}")
        (rule,) = ingress["spec"]["rules"]
        assert rule["host"] == PLATFORM[part]["ingress"]["host"]
        (path,) = rule["http"]["paths"]
        assert path["backend"]["service"]["name"] == service["metadata"]["name"]
        assert path["backend"]["service"]["port"]["name"] == service["spec"]["ports"][0]["name"]
    assert render({"api": ON, "review": ON}).of("Ingress") == []


def test_a_gateway_speaks_tls_to_the_pods_or_passes_it_through() -> None:
    made = render(GATEWAY)
    for kind, part in (("HTTPRoute", "api"), ("TLSRoute", "review")):
        route, service = made.named(kind, f"-{part}"), made.named("Service", f"-{part}")
        assert route["spec"]["hostnames"] == [GATEWAY[part]["gateway"]["host"]]
        ((backend,),) = (rule["backendRefs"] for rule in route["spec"]["rules"])
        assert backend == {
            "name": service["metadata"]["name"],
            "port": service["spec"]["ports"][0]["port"],
        }
    (policy,) = made.of("BackendTLSPolicy")
    name = made.named("Service", "-api")["metadata"]["name"]
    assert [target["name"] for target in policy["spec"]["targetRefs"]] == [name]
    assert policy["spec"]["validation"]["hostname"] == f"{name}.default.svc"
    (parent,) = made.named("HTTPRoute", "-api")["spec"]["parentRefs"]
    assert parent == {"name": "front", "namespace": "gateways", "sectionName": "https"}
    off = render({"api": ON, "review": ON})
    assert [each for each in off.manifests if each["apiVersion"].startswith("gateway.")] == []
    nameless = render({"api": {**ON, "gateway": {"host": "notes.hospital.example"}}})
    assert "api.gateway.name: which Gateway" in nameless.complaint


def test_a_chart_that_is_copied_elsewhere_is_whole(tmp_path: Path) -> None:
    copied = shutil.copytree(CHART, tmp_path / "chart", symlinks=True)
    assert not [file for file in copied.rglob("*") if file.is_symlink()]
    assert render(EVERYTHING, chart=copied).manifests == render(EVERYTHING).manifests


def test_a_digest_takes_the_place_of_the_tag() -> None:
    digest = f"sha256:{'ab' * 32}"
    (name, pod), *_ = pods(render({"image": {"digest": digest}}).manifests)
    assert name
    assert pod["containers"][0]["image"] == f"deidstream@{digest}"


def test_a_changed_alert_or_dashboard_is_in_the_chart() -> None:
    made = render(EVERYTHING)
    (rule,) = made.of("PrometheusRule")
    assert rule["spec"] == yaml.safe_load(
        (ROOT / "deploy/helm/deidstream/files/alerts.yml").read_text()
    )
    boards = sorted((ROOT / "deploy/helm/deidstream/files/dashboards").glob("*.json"))
    shown = [
        each for each in made.of("ConfigMap") if "grafana_dashboard" in each["metadata"]["labels"]
    ]
    assert {key: text for each in shown for key, text in each["data"].items()} == {
        board.name: board.read_text() for board in boards
    }
