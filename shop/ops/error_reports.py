"""What leaves the shop about its own troubles: log lines of tasks, and errors for Sentry where it is set."""

from typing import Any

from django.conf import settings

from shop.http.request_log import enter_task, logged_path, request_id, without_secrets


def enter_started_task(sender: type, task_result: Any, **kwargs: Any) -> None:
    enter_task(task_result.id)


def report_errors() -> None:
    """Tell Sentry of errors, where SENTRY_DSN names one; nothing of it is loaded otherwise."""
    if not settings.SENTRY_DSN:
        return
    import sentry_sdk

    sentry_sdk.init(
        dsn=settings.SENTRY_DSN,
        environment=settings.SENTRY_ENVIRONMENT,
        release=settings.SHOP_RELEASE or None,
        send_default_pii=False,
        max_request_body_size="never",
        include_local_variables=False,
        max_breadcrumbs=0,
        before_send=_strip,
    )


def _strip(event: Any, hint: Any) -> Any:
    """What happened and where; nothing of who asked, or with what."""
    event.pop("user", None)
    event.pop("breadcrumbs", None)
    event.pop("extra", None)
    request = event.pop("request", {})
    event["request"] = {name: logged_path(request[name]) for name in ("method", "url") if name in request}
    if "transaction" in event:
        event["transaction"] = logged_path(event["transaction"])
    event["tags"] = {**(event.get("tags") or {}), "request_id": request_id.get()}
    for exception in (event.get("exception") or {}).get("values", []):
        exception["value"] = without_secrets(str(exception.get("value", "")))
    log = event.get("logentry") or {}
    log.pop("params", None)
    for name in ("message", "formatted"):
        if name in log:
            log[name] = without_secrets(str(log[name]))
    return event
