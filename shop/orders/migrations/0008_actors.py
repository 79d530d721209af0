"""Events and notes name their actor by role and id; before, staff stood there by the name they had chosen."""

from django.db import migrations
from django.db.models import CharField, OuterRef, Q, Subquery, Value
from django.db.models.functions import Cast, Concat

import shop.backoffice.actors

# What an event says that the customer's own clicks made; anything else by "customer" was staff of that name.
OWN_NOTES = ("Checked out.", "Replaced by a newer checkout.", "Cancelled by the customer.", "To be paid in cash on delivery.")


def name_actors(apps, schema_editor):
    Order, OrderEvent, OrderNote = (apps.get_model("orders", name) for name in ("Order", "OrderEvent", "OrderNote"))
    people = apps.get_model("accounts", "Customer").objects.all()
    events = OrderEvent.objects.order_by()
    own = Q(note__in=OWN_NOTES) | Q(status_to="", note__contains=" requested: ")
    events.filter(actor="customer").exclude(own).update(actor="staff")
    shop.backoffice.actors.name_keys(events.exclude(actor="staff"), "actor", people)
    customer = Order.objects.filter(pk=OuterRef("order_id")).values("customer_id")[:1]
    key = Concat(Value("customer:"), Cast(Subquery(customer), CharField()), output_field=CharField())
    events.filter(actor="customer").update(actor=key)
    notes = OrderNote.objects.order_by()
    notes.filter(author__in=("customer", "shop", "provider")).update(author="staff")  # only staff write notes
    shop.backoffice.actors.name_keys(notes.exclude(author="staff"), "author", people)


class Migration(migrations.Migration):
    dependencies = [
        ("orders", "0007_sold_with_ids"),
        ("accounts", "0004_history_indexes"),
    ]

    operations = [
        migrations.RunPython(name_actors, migrations.RunPython.noop),
        migrations.AlterField(
            model_name="orderevent", name="actor", field=shop.backoffice.actors.ActorField(default="shop", max_length=100)
        ),
        migrations.AlterField(model_name="ordernote", name="author", field=shop.backoffice.actors.ActorField(max_length=100)),
    ]
