"""No origin is stated unless a file or a person stated it.

Until now every product that an import made came "from India", whatever its file said. Which of these origins were
stated can be told in part only, so that in doubt an origin is taken back; staff state it again where they know it.

Taken back is India of a product with a key in import files (only imports and, seldom, staff give one), unless
- its history shows that a person added it, or changed its country of origin, in the back office, or
- a file of this shop's own format that was imported in the back office, and is still kept, states an origin for it
  (files that the command imported are not kept), or
- it is a copy of such a product.
Copies of the others lose it with them. Any other country was stated by somebody and stays.
"""

import csv
import gzip
import io
import json

from django.db import migrations, models

BATCH = 500
INDIA = "IN"
FIELD = "Country of origin"  # as the history of the back office calls it
COPIED = "Duplicated from "
ADDITION = 1


def take_back_invented_origins(apps, schema_editor):
    product_model = apps.get_model("catalog", "Product")
    entries = entries_of_products(apps)
    stated = set(entries.filter(action_flag=ADDITION).values_list("object_id", flat=True))
    stated |= set(entries.filter(change_message__contains=FIELD).values_list("object_id", flat=True))
    handles = handles_with_origin(apps)
    from_india = product_model.objects.filter(country_of_origin=INDIA)
    invented = {
        pk
        for pk, handle in from_india.exclude(handle="").values_list("pk", "handle")
        if str(pk) not in stated and handle not in handles
    }
    invented |= copies_of(invented, stated, from_india, entries, product_model)
    ids = sorted(invented)
    for start in range(0, len(ids), BATCH):
        product_model.objects.filter(pk__in=ids[start : start + BATCH]).update(country_of_origin="")


def entries_of_products(apps):
    kind = apps.get_model("contenttypes", "ContentType").objects.filter(app_label="catalog", model="product")
    return apps.get_model("admin", "LogEntry").objects.filter(content_type__in=kind)


def copies_of(invented, stated, from_india, entries, product_model):
    """Copies have no key of their own; copies of copies are found, too."""
    slugs = dict(product_model.objects.values_list("slug", "pk")) if invented else {}
    candidates = set(from_india.filter(handle="").values_list("pk", flat=True))
    sources = {}
    for object_id, message in entries.filter(change_message__contains=COPIED).values_list("object_id", "change_message"):
        if object_id.isdigit() and object_id not in stated and int(object_id) in candidates:
            sources[int(object_id)] = slugs.get(source_slug(message))
    found = set()
    while more := {pk for pk, source in sources.items() if source in invented | found} - found:
        found |= more
    return found


def source_slug(message):
    try:
        notes = [part.get("note", "") for part in json.loads(message) if isinstance(part, dict)]
    except ValueError:
        return ""
    return next((note.removeprefix(COPIED) for note in notes if note.startswith(COPIED)), "")


def handles_with_origin(apps):
    """Handles of products whose origin is stated in a kept file of this shop's own format."""
    handles = set()
    for done in apps.get_model("catalog", "ProductImport").objects.filter(format="shop", state="done"):
        try:
            with done.file.open("rb") as packed:
                data = packed.read()
            text = (gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data).decode("utf-8-sig", "replace")
            rows = csv.DictReader(io.StringIO(text, newline=""))
            rows.fieldnames = [name.strip().lower() for name in rows.fieldnames or ()]
            handles |= {
                (row.get("handle") or "").strip().lower() for row in rows if (row.get("country_of_origin") or "").strip()
            }
        except (OSError, EOFError, ValueError, csv.Error):
            continue  # a file that is gone or unreadable tells nothing
    return handles


class Migration(migrations.Migration):
    dependencies = [
        ("catalog", "0009_fetched_from"),
        ("admin", "0003_logentry_add_action_flag_choices"),
        ("contenttypes", "0002_remove_content_type_name"),
    ]
    operations = [
        migrations.AlterField(
            "product",
            "country_of_origin",
            models.CharField(blank=True, help_text="Two letters; blank: not stated.", max_length=2),
        ),
        migrations.RunPython(take_back_invented_origins, migrations.RunPython.noop),
    ]
