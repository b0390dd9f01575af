/** Loading of a data file into a table in memory. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { loadData } from '../../functions/platform/load-data.ts';
import { createWorld } from '../kit/world.ts';

const company = { company_id: 'acme', name: 'Acme', migrations_enabled: true };
const user = {
  id: 7,
  company_id: 'acme',
  email: 'Ana@acme.test',
  password: 'changeme',
  name: 'Ana',
  role: 'customer',
  avatar: 'https://acme.test/a.png',
  license: 'active',
};
const course = { company_id: 'acme', platform_course_id: 101, title: 'One', has_exam: true, classes: [] };
const row = { company_id: 'acme', email: 'ana@ACME.test', platform_course_id: 101, completion_pct: 40 };

function loader() {
  const { stores, table } = createWorld();
  const writes: string[] = [];
  table.onWrite = ({ pk }) => void writes.push(pk);
  const hashed: string[] = [];
  let atWork = 0;
  let mostAtWork = 0;
  const passwords = {
    async hash(password: string) {
      hashed.push(password);
      mostAtWork = Math.max(mostAtWork, ++atWork);
      await new Promise(setImmediate);
      atWork -= 1;
      return `hash of ${password}`;
    },
  };
  const services = { stores, passwords, random: { hex: (bytes: number) => 'ab'.repeat(bytes) } };
  const load = (value: unknown) =>
    loadData(Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)), services);
  const stored = {
    user: async (email: string) => (await stores.directory.users('acme', [email], true)).get(email),
    company: async (id: string) => (await stores.platform.companies([id])).get(id),
    course: async (id: number) => (await stores.directory.courses('acme', [id], true)).get(id),
    native: async (user_id: number, platform_course_id: number) =>
      [...(await stores.progress.courseHistories('acme', [{ user_id, platform_course_id }])).values()][0]?.native,
  };
  return { stored, writes, hashed, load, services, mostAtWork: () => mostAtWork };
}

describe('loading a data file', () => {
  it('writes what it names, with hashed passwords and a fresh cursor key', async () => {
    const { stored, load } = loader();
    expect(await load({ companies: [company], users: [user], courses: [course], progress: [row] })).toEqual({
      status: 'loaded',
      counts: { companies: 1, users: 1, courses: 1, progress: 1 },
    });
    const { id, password, ...rest } = user;
    expect(await stored.user('ana@acme.test')).toEqual({ ...rest, user_id: id, password_hash: `hash of ${password}` });
    expect(Buffer.from((await stored.company('acme'))?.cursor_key ?? '', 'base64url')).toHaveLength(32);
    expect(await stored.course(101)).toEqual({
      platform_course_id: 101,
      title: 'One',
      has_exam: true,
      classes: [],
    });
    expect(await stored.native(7, 101)).toEqual({
      completion_pct: 40,
      classes: [],
      approved_course: 0,
      certified_at: null,
      started_at: null,
      last_activity_at: null,
      completed_at: null,
    });
  });

  it('leaves a user without a password unable to log in', async () => {
    const { stored, load } = loader();
    const { password: _, ...without } = user;
    await load({ companies: [company], users: [without] });
    expect(await stored.user('ana@acme.test')).not.toHaveProperty('password_hash');
  });

  it('hashes a shared password once, and few at a time', async () => {
    const { load, hashed, mostAtWork } = loader();
    const users = Array.from({ length: 300 }, (_, i) => ({
      ...user,
      id: i,
      email: `u${i}@acme.test`,
      password: `password ${i % 20}`,
    }));
    await load({ companies: [company], users });
    expect(hashed).toHaveLength(20);
    expect(mostAtWork()).toBe(4);
  });

  it('skips a file that was loaded before, and only that one', async () => {
    const { writes, load } = loader();
    await load({ companies: [company] });
    writes.length = 0;
    expect(await load({ companies: [company] })).toEqual({ status: 'already_loaded' });
    expect(writes).toEqual([]);
    expect(await load({ companies: [{ ...company, name: 'Acme Ltd' }] })).toMatchObject({ status: 'loaded' });
  });

  it('marks a file only once everything is written, so that the next run repairs a crash', async () => {
    const { stored, load, services } = loader();
    const { platform } = services.stores;
    const killed = { ...platform, putCompanies: () => Promise.reject(new Error('killed')) };
    Object.assign(services.stores, { platform: killed });
    await expect(load({ companies: [company], users: [user] })).rejects.toThrow('killed');
    Object.assign(services.stores, { platform });
    expect(await load({ companies: [company], users: [user] })).toMatchObject({ status: 'loaded' });
    expect(await stored.company('acme')).toBeDefined();
  });

  it('may refer to what is stored already', async () => {
    const { stored, load } = loader();
    await load({ companies: [company], users: [user], courses: [course] });
    expect(await load({ progress: [row] })).toMatchObject({ status: 'loaded' });
    expect(await stored.native(7, 101)).toMatchObject({ completion_pct: 40 });
  });
});

/** The path of every problem; nothing may have been written. */
async function refusal(value: unknown, before?: unknown) {
  const { writes, load } = loader();
  if (before !== undefined) await load(before);
  writes.length = 0;
  const outcome = await load(value);
  expect(writes).toEqual([]);
  return outcome.status === 'refused'
    ? outcome.problems.map((problem) => problem.slice(0, problem.indexOf(':')))
    : outcome;
}

describe('a file is refused whole', () => {
  it.each(['', '{', '[', '{"companies": [}', '\ufeff{'])('where it is no JSON: %j', async (text) => {
    expect(await refusal(text)).toEqual(['the file']);
  });

  it('where a row has a problem, and names each reference to something that does not exist as well', async () => {
    expect(
      await refusal({
        companies: [{ ...company, name: 1 }],
        users: [user],
        progress: [{ ...row, completion_pct: 400 }],
      }),
    ).toEqual(['companies.0.name', 'progress.0.completion_pct', 'progress.0.platform_course_id']);
  });

  it('where the company, the user or the course of a row is nowhere', async () => {
    expect(await refusal({ users: [user], courses: [course], progress: [{ ...row, email: 'bo@acme.test' }] })).toEqual([
      'users.0.company_id',
      'courses.0.company_id',
      'progress.0.company_id',
      'progress.0.email',
    ]);
  });

  it('where the user of a progress row belongs to another company', async () => {
    const other = { ...company, company_id: 'other' };
    expect(
      await refusal(
        { progress: [{ ...row, company_id: 'other' }] },
        { companies: [company, other], users: [user], courses: [course] },
      ),
    ).toEqual(['progress.0.email', 'progress.0.platform_course_id']);
  });

  it('where an address belongs to another company of the stack', async () => {
    const other = { ...company, company_id: 'other' };
    const moved = { ...user, company_id: 'other', email: 'ANA@acme.test' };
    expect(await refusal({ users: [moved] }, { companies: [company, other], users: [user] })).toEqual([
      'users.0.email',
    ]);
  });
});
