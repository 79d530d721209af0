from django.apps import AppConfig


class OpsConfig(AppConfig):
    name = "shop.ops"
    label = "running"  # of its tables, from before the package had this name

    def ready(self) -> None:
        from django_tasks.signals import task_started

        from .error_reports import enter_started_task, report_errors
        from .metrics import count_database_errors

        task_started.connect(enter_started_task)
        count_database_errors()
        report_errors()
