"""Methods come from the registry of payment providers; no column changes."""

import shop.orders.payment_methods
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('orders', '0008_actors'),
    ]

    operations = [
        migrations.AlterField(
            model_name='order',
            name='payment_method',
            field=models.CharField(choices=shop.orders.payment_methods.payment_method_choices, default='online', max_length=6),
        ),
    ]
