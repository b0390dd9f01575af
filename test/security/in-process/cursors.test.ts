/** List cursors: none opens another list, company or filter. Costs seconds. */
import { beforeAll, expect, it } from 'vitest';
import { importedRecord } from '../matrix/ask.ts';
import { ADMIN_OF_OTHER, ADMIN_OF_OWN } from '../matrix/token-class.ts';
import { type Identity, signed, sessionDraft } from '../support/forge.ts';
import { routeOf } from '../support/target.ts';
import { createService, type Service } from '../support/world.ts';

const GONE = 'gone@acme.test';

interface List {
  readonly name: string;
  readonly query: Readonly<Record<string, string>>;
}

const LISTS: readonly List[] = [
  { name: 'list-courses', query: {} },
  { name: 'list-user-mappings', query: {} },
  { name: 'list-course-mappings', query: {} },
  { name: 'list-imports', query: {} },
  { name: 'list-imports', query: { status: 'success' } },
  { name: 'list-import-records', query: {} },
  { name: 'list-import-records', query: { status: 'success' } },
  { name: 'list-import-records', query: { include: 'record' } },
  { name: 'list-run-records', query: {} },
  { name: 'list-run-records', query: { status: 'success' } },
  { name: 'list-archive', query: {} },
  { name: 'list-archive', query: { email: GONE } },
];

let world: Service;
let import_id: string;
const tokens = new Map<string, string>();

beforeAll(async () => {
  world = await createService();
  for (const who of [ADMIN_OF_OWN, ADMIN_OF_OTHER])
    tokens.set(who.company_id, await signed(await sessionDraft(world, who, 'access'), world.signer));
  for (let started = 0; started < 3; started += 1) {
    ({ import_id } = await importedRecord(world));
    await world.deliver();
  }
  await post('start-import', {
    dry_run: false,
    archive: true,
    records: [1, 2].map((at) => ({ ...record(`gone-${at}`), user: { email: GONE } })),
  });
  await post('start-import', {
    dry_run: false,
    run_id: 'run',
    records: [4, 5, 6].map((at) => record(`c-${at}`)),
  });
  await post('register-user-mappings', {
    mappings: [1, 2, 3].map((external_user_id) => ({ external_user_id, email: EMAIL })),
  });
  await post('register-course-mappings', {
    mappings: [1, 2, 3].map((external_course_id) => ({ external_course_id, platform_course_id: 101 })),
  });
});

const EMAIL = 'ben.castillo@acme.test';
const record = (external_record_id: string) => ({
  external_record_id,
  user: { email: EMAIL },
  content: { type: 'course', platform_course_id: 101 },
  progress: { completion_pct: 10 },
});

async function post(name: string, body: object): Promise<void> {
  const headers = { authorization: `Bearer ${tokens.get('acme')}`, 'content-type': 'application/json' };
  const { text } = await world.send({
    route: routeOf(name),
    path: { company_id: 'acme' },
    headers,
    body: JSON.stringify(body),
  });
  await world.deliver();
  if (name === 'start-import') ({ import_id } = JSON.parse(text) as { import_id: string });
}

function page({ name, query }: List, more: Record<string, string>, { company_id }: Identity = ADMIN_OF_OWN) {
  const headers = { authorization: `Bearer ${tokens.get(company_id)}` };
  return world.send({
    route: routeOf(name),
    path: { company_id, import_id, run_id: 'run' },
    headers,
    query: { ...query, ...more },
  });
}

async function cursorOf(list: List): Promise<string> {
  const { text } = await page(list, { limit: '1' });
  const { next_cursor } = JSON.parse(text) as { next_cursor: string | null };
  if (next_cursor === null) throw new Error(`${list.name} has one page only`);
  return next_cursor;
}

it('a cursor opens its own list only: no other list, filter or company', async () => {
  for (const [from, own] of LISTS.entries()) {
    const cursor = await cursorOf(own);
    for (const [to, list] of LISTS.entries()) {
      expect((await page(list, { cursor })).status, `${own.name} in ${list.name}`).toBe(from === to ? 200 : 400);
    }
    const elsewhere = await page(own, { cursor }, ADMIN_OF_OTHER);
    expect(elsewhere.status).toBe(400);
  }
});
