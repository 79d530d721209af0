from django.db import migrations

from ..geography.countries import load_world


def load(apps, schema_editor):
    load_world(apps)


class Migration(migrations.Migration):
    dependencies = [("markets", "0001_initial")]
    operations = [migrations.RunPython(load, migrations.RunPython.noop)]
