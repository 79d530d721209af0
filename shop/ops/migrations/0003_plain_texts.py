from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('running', '0002_last_success'),
    ]

    operations = [
        migrations.AlterField(
            model_name='chore',
            name='name',
            field=models.CharField(help_text='Dotted path of the function.', max_length=200, primary_key=True, serialize=False),
        ),
    ]
