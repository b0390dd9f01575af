/** One import of one record, seen through every operation that shows it. */
const IMPORT_ID = '3f9k2m7q1x8v5c0b4n6t2r9w1e';
const ACCEPTED_AT = '2026-01-02T03:04:05.678Z';
const SETTLED_AT = '2026-01-02T03:04:07.012Z';
const REVERT_REQUESTED_AT = '2026-01-03T10:20:30.456Z';
const REVERTED_AT = '2026-01-03T10:21:22.345Z';
/** What differs each time; the test that holds the examples to the service puts these in its place. */
export const IMPORT_EXAMPLE_IDS = {
  import_id: IMPORT_ID,
  accepted_at: ACCEPTED_AT,
  settled_at: SETTLED_AT,
  revert_requested_at: REVERT_REQUESTED_AT,
};

const RECORD_EXAMPLE = {
  external_record_id: 'r-1',
  user: { email: 'ben.castillo@acme.test' },
  content: { type: 'course', platform_course_id: 102, external_ref: 'lms-export-7' },
  progress: {
    started_at: '2024-02-26',
    last_activity_at: '2024-03-01T09:30:00Z',
    classes: [{ platform_class_id: 1021, viewed_at: '2024-02-26T10:00:00Z' }, { platform_class_id: 1022 }],
  },
};

const content = { type: 'course', platform_course_id: 101 };
const EXAM_PASSED = {
  external_record_id: 'r-2',
  user: { email: 'chiara.romano@acme.test' },
  content,
  assessment: { status: 'passed', score_pct: 92.5, taken_at: '2023-11-20T14:00:00Z' },
};
const BY_EXTERNAL_IDS = {
  external_record_id: 'r-3',
  user: { external_user_id: 9101 },
  content: { type: 'course', external_course_id: 'SEC-1' },
  progress: { completion_pct: 40, started_at: '2024-01-08', last_activity_at: '2024-01-15T08:00:00+02:00' },
};

export const REQUEST_EXAMPLES = {
  dryRun: {
    summary: 'A dry run of a class history',
    value: { dry_run: true, run_id: 'lms-2026', records: [RECORD_EXAMPLE] },
  },
  classHistory: {
    summary: 'A class history',
    value: { dry_run: false, run_id: 'lms-2026', records: [RECORD_EXAMPLE] },
  },
  passedExam: { summary: 'A passed exam and nothing else', value: { dry_run: false, records: [EXAM_PASSED] } },
  externalIds: { summary: 'Ids of the previous system', value: { dry_run: false, records: [BY_EXTERNAL_IDS] } },
};

const dates = {
  started_at: '2024-02-26T00:00:00.000Z',
  last_activity_at: '2024-03-01T09:30:00.000Z',
  completed_at: null,
};
const open = { approved_course: 0, certified_at: null };

export const RESULT_EXAMPLE = {
  index: 0,
  external_record_id: 'r-1',
  status: 'success',
  outcome: 'applied',
  errors: [],
  warnings: [
    {
      warning_code: 'completion_pct_derived',
      message: 'progress.completion_pct was not sent; 66.67 is derived from the class count.',
      field: 'progress.completion_pct',
    },
  ],
  progress: { user_id: 2, platform_course_id: 102, completion_pct: 66.67, classes_viewed: 2, ...open, ...dates },
};

const life = { created_by: 1, run_id: 'lms-2026', cancelled_at: null, reverted_at: null };
const imported = { import_id: IMPORT_ID, company_id: 'acme', dry_run: false, created_at: ACCEPTED_AT, ...life };

export const SUMMARY_EXAMPLE = {
  ...imported,
  status: 'success',
  completed_at: SETTLED_AT,
  counts: { total: 1, processed: 1, succeeded: 1, failed: 0, with_warnings: 1 },
};
export const SETTLED_EXAMPLE = { ...SUMMARY_EXAMPLE, records: [RESULT_EXAMPLE] };
export const VALIDATED_EXAMPLE = { ...SETTLED_EXAMPLE, status: 'validated', dry_run: true, completed_at: ACCEPTED_AT };
export const PROCESSING_EXAMPLE = {
  ...imported,
  status: 'processing',
  completed_at: null,
  counts: { total: 1, processed: 0, succeeded: 0, failed: 0, with_warnings: 0 },
  records: [],
};

const effective = {
  completion_pct: 66.67,
  ...open,
  ...dates,
  classes: [
    { platform_class_id: 1021, viewed_at: '2024-02-26T10:00:00.000Z' },
    { platform_class_id: 1022, viewed_at: ACCEPTED_AT },
  ],
};

export const LISTED_RECORDS_EXAMPLE = {
  import_id: IMPORT_ID,
  status: 'success',
  records: [RESULT_EXAMPLE],
  next_cursor: null,
};

export const AUDIT_EXAMPLE = {
  external_record_id: 'r-1',
  user_id: 2,
  platform_course_id: 102,
  contributions: [
    {
      source: 'external_migration',
      import_id: IMPORT_ID,
      imported_at: ACCEPTED_AT,
      external_ref: 'lms-export-7',
      score_pct: null,
      assessment_status: null,
      ...effective,
    },
  ],
  native: null,
  effective,
};

export const CANCELLED_EXAMPLE = { ...PROCESSING_EXAMPLE, cancelled_at: ACCEPTED_AT };

const runCounts = { imports: 1, total: 1, processed: 1, succeeded: 1, failed: 0, with_warnings: 1 };
export const RUN_EXAMPLE = {
  run_id: 'lms-2026',
  company_id: 'acme',
  status: 'success',
  counts: runCounts,
  created_at: ACCEPTED_AT,
  completed_at: SETTLED_AT,
};
export const PROCESSING_RUN_EXAMPLE = {
  ...RUN_EXAMPLE,
  status: 'processing',
  counts: { ...runCounts, processed: 0, succeeded: 0, with_warnings: 0 },
  completed_at: null,
};

const NO_PROGRESS = { ...open, started_at: null, last_activity_at: null, completed_at: null };
const requested = { dry_run: false, created_at: REVERT_REQUESTED_AT, created_by: 1, completed_at: REVERTED_AT };
export const REVERT_EXAMPLE = {
  import_id: IMPORT_ID,
  company_id: 'acme',
  run_id: 'lms-2026',
  status: 'success',
  ...requested,
  counts: { total: 1, reverted: 1, nothing_to_revert: 0 },
  records: [
    {
      index: 0,
      external_record_id: 'r-1',
      outcome: 'reverted',
      progress: { user_id: 2, platform_course_id: 102, completion_pct: 0, classes_viewed: 0, ...NO_PROGRESS },
    },
  ],
};
export const REVERTING_EXAMPLE = {
  ...REVERT_EXAMPLE,
  status: 'processing',
  completed_at: null,
  counts: { total: 1, reverted: 0, nothing_to_revert: 0 },
  records: [],
};
export const RUN_REVERT_EXAMPLE = {
  run_id: 'lms-2026',
  company_id: 'acme',
  status: 'success',
  ...requested,
  counts: { imports: 1, total: 1, reverted: 1, nothing_to_revert: 0 },
};
export const RUN_REVERTING_EXAMPLE = {
  ...RUN_REVERT_EXAMPLE,
  status: 'processing',
  completed_at: null,
  counts: { imports: 1, total: 0, reverted: 0, nothing_to_revert: 0 },
};
