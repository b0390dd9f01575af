/** The results of a run as one list: its order, filters, pages and cost. Costs milliseconds. */
import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, expect, it } from 'vitest';
import { handler as listRunRecords } from '../../functions/handlers/list-run-records.ts';
import { operationRequest } from '../kit/api-event.ts';
import { limitChunks } from '../kit/chunk-limits.ts';
import { COMPANY_ID, RUN, importWorld, record } from '../imports/world.ts';

afterEach(() => limitChunks());

interface Shown {
  readonly import_id: string;
  readonly index: number;
  readonly status: string;
}
interface Body {
  readonly status: string;
  readonly records: readonly Shown[];
  readonly next_cursor: string | null;
}

const bad = (id: string) => record(id, 'nobody@acme.test');
const idOf = (letter: string): string => letter.repeat(26);

/** A run whose imports have these records; a chunk has two. Each item that a request reads is counted. */
async function runWorld(batches: readonly (readonly string[])[]) {
  limitChunks(2);
  let items = 0;
  const world = await importWorld((command) => {
    if (command instanceof BatchGetCommand) items += command.input.RequestItems?.['table']?.Keys?.length ?? 0;
  });
  const start = (letter: string, kinds: readonly string[], request = {}) => {
    world.clock.now += 1;
    const records = kinds.map((kind, at) => (kind === 'bad' ? bad(`${letter}${at}`) : record(`${letter}${at}`)));
    return world.accept(records, { import_id: idOf(letter), run_id: RUN.run_id, ...request });
  };
  for (const [at, kinds] of batches.entries()) await start(String.fromCharCode(122 - at), kinds);
  await start('a', ['good'], { dry_run: true });
  await start('b', ['good'], { run_id: 'other' });
  await world.deliver();
  const page = async (query: Record<string, string>) => {
    const request = operationRequest({ path: { company_id: COMPANY_ID, run_id: RUN.run_id }, query });
    return (await listRunRecords.operation(request, world.services)).body as Body;
  };
  const walk = async (query: Record<string, string>) => {
    const pages: (Body & { readonly read: number })[] = [];
    for (let cursor: string | null | undefined; cursor !== null; cursor = pages.at(-1)?.next_cursor) {
      items = 0;
      const body = await page({ ...query, ...(cursor && { cursor }) });
      pages.push({ ...body, read: items });
    }
    return pages;
  };
  return { ...world, start, page, walk };
}

const BATCHES = [
  ['good', 'bad', 'good', 'good', 'bad'],
  ['good', 'good', 'good'],
  ['bad', 'bad', 'bad'],
  ['good'],
  ['good', 'good', 'good', 'good', 'good', 'good', 'bad'],
];
const EXPECTED = BATCHES.flatMap((kinds, at) =>
  kinds.map((kind, index) => ({
    import_id: idOf(String.fromCharCode(122 - at)),
    index,
    status: kind === 'bad' ? 'error' : 'success',
  })),
);

it('pages of any size show the results of all real imports, in the order of acceptance and place', async () => {
  const { walk } = await runWorld(BATCHES);
  for (const status of [undefined, 'success', 'error', 'pending']) {
    const expected = EXPECTED.filter((each) => status === undefined || each.status === status);
    for (const limit of [1, 2, 3, 7, 500]) {
      const pages = await walk({ limit: String(limit), ...(status && { status }) });
      for (const { records } of pages.slice(0, -1)) expect(records).toHaveLength(limit);
      const shown = pages.flatMap(({ records }) => records);
      expect(shown.map(({ import_id, index, status: each }) => ({ import_id, index, status: each }))).toEqual(expected);
      // Of each import that is shown, its item; beside it, the chunks that hold the page and the record after it.
      for (const { records, read } of pages) {
        const imports = new Set(records.map(({ import_id }) => import_id)).size;
        expect(read).toBeLessThanOrEqual(imports + 2 + records.length + 2);
      }
    }
  }
});

it('a run that grows, and chunks that end, move no result that was shown', async () => {
  const world = await runWorld(BATCHES);
  const first = await world.page({ limit: '6' });
  await world.start('c', ['good', 'bad', 'good']);
  const rest: Shown[] = [];
  for (let cursor = first.next_cursor; cursor !== null;) {
    const body = await world.page({ limit: '6', cursor });
    rest.push(...body.records);
    cursor = body.next_cursor;
    expect(body.status).toBe(first.status);
    await world.deliver();
  }
  const shown = [...first.records, ...rest].map(({ import_id, index }) => [import_id, index]);
  const grown = [0, 1, 2].map((index) => ({ import_id: idOf('c'), index }));
  expect(shown).toEqual([...EXPECTED, ...grown].map(({ import_id, index }) => [import_id, index]));
  expect((await world.page({ status: 'pending' })).records).toEqual([]);
});

it('results of an import that have expired are left out, and the page says so', async () => {
  const world = await runWorld([['good']]);
  Object.assign(world.services, { retentionDays: 30 });
  await world.start('c', ['good']);
  await world.deliver();
  world.clock.now += 31 * 24 * 60 * 60 * 1000;
  const body = await world.page({ include: 'record' });
  expect(body).toMatchObject({ run_id: RUN.run_id, report_expired: true, records: [{ record: record('z0') }] });
});

it('where each import has few results, a page is short, and the next one goes on', async () => {
  const world = await runWorld([]);
  for (let at = 0; at < 120; at += 1)
    await world.start('', ['good'], { import_id: String(at).padStart(26, '0'), records: [record(`r${at}`)] });
  await world.deliver();
  const pages = await world.walk({});
  expect(pages.map(({ records }) => records.length)).toEqual([100, 20]);
});
