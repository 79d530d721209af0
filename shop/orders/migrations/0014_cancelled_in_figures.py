from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("orders", "0013_gstin_and_pickup")]

    operations = [
        migrations.RemoveIndex(model_name="orderline", name="order_lines_sold"),
        migrations.AddIndex(
            model_name="orderline",
            index=models.Index(
                fields=["order", "variant", "quantity", "cancelled", "line_inr"], name="order_lines_sold"
            ),
        ),
    ]
