import { MAX_RECORDS_PER_IMPORT } from '../../functions/shared/limits.ts';
import type { RouteName } from '../../functions/shared/routes.ts';
import {
  AUDIT_EXAMPLE,
  LISTED_RECORDS_EXAMPLE,
  PROCESSING_EXAMPLE,
  REQUEST_EXAMPLES,
  SETTLED_EXAMPLE,
  SUMMARY_EXAMPLE,
  VALIDATED_EXAMPLE,
} from './import-examples.ts';
import type { Link, OperationSpec } from './operation.ts';

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
        example: VALIDATED_EXAMPLE,
      },
      {
        status: 202,
        description: 'The import is accepted and will reach a terminal status. Poll it.',
        schema: 'Import',
        headers: ['Location', 'Retry-After', 'Idempotent-Replayed'],
        links: FROM_STARTED,
        example: PROCESSING_EXAMPLE,
      },
    ],
    errors: ['batch_too_large', 'idempotency_key_reused'],
  },
  'list-imports': {
    ...common,
    summary: 'List the imports of the company',
    description: 'Newest first, without their records.',
    parameters: ['ImportStatus', 'ImportLimit', 'Cursor'],
    success: [
      {
        status: 200,
        description: 'A page of imports.',
        schema: 'ImportList',
        example: { imports: [SUMMARY_EXAMPLE], next_cursor: null },
      },
    ],
    errors: [],
  },
  'get-import': {
    ...common,
    summary: 'Read an import',
    description: 'Poll it until its status is terminal. `Retry-After` is set while it is processing.',
    parameters: ['ImportId'],
    success: [
      {
        status: 200,
        description: 'The import.',
        schema: 'Import',
        headers: ['Retry-After.processing'],
        example: SETTLED_EXAMPLE,
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
    success: [
      {
        status: 200,
        description: 'A page of results.',
        schema: 'RecordList',
        example: LISTED_RECORDS_EXAMPLE,
      },
    ],
    errors: ['import_not_found'],
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
        example: AUDIT_EXAMPLE,
      },
    ],
    errors: ['record_not_found'],
  },
} satisfies Partial<Record<RouteName, OperationSpec>>;
