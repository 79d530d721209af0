"""Pictures that import files name: kept with the rows, fetched once by the worker, shown in the file's order."""

from datetime import timedelta
from io import BytesIO, StringIO

import pytest
from django.core.management import call_command
from django.db import transaction
from django.utils import timezone
from django_tasks_db.models import DBTaskResult
from PIL import Image

from shop.http import outbound
from shop.tests.support.foreign_server import foreign_server, ok, redirect, status

from ... import tasks
from ...models import Picture, PictureAddress, Product, Variant
from ...pictures import fetching as picture_fetching
from .. import named_pictures
from ..report import Outcome, Report
from ..run import Request, import_products

pytestmark = [pytest.mark.django_db, pytest.mark.database]
SHOPIFY = "Handle,Title,Option1 Name,Option1 Value,Variant SKU,Variant Price,Image Src,Image Position,Variant Image\n"
COLOURS = {name: name.strip("/").removesuffix(".png") for name in ("/red.png", "/green.png", "/blue.png")}


def png(colour="red", size=(40, 30)) -> bytes:
    target = BytesIO()
    Image.new("RGB", size, colour).save(target, "PNG")
    return target.getvalue()


@pytest.fixture(autouse=True)
def own_files(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setattr(outbound, "ALLOW_LOOPBACK", True)
    with foreign_server() as server:
        server.answers |= {path: ok(png(colour)) for path, colour in COLOURS.items()}
        yield server


@pytest.fixture
def take(tmp_path):
    """take("a,b\\n…", "shopify") -> its report; the text is the file's."""

    def take(text, format="shopify", **choices):
        (tmp_path / "file.csv").write_text(text)
        request = Request(path=tmp_path / "file.csv", format=format, mapping={}, **({"take_pictures": True} | choices))
        with Report(tmp_path / "report.csv") as report:
            import_products(request, report, lambda done, total: None)
        return report

    return take


def drops(server, first="/red.png", second="/green.png", own="") -> str:
    """A product of two variants with three pictures, the last in a row of its own."""
    return SHOPIFY + (
        f"drops,Drops,Size,30 ml,D-30,149,{server.at(first)},1,\n"
        f"drops,,,60 ml,D-60,249,{server.at(second)},2,{server.at(own) if own else ''}\n"
        f"drops,,,,,,{server.at('/blue.png')},3,\n"
    )


def gallery(sku) -> list[str]:
    """The colours of a variant's pictures, in order."""
    names = {(255, 0, 0): "red", (0, 128, 0): "green", (0, 0, 255): "blue"}
    pictures = [image.picture for image in Variant.objects.get(sku=sku).variant_images.all()]
    return [names[_colour(picture)] for picture in pictures]


def _colour(picture) -> tuple[int, ...]:
    with picture.file.open() as file:
        pixel = Image.open(file).convert("RGB").getpixel((5, 5))
    return tuple(min((0, 128, 255), key=lambda step: abs(step - value)) for value in pixel)


def states() -> list[tuple[str, str]]:
    return list(PictureAddress.objects.order_by("id").values_list("state", "problem"))


def fetch_due(limit=8) -> bool:
    return picture_fetching.fetch_due(limit)


def let_time_pass():
    PictureAddress.objects.update(due_at=timezone.now() - timedelta(seconds=1))


def test_a_products_pictures_come_to_each_variant_in_the_files_order(server, take):
    assert take(drops(server)).pictures == 3
    assert server.asked == []
    assert fetch_due() is False
    assert (gallery("D-30"), gallery("D-60")) == (["red", "green", "blue"],) * 2
    assert {state for state, _ in states()} == {"fetched"}
    product = Product.objects.get()
    assert product.first_picture == Variant.objects.get(sku="D-30").variant_images.first().picture


def test_nothing_is_fetched_unless_asked_for(server, take):
    assert take(drops(server), take_pictures=False).pictures == 0
    assert not PictureAddress.objects.exists()


def test_a_second_import_changes_nothing_and_fetches_nothing(server, take):
    take(drops(server))
    fetch_due()
    before = list(PictureAddress.objects.values()), list(Picture.objects.values()), list(server.asked)
    report = take(drops(server))
    assert (report.pictures, fetch_due()) == (0, False)
    assert (list(PictureAddress.objects.values()), list(Picture.objects.values()), server.asked) == before
    assert report.counts[Outcome.UNCHANGED] == 2


def test_what_staff_took_away_stays_away(server, take):
    take(drops(server))
    fetch_due()
    Variant.objects.get(sku="D-30").variant_images.first().delete()
    take(drops(server))
    fetch_due()
    assert gallery("D-30") == ["green", "blue"]


def test_a_picture_that_comes_late_takes_its_place(server, take):
    server.answers["/red.png"] = status(503)
    take(drops(server))
    fetch_due()
    assert gallery("D-30") == ["green", "blue"]
    server.answers["/red.png"] = ok(png("red"))
    let_time_pass()
    fetch_due()
    assert gallery("D-30") == ["red", "green", "blue"]


def test_pictures_of_the_file_go_behind_those_of_the_shop(server, take, make_variant):
    take(drops(server), take_pictures=False)
    for_both = picture_fetching.add_picture(png("green", (50, 50)))
    picture_fetching.add_to_gallery(Variant.objects.all(), for_both)
    take(drops(server, second="/red.png"))
    fetch_due()
    assert gallery("D-60") == ["green", "red", "blue"]


def test_the_picture_of_a_variant_is_its_first(server, take):
    take(drops(server, own="/blue.png"))
    fetch_due()
    assert gallery("D-30") == ["red", "green", "blue"]
    assert gallery("D-60") == ["blue", "red", "green"]
    assert sorted(server.asked) == ["/blue.png", "/green.png", "/red.png"]


def test_woocommerce_pictures_of_a_variation_are_its_own(server, take):
    text = (
        "ID,Type,SKU,Name,Regular price,Parent,Attribute 1 name,Attribute 1 value(s),Images\n"
        f'1,variable,oil,Oil,,,Size,"100 ml, 200 ml","{server.at("/red.png")}, {server.at("/green.png")}"\n'
        f"2,variation,oil-100,Oil,120,oil,Size,100 ml,{server.at('/blue.png')}\n"
        "3,variation,oil-200,Oil,180,oil,Size,200 ml,\n"
    )
    assert take(text, "woocommerce").pictures == 3
    fetch_due()
    assert (gallery("oil-100"), gallery("oil-200")) == (["blue", "red", "green"], ["red", "green"])


@pytest.mark.parametrize(
    ("format", "header", "columns"),
    [
        ("table", "sku,name,price,image_url", "S-1,Soap,10"),
        ("shop", "sku,handle,name,selling_price,actual_price,images", "S-1,soap,Soap,10,10"),
    ],
)
def test_other_tables_name_pictures_too(server, take, format, header, columns):
    take(f"{header}\n{columns},{server.at('/red.png')} {server.at('/green.png')}\n", format)
    fetch_due()
    assert gallery("S-1") == ["red", "green"]


def test_a_repeated_row_brings_its_picture(server, take):
    row = "sku,name,price,image\nS-1,Soap,10,{}\nS-1,Soap,10,{}\n"
    report = take(row.format(server.at("/red.png"), server.at("/green.png")), "table")
    assert (report.counts[Outcome.MERGED], report.pictures) == (1, 2)
    fetch_due()
    assert gallery("S-1") == ["red", "green"]


def test_a_dry_run_counts_and_changes_nothing(server, take):
    planned = take(drops(server, own="/blue.png"), dry_run=True)
    assert (planned.pictures, PictureAddress.objects.count()) == (4, 0)
    assert take(drops(server, own="/blue.png")).pictures == 4
    assert take(drops(server, own="/blue.png"), dry_run=True).pictures == 0


def test_a_dry_run_says_the_same_where_a_product_is_spread_over_batches(server, take, monkeypatch):
    monkeypatch.setattr("shop.catalog.import_export.run.BATCH", 1)
    assert take(drops(server), dry_run=True).pictures == take(drops(server)).pictures == 3
    fetch_due()
    assert gallery("D-60") == ["red", "green", "blue"]


def test_a_new_variant_gets_the_products_pictures_without_fetching(server, take):
    take(drops(server))
    fetch_due()
    asked = list(server.asked)
    take(drops(server) + "drops,,,90 ml,D-90,349,,,\n")
    fetch_due()
    assert gallery("D-90") == ["red", "green", "blue"]
    assert server.asked == asked


def test_one_address_is_asked_once_for_many_products(server, take):
    rows = "".join(f"S-{number},Soap {number},10,{server.at('/red.png')}\n" for number in range(30))
    take("sku,name,price,image\n" + rows, "table")
    assert fetch_due() is False
    assert server.asked == ["/red.png"]
    assert gallery("S-0") == gallery("S-29") == ["red"]
    take(f"sku,name,price,image\nS-99,Another,10,{server.at('/red.png')}\n", "table")
    fetch_due()
    assert (gallery("S-99"), server.asked) == (["red"], ["/red.png"])


SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        (ok(SVG, "image/svg+xml"), "Use a JPEG, PNG or WebP picture."),
        (ok(SVG), "Use a JPEG, PNG or WebP picture."),
        (ok(b"<html>", "text/html"), "Use a JPEG, PNG or WebP picture."),
        (ok(b""), "Use a JPEG, PNG or WebP picture."),
        (ok(b"\x89PNG" + b"x" * (5 * 1024 * 1024)), "The file is larger than 5 MB."),
        (status(404), "The server answered 404."),
        (redirect("http://10.0.0.1/"), "The address isn't on a public server."),
        (redirect("file:///etc/passwd"), "That isn't a web address. It must begin with http:// or https://."),
    ],
)
def test_what_is_no_picture_fails_in_words(server, take, answer, problem):
    server.answers["/red.png"] = answer
    take(drops(server))
    fetch_due()
    assert states()[0] == ("failed", problem)
    assert gallery("D-30") == ["green", "blue"]


