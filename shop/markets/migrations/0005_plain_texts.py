import django.core.validators
import shop.markets.models
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('markets', '0004_location_time_zone'),
    ]

    operations = [
        migrations.AlterField(
            model_name='location',
            name='code',
            field=models.CharField(help_text='Two-letter country code, such as IN; it also picks the flag.', max_length=2, unique=True),
        ),
        migrations.AlterField(
            model_name='location',
            name='is_indexed',
            field=models.BooleanField(default=False, help_text='Give it its own hreflang link, sitemap and merchant feed.'),
        ),
        migrations.AlterField(
            model_name='location',
            name='time_zone',
            field=models.CharField(default='UTC', help_text='For times shown to shoppers, such as Europe/London. If there are several, the most common.', max_length=40, validators=[shop.markets.models.check_time_zone]),
        ),
        migrations.AlterField(
            model_name='servicerule',
            name='cash_on_delivery',
            field=models.BooleanField(default=True, help_text='Only where the country allows it.'),
        ),
        migrations.AlterField(
            model_name='servicerule',
            name='extra_days',
            field=models.PositiveSmallIntegerField(default=0, help_text='Extra delivery days.', validators=[django.core.validators.MaxValueValidator(60)]),
        ),
        migrations.AlterField(
            model_name='servicerule',
            name='note',
            field=models.CharField(blank=True, help_text='Shown to the shopper, for example: Only by boat.', max_length=120),
        ),
        migrations.AlterField(
            model_name='servicerule',
            name='prefix',
            field=models.CharField(blank=True, help_text='Start of the PIN code or postcode, such as 744 or SW1. Leave empty for the whole country.', max_length=12),
        ),
    ]
