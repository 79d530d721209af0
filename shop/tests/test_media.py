import pytest


@pytest.fixture
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"
    (settings.MEDIA_ROOT / "pictures").mkdir(parents=True)
    (settings.MEDIA_ROOT / "pictures" / "jam.webp").write_bytes(b"jam")
    (tmp_path / "secret_key").write_text("secret")


def test_a_picture_may_be_kept_for_ever(db, media, client):
    answer = client.get("/media/pictures/jam.webp")
    assert b"".join(answer) == b"jam"
    assert answer["Content-Type"] == "image/webp"
    assert answer["Cache-Control"] == "public, max-age=31536000, immutable"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert "Vary" not in answer and not answer.cookies


@pytest.mark.parametrize(
    "path", ["pictures/", "pictures/none.webp", "../secret_key", "%2e%2e/secret_key", "/etc/passwd", "..%5csecret_key"]
)
def test_nothing_else_is_served(db, media, client, path):
    assert client.get(f"/media/{path}").status_code == 404


def test_pictures_are_only_read(db, media, client):
    assert client.post("/media/pictures/jam.webp", headers={"sec-fetch-site": "same-origin"}).status_code == 405
