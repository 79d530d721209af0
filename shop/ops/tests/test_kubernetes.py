"""The manifests of shop/ops/kubernetes: what the API takes, with commands, variables and files of the shop."""

import re

import kubernetes_validate
import pytest
import yaml

from .started import BASE, assert_command_of_the_shop, known_variables

FOLDER = BASE / "shop" / "ops" / "kubernetes"
VERSION = "1.34"
KUSTOMIZATION = yaml.safe_load((FOLDER / "kustomization.yaml").read_text())
TEMPLATE = "secret.template.yaml"
RESOURCES = {name: [*yaml.safe_load_all((FOLDER / name).read_text())] for name in KUSTOMIZATION["resources"]}
FOUND = {(one["kind"], one["metadata"]["name"]): one for of_file in RESOURCES.values() for one in of_file}
SECRET = yaml.safe_load((FOLDER / TEMPLATE).read_text())
CONFIG = FOUND["ConfigMap", "shop"]
PODS = {name: one["spec"]["template"] for (kind, name), one in FOUND.items() if kind in ("Deployment", "Job")}
CONTAINERS = {name: pod["spec"]["containers"][0] for name, pod in PODS.items()}
DEPLOYMENTS = {name for kind, name in FOUND if kind == "Deployment"}
DOCKERFILE = (BASE / "Dockerfile").read_text()


def seconds_until_killed(name):
    return PODS[name]["spec"]["terminationGracePeriodSeconds"]


@pytest.mark.parametrize("name", [*RESOURCES, TEMPLATE])
def test_the_api_takes_it(name):
    for one in yaml.safe_load_all((FOLDER / name).read_text()):
        kubernetes_validate.validate(one, VERSION, strict=True)


def test_an_unknown_field_is_found():
    broken = {**CONFIG, "dat": {}}
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(broken, VERSION, strict=True)


def test_all_files_but_the_template_are_applied():
    files = {path.name for path in FOLDER.glob("*.yaml")}
    assert files - {*RESOURCES} == {"kustomization.yaml", TEMPLATE}
    assert {"web", "worker-messages", "worker", "clock"} == DEPLOYMENTS
    assert (
        SECRET["metadata"]["namespace"] == KUSTOMIZATION["namespace"] == FOUND["Namespace", "shop"]["metadata"]["name"]
    )


def test_migrations_come_first():
    """`kubectl apply -l rollout=first` applies what the job needs, and nothing that serves."""
    first = {key for key, one in FOUND.items() if one["metadata"].get("labels", {}).get("rollout") == "first"}
    assert first == {("Namespace", "shop"), ("ConfigMap", "shop"), ("Job", "migrate")}


def test_every_variable_is_known_and_no_secret_has_a_value():
    named = {*CONFIG["data"], *SECRET["stringData"]}
    named |= {each["name"] for container in CONTAINERS.values() for each in container.get("env", [])}
    assert named - known_variables() == set()
    assert not {*CONFIG["data"]} & {*SECRET["stringData"]}
    assert set(SECRET["stringData"].values()) == {""}
    secret = re.compile("PASSWORD|SECRET|TOKEN|KEY|DSN|_URL$")
    open_addresses = {"SHOP_URL", "FILES_URL"}
    assert {name for name in CONFIG["data"] if secret.search(name)} == open_addresses


@pytest.mark.parametrize("name", PODS)
def test_a_pod_is_the_shop_and_may_little(name):
    pod, container = PODS[name], CONTAINERS[name]
    assert_command_of_the_shop(container["command"])
    assert container["image"] == KUSTOMIZATION["images"][0]["name"] == "shop"
    assert [*container["envFrom"]] == [{"configMapRef": {"name": "shop"}}, {"secretRef": {"name": "shop"}}]
    uid = int(re.search(r"--uid (\d+)", DOCKERFILE)[1])
    assert pod["spec"]["securityContext"]["runAsUser"] == uid and pod["spec"]["securityContext"]["runAsNonRoot"]
    allowed = container["securityContext"]
    assert allowed["readOnlyRootFilesystem"] and not allowed["allowPrivilegeEscalation"]
    assert allowed["capabilities"] == {"drop": ["ALL"]}
    for bound in ("requests", "limits"):
        assert {*container["resources"][bound]} == {"cpu", "memory"}


@pytest.mark.parametrize("name", PODS)
def test_what_a_pod_writes_has_a_place(name):
    places = {each["mountPath"]: each["name"] for each in CONTAINERS[name]["volumeMounts"]}
    volumes = {each["name"]: each for each in PODS[name]["spec"]["volumes"]}
    assert {*places.values()} == {*volumes} and all("emptyDir" in each for each in volumes.values())
    folder = CONFIG["data"]["SHOP_DATA_DIR"]
    # The shop takes its folder for itself alone (settings), which it cannot do with one that belongs to root.
    assert folder not in places and folder.rpartition("/")[0] in places and "/tmp" in places  # nosec B108
    assert {"FILES_BUCKET", "PRIVATE_FILES_BUCKET"} <= {*CONFIG["data"]}, "files outlive a pod in buckets alone"


@pytest.mark.parametrize("name", sorted(DEPLOYMENTS))
def test_a_deployment_outlives_a_machine(name):
    spec = FOUND["Deployment", name]["spec"]
    labels = spec["selector"]["matchLabels"]
    assert labels == PODS[name]["metadata"]["labels"]
    assert FOUND["PodDisruptionBudget", name]["spec"]["selector"]["matchLabels"] == labels
    spread = PODS[name]["spec"]["topologySpreadConstraints"]
    assert [each["labelSelector"]["matchLabels"] for each in spread] == [labels, labels]
    least = FOUND["HorizontalPodAutoscaler", name]["spec"]["minReplicas"] if name == "web" else spec["replicas"]
    assert least >= 2


def test_requests_are_ended_before_a_pod_is():
    web = CONTAINERS["web"]
    assert FOUND["Deployment", "web"]["spec"]["strategy"]["rollingUpdate"]["maxUnavailable"] == 0
    pause = int(web["lifecycle"]["preStop"]["exec"]["command"][1])
    assert seconds_until_killed("web") >= pause + 10  # the supervisor ends its processes within five
    paths = {probe: web[probe]["httpGet"]["path"] for probe in ("startupProbe", "livenessProbe", "readinessProbe")}
    assert paths == {"startupProbe": "/healthz", "livenessProbe": "/healthz", "readinessProbe": "/readyz"}
    assert seconds_until_killed("worker-messages") > 25  # shop/messaging/worker_thread.py


def test_requests_reach_the_port_that_the_image_serves():
    port = int(re.search(r"^EXPOSE (\d+)", DOCKERFILE, re.MULTILINE)[1])
    assert CONTAINERS["web"]["ports"] == [{"name": "http", "containerPort": port}] and f"PORT={port}" in DOCKERFILE
    service = FOUND["Service", "web"]["spec"]
    assert service["selector"] == PODS["web"]["metadata"]["labels"] and service["ports"][0]["targetPort"] == "http"
    ingress = FOUND["Ingress", "shop"]["spec"]
    paths = {each["path"]: each["backend"]["service"]["name"] for each in ingress["rules"][0]["http"]["paths"]}
    assert paths == {"/": "web", "/metrics": "nowhere", "/readyz": "nowhere"}
    assert FOUND["Service", "nowhere"]["spec"]["selector"] not in [pod["metadata"]["labels"] for pod in PODS.values()]
    host = CONFIG["data"]["SHOP_URL"].removeprefix("https://")
    assert ingress["rules"][0]["host"] == host and ingress["tls"][0]["hosts"] == [host]
