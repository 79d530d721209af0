import django.db.models.fields.json
import django.db.models.functions.text
from django.db import migrations, models


class Migration(migrations.Migration):
    """A name of the code alone: the column and its index stay, so that two releases run side by side."""

    dependencies = [
        ('orders', '0019_batches'),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveIndex(
                    model_name='order',
                    name='orders_sought',
                ),
                migrations.RenameField(
                    model_name='order',
                    old_name='sought',
                    new_name='search_text',
                ),
                migrations.AlterField(
                    model_name='order',
                    name='search_text',
                    field=models.GeneratedField(db_column='sought', db_persist=True, expression=django.db.models.functions.text.Concat('number', models.Value(' '), 'email', models.Value(' '), django.db.models.fields.json.KeyTextTransform('full_name', 'address'), models.Value(' '), django.db.models.fields.json.KeyTextTransform('phone_number', 'address'), models.Value(' '), django.db.models.fields.json.KeyTextTransform('alt_phone_number', 'address'), output_field=models.TextField()), help_text="What the desk's search looks through.", output_field=models.TextField(), verbose_name='sought'),
                ),
                migrations.AddIndex(
                    model_name='order',
                    index=models.Index(fields=['search_text', 'customer'], name='orders_sought'),
                ),
            ],
        ),
    ]
