from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('search', '0007_searches_in_vain'),
    ]

    operations = [
        migrations.AlterField(
            model_name='facetsnapshot',
            name='built_at',
            field=models.DateTimeField(help_text='When it was last rebuilt from the whole catalogue.'),
        ),
        migrations.AlterField(
            model_name='facetsnapshot',
            name='made_at',
            field=models.DateTimeField(help_text='Includes everything saved before this time.'),
        ),
        migrations.AlterField(
            model_name='facetsnapshot',
            name='version',
            field=models.PositiveIntegerField(help_text='Version of the data format.'),
        ),
        migrations.AlterField(
            model_name='searchcount',
            name='results',
            field=models.PositiveIntegerField(help_text='Products found by the latest search.'),
        ),
        migrations.AlterField(
            model_name='searchcount',
            name='words',
            field=models.CharField(help_text='In lower case, without accents or punctuation.', max_length=100),
        ),
        migrations.AlterField(
            model_name='synonymgroup',
            name='note',
            field=models.CharField(blank=True, help_text='For staff only; shoppers never see it.', max_length=200),
        ),
    ]
