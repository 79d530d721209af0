"""Methods come from the registry of payment providers; no column changes."""

import shop.orders.payment_methods
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('payments', '0005_failed_events'),
    ]

    operations = [
        migrations.AlterField(
            model_name='payment',
            name='method',
            field=models.CharField(choices=shop.orders.payment_methods.recorded_choices, default='provider', max_length=8),
        ),
    ]
