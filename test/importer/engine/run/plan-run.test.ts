/** Dry runs of a run, their plan, and its application, over the whole service in memory. Costs a second. */
import { beforeEach, describe, expect, it } from 'vitest';
import { PreviewBuilder } from '../../../../bin/importer/engine/run/preview.ts';
import { type DryRuns, type ImportRun, sendDryRuns } from '../../../../bin/importer/engine/run/import-run.ts';
import { Journal } from '../../../../bin/importer/engine/run/journal.ts';
import { applyPlan, followPlan, planOf, resultsOf, TakenBack } from '../../../../bin/importer/engine/run/plan-run.ts';
import type { Progress } from '../../../../bin/importer/engine/run/send.ts';
import { surveyOf } from '../../../../bin/importer/engine/run/survey.ts';
import { fileOf } from '../../command/support/files.ts';
import { createPlatform, type Platform } from '../../command/support/platform.ts';
import { csvOf, HEADER, memoryStore, recordOf, setOf } from '../../command/support/runs.ts';

let platform: Platform;
let progress: Progress[];

beforeEach(async () => {
  platform = await createPlatform();
  progress = [];
});

async function runOf(file: string, lines: string[] = []): Promise<ImportRun> {
  const set = await setOf(file);
  const preview = new PreviewBuilder(platform.world.clock.now);
  const survey = await surveyOf(set, { preview });
  const journal = await Journal.read(memoryStore(lines));
  return { service: platform.client, company_id: 'acme', set, survey, preview, journal, parallel: 2 };
}

let ids = 0;
const ambient = { newId: () => `id ${(ids += 1)}`, now: () => platform.world.clock.now };
const dryRunsOf = async (run: ImportRun, asked = 'spring'): Promise<DryRuns> => sendDryRuns(run, { ...ambient, asked });

const onProgress = (each: Progress) => void progress.push(each);
const processed = (): number => progress.reduce((sum, { records }) => sum + records, 0);

async function applied(dryRuns: DryRuns) {
  const plan = await planOf(platform.client, dryRuns);
  const ended = await applyPlan(platform.client, plan, onProgress);
  return { ended, outcome: await resultsOf({ service: platform.client, parallel: 2 }, dryRuns, ended) };
}

