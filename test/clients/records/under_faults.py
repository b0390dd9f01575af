"""Imports 5,000 records with the client of openapi-generator, as a user of it would write it, from a server with faults."""

import json
import sys
import time

import course_progress as api
import urllib3

url, records_file = sys.argv[1:]
COMPANY = "acme"

# Every request may be sent again (docs/integrate.md): after 429 and 503 when Retry-After has passed, after a lost response at once.
again = urllib3.Retry(total=50, allowed_methods=None, status_forcelist=[429, 503], backoff_factor=0.1, backoff_max=2)
client = api.ApiClient(api.Configuration(host=url, retries=again))
tokens = api.AuthenticationApi(client).login(api.Credentials(email="admin@acme.test", password="changeme"))
client.configuration.access_token = tokens.access_token
imports = api.ProgressImportsApi(client)

with open(records_file) as file:
    batches = [[api.MigrationRecord.from_dict(record) for record in batch] for batch in json.load(file)]
started = [
    imports.start_import(COMPANY, api.ImportRequest(dry_run=False, records=batch), idempotency_key=f"batch-{number}")
    for number, batch in enumerate(batches)
]
ended = []
for each in started:
    while each.status == "processing":
        time.sleep(0.5)
        each = imports.get_import(COMPANY, each.import_id)
    ended.append(each)
stored = imports.list_imports(COMPANY, limit=100).imports

print(
    json.dumps(
        {
            "ended": [[each.status, each.counts.succeeded] for each in ended],
            "once": sorted(each.import_id for each in ended) == sorted(each.import_id for each in stored),
        }
    )
)
