/** A file against the whole service in memory, after its import. Costs about five seconds. */
import { beforeEach, describe, expect, it } from 'vitest';
import { RecordSet } from '../../../bin/importer/records/record-set.ts';
import { openRecordFile } from '../../../bin/cli/files/records.ts';
import { type Reconciliation, reconciliationPage } from '../../../bin/importer/reconcile/page.ts';
import { compareAll } from '../../../bin/importer/reconcile/reconcile.ts';
import { fileOf } from '../../cli/support/files.ts';
import { createPlatform, type Platform } from '../../cli/support/platform.ts';
import { NO_PROGRESS } from '../../../functions/records/merge.ts';
import { planted } from '../../kit/planted.ts';

interface Row {
  readonly id: string;
  readonly email: string;
  readonly course: number;
  readonly pct: number;
}

const NAMES = [
  'ben.castillo',
  'chiara.romano',
  'dmitri.volkov',
  'elif.yilmaz',
  'farid.haddad',
  'grace.mensah',
  'hana.suzuki',
];
const learners = NAMES.map((name) => `${name}@acme.test`);
let platform: Platform;

const recordOf = ({ id, email, course, pct }: Row) => ({
  external_record_id: id,
  user: { email },
  content: { type: 'course', platform_course_id: course },
  progress: { completion_pct: pct, last_activity_at: '2024-01-31T10:00:00Z' },
});

const row = (i: number): Row => ({
  id: `r-${i}`,
  email: learners[i % learners.length] ?? '',
  course: 101 + (i % 5),
  pct: i % 101,
});

async function importRows(rows: readonly object[]): Promise<void> {
  for (let start = 0; start < rows.length; start += 500) {
    const { import: started } = await platform.client.startImport({
      dry_run: false,
      records: rows.slice(start, start + 500),
    });
    const { counts } = await platform.client.waitForImport(started.import_id);
    expect(counts.failed).toBe(0);
  }
}

async function compared(records: readonly object[]) {
  const file = fileOf(records.map((each) => JSON.stringify(each)).join('\n'), 'history.ndjson');
  const set = new RecordSet([await openRecordFile(file, {})], undefined);
  return compareAll({ client: platform.client, set, parallel: 4, random: () => 0.5 });
}

beforeEach(async () => {
  platform = await createPlatform();
});

describe('reconcile', () => {
  it('an imported file is found equal, row by row and course by course', async () => {
    const one = [
      { ...row(0), id: 'equal-1', pct: 100 },
      { ...row(1), id: 'equal-2', pct: 100 },
    ].map(recordOf);
    await importRows(one);
    const { counts, courses, findings, read_one_by_one } = await compared(one);
    expect(counts).toEqual({ equal: 2, higher: 0, different: 0, missing: 0 });
    expect(courses.map(({ course, rows, equal }) => ({ course, rows, equal }))).toEqual([
      { course: 101, rows: 1, equal: 1 },
      { course: 102, rows: 1, equal: 1 },
    ]);
    expect(courses[0]?.title).toBe('Information Security Essentials');
    expect(findings).toEqual([]);
    expect(read_one_by_one).toBe(2);
  });

  it('every planted loss, swap and edit is found, and nothing else', async () => {
    const rows = Array.from({ length: 600 }, (_, i) => row(i));
    const onPlatform: Row[] = [];
    const planted = new Map<string, string>();
    for (const [i, each] of rows.entries()) {
      if (i % 30 === 4) planted.set(each.id, 'missing');
      else if (i % 30 === 14) {
        const other = learners[(i + 1) % learners.length] ?? '';
        onPlatform.push({ ...each, email: other });
        planted.set(each.id, 'different');
      } else if (i % 30 === 24) {
        onPlatform.push({ ...each, pct: (each.pct + 7) % 101 });
        planted.set(each.id, 'different');
      } else onPlatform.push(each);
    }
    await importRows(onPlatform.map(recordOf));
    const { counts, findings } = await compared(rows.map(recordOf));
    const wrong = findings.filter(({ state }) => state !== 'higher');
    expect(Object.fromEntries(wrong.map((each) => [each.external_record_id, each.state]))).toEqual(
      Object.fromEntries(planted),
    );
    expect(counts.different + counts.missing).toBe(60);
    expect(
      wrong.filter(({ state }) => state === 'different').every(({ there }) => there?.startsWith('Stored: user')),
    ).toBe(true);
  });
});

