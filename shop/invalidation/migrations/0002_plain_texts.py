from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('changes', '0001_initial'),
    ]

    operations = [
        migrations.AlterField(
            model_name='change',
            name='ids',
            field=models.JSONField(default=list, help_text='Product IDs; empty for a change to the whole shop.'),
        ),
    ]
