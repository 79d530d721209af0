import shop.orders.models
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('orders', '0002_after_the_purchase'),
    ]

    operations = [
        migrations.AddField(
            model_name='shipment',
            name='is_replacement',
            field=models.BooleanField(default=False, help_text="Of units that came back; not the order's first."),
        ),
        migrations.AlterField(
            model_name='returnphoto',
            name='file',
            field=models.FileField(max_length=200, storage=shop.orders.models.private_files, upload_to='returns/'),
        ),
    ]
