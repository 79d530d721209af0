import shop.company.models
from django.db import migrations, models


class Migration(migrations.Migration):
    """The table is content's; only the room it belongs to is another one."""

    initial = True

    dependencies = [
        ('content', '0004_company'),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.CreateModel(
                    name='Company',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('only', models.BooleanField(default=True, editable=False, unique=True)),
                        ('legal_name', models.CharField(blank=True, max_length=200)),
                        ('address', models.TextField(blank=True, help_text='In lines, as on a letter.')),
                        ('cin', models.CharField(blank=True, max_length=21, verbose_name='CIN')),
                        ('gstin', models.CharField(blank=True, max_length=15, verbose_name='GSTIN')),
                        ('licences', models.TextField(blank=True, help_text='One on each line.', verbose_name='licence numbers')),
                        ('grievance_officer', models.CharField(blank=True, help_text='Name, and how to reach them; the law wants one named.', max_length=200)),
                        ('phone', models.CharField(blank=True, max_length=40, verbose_name='telephone')),
                        ('social_links', models.TextField(blank=True, help_text='One on each line: Instagram=https://instagram.com/…', validators=[shop.company.models.check_links])),
                    ],
                    options={
                        'verbose_name_plural': 'company',
                        'db_table': 'content_company',
                    },
                ),
            ],
        ),
    ]
