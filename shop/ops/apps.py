from django.apps import AppConfig


class OpsConfig(AppConfig):
    name = "shop.ops"
    label = "running"  # of its tables, from before the package had this name

    def ready(self) -> None:
        from django.db.models.signals import post_migrate
        from django_tasks.signals import task_started

        from .database.planner import keep_assumptions
        from .error_reports import enter_started_task, report_errors
        from .metrics import count_database_errors

        task_started.connect(enter_started_task)
        post_migrate.connect(keep_assumptions, sender=self)
        count_database_errors()
        report_errors()
