/** An import that fills up a learner's course by itself: what the limit of a pair leaves is told alike by a dry run. */
import { beforeEach, expect, it } from 'vitest';
import { useImportServices } from '../kit/import-services.ts';

const our = useImportServices();

beforeEach(async () => {
  const mapping = {
    external_user_id: 'a-7',
    email: 'ann@acme.test',
    user_id: 7,
    updated_at: '2026-01-01T00:00:00.000Z',
  };
  await our().stores.mappings.putUserMappings(our().company_id, [mapping]);
});

const record = (id: number, user: object = { email: 'ann@acme.test' }) => ({
  external_record_id: `r-${id}`,
  user,
  content: { type: 'course', platform_course_id: 101 },
  progress: { completion_pct: id / 10 },
});
const stranger = (id: number) => record(id, { email: `stranger-${id}@acme.test` });

async function outcomes(records: object[], dry_run: boolean): Promise<string[]> {
  const { body } = await our().start(records, { dry_run });
  await our().deliver();
  const answer = await our().poll((body as { import_id: string }).import_id);
  const results = answer.records as { errors: { error_code: string }[]; status: string }[];
  return results.map(({ status, errors }) => errors[0]?.error_code ?? status);
}

it.each([
  ['a few at a time, between others', (id: number) => (id % 3 === 0 ? record(id) : stranger(id)), 400],
  ['all in one place', (id: number) => (id < 110 || id >= 170 ? stranger(id) : record(id)), 300],
  [
    'named in two ways',
    (id: number) => record(id, id % 2 === 0 ? { email: 'ann@acme.test' } : { external_user_id: 'a-7' }),
    500,
  ],
])('takes the first 50 records of one pair, %s', async (_, recordOf, length) => {
  const records = Array.from({ length }, (__, id) => recordOf(id));
  let taken = 0;
  const expected = records.map(({ user }) => {
    if ('email' in user && user.email !== 'ann@acme.test') return 'user_not_found';
    taken += 1;
    return taken <= 50 ? 'success' : 'invalid_record';
  });
  expect(await outcomes(records, true)).toEqual(expected);
  expect(await outcomes(records, false)).toEqual(expected);
  const pair = { user_id: 7, platform_course_id: 101 };
  const [stored] = (await our().stores.progress.courseHistories(our().company_id, [pair])).values();
  expect(stored?.contributions).toHaveLength(50);
});
