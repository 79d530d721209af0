from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('company', '0001_from_content'),
    ]

    operations = [
        migrations.AddField(
            model_name='company',
            name='lut',
            field=models.CharField(blank=True, help_text='Letter of undertaking: exports are invoiced without tax under it.', max_length=40, verbose_name='LUT number'),
        ),
    ]
