"""What a Python client of openapi-generator reads of the responses of a later version."""

import json
import sys

import course_progress

sent = json.load(open(sys.argv[1]))
records = course_progress.RecordList.from_dict(sent["records"]).records
revert = course_progress.Revert.from_dict(sent["revert"])
envelope = course_progress.ErrorEnvelope.from_dict(sent["envelope"])
event = course_progress.ImportEvent.from_dict(sent["event"])
print(
    json.dumps(
        [
            records[0].errors[0].error_code,
            records[0].warnings[0].warning_code,
            records[0].outcome,
            records[0].to_dict()["record"]["external_record_id"],
            records[1].to_dict()["record"],
            revert.records[0].outcome,
            envelope.errors[0].error_code,
            event.detail_type,
        ]
    )
)
