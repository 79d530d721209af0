"""compose.yaml, Dockerfile and nginx.conf fit together: what is started, in which order, with what."""

import re
import shutil
import subprocess

import pytest
import yaml

from shop.http.request_log import logged_path
from shop.tests.support.needs import lack

from .started import BASE, assert_command_of_the_shop, known_variables

TEXT = (BASE / "compose.yaml").read_text()
COMPOSE = yaml.safe_load(TEXT)
SERVICES = COMPOSE["services"]
HEAD = TEXT.partition("x-shop:")[0]
KNOWN = {
    "build", "image", "command", "restart", "env_file", "environment", "volumes", "depends_on", "ports",
    "healthcheck", "stop_grace_period", "deploy", "entrypoint", "profiles", "user",
}  # fmt: skip
CONDITIONS = {"service_started", "service_healthy", "service_completed_successfully"}
NEEDED = {"proxy", "app", "worker", "clock", "migrate", "database", "cache"}
OPTIONAL = {
    "queues": {"worker-pictures", "worker-imports"},
    "pool": {"pool"},
    "replica": {"replica"},
    "bucket": {"bucket", "buckets"},
    "cdn": {"cdn"},
}
ONCE = {"migrate", "buckets"}
OF_THE_SHOP = ["app", "worker", "worker-pictures", "worker-imports", "clock", "migrate"]
OF_COMPOSE = {"COMPOSE_PROFILES", "COMPOSE_PROJECT_NAME", "POSTGRES_PASSWORD", "DATABASE_HOST", "WORKER_QUEUES"}
OF_COMPOSE |= {"PROXY_TARGET", "APP_REPLICAS"}


def by_default(value):
    """What compose makes of a value where .env says nothing of it."""
    return re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", value)


def environment(name):
    return {key: by_default(value) for key, value in SERVICES[name].get("environment", {}).items()}


def test_every_part_is_there_and_what_is_needed_starts_by_itself():
    assert {name for name, service in SERVICES.items() if "profiles" not in service} == NEEDED
    found = {name: service["profiles"] for name, service in SERVICES.items() if "profiles" in service}
    assert found == {name: [profile] for profile, names in OPTIONAL.items() for name in names}
    for profile in OPTIONAL:
        assert re.search(rf"^#   {profile} ", HEAD, re.MULTILINE), "the head says what the profile is for"
    assert int(by_default(SERVICES["app"]["deploy"]["replicas"])) == SERVICES["clock"]["deploy"]["replicas"] == 2
    assert SERVICES["cdn"]["environment"]["APPS"].split() == [f"${{COMPOSE_PROJECT_NAME}}-app-{n}" for n in (1, 2)]


def test_every_variable_is_explained():
    """Of compose in the head of its file, of the shop in the handbook."""
    used = set(re.findall(r"\$\{(\w+)", TEXT)) | set(re.findall(r"([A-Z][A-Z_0-9]+)=", HEAD))
    assert used - known_variables() - OF_COMPOSE == set()
    explained = set(re.findall(r"[A-Z][A-Z_0-9]+", HEAD))
    assert OF_COMPOSE - explained - {"COMPOSE_PROJECT_NAME"} == set(), "docker compose sets that one itself"


def test_every_mounted_file_is_there():
    mounted = [volume.split(":")[0] for service in SERVICES.values() for volume in service.get("volumes", [])]
    files = {path for path in mounted if path.startswith(".")} - {"./certs"}
    assert len(files) == 9 and [path for path in files if not (BASE / path).is_file()] == []


@pytest.mark.parametrize("name", SERVICES)
def test_a_service_is_whole(name):
    service = SERVICES[name]
    assert set(service) <= KNOWN
    assert service.get("build") or re.fullmatch(r"[\w./-]+:[\w.-]+", service["image"]), "a version is named"
    assert service["restart"] == ("no" if name in ONCE else "unless-stopped")
    named = {volume.split(":")[0] for volume in service.get("volumes", []) if not volume.startswith(".")}
    assert named <= set(COMPOSE["volumes"])
    for other, how in service.get("depends_on", {}).items():
        assert how["condition"] in CONDITIONS
        is_there = SERVICES[other].get("profiles") in (None, service.get("profiles"))
        assert is_there or how["required"] is False, "an optional part is waited for only where it is started"
        if how["condition"] == "service_healthy":
            assert "test" in SERVICES[other]["healthcheck"]
        if how["condition"] == "service_completed_successfully":
            assert SERVICES[other]["restart"] == "no"


def test_only_the_proxy_is_reached_from_outside():
    assert [name for name, service in SERVICES.items() if "ports" in service] == ["proxy"]


def test_no_secret_is_written_down():
    text = TEXT + (BASE / "Dockerfile").read_text()
    for name, value in re.findall(r"(?<![{\w])(\w*(?:PASSWORD|SECRET|TOKEN|KEY|DSN)\w*)[:=] *(\S+)", text):
        assert value.startswith("${") or value in ("of-the-build", "…"), name


