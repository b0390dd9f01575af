/** What a TypeScript client of openapi-generator reads of the responses of a later version. It is bundled beside the client. */
// oxlint-disable-next-line typescript/ban-ts-comment -- the client is generated
// @ts-nocheck
import { readFileSync } from 'node:fs';
import { ErrorEnvelopeFromJSON, ImportEventFromJSON, RecordListFromJSON, RevertFromJSON } from './index';

const sent = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
const [first, second] = RecordListFromJSON(sent.records).records;
console.log(
  JSON.stringify([
    first.errors[0].errorCode,
    first.warnings[0].warningCode,
    first.outcome,
    first.record.externalRecordId ?? first.record.external_record_id,
    second.record,
    RevertFromJSON(sent.revert).records[0].outcome,
    ErrorEnvelopeFromJSON(sent.envelope).errors[0].errorCode,
    ImportEventFromJSON(sent.event).detailType,
  ]),
);
