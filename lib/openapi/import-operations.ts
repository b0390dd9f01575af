import { MAX_RECORDS_PER_IMPORT } from '../../functions/shared/limits.ts';
import type { RouteName } from '../../functions/shared/routes.ts';
import type { Link, OperationSpec } from './operation.ts';
import { REQUEST_EXAMPLES } from './request-examples.ts';

const common = { tag: 'Progress imports' } as const;

const PATH = { company_id: '$request.path.company_id', import_id: '$response.body#/import_id' };
const FROM_STARTED: Readonly<Record<string, Link>> = {
  import: { operationId: 'get-import', description: 'Poll it until it is terminal.', parameters: PATH },
  records: { operationId: 'list-import-records', description: 'Its results, page by page.', parameters: PATH },
};

/** §4.2, operations 7 to 9, the list of imports and the audit read. */
export const IMPORT_OPERATIONS = {
  'start-import': {
    ...common,
    summary: 'Start an import, or validate one',
    description:
      `Takes up to ${MAX_RECORDS_PER_IMPORT} records. An invalid record is rejected alone; the rest of the batch continues. An import never lowers progress. ` +
      'A dry run reports exactly what the real run would do and writes nothing but its own report.',
    parameters: ['IdempotencyKey'],
    request: { schema: 'ImportRequest', examples: REQUEST_EXAMPLES },
    success: [
      {
        status: 200,
        description: 'The dry run with every result.',
        schema: 'Import',
        headers: ['Idempotent-Replayed'],
        links: FROM_STARTED,
      },
      {
        status: 202,
        description: 'The import is accepted and will reach a terminal status. Poll it.',
        schema: 'Import',
        headers: ['Location', 'Retry-After', 'Idempotent-Replayed'],
        links: FROM_STARTED,
      },
    ],
    errors: ['batch_too_large', 'idempotency_key_reused'],
  },
  'list-imports': {
    ...common,
    summary: 'List the imports of the company',
    description:
      'Newest first, without their records. A status within a run is searched for: a page may then be shorter than `limit` and still have a `next_cursor`.',
    parameters: ['ImportStatus', 'RunIdFilter', 'CreatedSince', 'CreatedBefore', 'ImportLimit', 'Cursor'],
    success: [
      {
        status: 200,
        description: 'A page of imports.',
        schema: 'ImportList',
      },
    ],
    errors: [],
  },
  'get-import': {
    ...common,
    summary: 'Read an import',
    description: 'Poll it until its status is terminal. `Retry-After` is set while it is processing.',
    parameters: ['ImportId'],
    revalidates: 'terminal',
    success: [
      {
        status: 200,
        description: 'The import.',
        schema: 'Import',
        headers: ['Retry-After.processing'],
      },
    ],
    errors: ['import_not_found'],
  },
  'list-import-records': {
    ...common,
    summary: 'List the results of an import',
    description:
      'In the order sent. With `status=error&include=record`: the rejected records, ready to be corrected and sent again.',
    parameters: ['ImportId', 'RecordStatus', 'RecordLimit', 'Cursor', 'Include'],
    revalidates: 'terminal',
    success: [
      {
        status: 200,
        description: 'A page of results.',
        schema: 'RecordList',
      },
    ],
    errors: ['import_not_found'],
  },
  'cancel-import': {
    ...common,
    summary: 'Cancel an import',
    description:
      'No chunk begins after it. Records that were not processed are rejected with `import_cancelled`, and the import ends by the usual rule. Safe to repeat.',
    parameters: ['ImportId'],
    success: [
      {
        status: 202,
        description: 'The import is cancelled and ends soon. Poll it.',
        schema: 'Import',
        headers: ['Location', 'Retry-After'],
      },
      {
        status: 200,
        description: 'The import had ended already; nothing changes.',
        schema: 'Import',
      },
    ],
    errors: ['import_not_found'],
  },
  'list-runs': {
    ...common,
    summary: 'List the runs of the company',
    description: 'A run is every import that was sent with one `run_id`. Newest first.',
    parameters: ['RunLimit', 'Cursor'],
    success: [
      {
        status: 200,
        description: 'A page of runs.',
        schema: 'RunList',
      },
    ],
    errors: [],
  },
  'get-run': {
    ...common,
    summary: 'Read a run',
    description: 'Status and counts over its real imports; `processing` while any of them is.',
    parameters: ['RunId'],
    success: [
      {
        status: 200,
        description: 'The run.',
        schema: 'Run',
        headers: ['Retry-After.processing'],
      },
    ],
    errors: ['run_not_found'],
  },
  'list-run-records': {
    ...common,
    summary: 'List the results of a run',
    description:
      'The results of all its real imports as one list, in the order in which the imports were accepted, each with its `import_id`. `status` is that of the run when the first page was read. A page may be shorter than `limit` and still have a `next_cursor`. Counts as a download.',
    parameters: ['RunId', 'RecordStatus', 'RecordLimit', 'Cursor', 'Include'],
    success: [
      {
        status: 200,
        description: 'A page of results.',
        schema: 'RunRecordList',
      },
    ],
    errors: ['run_not_found'],
  },
  'cancel-run': {
    ...common,
    summary: 'Cancel the open imports of a run',
    description:
      'Cancels each import of the run that is processing. Imports that are sent afterwards are not cancelled. Safe to repeat.',
    parameters: ['RunId'],
    success: [
      {
        status: 202,
        description: 'Its open imports are cancelled and end soon. Poll the run.',
        schema: 'Run',
        headers: ['Retry-After'],
      },
      { status: 200, description: 'All of them had ended already.', schema: 'Run' },
    ],
    errors: ['run_not_found'],
  },
  'get-record': {
    ...common,
    summary: 'Audit a record',
    description:
      'Everything a record contributed, with the organic and the effective progress of its user in its course.',
    parameters: ['ExternalRecordId'],
    success: [
      {
        status: 200,
        description: 'The record as persisted.',
        schema: 'RecordAudit',
      },
    ],
    errors: ['record_not_found'],
  },
  'get-learner': {
    ...common,
    summary: 'Read the transcript of a learner',
    description:
      'What the learner has now in each course, and every migrated record behind it, renewals included. Exactly one of `email`, `user_id` and `external_user_id` is required. Counts as a download.',
    parameters: ['LearnerEmail', 'LearnerId', 'LearnerExternalId', 'LearnerLimit', 'Cursor'],
    success: [
      {
        status: 200,
        description: 'A page of the courses of the learner, by course id.',
        schema: 'LearnerTranscript',
      },
    ],
    errors: ['learner_not_found'],
  },
} satisfies Partial<Record<RouteName, OperationSpec>>;
