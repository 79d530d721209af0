from django.db import migrations


class Migration(migrations.Migration):
    """Adds what the code of before does not know, to the table that checkouts write to."""

    dependencies = [("orders", "0001_initial")]
    operations = [
        migrations.RunSQL(
            "ALTER TABLE orders_order ADD COLUMN gift_note varchar(200) NULL",
            "ALTER TABLE orders_order DROP COLUMN gift_note",
        )
    ]
