"""Events name their actor by role and id; before, staff stood there by the name they had chosen."""

from django.db import migrations

import shop.backoffice.actors


def name_actors(apps, schema_editor):
    people = apps.get_model("accounts", "Customer").objects.all()
    for name in ("EnquiryEvent", "ComplaintEvent"):
        events = apps.get_model("care", name).objects.order_by()
        events.filter(actor__in=("customer", "shop", "provider")).update(actor="staff")  # only staff write these
        shop.backoffice.actors.name_keys(events.exclude(actor="staff"), "actor", people)


class Migration(migrations.Migration):
    dependencies = [
        ("care", "0003_newsletter"),
        ("accounts", "0004_history_indexes"),
    ]

    operations = [
        migrations.RunPython(name_actors, migrations.RunPython.noop),
        migrations.AlterField(model_name="enquiryevent", name="actor", field=shop.backoffice.actors.ActorField(max_length=100)),
        migrations.AlterField(model_name="complaintevent", name="actor", field=shop.backoffice.actors.ActorField(max_length=100)),
    ]
