/** Loading of a data file into a table in memory. Costs milliseconds. */
import { NO_PROGRESS } from '../../functions/records/merge.ts';
import { describe, expect, it } from 'vitest';
import { applyMessage } from '../../functions/platform/apply-facts.ts';
import { loadData } from '../../functions/platform/load-data.ts';
import { contribution as contributionWith } from '../dynamodb/samples.ts';
import { type Interceptor, intercepted } from '../kit/database-faults.ts';
import { everyStore } from '../kit/services.ts';
import { company, course, killableWorld, row as small, user as withoutPassword } from './small-file.ts';

const contribution = contributionWith();

const user = { ...withoutPassword, email: 'Ana@acme.test', password: 'changeme' };
const row = { ...small, email: 'ana@ACME.test' };

function loader() {
  const { stores, table, clock, killAfter } = killableWorld();
  const writes: string[] = [];
  table.onWrite = ({ pk }) => void writes.push(pk);
  const hashed: string[] = [];
  const passwords = {
    async hash(password: string) {
      hashed.push(password);
      await new Promise(setImmediate);
      return `hash of ${password}`;
    },
    verify: async (password: string, phc: string | undefined) => phc === `hash of ${password}`,
  };
  const services = { stores, passwords, clock, random: { hex: (bytes: number) => 'ab'.repeat(bytes) } };
  const load = (value: unknown) =>
    loadData(Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)), services);
  const stored = {
    user: async (email: string) => (await stores.directory.users('acme', [email], true)).get(email),
    company: async (id: string) => (await stores.platform.companies([id])).get(id),
    courses: async () => (await stores.directory.listCourses('acme', 100)).map((each) => each.platform_course_id),
    history: async (user_id: number, platform_course_id: number) =>
      [...(await stores.progress.courseHistories('acme', [{ user_id, platform_course_id }])).values()][0],
  };
  return { stored, writes, hashed, load, services, killAfter };
}

const everything = { companies: [company], users: [user], courses: [course], progress: [row] };

