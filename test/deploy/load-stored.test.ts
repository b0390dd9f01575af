/** The loader on the real stores and the embedded engine: the items after it. Costs one engine and about a second. */
import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { scryptPasswords } from '../../functions/auth/passwords.ts';
import { loadData } from '../../functions/platform/load-data.ts';
import { secureRandom, systemClock } from '../../functions/runtime/system.ts';
import { everyStore, type EveryStore } from '../kit/services.ts';
import { contribution } from '../dynamodb/samples.ts';
import { useDynamoDb } from '../kit/dynamodb.ts';

const database = useDynamoDb();
const passwords = scryptPasswords(secureRandom);
let stores: EveryStore;
beforeAll(() => {
  stores = everyStore(database());
});

const load = (bytes: Uint8Array) => loadData(bytes, { stores, passwords, random: secureRandom, clock: systemClock });
const loadValue = (value: unknown) => load(Buffer.from(JSON.stringify(value)));
const sample = () => readFile(new URL('../../lib/sandbox/sample.json', import.meta.url));

const migrated = contribution();

describe('the sandbox data in the table', () => {
  it('the sample admin can log in and finds the catalog', async () => {
    expect(await load(await sample())).toMatchObject({ status: 'loaded' });
    expect(await stores.access.findLogin('Admin@acme.test')).toMatchObject({ company_id: 'acme' });
    const admin = (await stores.directory.users('acme', ['admin@acme.test'], true)).get('admin@acme.test');
    expect(admin).toMatchObject({ user_id: 1, role: 'admin', license: 'active' });
    expect(await passwords.verify('changeme', admin?.password_hash)).toBe(true);
    const courses = await stores.directory.listCourses('acme', 500);
    expect(courses.map((course) => course.platform_course_id)).toEqual([101, 102, 103, 104, 105]);
    expect(await load(await sample())).toEqual({ status: 'already_loaded' });
  });

  it('migrated progress and the cursor key stay when a changed file is loaded', async () => {
    const pair = { user_id: 2, platform_course_id: 101 };
    const write = { ...pair, claim: true, contribution: migrated, items: 1 };
    await stores.progress.contribute('acme', [write]);
    const key = (await stores.platform.companies(['acme'])).get('acme')?.cursor_key;
    const row = { company_id: 'acme', email: 'BEN.castillo@acme.test', platform_course_id: 101, completion_pct: 75 };
    const company = { company_id: 'acme', name: 'Acme', migrations_enabled: false };
    const { users, courses } = JSON.parse(String(await sample()));
    expect(await loadValue({ companies: [company], users, courses, progress: [row] })).toMatchObject({
      status: 'loaded',
    });
    const [stored] = (await stores.progress.courseHistories('acme', [pair])).values();
    expect(stored).toMatchObject({ native: { completion_pct: 75 }, contributions: [migrated] });
    expect((await stores.platform.companies(['acme'])).get('acme')).toEqual({ ...company, cursor_key: key });
  });
});
