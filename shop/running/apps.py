from django.apps import AppConfig


class RunningConfig(AppConfig):
    name = "shop.running"

    def ready(self) -> None:
        from django_tasks.signals import task_started

        from .metrics import count_database_errors
        from .telling import enter_started_task, report_errors

        task_started.connect(enter_started_task)
        count_database_errors()
        report_errors()
