import { MAX_RECORDS_PER_IMPORT, MAX_IMPORTS_PREVIEWED } from '../../functions/shared/limits.ts';
import type { RouteName } from '../../functions/shared/routes.ts';
import { accepted, created, type Link, ok, type OperationSpec } from './operation.ts';
import REQUEST_EXAMPLES from './request-examples.json' with { type: 'json' };

const PATH = { company_id: '$request.path.company_id', import_id: '$response.body#/import_id' };
const FROM_STARTED: Readonly<Record<string, Link>> = {
  import: { operationId: 'get-import', description: 'Poll it until it is terminal.', parameters: PATH },
  records: { operationId: 'list-import-records', description: 'Its results, page by page.', parameters: PATH },
};

/** §4.2, operations 7 to 9, the list of imports and the audit read. */
export const IMPORT_OPERATIONS = {
  'start-import': {
    summary: 'Start an import, or validate one',
    isCounted: true,
    description:
      `Takes up to ${MAX_RECORDS_PER_IMPORT} records. An invalid record is rejected alone; the rest of the batch continues. An import never lowers progress. ` +
      'A dry run reports exactly what the real run would do and writes nothing but its own report.',
    parameters: ['IdempotencyKey'],
    request: { schema: 'ImportRequest', examples: REQUEST_EXAMPLES },
    success: [
      { ...ok('The dry run with every result.', 'Import', 'Idempotent-Replayed'), links: FROM_STARTED },
      {
        ...accepted(
          'The import is accepted and will reach a terminal status. Poll it.',
          'Import',
          'Location',
          'Retry-After',
          'Idempotent-Replayed',
        ),
        links: FROM_STARTED,
      },
    ],
    errors: ['approval_required', 'batch_too_large', 'idempotency_key_reused'],
  },
  'list-imports': {
    summary: 'List the imports of the company',
    description:
      'Newest first, without their records. A status within a run is searched for: a page may then be shorter than `limit` and still have a `next_cursor`.',
    parameters: ['ImportStatus', 'RunIdFilter', 'CreatedSince', 'CreatedBefore', 'ImportLimit', 'Cursor'],
    success: [ok('A page of imports.', 'ImportList')],
  },
  'get-import': {
    summary: 'Read an import',
    isCounted: true,
    description: 'Poll it until its status is terminal. `Retry-After` is set while it is processing.',
    revalidates: 'terminal',
    success: [ok('The import.', 'Import', 'Retry-After.processing')],
  },
  'list-import-records': {
    summary: 'List the results of an import',
    isCounted: true,
    description:
      'In the order sent. With `status=error&include=record`: the rejected records, ready to be corrected and sent again.',
    parameters: ['RecordStatus', 'RecordLimit', 'Cursor', 'Include'],
    revalidates: 'terminal',
    success: [ok('A page of results.', 'RecordList')],
  },
  'cancel-import': {
    summary: 'Cancel an import',
    description:
      'No chunk begins after it. Records that were not processed are rejected with `import_cancelled`, and the import ends by the usual rule. Safe to repeat.',
    success: [
      accepted('The import is cancelled and ends soon. Poll it.', 'Import', 'Location', 'Retry-After'),
      ok('The import had ended already; nothing changes.', 'Import'),
    ],
  },
  'list-runs': {
    summary: 'List the runs of the company',
    description:
      'A run is every import that was sent with one `run_id`, and what was decided about it before. Newest first. With a filter it is searched for: a page may then be shorter than `limit` and still have a `next_cursor`.',
    parameters: ['RunStatus', 'RunShape', 'RunLimit', 'Cursor'],
    success: [ok('A page of runs.', 'RunList')],
  },
  'get-run': {
    summary: 'Read a run',
    description:
      'Status and counts over its real imports; `processing` while any of them is, `draft` while it has none. With `include=document` also what the client notes of it.',
    parameters: ['RunInclude'],
    success: [ok('The run.', 'Run', 'Retry-After.processing', 'ETag.version')],
  },
  'put-run': {
    summary: 'Decide something about a run, or make one',
    isCounted: true,
    description:
      'Keeps the title, the document and the others of a run, from which anyone resumes on any machine. A member that is left out stays, and `null` clears it. Each call raises `version`; with `If-Match` it fails where somebody else decided something meanwhile, else the last one wins. Its bytes count towards the uploads of the hour.',
    parameters: ['IfMatch'],
    request: {
      schema: 'RunRequest',
      example: { title: 'Spring 2026', shape: 'moodle-grades', notify: [1], language: 'en', document: { mapping: {} } },
    },
    success: [ok('The run.', 'Run', 'ETag.version'), created('The run, which is new.', 'Run', 'ETag.version')],
    errors: ['version_conflict'],
  },
  'delete-run': {
    summary: 'Delete a draft',
    description: 'Removes a run without a real import, and withdraws its plan. Its dry runs stay until they expire.',
    success: [{ status: 204, description: 'The draft is gone.' }],
    errors: ['plan_closed'],
  },
  'make-plan': {
    summary: 'Make a plan of a run',
    description:
      'Closes dry runs of this run by a digest, so that they can be approved and applied as they were seen. It is the newest plan of the run and withdraws the one before. It expires 30 days after the oldest of its dry runs.',
    request: {
      schema: 'PlanRequest',
      example: { import_ids: ['0f2k3j4h5g6d7s8a9q0w1e2r3t'] },
    },
    success: [
      created('The plan, which is new.', 'Plan'),
      ok('The plan that waits, or is approved, is of the same dry runs.', 'Plan'),
    ],
    errors: ['batch_too_large', 'plan_incomplete', 'plan_closed'],
  },
  'get-plan': {
    summary: 'Read the newest plan of a run',
    description: 'Its digest, its counts, and who made, approved and applied it.',
    success: [ok('The plan.', 'Plan')],
    errors: ['plan_not_found'],
  },
  'delete-plan': {
    summary: 'Withdraw the plan of a run',
    description: 'It can be neither approved nor applied afterwards. Safe to repeat.',
    success: [{ status: 204, description: 'The plan is withdrawn.' }],
    errors: ['plan_not_found', 'plan_closed'],
  },
  'approve-plan': {
    summary: 'Approve the plan of a run',
    description:
      'By its digest, so that what is approved is what was seen. A person decides: no scope of a machine opens it. Where the setting `approval` is `second`: somebody who neither made the plan nor sent one of its dry runs.',
    request: {
      schema: 'ApproveRequest',
      example: {
        plan_digest: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
        comment: 'As agreed.',
      },
    },
    success: [ok('The plan.', 'Plan')],
    errors: ['approval_by_another', 'plan_not_found', 'plan_digest_differs', 'plan_closed'],
  },
  'apply-plan': {
    summary: 'Apply the plan of a run',
    description:
      'From now on the service makes one real import of the run of each dry run of the plan, in their order. Nothing is sent again, and no client has to stay. It ends whatever fails; it waits while a revert or an erasure runs, and while the quota of imports of the hour is used up. Safe to repeat.',
    request: {
      schema: 'ApplyRequest',
      example: { plan_digest: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' },
    },
    success: [
      accepted('The service applies the plan. Poll the run.', 'Run', 'Location', 'Retry-After'),
      ok('It applies the plan already, or has applied it.', 'Run'),
    ],
    errors: ['approval_required', 'plan_not_found', 'plan_digest_differs', 'plan_closed'],
  },
  'list-plan-records': {
    summary: 'List the planned results of a run',
    isCounted: true,
    description:
      'The results of the dry runs of its newest plan as one list, in the order of the plan, each with the `import_id` of its dry run and with `before`. A page may be shorter than `limit` and still have a `next_cursor`. Counts as a download.',
    parameters: ['RecordStatus', 'Outcome', 'RecordLimit', 'Cursor', 'Include'],
    success: [ok('A page of planned results.', 'PlanRecordList')],
    errors: ['plan_not_found'],
  },
  'list-run-records': {
    summary: 'List the results of a run',
    isCounted: true,
    description:
      'The results of all its real imports as one list, in the order in which the imports were accepted, each with its `import_id`. `status` is that of the run when the first page was read. A page may be shorter than `limit` and still have a `next_cursor`. Counts as a download.',
    parameters: ['RecordStatus', 'RecordLimit', 'Cursor', 'Include'],
    success: [ok('A page of results.', 'RunRecordList')],
  },
  'cancel-run': {
    summary: 'Cancel the open imports of a run',
    description:
      'Cancels each import of the run that is processing, and the application of its plan: it accepts no further import. Imports that are sent afterwards are not cancelled. Safe to repeat.',
    success: [
      accepted('Its open imports are cancelled and end soon. Poll the run.', 'Run', 'Retry-After'),
      ok('All of them had ended already.', 'Run'),
    ],
  },
  'list-archive': {
    summary: 'List the archive',
    isCounted: true,
    description:
      'The records that imports with `archive` kept, because nobody or no course answered to them: newest import first, in the order sent. With `include=record` each is ready to be sent again, as a dry run of its run. A record leaves the archive when a later import stores something under its `external_record_id`, and is back when that is reverted. By person, it is found at once, in any spelling; other filters search a bounded number of records, so a page may be shorter than `limit` and still have a `next_cursor`. Counts as a download.',
    parameters: [
      'ArchivedRun',
      'ArchivedEmail',
      'ArchivedExternalId',
      'ArchivedCourse',
      'ArchivedError',
      'ArchiveLimit',
      'Cursor',
      'Include',
    ],
    success: [ok('A page of the archive.', 'ArchivedList')],
  },
  'get-record': {
    summary: 'Audit a record',
    isCounted: true,
    description:
      'Everything a record contributed, with the organic and the effective progress of its user in its course.',
    parameters: ['ExternalRecordId'],
    success: [ok('The record as persisted.', 'RecordAudit')],
    errors: ['record_not_found', 'payload_too_large'],
  },
  'get-learner': {
    summary: 'Read the transcript of a learner',
    isCounted: true,
    description:
      'What the learner has now in each course, and every migrated record behind it, renewals included; on the first page also what is archived under the name and the address of the learner. Someone unknown with archived records has neither account nor courses. Exactly one of `email`, `user_id` and `external_user_id` is required. Counts as a download.',
    parameters: ['LearnerEmail', 'LearnerId', 'LearnerExternalId', 'LearnerLimit', 'Cursor'],
    success: [ok('A page of the courses of the learner, by course id.', 'LearnerTranscript')],
    errors: ['learner_not_found'],
  },
} satisfies Partial<Record<RouteName, OperationSpec>>;

export const EVIDENCE_OPERATIONS = {
  'sign-evidence': {
    summary: 'Sign evidence of a run',
    description:
      'Signs who moved what, when and why: a compact JWS over the imports of the run, whose digests were made when they ended. Only where the stack signs evidence.',
    request: {
      schema: 'EvidenceRequest',
      examples: {
        migration: {
          summary: 'The end of a migration',
          value: {
            reason: 'The history of the old learning system, moved on its last day.',
            statement: { files: [{ name: 'history.csv', sha256: 'e3b0c44298fc1c149afbf4c8996fb924' }] },
          },
        },
      },
    },
    success: [ok('The signed evidence.', 'SignedEvidence')],
    errors: ['route_not_found', 'run_not_terminal'],
  },
  'list-evidence': {
    summary: 'List what evidence of a run is made of',
    description:
      'Each import of the run with the digests of its records and results, in the order of acceptance. `imports_digest` of the evidence is the SHA-256 of these objects, each as canonical JSON (RFC 8785) and a line feed.',
    parameters: ['EvidenceLimit', 'Cursor'],
    success: [ok('A page of imports.', 'EvidenceList')],
    errors: ['route_not_found'],
  },
} satisfies Partial<Record<RouteName, OperationSpec>>;

const DRY_RUN = { dry_run: true };

/** §4.9: the revert of an import, or of every import of a run. */
export const REVERT_OPERATIONS = {
  'revert-import': {
    summary: 'Revert an import, or see what that would do',
    description:
      'Afterwards the state is as if the import had never been made. Results already given stay as they are. While it runs, ' +
      'imports of the company are accepted and wait. An import is reverted once, and a revert cannot be reverted: import again. ' +
      'An import that was a dry run wrote nothing, so there is nothing to revert. Safe to repeat.',
    request: { schema: 'RevertRequest', example: DRY_RUN },
    success: [
      ok('The report: of the dry run, or of the revert, if there is one.', 'Revert'),
      accepted('The revert is accepted and will succeed. Poll it.', 'Revert', 'Location', 'Retry-After'),
    ],
    errors: ['import_not_terminal', 'run_not_terminal', 'report_expired'],
  },
  'get-revert': {
    summary: 'Read the revert of an import',
    description:
      'Its status, and once it has ended the report on every record. If no revert was requested: the report that one would give.',
    parameters: ['DryRun'],
    success: [ok('The revert.', 'Revert', 'Retry-After.processing')],
    errors: ['import_not_terminal', 'report_expired'],
  },
  'revert-run': {
    summary: 'Revert a run, or see what that would do',
    description:
      'Reverts, as one, every real import of the run that was accepted before and is not reverted yet. A request while a revert of the run ' +
      'runs covers the imports that were made in between, too. Imports that are sent with its `run_id` afterwards are not part of it.',
    request: { schema: 'RevertRequest', example: DRY_RUN },
    success: [
      ok('The counts: of the dry run, or of the revert, if there is one.', 'RunRevert'),
      accepted(
        `The revert is accepted and will succeed; or the dry run of more than ${MAX_IMPORTS_PREVIEWED} imports has begun. Poll it.`,
        'RunRevert',
        'Location',
        'Retry-After',
      ),
    ],
    errors: ['import_not_terminal', 'report_expired'],
  },
  'get-run-revert': {
    summary: 'Read the revert of a run',
    description:
      'Its status and counts. Each import of it has a report of its own. If no revert was requested, or with `dry_run`: the counts that one ' +
      `would give. Of more than ${MAX_IMPORTS_PREVIEWED} imports these are those of the last dry run that was requested; without one: 409 \`report_not_requested\`.`,
    parameters: ['DryRun'],
    success: [ok('The revert.', 'RunRevert', 'Retry-After.processing')],
    errors: ['import_not_terminal', 'report_not_requested', 'report_expired'],
  },
} satisfies Partial<Record<RouteName, OperationSpec>>;