describe('loading a data file', () => {
  it('writes that the client repeats, because their responses were lost, are those of the file', async () => {
    const repeated = new Set<string>();
    const twice: Interceptor = async (call, { Key }, next) => {
      const key = JSON.stringify(Key);
      if (call === 'Update' && !repeated.has(key)) await next();
      repeated.add(key);
      return next();
    };
    const { services } = loader();
    const client = intercepted(twice);
    const stores = everyStore({ client, table: 'table', sleep: async () => {}, random: () => 0.5, nowMs: () => 0 });
    expect(await loadData(Buffer.from(JSON.stringify(everything)), { ...services, stores })).toMatchObject({
      status: 'loaded',
      counts: { companies: 1, users: 1, courses: 1, progress: 1 },
    });
  });

  it('a load writes the rows of the file, with hashed passwords and a fresh cursor key', async () => {
    const { stored, load } = loader();
    expect(await load(everything)).toEqual({
      status: 'loaded',
      counts: { companies: 1, users: 1, courses: 1, clients: 0, progress: 1, deleted: 0 },
    });
    const { id, password, ...rest } = user;
    expect(await stored.user('ana@acme.test')).toEqual({ ...rest, user_id: id, password_hash: `hash of ${password}` });
    expect(Buffer.from((await stored.company('acme'))?.cursor_key ?? '', 'base64url')).toHaveLength(32);
    expect(await stored.courses()).toEqual([101]);
    expect((await stored.history(7, 101))?.native).toEqual({ ...NO_PROGRESS, completion_pct: 40 });
  });

  it('a user without a password cannot log in', async () => {
    const { stored, load } = loader();
    await load({ companies: [company], users: [withoutPassword] });
    expect(await stored.user('ana@acme.test')).not.toHaveProperty('password_hash');
  });

  it('a row may have a hash in the place of a password', async () => {
    const { stored, load, hashed } = loader();
    const password_hash = `$scrypt$ln=15,r=8,p=3$${'A'.repeat(22)}$${'A'.repeat(43)}`;
    await load({ companies: [company], users: [{ ...user, password: undefined, password_hash }] });
    expect([(await stored.user('ana@acme.test'))?.password_hash, hashed]).toEqual([password_hash, []]);
  });

  it('a shared password is hashed once', async () => {
    const { load, hashed } = loader();
    const users = Array.from({ length: 300 }, (_, i) => ({
      ...user,
      id: i,
      email: `u${i}@acme.test`,
      password: `password ${i % 20}`,
    }));
    await load({ companies: [company], users });
    expect(hashed).toHaveLength(20);
  });

  it('a load skips the file that was loaded last, and no other: A, B, A ends at A', async () => {
    const { stored, writes, load } = loader();
    const [a, b] = ['Acme', 'Acme Ltd'].map((name) => ({ ...everything, companies: [{ ...company, name }] }));
    await load(a);
    writes.length = 0;
    expect(await load(a)).toEqual({ status: 'already_loaded' });
    expect(writes).toEqual([]);
    expect(await load(b)).toMatchObject({ status: 'loaded' });
    expect(await load(a)).toMatchObject({ status: 'loaded' });
    expect((await stored.company('acme'))?.name).toBe('Acme');
  });

  it('a load deletes the rows that only the former file has, and never migrated progress', async () => {
    const { stored, load, services } = loader();
    const [bo, second] = [
      { ...user, id: 8, email: 'bo@acme.test' },
      { ...course, platform_course_id: 102 },
    ];
    await load({ ...everything, users: [user, bo], courses: [course, second] });
    await services.stores.progress.contribute('acme', [
      { user_id: 7, platform_course_id: 101, claim: true, contribution, items: 1 },
    ]);
    expect(await load({ companies: [company], users: [bo], courses: [second] })).toMatchObject({
      counts: { deleted: 3 },
    });
    expect([await stored.user('ana@acme.test'), await stored.courses()]).toEqual([undefined, [102]]);
    expect(await stored.user('bo@acme.test')).toMatchObject({ user_id: 8 });
    expect(await stored.history(7, 101)).toMatchObject({ native: null, contributions: [contribution] });
    await load({ companies: [{ ...company, company_id: 'other' }] });
    expect([await stored.company('acme'), await stored.user('bo@acme.test')]).toEqual([undefined, undefined]);
  });

  it('a file may exchange the addresses of two users', async () => {
    const { stored, load } = loader();
    const bo = { ...user, id: 8, email: 'bo@acme.test' };
    await load({ companies: [company], users: [user, bo] });
    await load({
      companies: [company],
      users: [
        { ...user, email: bo.email },
        { ...bo, email: user.email },
      ],
    });
    expect((await stored.user('bo@acme.test'))?.user_id).toBe(7);
    expect((await stored.user('ana@acme.test'))?.user_id).toBe(8);
  });

  it('a load repairs a load that was interrupted anywhere, whichever file is next', async () => {
    const bo = { ...user, id: 8, email: 'bo@acme.test' };
    const other = { companies: [company], users: [bo], courses: [{ ...course, platform_course_id: 102 }] };
    for (const next of [everything, other]) {
      const { load: reload, stored: expected } = loader();
      await reload(next);
      let interruptions = 0;
      for (let outcome: unknown = 'killed'; outcome === 'killed'; interruptions += 1) {
        const { load, stored, killAfter } = loader();
        await load(everything);
        killAfter(interruptions);
        outcome = await load(other).catch((error: Error) => error.message);
        killAfter(Number.POSITIVE_INFINITY);
        await load(next);
        expect(await stored.courses()).toEqual(await expected.courses());
        for (const email of ['ana@acme.test', 'bo@acme.test']) {
          expect((await stored.user(email))?.user_id).toBe((await expected.user(email))?.user_id);
        }
        expect((await stored.history(7, 101))?.native ?? null).toEqual(
          (await expected.history(7, 101))?.native ?? null,
        );
      }
      expect(interruptions).toBeGreaterThan(15);
    }
  });

  it('a load fails where the intake has stored a later version, and names the row', async () => {
    const { load, services } = loader();
    const version = services.clock.nowMs() * 1000;
    await applyMessage({ facts: [{ kind: 'course', version, ...course }] }, services);
    await expect(load(everything)).rejects.toThrow('1 facts of the data file (course)');
  });
});

describe('a file is refused whole', () => {
  it.each(['', '{', '[', '{"companies": [}', '\ufeff{'])(
    'a file that is no JSON is refused whole: %j',
    async (text) => {
      const { writes, load } = loader();
      const problems = [expect.stringMatching(/^the file:/) as unknown];
      expect(await load(text)).toMatchObject({ status: 'refused', problems });
      expect(writes).toEqual([]);
    },
  );

  it('a file is refused whole where an address belongs to another user that the platform has sent', async () => {
    const { load, services, writes } = loader();
    await applyMessage({ facts: [{ kind: 'user', version: 1, ...user, id: 70 }] }, services);
    writes.length = 0;
    expect(await load({ companies: [company], users: [{ ...user, email: 'ANA@acme.test' }] })).toEqual({
      status: 'refused',
      problems: ['users.0.email: belongs to another user of the stack'],
    });
    expect(writes).toEqual([]);
  });
});
