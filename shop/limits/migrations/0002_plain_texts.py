from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('limits', '0001_initial'),
    ]

    operations = [
        migrations.AlterField(
            model_name='counter',
            name='expires_at',
            field=models.DateTimeField(db_index=True, help_text='End of the counting period.'),
        ),
    ]
