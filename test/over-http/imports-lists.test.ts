/** The lists of imports and of records of a company: filters, pages, cursors. On the shared stack; costs seconds. */
import { beforeAll, expect, it } from 'vitest';
import { type Admin, adminOf, call } from '../kit/api.ts';
import { record } from '../kit/records.ts';

let admin: Admin;
let mixed: string;
const bad = () => record('lists', { user: { email: 'nobody@lists.test' } });

beforeAll(async () => {
  admin = await adminOf('lists');
  const records = Array.from({ length: 9 }, (_, i) => (i % 3 === 0 ? bad() : record('lists')));
  mixed = (await admin.importAndWait(records)).body.import_id;
  await admin.importAndWait([record('lists')]);
  await admin.importAndWait([bad()]);
  await admin.dryRun([record('lists')]);
});

interface Listed {
  readonly index: number;
  readonly status: string;
}

it.each([
  ['', [0, 1, 2, 3, 4, 5, 6, 7, 8]],
  ['&status=error', [0, 3, 6]],
  ['&status=success', [1, 2, 4, 5, 7, 8]],
  ['&status=pending', []],
])('records of an import, filtered by "%s", page in the order sent', async (filter, expected) => {
  for (const limit of [2, 500]) {
    const pages = await admin.pages(`/progress/imports/${mixed}/records?limit=${limit}${filter}`);
    for (const page of pages) expect(page).toMatchObject({ import_id: mixed, status: 'partial_success' });
    for (const { records } of pages.slice(0, -1)) expect(records).toHaveLength(limit);
    expect(pages.flatMap(({ records }) => records.map(({ index }: Listed) => index))).toEqual(expected);
  }
});

it('imports are listed newest first, without their records', async () => {
  const { body } = await admin.get('/progress/imports');
  expect(body.imports.map(({ status }: Listed) => status)).toEqual([
    'validated',
    'error',
    'success',
    'partial_success',
  ]);
  expect(body.imports.every((item: object) => !('records' in item))).toBe(true);
});

it.each([
  ['GET', '/records?limit=0&cursor=x', undefined, 400, ['limit', 'cursor']],
  ['POST', '/revert', {}, 400, ['dry_run']],
  ['POST', '/revert', `"${'x'.repeat(4 * 1024 * 1024)}"`, 413, [undefined]],
])(
  'an unknown import is reported after all that is wrong with the request: %s %s',
  async (method, path, body, status, fields) => {
    const token = admin.token;
    const response = await call(method, `${admin.base}/progress/imports/nope${path}`, { token, body });
    expect(response.status).toBe(status);
    expect(response.body.errors.map(({ field }: { field?: string }) => field)).toEqual(fields);
  },
);

it('the audit read shows what each import contributed, beside the organic progress', async () => {
  const first = record('lists', {
    user: { email: 'learner-10@lists.test' },
    content: { type: 'course', platform_course_id: 101, external_ref: 'old/7' },
    progress: { classes: [{ platform_class_id: 101_001, viewed_at: '2019-01-01T00:00:00+01:00' }] },
    assessment: { status: 'failed', score_pct: 12.5 },
  });
  await admin.importAndWait([first]);
  await admin.importAndWait([{ ...first, progress: { completion_pct: 95 } }]);
  const { body } = await admin.get(`/progress/records?external_record_id=${first['external_record_id']}`);
  expect(body.contributions).toMatchObject([
    {
      source: 'external_migration',
      external_ref: 'old/7',
      completion_pct: 33.33,
      score_pct: 12.5,
      assessment_status: 'failed',
      classes: [{ platform_class_id: 101_001, viewed_at: '2018-12-31T23:00:00.000Z' }],
    },
    { completion_pct: 95, classes: [] },
  ]);
  expect(body.native).toMatchObject({ completion_pct: 90, approved_course: 1 });
  expect(body.effective).toMatchObject({
    completion_pct: 95,
    approved_course: 1,
    certified_at: '2020-03-03T00:00:00.000Z',
    started_at: '2020-01-01T00:00:00.000Z',
  });
  expect(
    body.effective.classes.map(({ platform_class_id }: { platform_class_id: number }) => platform_class_id),
  ).toEqual([101_000, 101_001]);
});
