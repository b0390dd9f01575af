/** Every error and warning code of a record, reached over HTTP by a dry run and a real run that must agree. On the shared local stack; costs seconds. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type Admin, adminOf } from '../kit/api.ts';
import { freshId, record } from '../kit/records.ts';

const COMPANY = 'rules';
let admin: Admin;

beforeAll(async () => {
  admin = await adminOf(COMPANY);
  await admin.post('/users/mappings', {
    mappings: [
      { external_user_id: 'u-1', email: `learner-1@${COMPANY}.test` },
      { external_user_id: 'u-2', email: `learner-2@${COMPANY}.test` },
    ],
  });
  await admin.post('/catalog/mappings', { mappings: [{ external_course_id: 9102, platform_course_id: 102 }] });
});

const user = (members: object) => ({ user: members });
const content = (members: object) => ({ content: { type: 'course', ...members } });
const progress = (members: unknown) => ({ progress: members });
const viewed = (...ids: unknown[]) => ids.map((platform_class_id) => ({ platform_class_id }));

/** Overrides of a valid record → the codes and fields it is rejected with. */
const REJECTED: [string, Record<string, unknown>, string[]][] = [
  ['no user block', { user: undefined }, ['invalid_record user']],
  ['a user that is not an object', { user: 'ann' }, ['invalid_record user']],
  ['no user identifier', user({}), ['invalid_record user.email']],
  ['an address that is none', user({ email: 'nobody' }), ['invalid_record user.email']],
  ['an unknown address', user({ email: 'nobody@rules.test' }), ['user_not_found user.email']],
  ['a user of another company', user({ email: 'learner-1@keys.test' }), ['user_not_found user.email']],
  ['an inactive user', user({ email: 'inactive@rules.test' }), ['user_inactive user.email']],
  [
    'an external user id never registered',
    user({ external_user_id: 'u-9' }),
    ['external_user_id_not_mapped user.external_user_id'],
  ],
  [
    'user identifiers that disagree',
    user({ email: 'learner-1@rules.test', external_user_id: 'u-2' }),
    ['identifier_mismatch'],
  ],
  [
    'a content type of the future',
    { content: { type: 'learning_path', platform_course_id: 101 } },
    ['unsupported_content_type content.type'],
  ],
  [
    'a content type that is no string',
    { content: { type: 1, platform_course_id: 101 } },
    ['invalid_record content.type'],
  ],
  [
    'a course that is not in the catalog',
    content({ platform_course_id: 999 }),
    ['course_not_in_catalog content.platform_course_id'],
  ],
  [
    'an external course id never registered',
    content({ external_course_id: 'c-9' }),
    ['external_course_id_not_mapped content.external_course_id'],
  ],
  [
    'course identifiers that disagree',
    content({ platform_course_id: 101, external_course_id: '9102' }),
    ['identifier_mismatch'],
  ],
  [
    'a course id that is no integer',
    content({ platform_course_id: 1.5 }),
    ['invalid_record content.platform_course_id'],
  ],
  ['a percentage above 100', progress({ completion_pct: 101 }), ['invalid_completion_pct progress.completion_pct']],
  ['a percentage that is text', progress({ completion_pct: '50' }), ['invalid_record progress.completion_pct']],
  [
    'a date that does not exist',
    progress({ completion_pct: 1, started_at: '2021-02-30' }),
    ['invalid_date_format progress.started_at'],
  ],
  [
    'a month where a date is due',
    progress({ completion_pct: 1, completed_at: '2024-05' }),
    ['invalid_date_format progress.completed_at'],
  ],
  [
    'a date in year 0',
    progress({ completion_pct: 1, started_at: '0000-06-01' }),
    ['invalid_date_format progress.started_at'],
  ],
  ['a date that is a number', progress({ completion_pct: 1, started_at: 7 }), ['invalid_record progress.started_at']],
  [
    'a class view at no date',
    progress({ classes: [{ platform_class_id: 101000, viewed_at: 'x' }] }),
    ['invalid_date_format progress.classes.0.viewed_at'],
  ],
  [
    'a class id that is text',
    progress({ classes: viewed('101000') }),
    ['invalid_record progress.classes.0.platform_class_id'],
  ],
  ['progress that says nothing', progress({}), ['invalid_record progress.completion_pct']],
  ['no progress at all', { progress: undefined }, ['missing_progress']],
  [
    'passed without progress where there is no exam',
    { ...content({ platform_course_id: 102 }), progress: undefined, assessment: { status: 'passed' } },
    ['missing_progress'],
  ],
  ['an unknown assessment status', { assessment: { status: 'maybe' } }, ['invalid_record assessment.status']],
  [
    'several problems at once',
    {
      ...user({ email: 'nobody@rules.test' }),
      ...content({ platform_course_id: 999 }),
      ...progress({ completion_pct: -1 }),
    },
    [
      'user_not_found user.email',
      'course_not_in_catalog content.platform_course_id',
      'invalid_completion_pct progress.completion_pct',
    ],
  ],
];

