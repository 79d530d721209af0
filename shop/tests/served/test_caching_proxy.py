"""Three people read the same pages through a proxy that keeps whatever it may: nothing of a person, a country or a
currency crosses over (RELIABILITY.md 41, C27)."""

import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import pytest
import urllib3

from ..conftest import free_port, serving
from ..support.belongings import Belongings, belongings_of, furnish
from ..support.nginx import nginx, require_nginx

PROXY = """
proxy_cache_path {folder}/{name} keys_zone={name}:1m;
server {{
    listen 127.0.0.1:{port};
    access_log off;
    location / {{
        proxy_pass http://127.0.0.1:{shop};
        proxy_set_header Host $http_host;
        proxy_cache {name};
        proxy_cache_key $http_round$request_uri;  # each round of reading has a cache of its own
        add_header X-Kept $upstream_cache_status always;
        {habits}
    }}
}}
"""
# What a proxy does besides; an honest one keeps what Cache-Control lets it keep, and minds Vary.
HABITS = {
    "honest": "",
    "deaf_to_vary": "proxy_ignore_headers Vary;",
    "deaf": "proxy_ignore_headers Vary Cache-Control Expires Set-Cookie; proxy_cache_valid any 1m;",
}
# A form's token, a request's id, when a file was made, the key to a prescription's picture.
NEW_EACH_TIME = re.compile(
    rb'(?<=name="csrfmiddlewaretoken" value=")\w+|\b[0-9a-f]{32}\b|/CreationDate \([^)]+\)|<[0-9A-F]{32}>'
    rb"|(?<=[?]key=)[\w:-]+"
)
PART = {"HX-Request": "true", "HX-Target": "more"}
PUBLIC = ("", "products/ayurveda/", "product/neem-soap/", "search/soap/", "faq/")
PERSONAL = ("cart/", "profile/", "orders/", "address/", "signin/", "profile/x.css", "orders/x.js", "nothing-here.css")

Seen = tuple[int, str | None, bytes]
Address = tuple[str, tuple[tuple[str, str], ...]]  # a path and headers


@dataclass(eq=False)
class Reader:
    """A browser that keeps the cookies that it has."""

    name: str
    country: str  # as a CDN guesses it
    cookies: dict[str, str]

    def read(self, url: str, address: Address, **more: str) -> tuple[Seen, str]:
        """Status, where it leads and text, but for what is new each time; and how the proxy came by it."""
        path, headers = address
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        given = {**dict(headers), **more, "CF-IPCountry": self.country, "Cookie": cookies}
        answer = urllib3.request("GET", url + path, headers=given, redirect=False, retries=False, timeout=60)
        seen = (answer.status, answer.headers.get("Location"), NEW_EACH_TIME.sub(b"", answer.data))
        return seen, answer.headers.get("X-Kept", "")


def addresses_of(*owners: Belongings) -> list[Address]:
    pages = [f"/{market}{page}" for market, page in product(("", "en-in/", "en-us/"), PUBLIC)]
    pages += [f"/{market}{page}" for market, page in product(("", "en-in/"), PERSONAL)]
    pages += [f"/order-detail/{own.order}/" for own in owners]
    pages += [f"/order-detail/{own.order}/invoice/{own.invoice}.pdf" for own in owners]
    pages += ["/api/me/", "/get-menu-list/"]
    return [(page, ()) for page in pages] + [("/en-in/products/ayurveda/", tuple(PART.items()))]


@pytest.fixture
def owners(transactional_db, india, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"
    shelf = furnish()
    return [
        belongings_of("Asha", shelf, india, phone="+919876500001"),
        belongings_of("Bhavani", shelf, india, phone="+919876500002"),
    ]


@pytest.fixture
def readers(owners):
    asha, bhavani = owners
    return [
        Reader("A", "IN", asha.cookies),
        Reader("B", "US", bhavani.cookies | {"deliver_to": "US"}),
        Reader("guest", "GB", {"currency": "IN-USD"}),  # which they picked for India
    ]


@dataclass
class Street:
    """The shop, the proxies in front of it, and who reads what."""

    shop: str
    proxies: dict[str, str]
    pairs: list[tuple[Reader, Address]]

    def crossings(self, habit: str, rounds: int) -> Iterator[tuple[str, str, Seen]]:
        """Who saw what at which address through this proxy, of all that the shop itself does not show them."""
        own = {(reader, address): reader.read(self.shop, address)[0] for reader, address in self.pairs}
        kept: Counter[str] = Counter()
        for number in range(rounds):
            for reader, address in random.Random(number).sample(self.pairs, k=len(self.pairs)):
                seen, how = reader.read(self.proxies[habit], address, Round=str(number))
                kept[how] += 1
                if seen != own[reader, address]:
                    yield reader.name, address[0], seen
        assert kept["HIT"] >= rounds, kept


@pytest.fixture
def street(owners, readers, settings, tmp_path):
    require_nginx()
    folder, port, ports = tmp_path / "nginx", free_port(), {name: free_port() for name in HABITS}
    folder.mkdir()
    conf = "".join(
        PROXY.format(name=name, habits=habits, folder=folder, port=ports[name], shop=port)
        for name, habits in HABITS.items()
    )
    proxies = {name: f"http://127.0.0.1:{number}" for name, number in ports.items()}
    with (
        serving(tmp_path, port=port, COUNTRY_HEADER="CF-IPCountry") as shop,
        nginx(folder, conf, port=ports["honest"]),
    ):
        yield Street(shop.url, proxies, list(product(readers, addresses_of(*owners))))


@pytest.mark.parametrize("rounds", [2, pytest.param(50, marks=pytest.mark.full)], ids=["short", "long"])
def test_nothing_crosses_over(street, rounds, figure):
    """Proxies that do not mind what the shop says show that crossings would be seen."""
    crossed = list(street.crossings("honest", rounds))
    figure(f"{len(street.pairs)} readings in {rounds} orders: {len(crossed)} crossed over", "0 crossed over")
    assert crossed == []
    by_currency = list(street.crossings("deaf_to_vary", 1))
    assert {name for name, path, _ in by_currency if path.startswith("/en-in/")} == {"guest"}
    by_person = list(street.crossings("deaf", 1))
    assert [path for name, path, seen in by_person if name != "A" and b"Asha" in seen[2]]
    assert [path for _, path, seen in by_person if path == "/" and seen[0] == 200]
