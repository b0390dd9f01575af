/** The transcript of a learner: form, pages, calls to the database. On a table in memory. */
import { beforeEach, describe, expect, it } from 'vitest';
import { handler as getLearner } from '../../functions/handlers/get-learner.ts';
import type { LearnerTranscript } from '../../functions/shared/model.ts';
import { operationRequest } from '../kit/api-event.ts';
import { AT_LENGTH } from '../kit/at-length.ts';
import { planted } from '../kit/planted.ts';
import { COMPANY_ID, importWorld, record, type ImportWorld } from '../imports/world.ts';

const CLASSES = Array.from({ length: 100 }, (_, at) => ({ platform_class_id: 1001 + at, title: '' }));
const VIEWS = CLASSES.map(({ platform_class_id }) => ({ platform_class_id, viewed_at: '2024-01-01T03:04:05Z' }));
/** Nothing of them has to be in the catalog. */
const MANY_VIEWS = Array.from({ length: 400 }, (_, at) => ({
  platform_class_id: 1001 + at,
  viewed_at: '2024-01-01T03:04:05Z',
}));
const COURSES = Array.from({ length: 30 }, (_, at) => 101 + at);

let world: ImportWorld;
let commands: string[];
const scoped = getLearner.operation;

async function ask(query: Record<string, string>): Promise<LearnerTranscript> {
  const { body } = await scoped(operationRequest({ query }), world.services);
  return body as LearnerTranscript;
}

async function askAll(limit: string): Promise<LearnerTranscript['courses']> {
  const courses: LearnerTranscript['courses'][number][] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await ask({ user_id: '7', limit, ...(cursor !== undefined && { cursor }) });
    expect(JSON.stringify(page).length).toBeLessThan(4 * 1024 * 1024);
    courses.push(...page.courses);
    cursor = page.next_cursor;
  }
  return courses;
}

const inCourse = (platform_course_id: number, id: string, progress: object = { completion_pct: 100 }) => ({
  ...record(id),
  content: { type: 'course', platform_course_id },
  progress,
});

/** The external id 9101 of user 7, which a company registered with this address. */
const register = (email: string) =>
  world.stores.mappings.putUserMappings(COMPANY_ID, [
    { external_user_id: '9101', email, user_id: 7, updated_at: '2026-01-01T00:00:00.000Z' },
  ]);

async function importAll(records: readonly object[], import_id?: string): Promise<void> {
  await world.accept(records, import_id === undefined ? {} : { import_id });
  await world.deliver();
}

beforeEach(async () => {
  commands = [];
  world = await importWorld(({ constructor: { name } }) => void commands.push(name));
  const courses = COURSES.map((id) => ({ platform_course_id: id, title: `${id}`, has_exam: true, classes: CLASSES }));
  await planted(world.stores.platform).putCourses(COMPANY_ID, courses);
});

describe('the transcript', () => {
  it('a page is one query and one read of its courses, and the first asks the archive', async () => {
    await importAll(COURSES.map((id) => inCourse(id, `r-${id}`)));
    commands = [];
    const { courses, next_cursor } = await ask({ user_id: '7', limit: '20' });
    expect(commands).toEqual(['BatchGetCommand', 'BatchGetCommand', 'QueryCommand', 'QueryCommand', 'BatchGetCommand']);
    expect(courses.map(({ platform_course_id }) => platform_course_id)).toEqual(COURSES.slice(0, 20));
    const rest = await ask({ user_id: '7', limit: '20', cursor: next_cursor ?? '' });
    expect(rest.courses.map(({ platform_course_id }) => platform_course_id)).toEqual(COURSES.slice(20));
    expect(rest.next_cursor).toBeNull();
  });

  it('courses with overflow items are shown whole, whatever the size of a page', async () => {
    for (const at of [0, 1, 2])
      await importAll(
        Array.from({ length: 24 }, (_, each) =>
          inCourse(101 + ((each + at) % 3), `r-${at}-${each}`, { completion_pct: 50, classes: VIEWS }),
        ),
        `import-${at}`,
      );
    for (const limit of ['1', '2', '3']) {
      const courses = await askAll(limit);
      expect(courses.map(({ contributions }) => contributions.length)).toEqual([24, 24, 24]);
    }
  });

  it.runIf(AT_LENGTH)('a course with more contributions than fit a page resumes on the next one', async () => {
    for (let batch = 0; batch < 2; batch += 1)
      await importAll(
        Array.from({ length: 300 }, (_, at) =>
          inCourse(101, `r-${batch}-${at}`, { completion_pct: 50, classes: VIEWS }),
        ),
        `import-${batch}`,
      );
    await importAll([inCourse(102, 'last')], 'import-last');
    const courses = await askAll('100');
    expect(courses.map(({ platform_course_id }) => platform_course_id)).toEqual([101, 101, 102]);
    const ids = courses.flatMap(({ contributions }) => contributions.map((each) => each.external_record_id));
    expect(new Set(ids).size).toBe(601);
    expect(ids).toHaveLength(601);
  });

  it('a course about which nothing is stored any more is left out', async () => {
    await importAll([inCourse(101, 'r-1')], 'first');
    await importAll([inCourse(102, 'r-2')]);
    await world.revert('first');
    expect((await ask({ user_id: '7', limit: '1' })).courses).toMatchObject([{ platform_course_id: 102 }]);
  });
});

