/**
 * What every release stored is read by this one, and what this one stores has the shapes of its format. Costs a second.
 * `npm run freeze` writes down this release; until it is published, it may be written again.
 */
import { describe, expect, it } from 'vitest';
import { FORMATS } from '../../functions/dynamodb/encoding.ts';
import packageFile from '../../package.json' with { type: 'json' };
import { createPlatform } from '../cli/support/platform.ts';
import { createWorld } from '../kit/world.ts';
import { writeBuild } from './builds.ts';
import { fillTable, folderOf, freeze, releases, shapesOf, thaw } from './frozen.ts';
import { answers, emptyPlatform, fill, RECORDS, reverted, RUN, SAMPLE } from './scenario.ts';

const HOUR = 3_600_000;

async function filled() {
  const platform = await emptyPlatform();
  await fill(platform);
  const { world } = platform;
  const items = [...world.table.items()];
  const messages = world.messages.map((message) => ({ ...message }));
  return { formats: FORMATS, nowMs: world.clock.now, items, messages, answers: await answers(platform) };
}

/** A platform on the table that a release left behind. */
async function inherited(version: string) {
  const { items, messages, nowMs } = thaw(version);
  const world = createWorld();
  fillTable(world.table, items);
  world.clock.now = nowMs + HOUR;
  world.messages.push(...(messages as typeof world.messages));
  const { deliver } = world;
  world.deliver = async () => [];
  const platform = await createPlatform(SAMPLE, world);
  return { ...platform, deliver: () => deliver.call(world), resume: () => void (world.deliver = deliver) };
}

if (process.env['FREEZE'] !== undefined) {
  const { version } = packageFile;
  freeze(version, await filled());
  await writeBuild(`${folderOf(version)}/build.js`);
}

describe('what this release stores', () => {
  it('has the shapes of the last release that writes its format; another shape is another format', async () => {
    const latest = releases().at(-1) ?? '';
    const former = thaw(latest);
    const { items } = await filled();
    if (former.formats.written !== FORMATS.written) return;
    expect(shapesOf(items)).toEqual(shapesOf(former.items));
  });

  it('was readable to the release before', () => {
    for (const version of releases().slice(-2)) expect(thaw(version).formats.read).toContain(FORMATS.written);
  });
});

describe.each(releases())('what release %s stored', (version) => {
  it('reads as it did then', async () => {
    expect(await answers(await inherited(version))).toEqual(thaw(version).answers);
  });

  it('is brought to its end', async () => {
    const platform = await inherited(version);
    const open = async () => (await platform.client.listImports({ status: 'processing' })).imports;
    expect(await open()).toHaveLength(1);
    const [one] = await open();
    expect(await platform.deliver()).toEqual([]);
    expect((await platform.client.getImport(one?.import_id ?? '')).status).toBe('success');
    expect(await open()).toEqual([]);
  });

  it('is the same where it is imported again, and can be taken back', async () => {
    const { client, world, resume } = await inherited(version);
    resume();
    const { import: again } = await client.startImport({ dry_run: false, records: RECORDS }, 'later');
    const { records } = await client.getImport(again.import_id);
    expect(records.map(({ outcome }) => outcome)).toEqual(['unchanged', null, 'updated', 'unchanged', null]);
    await reverted(world, () => client.revertRun(RUN, { dry_run: false }));
    const runs = await client.listImports({ run_id: RUN });
    expect(runs.imports.map(({ reverted_at }) => typeof reverted_at)).toEqual(['string', 'string', 'string']);
  });
});
