"""The word index in memory takes the place of the databases' own full-text search, and needs come beside synonyms.

The tables of the former search stay until a later migration: processes of the version before go on writing to them
while this one is being started.
"""

from django.db import migrations, models

from ..text.tables.initial import load_needs


def load(apps, schema_editor):
    load_needs(apps)


class Migration(migrations.Migration):
    dependencies = [("search", "0008_plain_texts")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.DeleteModel("WordPart"),
                migrations.DeleteModel("Word"),
                migrations.DeleteModel("FacetSnapshot"),
            ]
        ),
        migrations.CreateModel(
            name='IndexSnapshot',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(help_text='Which index.', max_length=20, unique=True)),
                ('version', models.PositiveIntegerField(help_text='Version of the data format.')),
                ('data', models.BinaryField()),
                ('made_at', models.DateTimeField(help_text='Includes everything saved before this time.')),
                ('built_at', models.DateTimeField(help_text='When it was last rebuilt from the whole catalogue.')),
            ],
        ),
        migrations.CreateModel(
            name='Need',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(help_text='As the page says it: Hair fall.', max_length=80, unique=True)),
                ('concern', models.SlugField(blank=True, help_text='The health concern whose page fits.', max_length=80)),
                ('phrases', models.TextField(help_text='What people type, in any language, one a line, without words such as medicine or for.')),
                ('kinds', models.TextField(blank=True, help_text='What is apt, best first, one a line: words that stand together in the name or the category of a product. Leave blank where the shop should recommend nothing.')),
                ('also', models.TextField(blank=True, help_text='What is less apt and is listed after that.', verbose_name='also apt')),
                ('exclusions', models.TextField(blank=True, help_text='Words in name, category or composition of products that are wrong for it.')),
                ('is_active', models.BooleanField(default=True, verbose_name='active')),
            ],
            options={
                'ordering': ['name'],
            },
        ),
        migrations.RunPython(load, migrations.RunPython.noop),
    ]