describe('a plan that is applied', () => {
  it('imports what its dry runs found, in their places, with each record reported once', async () => {
    const run = await runOf(csvOf(1200));
    const dryRuns = await dryRunsOf(run);
    const { ended, outcome } = await applied(dryRuns);
    expect(ended).toMatchObject({ run_id: 'spring', status: 'partial_success', plan: { status: 'applied' } });
    expect(outcome.summary).toEqual(dryRuns.summary);
    expect(outcome.summary).toMatchObject({ rows: 1200, applied: 1080, rejected: 120 });
    expect(outcome.chunks.map(({ rejected }) => rejected)).toEqual([50, 50, 20]);
    const real = await Promise.all(outcome.chunks.map(({ import_id }) => platform.client.getImport(import_id ?? '')));
    expect(real.map(({ dry_run }) => dry_run)).toEqual([false, false, false]);
    expect(real.map(({ planned_by }) => planned_by)).toEqual(dryRuns.chunks.map(({ import_id }) => import_id));
    expect(processed()).toBe(1200);
  });

  it('counts the records that were not sent, and what the service rejects only now', async () => {
    const twice = `r-1,hana.suzuki@acme.test,102,40`;
    const run = await runOf(fileOf([HEADER, twice, twice, 'r-2,ben.castillo@acme.test,102,40'].join('\n')));
    const dryRuns = await dryRunsOf(run);
    await platform.client.startImport({ dry_run: false, records: [{ ...recordOf('r-2') }] });
    const { outcome } = await applied(dryRuns);
    expect(dryRuns.summary.rejected_by_reason).toEqual({ duplicate_external_record_id: 1 });
    expect(outcome.summary).toMatchObject({ rows: 3, applied: 1, rejected: 2 });
    expect(outcome.summary.rejected_by_reason).toEqual({ duplicate_external_record_id: 2 });
    expect(outcome.chunks.map(({ rejected }) => rejected)).toEqual([2]);
  });

  it('leaves earlier imports of the same run out of its progress and its results', async () => {
    const first = await runOf(csvOf(30));
    await applied(await dryRunsOf(first));
    progress = [];
    const second = await runOf(fileOf([HEADER, 'x-1,grace.mensah@acme.test,101,100'].join('\n')));
    const { outcome, ended } = await applied(await dryRunsOf(second));
    expect(outcome.summary).toMatchObject({ rows: 1, applied: 1 });
    expect([processed(), ended.counts.total]).toEqual([1, 31]);
  });

  it('has the results of its own imports, and not those of an earlier application of the same dry runs', async () => {
    const { client } = platform;
    const dryRuns = await dryRunsOf(await runOf(csvOf(1200)));
    const { ended, outcome } = await applied(dryRuns);
    const cancelled_at = new Date(0).toISOString();
    const service: Parameters<typeof resultsOf>[0]['service'] = {
      waitForRun: client.waitForRun,
      getImport: async (id) =>
        id.startsWith('old ') ? { ...(await client.getImport(id.slice(4))), cancelled_at } : client.getImport(id),
      async *imports(query) {
        for await (const each of client.imports(query))
          yield { ...each, import_id: `old ${each.import_id}`, cancelled_at };
        yield* client.imports(query);
      },
    };
    const again = await resultsOf({ service, parallel: 1 }, dryRuns, ended);
    expect(again.summary).toEqual(outcome.summary);
  });

  it('is followed, not applied again, if it is asked for once more', async () => {
    const run = await runOf(csvOf(20));
    const dryRuns = await dryRunsOf(run);
    await applied(dryRuns);
    const plan = await platform.client.getPlan('spring');
    expect((await applyPlan(platform.client, plan)).counts.imports).toBe(1);
    const ended = await followPlan(platform.client, plan);
    const outcome = await resultsOf({ service: platform.client, parallel: 1 }, dryRuns, ended);
    expect(outcome.summary.applied).toBe(18);
  });

  it('says that imports are missing from the list of its run', async () => {
    const dryRuns = await dryRunsOf(await runOf(csvOf(1200)));
    const { ended } = await applied(dryRuns);
    const service: Parameters<typeof resultsOf>[0]['service'] = {
      waitForRun: async () => ended,
      getImport: platform.client.getImport,
      async *imports(query) {
        for await (const each of platform.client.imports(query)) {
          yield each;
          return;
        }
      },
    };
    const said = { code: 'run_imports_missing', params: { run_id: 'spring', missing: 2 } };
    await expect(resultsOf({ service, parallel: 2 }, dryRuns, ended)).rejects.toMatchObject({ said });
  });

  it('has no results to show once it was taken back', async () => {
    const run = await runOf(csvOf(20));
    const dryRuns = await dryRunsOf(run);
    const { ended } = await applied(dryRuns);
    await platform.client.revertRun('spring', { dry_run: false });
    await platform.client.waitForRunRevert('spring');
    const reading = resultsOf({ service: platform.client, parallel: 1 }, dryRuns, ended);
    await expect(reading).rejects.toBeInstanceOf(TakenBack);
  });
});

describe('dry runs', () => {
  it('that were interrupted are resumed: none is sent twice, and their plan is of all of them', async () => {
    const { client } = platform;
    const file = csvOf(1700);
    const lines: string[] = [];
    let sent = 0;
    const broken = await runOf(file, lines);
    const startImport: ImportRun['service']['startImport'] = async (body, key) => {
      if (sent === 2) throw new Error('gone');
      sent += 1;
      return client.startImport(body, key);
    };
    const service = {
      ...broken.service,
      startImport,
      getImport: client.getImport,
      waitForImport: client.waitForImport,
    };
    await expect(sendDryRuns({ ...broken, service, parallel: 1 }, ambient)).rejects.toThrow('gone');
    const resumed = await sendDryRuns(await runOf(file, lines), ambient);
    expect(resumed).toMatchObject({ sent: 2, resumed: 2, summary: { rows: 1700 } });
    expect(await planOf(client, resumed)).toMatchObject({ counts: { imports: 4, total: 1700 }, status: 'waiting' });
  });

  it('of the same files stay in one run until it is imported, unless another is asked for', async () => {
    const lines: string[] = [];
    const file = csvOf(3);
    const sent = async (asked?: string) => (await sendDryRuns(await runOf(file, lines), { ...ambient, asked })).run_id;
    const [first, second] = [await sent(), await sent()];
    expect(first).toMatch(/^history-[0-9a-f]{8}$/);
    expect(second).toBe(first);
    expect(await sent('autumn')).toBe('autumn');
    expect(await sent()).toBe('autumn');
  });
});