describe('rows', () => {
  it('a row is higher if the learner has more in that course, from whichever source', async () => {
    const low = recordOf({ ...row(0), id: 'low', course: 103, pct: 20 });
    const high = recordOf({ ...row(0), id: 'high', course: 103, pct: 90 });
    await importRows([low, high]);
    const { findings } = await compared([low, high]);
    expect(findings).toMatchObject([
      { external_record_id: 'low', state: 'higher', reason: 'There is more: 90 % instead of 20 %.', line: 1 },
    ]);
  });

  it('a row that the service rejects is missing, with the reason', async () => {
    const { findings } = await compared([recordOf({ ...row(0), id: 'nobody', email: 'nobody@acme.test' })]);
    expect(findings).toMatchObject([{ state: 'missing', learner: 'nobody@acme.test', course: 101 }]);
    expect(findings[0]?.reason).toContain('user_not_found');
  });

  it('a row that repeats the id of an earlier one is missing, and names it', async () => {
    const first = recordOf({ ...row(0), id: 'twice', course: 103, pct: 95 });
    await importRows([first]);
    const { counts, findings } = await compared([first, { ...first, user: { email: learners[1] } }]);
    expect(counts).toEqual({ equal: 1, higher: 0, different: 0, missing: 1 });
    expect(findings[0]?.reason).toMatch(/^Line 1 of .* has the same external_record_id\.$/);
  });
});

describe('beyond the file', () => {
  const renewed = (id: string, date: string) => ({
    ...recordOf({ ...row(0), id, pct: 100 }),
    progress: { completion_pct: 100, started_at: '2020-01-01', last_activity_at: '2020-02-02', completed_at: date },
  });

  it('a file that has everything has nothing beyond it, however often a course was renewed', async () => {
    const all = [renewed('a', '2023-03-01'), renewed('b', '2024-03-01')];
    await importRows(all);
    expect((await compared(all)).beyond).toEqual([]);
  });

  it('another record, progress on the platform itself and other effective dates are named', async () => {
    const inFile = [renewed('a', '2023-03-01')];
    await importRows([
      ...inFile,
      renewed('elsewhere', '2024-03-01'),
      { ...recordOf(row(1)), external_record_id: 'other' },
    ]);
    const { user_id } = await platform.client.getLearner({ email: learners[0] ?? '' });
    const progress = { ...NO_PROGRESS, completion_pct: 40 };
    await planted(platform.world.stores.platform).putNativeProgress([
      { company_id: 'acme', user_id, platform_course_id: 101, progress },
    ]);
    const { beyond, counts } = await compared(inFile);
    expect(counts.missing + counts.different).toBe(0);
    expect(beyond).toMatchObject([{ email: learners[0], course: 101, title: 'Information Security Essentials' }]);
    expect(beyond[0]?.found).toEqual([
      expect.stringMatching(
        /^The files do not have record elsewhere of import \w+ \(100 %, completed 2024-03-01T00:00:00\.000Z\)\.$/,
      ),
      'On the platform itself: 40 %.',
      'completed_at is 2024-03-01T00:00:00.000Z; the latest of the files is 2023-03-01T00:00:00.000Z.',
    ]);
  });
});

describe('the page', () => {
  const found: Reconciliation = {
    checked_at: '2026-01-02T03:04:05.678Z',
    base_url: 'http://x',
    company_id: 'acme',
    checked_by: 'admin@acme.test',
    files: [{ path: 'history.csv', sha256: 'ab'.repeat(32) }],
    rows: 2,
    counts: { equal: 1, higher: 0, different: 0, missing: 1 },
    courses: [
      { course: 101, title: '<script>alert(1)</script>', rows: 2, equal: 1, higher: 0, different: 0, missing: 1 },
    ],
    read_one_by_one: 1,
    findings: [
      {
        file: 'history.csv',
        line: 3,
        external_record_id: '"><img src=x>',
        learner: "a'b@acme.test",
        course: 101,
        state: 'missing',
        reason: 'R & D',
      },
    ],
    beyond: [{ user_id: 7, email: '<b>@acme.test', course: 101, title: null, found: ['The files do not have <i>.'] }],
  };

  it('the page loads and runs nothing, whatever the file contains', () => {
    const page = reconciliationPage(found);
    expect(page).not.toMatch(/<script|<img|<link|https?:\/\/(?!x)|javascript:|@import|url\(/);
    expect(page).toContain('&quot;&gt;&lt;img src=x&gt;');
    expect(page).toContain('&lt;i&gt;');
    expect(page).toContain("default-src 'none'");
  });

  it('the page states in a sentence whether everything is there', () => {
    expect(reconciliationPage(found)).toContain('1 of 2 rows are not on the platform as the files have them.');
    const complete = { ...found, counts: { ...found.counts, missing: 0 }, findings: [] };
    expect(reconciliationPage(complete)).toContain('Every row of the files is on the platform.');
  });
});
