"""A code belongs to the secret that it was asked for with. Sign-ups that wait for their code keep it."""

from hashlib import sha256

from django.db import migrations, models


def name_holders(apps, schema_editor):
    for code in apps.get_model("accounts", "Code").objects.filter(purpose="sign_up", browser=""):
        if key := code.payload.get("key"):
            code.browser = sha256(key.encode()).hexdigest()
            code.save(update_fields=["browser"])


class Migration(migrations.Migration):
    dependencies = [("accounts", "0004_history_indexes")]

    operations = [
        migrations.AlterField(
            model_name="code",
            name="browser",
            field=models.CharField(
                blank=True, default="", help_text="Hash of the secret of whoever asked.", max_length=64
            ),
        ),
        migrations.RunPython(name_holders, migrations.RunPython.noop),
    ]
