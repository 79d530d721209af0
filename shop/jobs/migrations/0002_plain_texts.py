from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('chores', '0001_initial'),
    ]

    operations = [
        migrations.AlterField(
            model_name='failedrow',
            name='kind',
            field=models.CharField(help_text='Kind of record, such as order.', max_length=60),
        ),
    ]
