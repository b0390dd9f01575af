/** The export of all that is held of a person (§13.2), compared with all that was planted. Costs milliseconds. */
import { expect, it } from 'vitest';
import type { exportPerson } from '../../functions/erasure/export-person.ts';
import { ANN, ANN_FACT, ANN_ID, COMPANY, EXTERNAL, FORMER, UNREGISTERED, namesPerson } from './person.ts';
import { useErasureWorld } from './world.ts';

const world = useErasureWorld();

const EXPORT = { kind: 'user', company_id: COMPANY, id: ANN_ID, export: true };
const record = (external_record_id: string, user: object, completion_pct: unknown = 50, external_ref?: string) => ({
  external_record_id,
  user,
  content: { type: 'course', platform_course_id: 101 },
  progress: { completion_pct },
  ...(external_ref !== undefined && { external_ref }),
});
const BEN = record('ben', { email: 'ben@acme.test' });

type Page = Awaited<ReturnType<typeof exportPerson>> & { readonly status: string };
const told = async (fact: object) => (await world.tell(fact)) as unknown as { readonly results: readonly [Page] };

/** Follows the cursor, at most as often as a person can have pages here. */
async function exported(fact: object = EXPORT): Promise<Page[]> {
  const pages: Page[] = [];
  let cursor: string | null | undefined;
  while (cursor !== null && pages.length < 100) {
    const { results } = await told(cursor === undefined ? fact : { ...fact, cursor });
    expect(results[0].status).toBe('exported');
    pages.push(results[0]);
    cursor = results[0].cursor;
  }
  return pages;
}

/** 17 records: by each name, resolved, rejected, in a dry run, in another spelling, and one that waits. */
const NAMED = [{ email: ANN }, { external_user_id: EXTERNAL }, { email: ANN, external_user_id: UNREGISTERED }];
const planted = Array.from({ length: 17 }, (_, at) => {
  const user = at === 15 ? { email: ` ${FORMER.toUpperCase()}` } : at === 16 ? { external_user_id: UNREGISTERED } : {};
  return record(`planted-${at}`, at > 14 ? user : (NAMED[at % 3] ?? {}), at % 5 === 0 ? 'rejected' : at);
});

async function plantAll(): Promise<void> {
  await world.tell({ ...ANN_FACT, version: 6, password: 'planted password' });
  await world.accept('a'.repeat(26), [...planted.slice(0, 6), BEN]);
  await world.accept('b'.repeat(26), [...planted.slice(6, 10), record('ben-2', { email: 'cid@acme.test' })], true);
  await world.comeToRest();
  await world.accept('c'.repeat(26), planted.slice(10, 16));
  await world.comeToRest();
  await world.accept('d'.repeat(26), [...planted.slice(16), BEN]);
}

const recordsIn = (pages: readonly Page[]) =>
  pages.flatMap(({ export: { imports } }) => imports.flatMap(({ records }) => records));

it('an export has the person, the progress, and each of 17 planted records as it was sent', async () => {
  await plantAll();
  const pages = await exported();
  const { profile, former_emails, sessions, mappings, courses } = pages[0]?.export ?? {};
  expect(profile).toMatchObject({ user_id: ANN_ID, email: ANN, name: 'Ann Planted', license: 'active' });
  expect(former_emails).toEqual([FORMER]);
  expect(sessions).toEqual([{ began_at: expect.any(String), email: ANN, revoked: false, expires_at_seconds: 4e9 }]);
  expect(mappings).toMatchObject([{ external_user_id: EXTERNAL, email: ANN }]);
  expect(courses).toMatchObject([{ platform_course_id: 101, native: { completion_pct: 5 } }]);
  expect(courses?.[0]?.contributions.length).toBe(world.contributions(ANN_ID).length);
  expect(recordsIn(pages).map((each) => each.record)).toEqual(planted);
});

it('an export has nothing of another person, no token and no hash, and changes nothing', async () => {
  await plantAll();
  const before = JSON.stringify([...world.table.items()]);
  const pages = await exported();
  expect(JSON.stringify([...world.table.items()])).toBe(before);
  const text = JSON.stringify(pages.map((page) => page.export));
  expect(text).not.toMatch(/ben|cid@|password|hash|jti|session-of-ann|scrypt/i);
  for (const each of recordsIn(pages)) expect(namesPerson(each.record)).toBe(true);
});

it('what does not fit one answer of a function is on further pages, each record once', async () => {
  const classes = Array.from({ length: 250 }, (_, at) => ({ platform_class_id: 1_000_000 + at }));
  const many = Array.from({ length: 500 }, (_, at) => ({
    ...record(`planted-${at}`, { email: ANN }),
    progress: { completion_pct: -1, classes },
  }));
  const further = many.map((each) => ({ ...each, external_record_id: `further-${each.external_record_id}` }));
  await world.accept('a'.repeat(26), many);
  await world.comeToRest();
  world.clock.now += 1_000;
  await world.accept('b'.repeat(26), further);
  await world.comeToRest();
  const pages = await exported();
  expect(pages.length).toBeGreaterThan(1);
  for (const page of pages) expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(5_000_000);
  const ids = recordsIn(pages).map(({ result }) => result.external_record_id);
  expect(ids).toEqual([...many, ...further].map(({ external_record_id }) => external_record_id));
});

it('an erased person has an empty export, a deleted one that of what is left', async () => {
  await plantAll();
  await world.comeToRest();
  await world.tell({ ...EXPORT, export: false, version: 30, deleted: true });
  expect((await exported())[0]?.export.profile).toBeNull();
  expect(recordsIn(await exported())).toHaveLength(17);
  await world.tell({ ...EXPORT, export: false, version: 31, erase: true });
  await world.comeToRest();
  const [page] = await exported();
  expect(page?.export).toEqual({
    profile: null,
    former_emails: [],
    sessions: [],
    identity: null,
    mappings: [],
    courses: [],
    imports: [],
  });
});

it('an export is refused beside other facts, with a version, and with a cursor that is none', async () => {
  const errors = async (...facts: object[]) => JSON.stringify(await world.tell(...facts));
  expect(await errors(EXPORT, { ...EXPORT, id: 8 })).toContain('must be the only fact');
  expect(await errors({ ...EXPORT, version: 1 })).toContain('facts.0.version');
  expect(await errors({ ...EXPORT, cursor: 'e30' })).toContain('facts.0.cursor');
});