def test_thirty_megapixels_fail_in_words(server, take):
    server.answers["/red.png"] = ok(png(size=(6000, 5000)))
    take(drops(server))
    fetch_due()
    assert states()[0] == ("failed", "The picture has more than 25 megapixels.")


@pytest.mark.parametrize("host", ["127.0.0.1", "169.254.169.254", "2130706433", "[::1]", "192.168.0.1"])
def test_addresses_within_the_house_fail_in_words(take, host):
    take(f"sku,name,price,image\nS-1,Soap,10,http://{host}/a.png\n", "table")
    fetch_due()
    assert states() == [("failed", "The address isn't on a public server.")]


def test_what_failed_is_tried_again_by_importing_again(server, take):
    server.answers["/red.png"] = status(404)
    take(drops(server))
    fetch_due()
    let_time_pass()
    assert fetch_due() is False
    assert server.asked.count("/red.png") == 1
    server.answers["/red.png"] = ok(png("red"))
    assert take(drops(server)).pictures == 1
    fetch_due()
    assert (server.asked.count("/red.png"), server.asked.count("/blue.png")) == (2, 1)
    assert gallery("D-60") == ["red", "green", "blue"]
    assert states()[0] == ("fetched", "")


def test_a_server_without_answer_is_asked_three_times(server, take):
    server.answers["/red.png"] = status(503)
    take(drops(server))
    for tries in (1, 2):
        fetch_due()
        assert states()[0] == ("waiting", "The server answered 503.")
        fetch_due()
        assert server.asked.count("/red.png") == tries
        let_time_pass()
    fetch_due()
    assert (states()[0], server.asked.count("/red.png")) == (("failed", "The server answered 503."), 3)


