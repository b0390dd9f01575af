"""The same dry run, with the client of openapi-python-client."""

import json

from course_progress.models import (
    ImportRequest,
    MigrationRecord,
    RecordClass,
    RecordContent,
    RecordContentType,
    RecordProgress,
    RecordUser,
)


def record(name, external_user_id):
    return MigrationRecord(
        external_record_id=name,
        user=RecordUser(external_user_id=external_user_id),
        content=RecordContent(type_=RecordContentType.COURSE, platform_course_id=9007199254740991),
        progress=RecordProgress(classes=[RecordClass(platform_class_id=9007199254740990)]),
    )


request = ImportRequest(dry_run=True, records=[record("a", 9101), record("b", "9101")])
print(json.dumps(request.to_dict()))
