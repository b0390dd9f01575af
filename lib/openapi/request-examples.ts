/** Bodies of imports as a client sends them. The responses of the service are in `examples.json`. */
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
