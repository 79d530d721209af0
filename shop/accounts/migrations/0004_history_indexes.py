"""Django's log has no index for what the history asks: the newest of a time, and those of one thing."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("accounts", "0003_ways_in"), ("admin", "0003_logentry_add_action_flag_choices")]

    operations = [
        migrations.RunSQL(
            "CREATE INDEX history_at ON django_admin_log (action_time)",
            "DROP INDEX history_at",
        ),
        migrations.RunSQL(
            "CREATE INDEX history_of_thing ON django_admin_log (content_type_id, object_id)",
            "DROP INDEX history_of_thing",
        ),
    ]
