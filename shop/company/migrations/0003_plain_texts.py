import shop.company.models
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('company', '0002_lut'),
    ]

    operations = [
        migrations.AlterField(
            model_name='company',
            name='address',
            field=models.TextField(blank=True, help_text='As it should appear on documents, line by line.'),
        ),
        migrations.AlterField(
            model_name='company',
            name='grievance_officer',
            field=models.CharField(blank=True, help_text='Name and contact details; required by law.', max_length=200),
        ),
        migrations.AlterField(
            model_name='company',
            name='licences',
            field=models.TextField(blank=True, help_text='One per line.', verbose_name='licence numbers'),
        ),
        migrations.AlterField(
            model_name='company',
            name='lut',
            field=models.CharField(blank=True, help_text='Letter of undertaking, under which exports are invoiced without tax.', max_length=40, verbose_name='LUT number'),
        ),
        migrations.AlterField(
            model_name='company',
            name='social_links',
            field=models.TextField(blank=True, help_text='One per line: Instagram=https://instagram.com/…', validators=[shop.company.models.check_links]),
        ),
    ]
