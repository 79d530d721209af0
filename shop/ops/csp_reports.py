"""What browsers report of the content policy: a script, style or frame that it stopped is a line in the log."""

import logging
from datetime import timedelta
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_POST

from shop.errors import TooMany
from shop.http.api import error_body, parse_json
from shop.http.middleware import accepts_posts_of_programs
from shop.http.request_log import logged_path
from shop.limits.services import client_of, consume
from shop.markets.geography.detection import client_address

logger = logging.getLogger(__name__)
TYPES = ("application/csp-report", "application/reports+json", "application/json")
MAX_BYTES = 16 * 1024
MAX_REPORTS = 5  # of one request
LIMITS = (("one", 20), ("all", 500))  # an hour: of one client, of everybody
FIELDS = ("effective-directive", "violated-directive", "blocked-uri", "document-uri", "source-file", "line-number")
OTHER_NAMES = {"blocked-uri": "blockedURL", "document-uri": "documentURL", "effective-directive": "effectiveDirective",
               "source-file": "sourceFile", "line-number": "lineNumber"}  # fmt: skip


@accepts_posts_of_programs
@require_POST
def csp_report(request: HttpRequest) -> HttpResponse:
    """Logs and forgets; whoever posts too often is not read."""
    if request.content_type not in TYPES:
        return JsonResponse(error_body(415, "Send a content policy report."), status=415)
    if int(request.META.get("CONTENT_LENGTH") or 0) > MAX_BYTES:
        return JsonResponse(error_body(413, "This is too large."), status=413)
    try:
        reports = _parsed(parse_json(request.body))
    except ValueError:
        return JsonResponse(error_body(400, "That is not a content policy report."), status=400)
    client = client_of(client_address(request))
    try:
        for who, limit in LIMITS:
            consume("csp report", client if who == "one" else who, limit=limit, period=timedelta(hours=1))
    except TooMany as refusal:
        response = JsonResponse(error_body(429, refusal.message), status=429)
        response["Retry-After"] = str(refusal.retry_after)
        return response
    for report in reports:
        logger.warning("content policy: %s", " ".join(f"{name}={value}" for name, value in report.items()))
    return HttpResponse(status=204)


def _parsed(report: Any) -> list[dict[str, str]]:
    """Of report-uri an object, of the Reporting API a list. Raises ValueError."""
    bodies = [one.get("body") for one in report if isinstance(one, dict)] if isinstance(report, list) else []
    if isinstance(report, dict):
        bodies = [report.get("csp-report")]
    found = [_fields(body) for body in bodies[:MAX_REPORTS] if isinstance(body, dict)]
    if not any(found):
        raise ValueError("no report")
    return [fields for fields in found if fields]


def _fields(body: dict[str, Any]) -> dict[str, str]:
    """Each as one word that may be logged."""
    given = {name: body.get(name, body.get(OTHER_NAMES.get(name, name))) for name in FIELDS}
    return {
        name: "_".join(logged_path(str(value)).split()) for name, value in given.items() if isinstance(value, str | int)
    }
