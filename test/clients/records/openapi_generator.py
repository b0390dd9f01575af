"""Reads a dry run as a user of the client of openapi-generator would write it, and prints it as it would be sent."""

from course_progress import (
    ExternalId,
    ImportRequest,
    MigrationRecord,
    RecordClass,
    RecordContent,
    RecordProgress,
    RecordUser,
)


def record(name, external_user_id):
    return MigrationRecord(
        external_record_id=name,
        user=RecordUser(external_user_id=ExternalId(external_user_id)),
        content=RecordContent(type="course", platform_course_id=9007199254740991),
        progress=RecordProgress(classes=[RecordClass(platform_class_id=9007199254740990)]),
    )


request = ImportRequest(dry_run=True, records=[record("a", 9101), record("b", "9101")])
print(request.to_json())
