"""What a client of openapi-python-client reads of the responses of a later version."""

import json
import sys

from course_progress import models

sent = json.load(open(sys.argv[1]))
listed = models.RecordList.from_dict(sent["records"]).records[0]
revert = models.Revert.from_dict(sent["revert"])
envelope = models.ErrorEnvelope.from_dict(sent["envelope"])
event = models.ImportEvent.from_dict(sent["event"])
print(
    json.dumps(
        [
            listed.errors[0].error_code,
            listed.warnings[0].warning_code,
            listed.outcome,
            listed.record.external_record_id,
            models.RecordList.from_dict(sent["records"]).records[1].record,
            revert.records[0].outcome,
            envelope.errors[0].error_code,
            event.detail_type,
        ]
    )
)
