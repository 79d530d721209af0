from django.db import migrations, models

import shop.markets.models
from ..geography.countries import load_time_zones


def load(apps, schema_editor):
    load_time_zones(apps)


class Migration(migrations.Migration):
    dependencies = [("markets", "0003_delivery_rules")]

    operations = [
        migrations.AddField(
            "location",
            "time_zone",
            models.CharField(
                default="UTC",
                help_text="IANA name (Europe/London): shoppers there read times in it. Of several, that of most people.",
                max_length=40,
                validators=[shop.markets.models.check_time_zone],
            ),
        ),
        migrations.RunPython(load, migrations.RunPython.noop),
    ]
