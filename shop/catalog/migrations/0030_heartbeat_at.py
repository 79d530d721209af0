import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    """A name of the code alone: the column stays, so that two releases run side by side."""

    dependencies = [
        ('catalog', '0029_words_within_names'),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RenameField(
                    model_name='productimport',
                    old_name='heard_at',
                    new_name='heartbeat_at',
                ),
                migrations.AlterField(
                    model_name='productimport',
                    name='heartbeat_at',
                    field=models.DateTimeField(db_column='heard_at', default=django.utils.timezone.now, help_text='Last sign of progress.', verbose_name='heard at'),
                ),
            ],
        ),
    ]
