from django.db import migrations

from shop.content.starting_pages import load_pages


def load(apps, schema_editor):
    load_pages(apps)


class Migration(migrations.Migration):
    dependencies = [("content", "0002_pages")]
    operations = [migrations.RunPython(load, migrations.RunPython.noop)]
