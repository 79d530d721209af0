from django.db import migrations

BATCH = 500


def keep_as_earlier_sales(apps, schema_editor):
    """What was popular before sales were counted stays so for the 90 days that count."""
    product_model, movement_model = apps.get_model("catalog", "Product"), apps.get_model("catalog", "StockMovement")
    popular = product_model.objects.filter(popularity__gt=0, first_variant__isnull=False)
    movement_model.objects.bulk_create(
        (
            movement_model(variant_id=variant_id, kind="earlier", quantity=units, reference="before this shop")
            for variant_id, units in popular.values_list("first_variant", "popularity").iterator()
        ),
        batch_size=BATCH,
    )


class Migration(migrations.Migration):
    dependencies = [("catalog", "0002_movements_of_earlier")]
    operations = [migrations.RunPython(keep_as_earlier_sales, migrations.RunPython.noop)]