def test_two_workers_share_the_work(server, take):
    take(drops(server))
    first = picture_fetching._take(2)
    assert len(first) == 2
    assert len(picture_fetching._take(2)) == 1
    assert picture_fetching._take(2) == []


def test_of_two_workers_that_look_at_once_one_takes_it(server, take, monkeypatch):
    take(drops(server))
    look = picture_fetching.pictures_due
    looks, other = [], []

    def pictures_due():
        looks.append(1)
        if len(looks) == 3:  # the addresses are read and not yet taken
            monkeypatch.setattr(picture_fetching, "pictures_due", look)
            other.extend(picture_fetching._take(8))
        return look()

    monkeypatch.setattr(picture_fetching, "pictures_due", pictures_due)
    assert picture_fetching._take(8) == []
    assert len(other) == 3


def test_what_a_worker_died_with_is_taken_up_and_given_up_at_last(server, take):
    take(drops(server))
    for _ in range(3):
        assert len(picture_fetching._take(8)) == 3
        assert picture_fetching._take(8) == []
        let_time_pass()
    assert fetch_due() is False
    assert states() == [("failed", "Given up after 3 tries.")] * 3
    assert server.asked == []


def test_pictures_are_never_fetched_inside_a_transaction(server, take):
    take(drops(server))
    with transaction.atomic(), pytest.raises(RuntimeError):
        fetch_due()
    assert server.asked == []


