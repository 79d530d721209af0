from django.db import migrations


def write_off_damaged(apps, editor):
    apps.get_model("catalog", "ReturnReason").objects.filter(slug="damaged").update(is_restockable=False)


class Migration(migrations.Migration):
    dependencies = [("catalog", "0023_batches")]

    operations = [migrations.RunPython(write_off_damaged, migrations.RunPython.noop)]