def test_what_serves_waits_for_migrations_and_for_what_it_asks():
    asked = SERVICES["app"]["depends_on"]
    assert {name for name in asked if asked[name].get("required", True)} == {"migrate", "database", "cache"}
    for name in set(OF_THE_SHOP) - {"migrate"}:
        assert SERVICES[name]["depends_on"]["migrate"]["condition"] == "service_completed_successfully"
        assert environment(name)["DATABASE_URL"].startswith("postgres://")
        assert environment(name)["REDIS_URL"] == "redis://cache:6379/0"
        assert environment(name)["TRUSTED_PROXY_COUNT"] == "1"
        assert "files:/data" in SERVICES[name]["volumes"]


def test_the_variables_that_it_sets_are_known():
    read = known_variables()
    assert set(environment("clock")) <= read
    said = re.search(r"^ENV (.*)$", (BASE / "Dockerfile").read_text(), re.MULTILINE)[1]
    assert {part.split("=")[0] for part in said.split()} - {"PYTHONUNBUFFERED"} <= read


def test_its_commands_exist():
    for name in OF_THE_SHOP:
        assert_command_of_the_shop([by_default(word) for word in SERVICES[name]["command"]])
    every = ",".join(SERVICES[name]["command"][-1] for name in OPTIONAL["queues"])
    with_profile = f"{re.search('WORKER_QUEUES=(.*)', HEAD)[1]},{every}"
    assert sorted(with_profile.split(",")) == sorted(by_default(SERVICES["worker"]["command"][-1]).split(","))


def test_the_image_holds_only_what_is_in_the_repository():
    for line in (BASE / "Dockerfile").read_text().splitlines():
        if line.startswith("COPY") and "--from" not in line:
            for source in line.split()[1:-1]:
                assert (BASE / source).exists(), source
    assert "USER shop" in (BASE / "Dockerfile").read_text()


def test_the_proxy_asks_the_app():
    conf = (BASE / "shop" / "ops" / "nginx.conf").read_text()
    assert "server app:8000 " in conf
    assert SERVICES["proxy"]["volumes"][0] == "./shop/ops/nginx.conf:/etc/nginx/conf.d/default.conf:ro"


def test_the_proxy_leads_to_the_app_or_to_varnish(tmp_path):
    """Its command, up to the start of nginx, with files of its own."""
    shell = SERVICES["proxy"]["command"][-1].replace("$$", "$").replace("/tmp/", f"{tmp_path}/")
    (tmp_path / "main.conf").write_text("http {\n    include /etc/nginx/conf.d/*.conf;\n}\n")
    for there, here in {
        "/etc/nginx/conf.d/default.conf": str(BASE / "shop" / "ops" / "nginx.conf"),
        "/etc/nginx/nginx.conf": str(tmp_path / "main.conf"),
        "exec nginx": "echo",
    }.items():
        assert there in shell
        shell = shell.replace(there, here)
    for target in (environment("proxy")["PROXY_TARGET"], "cdn:6081"):
        subprocess.run(["sh", "-c", shell], check=True, env={"PROXY_TARGET": target, "PATH": "/usr/bin:/bin"})
        assert f"    server {target} fail_timeout" in (tmp_path / "shop.conf").read_text()
    assert f"include {tmp_path}/shop.conf; include" in (tmp_path / "nginx.conf").read_text()


def test_varnish_takes_what_is_made_for_it(tmp_path):
    """The configuration with every container of the app as a backend, and the network of compose as its own."""
    path = shutil.which("varnishd", path="/usr/sbin:/usr/local/sbin:/usr/bin") or lack("No Varnish on this machine")
    network = COMPOSE["networks"]["default"]["ipam"]["config"][0]["subnet"]
    assert SERVICES["cdn"]["environment"]["NETWORK"] == network
    given = {"APPS": "127.0.0.2 127.0.0.3", "NETWORK": network, "VCL": str(BASE / "shop" / "ops" / "varnish.vcl")}
    script = str(BASE / "shop" / "ops" / "compose" / "varnish.sh")
    path = f"{path.removesuffix('/varnishd')}:/usr/bin:/bin"
    made = subprocess.run(["sh", script, "-C"], env=given | {"PATH": path}, capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    for line in ('.host = \\"127.0.0.2\\";', '.host = \\"127.0.0.3\\";', f'\\"{network[:-3]}\\"/24;'):
        assert line in made.stderr + made.stdout
    assert "backend shop {" not in made.stderr + made.stdout


@pytest.mark.parametrize("prefix", ["", "/en-in", "/hi-in", "/kok-in", "//en-in/"])
@pytest.mark.parametrize(
    "page",
    [
        "/search/piles cream",
        "/newsletter/leave/KEY/",
        "/track/ORD-ABC123XYZ.KEY/",
        "/staff/join/KEY/",
        "/review/12.KEY/",
        "/review-invitations/12.KEY/",
        "/refill/12.KEY/end/",
        "/wishlist/shared/KEY/",
    ],
)
def test_the_proxy_logs_no_key_of_a_link_and_no_search_words(prefix, page):
    conf = (BASE / "shop" / "ops" / "nginx.conf").read_text()
    private = re.compile(re.search(r'"~\*(.+)" "\$page…"', conf)[1].replace("(?<", "(?P<"), re.IGNORECASE)
    path = prefix + page
    assert logged_path(path) == f"{private.match(path)['page']}…"
    assert not private.match(f"{prefix}/product/search/")
