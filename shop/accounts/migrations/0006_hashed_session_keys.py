"""Sessions are kept under a hash of their key (session_store.py); those that are open stay open."""

from hashlib import sha256

from django.db import migrations
from django.utils import timezone

BATCH = 1000
HASHED = 40  # characters; Django's own keys have 32


def stored_key(session_key):
    return sha256(session_key.encode()).hexdigest()[:HASHED]


def hash_keys(apps, schema_editor):
    hash_sessions(apps.get_model("sessions", "Session"))
    hash_sign_ins(apps.get_model("usersessions", "UserSession"))


def hash_sessions(Session):
    keys = Session.objects.filter(expire_date__gt=timezone.now()).values_list("session_key", flat=True)
    plain = [key for key in keys if len(key) != HASHED]
    for start in range(0, len(plain), BATCH):
        rows = Session.objects.filter(session_key__in=plain[start : start + BATCH])
        Session.objects.bulk_create(
            Session(
                session_key=stored_key(row.session_key), session_data=row.session_data, expire_date=row.expire_date
            )
            for row in rows
        )
        rows.delete()


def hash_sign_ins(UserSession):
    rows = [row for row in UserSession.objects.only("session_key") if len(row.session_key) != HASHED]
    for row in rows:
        row.session_key = stored_key(row.session_key)
    UserSession.objects.bulk_update(rows, ["session_key"], batch_size=BATCH)


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0005_codes_of_whoever_asked"),
        ("sessions", "0001_initial"),
        ("usersessions", "0001_initial"),
    ]

    operations = [migrations.RunPython(hash_keys, migrations.RunPython.noop)]