describe('the name of a learner', () => {
  it('an external id leads to the user that it was registered to', async () => {
    await register('old@acme.test');
    expect(await ask({ external_user_id: '9101' })).toMatchObject({ user_id: 7, courses: [], next_cursor: null });
  });

  it.each([
    [{ email: 'ann@acme.test', user_id: '7' }, 'email'],
    [{}, undefined],
    [{ email: 'ann' }, 'email'],
    [{ user_id: '07' }, 'user_id'],
    [{ external_user_id: '' }, 'external_user_id'],
    [{ external_user_id: 'x'.repeat(129) }, 'external_user_id'],
    [{ user_id: '7', limit: '101' }, 'limit'],
    [{ user_id: '7', cursor: 'AAAA' }, 'cursor'],
  ])('a malformed query %j is 400', async (query, field) => {
    await expect(ask(query)).rejects.toMatchObject({
      problem: { error_code: 'invalid_request', ...(field && { field }) },
    });
  });

  it.each([
    { email: 'nobody@acme.test' },
    { user_id: '999' },
    { external_user_id: 'unknown' },
    { external_user_id: '\uFFFD\u0000' },
  ])('nobody is found by %j', async (query) => {
    await expect(ask(query)).rejects.toMatchObject({ problem: { error_code: 'learner_not_found' } });
  });

  it('a cursor of another learner is refused', async () => {
    await importAll([inCourse(101, 'r-1'), inCourse(102, 'r-2')]);
    const { next_cursor } = await ask({ user_id: '7', limit: '1' });
    await expect(ask({ user_id: '8', cursor: next_cursor ?? '' })).rejects.toMatchObject({
      problem: { error_code: 'invalid_request', field: 'cursor' },
    });
  });
});

describe('what is archived of a learner', () => {
  async function archive(import_id: string, records: readonly object[]): Promise<void> {
    world.clock.now += 1_000;
    await world.accept(records, { import_id, archive: true });
    await world.deliver();
  }
  const placesIn = ({ archived }: LearnerTranscript) => archived.map(({ import_id, index }) => `${import_id} ${index}`);
  const byId = (id: string, external_user_id: string) => ({ ...record(id), user: { external_user_id } });
  const retired = { content: { type: 'course', external_course_id: 'SEC-1' } };

  it('of someone unknown it is what is kept under the name, as it was sent', async () => {
    await archive('one', [record('g', 'gone@acme.test'), byId('h', 'EMP-7'), record('a')]);
    expect(await ask({ email: 'GONE@acme.test' })).toEqual({
      user_id: null,
      email: null,
      license: null,
      courses: [],
      archived: [
        {
          import_id: 'one',
          index: 0,
          run_id: null,
          archived_at: (await world.read('one')).created_at,
          external_record_id: 'g',
          errors: [expect.objectContaining({ error_code: 'user_not_found' })],
          record: record('g', 'gone@acme.test'),
        },
      ],
      next_cursor: null,
    });
    expect(placesIn(await ask({ external_user_id: 'emp-7' }))).toEqual(['one 1']);
  });

  it('of a user it is what is kept under the external id that was asked for, and under the address, in one order', async () => {
    await archive('one', [{ ...record('r'), ...retired }, byId('h', '9101')]);
    await archive('two', [byId('i', '9101'), { ...record('s', 'ANN@acme.test'), ...retired }, record('a')]);
    await register('ann@acme.test');
    const found = await ask({ external_user_id: '9101' });
    expect(found).toMatchObject({ user_id: 7, email: 'ann@acme.test', courses: [{ platform_course_id: 101 }] });
    expect(placesIn(found)).toEqual(['two 0', 'two 1', 'one 0', 'one 1']);
    for (const query of [{ user_id: '7' }, { email: 'ann@acme.test' }])
      expect(placesIn(await ask(query))).toEqual(['two 1', 'one 0']);
  });

  it('all of it is on the first page', async () => {
    await archive('one', [{ ...record('r'), ...retired }, inCourse(101, 'a'), inCourse(102, 'b')]);
    const first = await ask({ user_id: '7', limit: '1' });
    expect(placesIn(first)).toEqual(['one 0']);
    const rest = await ask({ user_id: '7', limit: '1', cursor: first.next_cursor ?? '' });
    expect([rest.courses.length, rest.archived]).toEqual([1, []]);
  });

  it('a transcript shows the newest 100 of them, and fewer where they are large', async () => {
    await archive('one', [record('old', 'gone@acme.test')]);
    await archive(
      'two',
      Array.from({ length: 120 }, (_, at) => record(`g-${at}`, 'gone@acme.test')),
    );
    const { archived } = await ask({ email: 'gone@acme.test' });
    expect([archived.length, archived[0]?.index, archived.at(-1)?.index]).toEqual([100, 0, 99]);
    await archive(
      'three',
      Array.from({ length: 90 }, (_, at) => inCourse(101, `l-${at}`, { completion_pct: 50, classes: MANY_VIEWS })).map(
        (each) => ({ ...each, user: { email: 'gone@acme.test' } }),
      ),
    );
    const large = await ask({ email: 'gone@acme.test' });
    expect(large.archived.length).toBeGreaterThan(5);
    expect(JSON.stringify(large.archived).length).toBeLessThan(1024 * 1024 + 1);
  });

  it('imported meanwhile, it is in the courses alone', async () => {
    await archive('one', [record('g', 'gone@acme.test')]);
    const user = { company_id: COMPANY_ID, role: 'customer', avatar: '', license: 'active' } as const;
    await planted(world.stores.platform).putUsers([{ ...user, user_id: 77, email: 'gone@acme.test', name: 'Back' }]);
    await archive('two', [record('g', 'gone@acme.test')]);
    expect(await ask({ email: 'gone@acme.test' })).toMatchObject({ user_id: 77, courses: [{}], archived: [] });
  });
});