/** Overrides of a valid record → its warnings, and members its progress must have. */
const WARNED: [string, Record<string, unknown>, string[], object][] = [
  [
    'an assessment where there is no exam',
    { ...content({ platform_course_id: 102 }), assessment: { status: 'passed' } },
    ['assessment_ignored'],
    { completion_pct: 40, approved_course: 0 },
  ],
  [
    'an exam passed and nothing else',
    { progress: undefined, assessment: { status: 'passed', taken_at: '2021-05-05' } },
    ['completion_pct_assumed'],
    { completion_pct: 100, approved_course: 1, certified_at: '2021-05-05T00:00:00.000Z' },
  ],
  [
    'classes alone',
    progress({ classes: viewed(101000, 101001) }),
    ['completion_pct_derived'],
    { completion_pct: 66.67, classes_viewed: 2 },
  ],
  [
    'classes that imply more',
    progress({ completion_pct: 10, classes: viewed(101000) }),
    ['completion_pct_adjusted'],
    { completion_pct: 33.33 },
  ],
  [
    'a class of another course',
    progress({ completion_pct: 50, classes: viewed(102000, 101000) }),
    ['class_not_in_course'],
    { classes_viewed: 1 },
  ],
  [
    'a class listed twice',
    progress({ completion_pct: 50, classes: viewed(101000, 101000) }),
    ['duplicate_class_id'],
    { classes_viewed: 1 },
  ],
  [
    'members nobody knows',
    { colour: 'red', ...progress({ completion_pct: 50, mood: 1 }) },
    ['unknown_field_ignored'],
    { completion_pct: 50 },
  ],
  [
    'organic progress that is higher',
    { ...user({ email: 'learner-10@rules.test' }), assessment: { status: 'failed' } },
    ['native_progress_kept'],
    { completion_pct: 90, approved_course: 1, classes_viewed: 1 },
  ],
  [
    'an exam passed with one of three classes and no percentage: derived, not 100 for good',
    { ...progress({ classes: viewed(101000) }), assessment: { status: 'passed', taken_at: '2021-05-05' } },
    ['completion_pct_derived'],
    { completion_pct: 33.33, approved_course: 1, classes_viewed: 1, completed_at: null },
  ],
  [
    'an exam passed with no class viewed',
    { ...progress({ classes: [] }), assessment: { status: 'passed' } },
    ['completion_pct_derived'],
    { completion_pct: 0, approved_course: 1 },
  ],
  [
    'an exam passed with classes that are null',
    { ...progress({ classes: null }), assessment: { status: 'passed' } },
    ['completion_pct_assumed'],
    { completion_pct: 100, approved_course: 1 },
  ],
];

describe('a rejected record', () => {
  it.each(REJECTED)('%s', async (_, overrides, expected) => {
    const records = [record(COMPANY, overrides)];
    const dry = await admin.dryRun(records);
    const real = await admin.importAndWait(records);
    const [result] = real.body.records;
    const reported = result.errors.map((e: { error_code: string; field?: string }) =>
      `${e.error_code} ${e.field ?? ''}`.trim(),
    );
    for (const problem of expected) expect(reported.some((text: string) => text.startsWith(problem))).toBe(true);
    expect(reported).toHaveLength(expected.length);
    expect(result).toMatchObject({ status: 'error', outcome: null, warnings: [], progress: null });
    expect(real.body.status).toBe('error');
    expect(dry.body.records).toEqual(real.body.records);
  });

  it('repeats an external_record_id of its batch, and says nothing else', async () => {
    const id = freshId();
    const records = [
      record(COMPANY, { external_record_id: id, user: { email: 'nobody@rules.test' } }),
      record(COMPANY, { external_record_id: id, progress: { completion_pct: 400 } }),
      record(COMPANY),
      7,
    ];
    const { body } = await admin.importAndWait(records);
    const codes = body.records.map(({ errors }: { errors: { error_code: string }[] }) =>
      errors.map((e) => e.error_code),
    );
    expect(codes).toEqual([['user_not_found'], ['duplicate_external_record_id'], [], ['invalid_record']]);
    expect(body).toMatchObject({
      status: 'partial_success',
      counts: { total: 4, processed: 4, succeeded: 1, failed: 3 },
    });
  });
});

describe('an accepted record', () => {
  it.each(WARNED)('%s', async (_, overrides, warnings, expected) => {
    const learner = { user: { email: `learner-${3 + WARNED.findIndex(([, o]) => o === overrides)}@rules.test` } };
    const records = [record(COMPANY, { ...learner, ...overrides })];
    const dry = await admin.dryRun(records);
    const real = await admin.importAndWait(records);
    const [result] = real.body.records;
    expect(result.warnings.map(({ warning_code }: { warning_code: string }) => warning_code)).toEqual(warnings);
    expect(result).toMatchObject({ status: 'success', outcome: 'applied', errors: [], progress: expected });
    expect(real.body).toMatchObject({ status: 'success', counts: { with_warnings: 1 } });
    expect(withoutDefaults(dry.body.records[0])).toEqual(withoutDefaults(result));
  });
});

