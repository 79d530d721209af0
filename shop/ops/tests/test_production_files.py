"""compose.yaml, Dockerfile and nginx.conf fit together: what is started, in which order, with what."""

import re

import pytest
import yaml
from django.conf import settings

from shop.http.request_log import logged_path

BASE = settings.BASE_DIR
COMPOSE = yaml.safe_load((BASE / "compose.yaml").read_text())
SERVICES = COMPOSE["services"]
KNOWN = {
    "build", "image", "command", "restart", "env_file", "environment", "volumes", "depends_on", "ports",
    "healthcheck", "stop_grace_period",
}  # fmt: skip
CONDITIONS = {"service_started", "service_healthy", "service_completed_successfully"}


def environment(name):
    return SERVICES[name].get("environment", {})


def test_every_part_is_there():
    assert set(SERVICES) == {"proxy", "app", "worker", "clock", "migrate", "database", "cache"}


@pytest.mark.parametrize("name", SERVICES)
def test_a_service_is_whole(name):
    service = SERVICES[name]
    assert set(service) <= KNOWN
    assert service.get("build") or re.fullmatch(r"[\w./-]+:[\w.-]+", service["image"]), "a version is named"
    assert service["restart"] == ("no" if name == "migrate" else "unless-stopped")
    named = {volume.split(":")[0] for volume in service.get("volumes", []) if not volume.startswith(".")}
    assert named <= set(COMPOSE["volumes"])
    for other, how in service.get("depends_on", {}).items():
        assert how["condition"] in CONDITIONS
        if how["condition"] == "service_healthy":
            assert "test" in SERVICES[other]["healthcheck"]
        if how["condition"] == "service_completed_successfully":
            assert SERVICES[other]["restart"] == "no"


def test_only_the_proxy_is_reached_from_outside():
    assert [name for name, service in SERVICES.items() if "ports" in service] == ["proxy"]


def test_no_secret_is_written_down():
    text = (BASE / "compose.yaml").read_text() + (BASE / "Dockerfile").read_text()
    for name, value in re.findall(r"(?<![{\w])(\w*(?:PASSWORD|SECRET|TOKEN|KEY|DSN)\w*)[:=] *(\S+)", text):
        assert value.startswith("${") or value == "of-the-build", name


def test_what_serves_waits_for_migrations_and_for_what_it_asks():
    assert set(SERVICES["app"]["depends_on"]) == {"migrate", "database", "cache"}
    for name in ("app", "worker", "clock"):
        assert SERVICES[name]["depends_on"]["migrate"]["condition"] == "service_completed_successfully"
        assert environment(name)["DATABASE_URL"].startswith("postgres://")
        assert environment(name)["REDIS_URL"] == "redis://cache:6379/0"
        assert environment(name)["TRUSTED_PROXY_COUNT"] == "1"
        assert "files:/data" in SERVICES[name]["volumes"]


def test_the_variables_that_it_sets_are_known():
    read = set(re.findall(r"""env\.\w+\(\s*"([A-Z_]+)\"""", (BASE / "shop" / "settings.py").read_text()))
    assert set(environment("clock")) <= read
    said = re.search(r"^ENV (.*)$", (BASE / "Dockerfile").read_text(), re.MULTILINE)[1]
    assert {part.split("=")[0] for part in said.split()} - {"PYTHONUNBUFFERED"} <= read


def test_its_commands_exist():
    commands = {path.stem for path in (BASE / "shop" / "ops" / "management" / "commands").glob("*.py")}
    for name in ("app", "worker", "clock"):
        assert SERVICES[name]["command"][:2] == ["python", "manage.py"]
        assert SERVICES[name]["command"][2] in commands


def test_the_image_holds_only_what_is_in_the_repository():
    for line in (BASE / "Dockerfile").read_text().splitlines():
        if line.startswith("COPY") and "--from" not in line:
            for source in line.split()[1:-1]:
                assert (BASE / source).exists(), source
    assert "USER shop" in (BASE / "Dockerfile").read_text()


def test_the_proxy_asks_the_app():
    conf = (BASE / "shop" / "ops" / "nginx.conf").read_text()
    assert "server app:8000;" in conf
    assert SERVICES["proxy"]["volumes"][0] == "./shop/ops/nginx.conf:/etc/nginx/conf.d/default.conf:ro"


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
