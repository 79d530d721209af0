from django.db import migrations

from ..faq.initial import load_faq


def load(apps, schema_editor):
    load_faq(apps)


class Migration(migrations.Migration):
    dependencies = [("content", "0006_faq_and_blog")]
    operations = [migrations.RunPython(load, migrations.RunPython.noop)]
