from django.db import migrations


class Migration(migrations.Migration):
    """The company stands in a room of its own, with its table."""

    dependencies = [
        ('content', '0004_company'),
        ('company', '0001_from_content'),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(state_operations=[migrations.DeleteModel(name='Company')]),
    ]
