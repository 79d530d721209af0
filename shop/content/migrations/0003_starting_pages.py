from django.db import migrations

from ..pages.initial import load_pages


def load(apps, schema_editor):
    load_pages(apps)


class Migration(migrations.Migration):
    dependencies = [("content", "0002_pages")]
    operations = [migrations.RunPython(load, migrations.RunPython.noop)]
