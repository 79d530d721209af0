from django.db import migrations

from ..products.return_windows import load_return_reasons


class Migration(migrations.Migration):
    dependencies = [("catalog", "0004_returns_and_alerts")]

    operations = [migrations.RunPython(lambda apps, editor: load_return_reasons(apps), migrations.RunPython.noop)]
