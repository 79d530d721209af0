from django.db import migrations, models

import shop.markets.models
from ..geography.countries import load_languages


def load(apps, schema_editor):
    load_languages(apps)


class Migration(migrations.Migration):
    dependencies = [("markets", "0005_plain_texts")]

    operations = [
        migrations.AddField(
            "location",
            "languages",
            models.JSONField(default=shop.markets.models.english, help_text="Languages shoppers in this country can choose."),
        ),
        migrations.RunPython(load, migrations.RunPython.noop),
    ]
