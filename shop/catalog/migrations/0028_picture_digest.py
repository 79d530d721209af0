"""Pictures are known by 16 digits of their hash (shop/catalog/pictures/services.py); files stay where they are."""

from typing import Any

from django.db import migrations, models
from django.db.models.functions import Left

DIGITS = 16


def shorten(apps: Any, schema_editor: Any) -> None:
    pictures = apps.get_model("catalog", "Picture").objects.using(schema_editor.connection.alias)
    pictures.update(digest=Left("digest", DIGITS))


class Migration(migrations.Migration):

    dependencies = [
        ('catalog', '0027_orders_without_joins'),
    ]

    operations = [
        migrations.AlterField(
            model_name='picture',
            name='sha256',
            field=models.CharField(db_column='sha256', editable=False, max_length=64, unique=True),
        ),
        migrations.RenameField(
            model_name='picture',
            old_name='sha256',
            new_name='digest',
        ),
        migrations.RunPython(shorten, migrations.RunPython.noop),
    ]
