/**
 * The bodies that clients send (§2.4, §4.1, §4.2). A message is the rule alone; `membersOf` puts the field before it. Items of a
 * batch are validated one by one: operations pass `v.unknown()`, the document the schema of an item.
 */
import * as v from 'valibot';
import { isRunId } from '../records/identifiers.ts';
import { isObject, jsonBytes } from '../records/json.ts';
import { isIdentifierText, isPlainText } from '../records/text.ts';
import {
  MAX_EMAILS_PER_RESOLVE,
  MAX_MAPPINGS_PER_REQUEST,
  MAX_RECORDS_PER_IMPORT,
  MAX_REASON_LENGTH,
  MAX_RUN_ID_LENGTH,
  MAX_STATEMENT_BYTES,
} from '../shared/limits.ts';

const flag = v.boolean('must be true or false');

export const resolveRequest = <Address extends v.GenericSchema>(address: Address) =>
  v.strictObject({ emails: batchOf(address, MAX_EMAILS_PER_RESOLVE) });

export const mappingRequest = <Entry extends v.GenericSchema>(entry: Entry) =>
  v.strictObject({
    mappings: v.pipe(
      batchOf(entry, MAX_MAPPINGS_PER_REQUEST),
      v.description(
        'Applied in order: of entries with the same external id, the last wins. An invalid entry never rejects the others.',
      ),
    ),
  });

/** The body of an import (§4.5): more than 500 records are 413, and an invalid record rejects no other. */
export const importRequest = <Item extends v.GenericSchema>(record: Item) =>
  v.strictObject({
    records: batchOf(record, MAX_RECORDS_PER_IMPORT),
    dry_run: v.pipe(flag, v.description('true: the whole payload is validated and nothing is written.')),
    replace: v.optional(
      v.pipe(
        flag,
        v.description(
          'true: what imports accepted earlier said under the `external_record_id` of an applied or updated record counts no longer. Absent: false.',
        ),
      ),
    ),
    archive: v.optional(
      v.pipe(
        flag,
        v.description(
          'true: a record that is rejected only because nobody or no course answers to it is kept in the archive, with its errors. Absent: false.',
        ),
      ),
    ),
    run_id: v.optional(v.nullable(runId)),
  });

const RUN_ID = `must be a string of 1 to ${MAX_RUN_ID_LENGTH} characters`;
const runId = v.pipe(
  v.string(RUN_ID),
  v.check((id) => isRunId(id), RUN_ID),
  v.metadata({
    minLength: 1,
    maxLength: MAX_RUN_ID_LENGTH,
    description: 'Names the migration that this import is a part of.',
  }),
);

/** The body of a revert (§4.9). `dry_run` is required, so that nobody reverts by leaving it out. */
export const revertRequest = v.strictObject({
  dry_run: v.pipe(flag, v.description('true: report what the revert would do, and change nothing.')),
});

const REASON = `must be a string of 1 to ${MAX_REASON_LENGTH} characters`;

export const evidenceRequest = v.strictObject({
  reason: v.pipe(
    plainText(REASON, MAX_REASON_LENGTH),
    v.description(
      'Why this was done, in words: not blanks alone, without control characters (but tabs and line breaks) and marks of direction.',
    ),
  ),
  statement: v.optional(
    boundedObject(
      MAX_STATEMENT_BYTES,
      'What the client knows and the service cannot: files, mapping, time zone, what was left out.',
    ),
  ),
});

/** Text that people read as it was sent. `rule` says how long it may be. */
export function plainText(rule: string, max: number) {
  const hasLength = (text: string) => isIdentifierText(text, max);
  return v.pipe(
    v.string(rule),
    v.check(
      (text) => hasLength(text) && isPlainText(text),
      ({ input }) =>
        hasLength(input) ? 'must have a visible character, not control characters or marks of direction' : rule,
    ),
    v.metadata({ minLength: 1, maxLength: max }),
  );
}

/** An object of at most so many bytes as JSON. */
export function boundedObject(maxBytes: number, description: string) {
  return v.pipe(
    v.unknown(),
    v.check(isObject, 'must be an object'),
    v.check(
      (value) => jsonBytes(value) <= maxBytes,
      ({ input }) => `must have at most ${maxBytes} bytes as JSON, not ${jsonBytes(input)}`,
    ),
    v.metadata({ type: 'object' }),
    v.description(description),
  );
}

/** An array of 1 to `max` items; of more 413. */
export function batchOf<Item extends v.GenericSchema>(item: Item, max: number) {
  const size = `must have 1 to ${max} items`;
  const array = v.array(item, `must be an array of 1 to ${max} items`);
  return v.pipe(array, v.minLength(1, size), v.maxLength(max, size));
}