def test_a_product_deleted_meanwhile_is_no_matter(server, take):
    take(drops(server))
    Product.objects.all().delete()
    assert fetch_due() is False
    assert not PictureAddress.objects.exists()


def notes(report) -> list[str]:
    return [line.partition(",remark,")[2] for line in report.path.read_text().splitlines() if ",remark," in line]


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("file:///etc/passwd", "is not a picture address"),
        ("soap.jpg", "is not a picture address"),
        ("http://pictures.invalid/" + "a" * 480, "is longer than 500 characters"),
    ],
)
def test_what_is_no_address_is_remarked_and_left_out(take, address, said):
    report = take(f"sku,name,price,image\nS-1,Soap,10,{address}\n", "table")
    assert (report.counts[Outcome.CREATED], report.pictures, PictureAddress.objects.count()) == (1, 0, 0)
    assert [said in note for note in notes(report)] == [True]


def test_the_pictures_of_a_product_are_limited(take, monkeypatch):
    monkeypatch.setattr(named_pictures, "MAX_PICTURES", 2)
    rows = "".join(f"soap,,,,,,http://pictures.invalid/{number}.png,,\n" for number in range(2, 5))
    report = take(SHOPIFY + "soap,Soap,,,S-1,10,http://pictures.invalid/1.png,,\n" + rows)
    assert [row.address[-5:] for row in PictureAddress.objects.all()] == ["1.png", "2.png"]
    assert ["more than 2 pictures" in note for note in notes(report)] == [True, True]


def test_the_command_asks_the_worker(server, tmp_path):
    (tmp_path / "drops.csv").write_text(drops(server))
    said = StringIO()
    choices = {"format": "shopify", "report": tmp_path / "r.csv", "verbosity": 0, "stdout": said}
    call_command("import_products", tmp_path / "drops.csv", pictures=True, dry_run=True, **choices)
    assert "3 pictures would be fetched by the worker." in said.getvalue()
    assert not DBTaskResult.objects.exists()
    call_command("import_products", tmp_path / "drops.csv", pictures=True, **choices)
    assert "3 pictures are fetched by the worker." in said.getvalue()
    assert [task.task_path for task in DBTaskResult.objects.all()] == [tasks.fetch_pictures.module_path]


def test_the_clock_asks_once_for_what_was_left(server, take):
    tasks.request_fetches()
    assert DBTaskResult.objects.count() == 0
    take(drops(server))
    tasks.request_fetches()
    tasks.request_fetches()
    assert DBTaskResult.objects.count() == 1


def test_the_worker_goes_on_until_nothing_is_due(server, take, monkeypatch):
    monkeypatch.setattr(tasks, "BATCH", 2)
    take(drops(server))
    tasks.fetch_pictures.func()
    assert (DBTaskResult.objects.count(), len(gallery("D-30"))) == (1, 2)
    tasks.fetch_pictures.func()
    assert (DBTaskResult.objects.count(), len(gallery("D-30"))) == (1, 3)
