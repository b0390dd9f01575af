/**
 * A handful of record rules over HTTP: a dry run and the real run report the same, in the words of the interface. Each rule has
 * its table in `test/records`, and all of them together their independent implementation in `test/reference`. Costs seconds.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { type Admin, adminOf } from '../kit/api.ts';
import { freshId, record } from '../kit/records.ts';

const COMPANY = 'rules';
let admin: Admin;

beforeAll(async () => {
  admin = await adminOf(COMPANY);
  await admin.post('/users/mappings', {
    mappings: [{ external_user_id: 'u-2', email: `learner-2@${COMPANY}.test` }],
  });
});

const viewed = (...ids: number[]) => ids.map((platform_class_id) => ({ platform_class_id }));

/** Members beside those of a valid record → the codes and fields it is rejected with. */
const REJECTED: [string, Record<string, unknown>, string[]][] = [
  [
    'user identifiers that disagree',
    { user: { email: 'learner-1@rules.test', external_user_id: 'u-2' } },
    ['identifier_mismatch user'],
  ],
  [
    'several problems at once',
    {
      user: { email: 'nobody@rules.test' },
      content: { type: 'course', platform_course_id: 999 },
      progress: { completion_pct: -1 },
    },
    [
      'invalid_completion_pct progress.completion_pct',
      'user_not_found user.email',
      'course_not_in_catalog content.platform_course_id',
    ],
  ],
];

/** Members beside those of a valid record → its warnings, and members that its progress has. */
const WARNED: [string, Record<string, unknown>, string[], object][] = [
  [
    'an assessment where there is no exam',
    { content: { type: 'course', platform_course_id: 102 }, assessment: { status: 'passed' } },
    ['assessment_ignored'],
    { completion_pct: 40, approved_course: 0 },
  ],
  [
    'classes alone',
    { progress: { classes: viewed(101000, 101001) } },
    ['completion_pct_derived'],
    { completion_pct: 66.67, classes_viewed: 2 },
  ],
  [
    'members that the interface does not define',
    { colour: 'red', progress: { completion_pct: 50, mood: 1 } },
    ['unknown_field_ignored'],
    { completion_pct: 50 },
  ],
  [
    'organic progress that is higher',
    { user: { email: 'learner-10@rules.test' }, assessment: { status: 'failed' } },
    ['native_progress_kept'],
    { completion_pct: 90, approved_course: 1, classes_viewed: 1 },
  ],
];

describe('a rejected record', () => {
  it.each(REJECTED)('a rejected record reports %s', async (_, members, expected) => {
    const records = [record(COMPANY, members)];
    const dry = await admin.dryRun(records);
    const real = await admin.importAndWait(records);
    const [result] = real.body.records;
    expect(
      result.errors.map(({ error_code, field }: { error_code: string; field: string }) => `${error_code} ${field}`),
    ).toEqual(expected);
    expect(result).toMatchObject({ status: 'error', outcome: null, warnings: [], progress: null });
    expect(real.body.status).toBe('error');
    expect(dry.body.records).toEqual(real.body.records);
  });

  it('a repeat of an external_record_id in its batch has that error and no other', async () => {
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
  it.each(WARNED)('an accepted record warns of %s', async (_, members, warnings, expected) => {
    const learner = { user: { email: `learner-${3 + WARNED.findIndex(([, row]) => row === members)}@rules.test` } };
    const records = [record(COMPANY, { ...learner, ...members })];
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
function withoutDefaults({ before: _, ...result }: { progress: Record<string, unknown>; before?: unknown }) {
  const { completed_at, started_at, last_activity_at, certified_at, ...progress } = result.progress;
  void [completed_at, started_at, last_activity_at, certified_at];
  return { ...result, progress };
}

describe('a record sent again', () => {
  it('a record sent again is unchanged with the same content, updated with other content, and never moves to another user', async () => {
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

  it('a record that was wrong is corrected with replace, and what it replaced is shown', async () => {
    const learner = { user: { email: 'learner-17@rules.test' } };
    const passed = (year: number) => ({ status: 'passed', taken_at: `${year}-01-01` });
    const wrong = record(COMPANY, { ...learner, assessment: passed(2031), progress: { completion_pct: 100 } });
    const right = { ...wrong, assessment: passed(2021), progress: { completion_pct: 80 } };
    const send = async (sent: unknown, replace: boolean) => {
      const dry = await admin.post('/progress/imports', { dry_run: true, replace, records: [sent] });
      const real = await admin.post('/progress/imports', { dry_run: false, replace, records: [sent] });
      const { body } = await admin.finished(real.body.import_id);
      const [{ outcome, warnings, progress }] = body.records;
      const codes = warnings.map(({ warning_code }: { warning_code: string }) => warning_code);
      return { import_id: body.import_id, outcome, codes, progress, before: dry.body.records[0].before };
    };
    const first = await send(wrong, false);
    expect(first).toMatchObject({ outcome: 'applied', codes: ['date_assumed', 'date_implausible'], before: null });
    const second = await send(right, false);
    expect(second).toMatchObject({
      outcome: 'updated',
      codes: ['earlier_record_kept'],
      progress: { completion_pct: 100 },
    });
    const third = await send({ ...right, progress: { completion_pct: 79 } }, true);
    const certified = { approved_course: 1, certified_at: '2021-01-01T00:00:00.000Z' };
    expect(third).toMatchObject({ outcome: 'updated', codes: [], progress: { completion_pct: 79, ...certified } });
    expect(third.before).toMatchObject({ completion_pct: 100, certified_at: '2031-01-01T00:00:00.000Z' });
    const audit = await admin.get(`/progress/records?external_record_id=${wrong['external_record_id']}`);
    const replaced = audit.body.contributions.map((each: { replaced_by?: string }) => each.replaced_by);
    expect(replaced).toEqual([third.import_id, third.import_id, undefined]);
    expect(audit.body.effective.completion_pct).toBe(79);
    expect((await send(right, false)).outcome).toBe('updated');
  });
});
