"""The seven steps with the Python client of openapi-generator, as a user of it would write them."""

import json
import sys
import time

import course_progress as api

url, run = sys.argv[1:]
COMPANY = "acme"
LARGEST = 9007199254740991  # 2^53 - 1, the largest id that every JSON parser keeps
DAY = "2024-03-01"

client = api.ApiClient(api.Configuration(host=url))
tokens = api.AuthenticationApi(client).login(api.Credentials(email="admin@acme.test", password="changeme"))
client.configuration.access_token = tokens.access_token
reference = api.CatalogAndUsersApi(client)
imports = api.ProgressImportsApi(client)

courses = reference.list_courses(COMPANY).courses
emails = ["ben.castillo@acme.test", "ivan.petrov@acme.test", "nobody@acme.test"]
resolved = reference.resolve_users(COMPANY, api.ResolveRequest(emails=emails)).users
users = reference.register_user_mappings(
    COMPANY,
    api.UserMappingRequest(
        mappings=[
            api.UserMappingEntry(external_user_id=api.ExternalId(9101), email="ben.castillo@acme.test"),
            api.UserMappingEntry(external_user_id=api.ExternalId(LARGEST), email="chiara.romano@acme.test"),
        ]
    ),
).mappings
reference.register_course_mappings(
    COMPANY,
    api.CourseMappingRequest(
        mappings=[api.CourseMappingEntry(external_course_id=api.ExternalId("SEC-1"), platform_course_id=101)]
    ),
)


def user(email=None, external=None):
    given = {} if email is None else {"email": email}
    return api.RecordUser(**given, **({} if external is None else {"external_user_id": api.ExternalId(external)}))


def course(platform=None, external=None):
    given = {} if platform is None else {"platform_course_id": platform}
    if external is not None:
        given["external_course_id"] = api.ExternalId(external)
    return api.RecordContent(type="course", **given)


def record(name, user, content, progress):
    return api.MigrationRecord(external_record_id=name, user=user, content=content, progress=progress)


BEN = user("ben.castillo@acme.test")
HALF = api.RecordProgress(completion_pct=50)
# Content that the client itself would refuse is built without its validation.
VIDEO = api.RecordContent.model_construct(type="video", platform_course_id=101)
TOO_MUCH = api.RecordProgress.model_construct(completion_pct=101)
wrong = [
    record("invalid_record", user("no address"), course(101), HALF),
    record("duplicate_external_record_id", BEN, course(101), HALF),
    record("duplicate_external_record_id", BEN, course(102), HALF),
    record("user_not_found", user("nobody@acme.test"), course(101), HALF),
    record("user_inactive", user("ivan.petrov@acme.test"), course(101), HALF),
    record("unsupported_content_type", BEN, VIDEO, HALF),
    record("course_not_in_catalog", BEN, course(999), HALF),
    record("external_user_id_not_mapped", user(external="unknown"), course(101), HALF),
    record("external_course_id_not_mapped", BEN, course(external="unknown"), HALF),
    record("identifier_mismatch", user("ben.castillo@acme.test", LARGEST), course(101), HALF),
    record("invalid_completion_pct", BEN, course(101), TOO_MUCH),
    record("invalid_date_format", BEN, course(101), api.RecordProgress(completion_pct=50, started_at="2024-02-30")),
    api.MigrationRecord(external_record_id="missing_progress", user=BEN, content=course(101)),
]
good = [
    record("number", user(external=9101), course(external="SEC-1"), api.RecordProgress(completion_pct=66.67)),
    record("text", user(external="9101"), course(102), HALF),
    record(
        "largest",
        user(external=LARGEST),
        course(LARGEST),
        api.RecordProgress(classes=[api.RecordClass(platform_class_id=LARGEST - 1, viewed_at=DAY)]),
    ),
]

dry_run = imports.start_import(COMPANY, api.ImportRequest(dry_run=True, records=wrong))
started = imports.start_import(COMPANY, api.ImportRequest(dry_run=False, records=good), idempotency_key=run)
ended = started
while ended.status == "processing":
    time.sleep(0.1)
    ended = imports.get_import(COMPANY, started.import_id)
listed = imports.list_import_records(COMPANY, started.import_id, include="record").records
rejected = imports.list_import_records(COMPANY, dry_run.import_id, status="error", limit=500).records

plan = imports.revert_import(COMPANY, started.import_id, api.RevertRequest(dry_run=True))
reverted = imports.revert_import(COMPANY, started.import_id, api.RevertRequest(dry_run=False))
while reverted.status == "processing":
    time.sleep(0.1)
    reverted = imports.get_revert(COMPANY, started.import_id)

sent = [each.record.to_dict() for each in listed]
print(
    json.dumps(
        {
            "courses": [each.platform_course_id for each in courses],
            "resolved": [each.status for each in resolved],
            "mapped": [each.external_user_id for each in users],
            "dry_run": dry_run.status,
            "errors": [[each.external_record_id, [error.error_code for error in each.errors]] for each in dry_run.records],
            "status": ended.status,
            "applied": [[each.progress.platform_course_id, each.progress.completion_pct] for each in ended.records],
            "sent": [each["user"]["external_user_id"] for each in sent],
            "class_id": sent[2]["progress"]["classes"][0]["platform_class_id"],
            "rejected": [each.external_record_id for each in rejected],
            "plan": [plan.status, [each.outcome for each in plan.records]],
            "reverted": [reverted.status, [each.outcome for each in reverted.records]],
        }
    )
)
