/**
 * This release reads the items of every release, and its own items have the shapes of its format. Costs a second.
 * `npm run freeze` stores the shapes and items of this release; they may be overwritten until it is published.
 */
import { describe, expect, it } from 'vitest';
import { FORMATS } from '../../functions/dynamodb/encoding.ts';
import packageFile from '../../package.json' with { type: 'json' };
import { createPlatform } from '../importer/command/support/platform.ts';
import { cases } from '../kit/at-length.ts';
import { createWorld } from '../kit/world.ts';
import { bodyOf } from '../../functions/jobs/work.ts';
import type { Services } from '../kit/services.ts';
import * as thisBuild from '../simulation/build.ts';
import type { Build } from '../simulation/services.ts';
import { CONTEXT, operationRequest, withBody } from '../kit/api-event.ts';
import { delivery } from '../kit/sqs-event.ts';
import { formerBuild, writeBuild } from './builds.ts';
import { fillTable, folderOf, freeze, releases, shapesOf, thaw } from './frozen.ts';
import { answers, emptyPlatform, fill, RECORDS, reverted, RUN, SAMPLE, undelivered } from './scenario.ts';

const HOUR = 3_600_000;

async function filled() {
  const platform = await emptyPlatform();
  await fill(platform);
  const { world } = platform;
  const items = [...world.table.items()];
  const messages = world.messages.map((message) => JSON.parse(bodyOf(message)) as object);
  return { formats: FORMATS, nowMs: world.clock.now, items, messages, answers: await answers(platform) };
}

async function inherited(version: string) {
  const { items, messages, nowMs } = thaw(version);
  const world = createWorld();
  fillTable(world.table, items);
  world.clock.now = nowMs + HOUR;
  world.messages.push(...(messages as typeof world.messages));
  return undelivered(world, () => createPlatform(SAMPLE, world));
}

if (process.env['FREEZE'] !== undefined) {
  const { version } = packageFile;
  freeze(version, await filled());
  await writeBuild(`${folderOf(version)}/build.js`);
}

describe('this release', () => {
  it('items have the shapes of the last release that writes the same format; another shape needs another format', async () => {
    const latest = releases().at(-1) ?? '';
    const former = thaw(latest);
    const { items } = await filled();
    if (former.formats.written !== FORMATS.written) return;
    const [now, then] = [shapesOf(items), shapesOf(former.items)];
    const without = (some: string[], others: string[]) => some.filter((each) => !others.includes(each));
    expect({ added: without(now, then), gone: without(then, now) }).toEqual({ added: [], gone: [] });
  });

  it('the previous release reads the format that this release writes', () => {
    for (const version of releases().slice(-2)) expect(thaw(version).formats.read).toContain(FORMATS.written);
  });
});

it('the previous release reads all imports of this release, repeats a record and ends its own import', async () => {
  const { client, world } = await emptyPlatform();
  const former = await formerBuild(releases().at(-1) ?? '');
  const stores = former.everyStore({ client: world.client, table: 'table', nowMs: world.clock.nowMs });
  const rolledBack = { ...world.services, stores };
  const send = (build: Build, services: Services, at: number, key: string) => {
    const records = [{ ...RECORDS[2], external_record_id: `n-${at}` }];
    return build.startImport(operationRequest({ attemptId: key, ...withBody({ dry_run: false, records }) }), services);
  };
  for (let at = 0; at < cases(1_000, 20); at += 1) await send(thisBuild, world.services, at, `a-${at}`);
  await world.deliver();
  const ask = async (import_id: string) => {
    const [item] = await stores.imports.readAll('acme', [import_id]);
    if (item === undefined) throw new Error(`There is no import ${import_id}.`);
    const request = operationRequest({ path: { company_id: 'acme', import_id }, import: item });
    return (await former.getImport(request, rolledBack)).body;
  };
  for (const { import_id } of (await client.listImports({ limit: 100 })).imports)
    expect(await ask(import_id)).toEqual(await client.getImport(import_id));
  const { import_id } = (await send(former, rolledBack, 7, 'again')).body as { import_id: string };
  await former.processChunks(delivery(world.messages.splice(0)), CONTEXT, rolledBack);
  expect(await ask(import_id)).toMatchObject({ status: 'success', records: [{ outcome: 'unchanged' }] });
});

describe.each(releases())('the table of release %s', (version) => {
  it('every read returns what it returned on that release', async () => {
    expect(await answers(await inherited(version))).toEqual(thaw(version).answers);
  });

  it('this release ends the import that was processing', async () => {
    const { client, world } = await inherited(version);
    const open = async () => (await client.listImports({ status: 'processing' })).imports;
    const [one] = await undelivered(world, open);
    expect(await world.deliver()).toEqual([]);
    expect((await client.getImport(one?.import_id ?? '')).status).toBe('success');
    expect(await open()).toEqual([]);
  });

  it('records that are imported again are unchanged, and their run can be reverted', async () => {
    const { client, world } = await inherited(version);
    const { import: again } = await client.startImport({ dry_run: false, records: RECORDS }, 'later');
    const { records } = await client.getImport(again.import_id);
    expect(records.map(({ outcome }) => outcome)).toEqual(['unchanged', null, 'unchanged', 'unchanged', null]);
    await reverted(world, () => client.revertRun(RUN, { dry_run: false }));
    const runs = await client.listImports({ run_id: RUN });
    expect(runs.imports.filter(({ reverted_at }) => reverted_at === null)).toEqual([]);
  });
});