/** Dates that default to the import's own `created_at` differ between a dry run and the real one. */
function withoutDefaults(result: { progress: Record<string, unknown> }) {
  const { completed_at, started_at, last_activity_at, certified_at, ...progress } = result.progress;
  void [completed_at, started_at, last_activity_at, certified_at];
  return { ...result, progress };
}

describe('a record sent again', () => {
  it('is unchanged with the same content, updated with other content, and never moves to another pair', async () => {
    const learner = { user: { email: 'learner-15@rules.test' } };
    const first = record(COMPANY, learner);
    const more = { ...first, progress: { completion_pct: 80, started_at: '2021-01-01' } };
    const moved = { ...first, user: { email: 'learner-16@rules.test' } };
    const outcomes = [];
    for (const sent of [first, first, more, moved]) {
      const dry = await admin.dryRun([sent]);
      const { body } = await admin.importAndWait([sent]);
      expect(dry.body.records[0].outcome).toBe(body.records[0].outcome);
      outcomes.push(body.records[0].outcome ?? body.records[0].errors[0].error_code);
    }
    expect(outcomes).toEqual(['applied', 'unchanged', 'updated', 'duplicate_external_record_id']);
  });

  it('by an external id counts as the same content', async () => {
    const first = record(COMPANY, { user: { email: 'LEARNER-2@rules.test' } });
    await admin.importAndWait([first]);
    const { body } = await admin.importAndWait([{ ...first, user: { external_user_id: 'u-2' } }]);
    expect(body.records[0].outcome).toBe('unchanged');
  });
});

describe('dates', () => {
  /** One moment in every form that exports write. */
  const SAME = [
    '2024-03-01T00:00:00.000Z',
    '2024-03-01',
    '20240301',
    '2024-061',
    '2024W095',
    '2024-W09-5T00:00',
    '2024-03-01T02:00:00+02',
    '2024-02-29T19:30-0430',
    '20240301T000000,000000000Z',
    '2024-02-29T24:00',
    '2024060T235960+00:00',
  ];

  it('of one moment are the same date in every form of ISO 8601, and the same content', async () => {
    const learner = { user: { email: 'learner-17@rules.test' } };
    const sent = SAME.map((started_at) =>
      record(COMPANY, { ...learner, ...progress({ completion_pct: 5, started_at }) }),
    );
    const { body } = await admin.importAndWait(sent);
    const dates = body.records.map(
      (result: { progress: { started_at: string } | null }) => result.progress?.started_at,
    );
    expect(dates).toEqual(SAME.map(() => '2024-03-01T00:00:00.000Z'));
    const again = sent.map((one) => ({ ...one, ...progress({ completion_pct: 5, started_at: SAME[0] }) }));
    const { body: resent } = await admin.importAndWait(again);
    expect(resent.records.map(({ outcome }: { outcome: string }) => outcome)).toEqual(SAME.map(() => 'unchanged'));
  });

  it('that are refused name the field and show the form', async () => {
    const { body } = await admin.dryRun([
      record(COMPANY, progress({ completion_pct: 5, started_at: 'March 1, 2024' })),
    ]);
    const [error] = body.records[0].errors;
    expect(error.message).toMatch(/^progress\.started_at .*2024-03-01T09:30:00Z/);
  });
});

describe('the problems of a record', () => {
  const badClasses = (count: number) =>
    progress({ classes: Array.from({ length: count }, () => ({ viewed_at: 'x' })) });

  it('are all reported up to 100, then one counts the rest', async () => {
    const records = [record(COMPANY, badClasses(50)), record(COMPANY, badClasses(60))];
    const { body } = await admin.dryRun(records);
    const [all, counted] = body.records;
    expect(all.errors).toHaveLength(100);
    expect(counted.errors).toHaveLength(101);
    expect(counted.errors.at(-1)).toEqual({
      error_code: 'invalid_record',
      message: 'The record has 20 more problems.',
    });
  });

  it('never outgrow a response of Lambda: the import names the first of each record, the list names all', async () => {
    const records = Array.from({ length: 500 }, () => record(COMPANY, badClasses(50)));
    const { body } = await admin.importAndWait(records);
    expect(JSON.stringify(JSON.stringify(body)).length).toBeLessThan(4_000_000);
    expect(body.records).toHaveLength(500);
    for (const { errors } of body.records) expect(errors).toHaveLength(11);
    expect(body.records[0].errors.at(-1).message).toContain('list of the records');
    const page = await admin.get(`/progress/imports/${body.import_id}/records?limit=1`);
    expect(page.body.records[0].errors).toHaveLength(100);
  });
});
