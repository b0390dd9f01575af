"""Failures by schemathesis that the interface promises: each excuse names its rule and checks the response."""

import re

import schemathesis

BATCHES = {"users/resolve": "emails", "users/mappings": "mappings", "catalog/mappings": "mappings", "progress/imports": "records"}
LARGEST_BATCH = {"emails": 100, "mappings": 500, "records": 500}
IDEMPOTENCY_KEY = re.compile(r'(?:[!#-~][!-~]{0,254}|"(?:[!#-\[\]-~]|\\["\\]){1,255}")')


@schemathesis.hook
def filter_failure(context, failure, case, response):
    excuse = EXCUSES.get(type(failure).__name__)
    return excuse is None or not excuse(case, response)


def undeclared_method(case, response):
    """An unknown method is 404 route_not_found, like an unknown path."""
    return problem_of(response) == ("route_not_found", None)


def rejected(case, response):
    """A schema does not know which cursors were issued, which keys were used before, nor that just one name of a learner is sent."""
    code, field = problem_of(response)
    names = LEARNER_NAMES.intersection(case.query or {})
    if case.operation.path.endswith("/progress/learners") and (code, field) == ("invalid_request", "email"):
        return len(names) != 1
    return (code, field) == ("invalid_request", "cursor") or code == "idempotency_key_reused"


def accepted(case, response):
    """Too many items are 413. An invalid item is reported in the response and never refuses the request that contains it."""
    return problem_of(response)[0] == "batch_too_large" or refused_by_the_server(response) or only_items_are_bad(case, response)


def undocumented(case, response):
    """A request line longer than an HTTP server reads never reaches the service."""
    return refused_by_the_server(response)


LEARNER_NAMES = {"email", "user_id", "external_user_id"}

EXCUSES = {
    "UnsupportedMethodResponse": undeclared_method,
    "RejectedPositiveData": rejected,
    "AcceptedNegativeData": accepted,
    "UndefinedStatusCode": undocumented,
}


def only_items_are_bad(case, response):
    member = next((name for path, name in BATCHES.items() if case.operation.path.endswith(path)), None)
    if case.method != "POST" or member is None or response.status_code not in (200, 202):
        return False
    body, key = case.body, (case.headers or {}).get("Idempotency-Key")
    items = body.get(member) if isinstance(body, dict) else None
    return (
        isinstance(items, list)
        and 1 <= len(items) <= LARGEST_BATCH[member]
        and (member != "records" or isinstance(body.get("dry_run"), bool))
        and (key is None or IDEMPOTENCY_KEY.fullmatch(key.strip()) is not None)
    )


def refused_by_the_server(response):
    return response.status_code == 431 and len(response.request.url) > 8192


def problem_of(response):
    try:
        [problem] = response.json()["errors"]
    except (KeyError, TypeError, ValueError):
        return None, None
    return problem["error_code"], problem.get("field")
