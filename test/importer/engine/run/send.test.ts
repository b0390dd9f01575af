/** Batches that are sent and followed, against a service in memory. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import type { Import } from '../../../../bin/importer/wire/types.ts';
import { batchesOf } from '../../../../bin/importer/engine/apply/batches.ts';
import { RecordIdSet } from '../../../../bin/importer/engine/ground/record-ids.ts';
import { asCompleted, type ImportService, type Progress, sendAll } from '../../../../bin/importer/engine/run/send.ts';
import { collected } from '../../command/support/files.ts';
import { countsOf, importOf } from '../../command/support/imports.ts';

async function* entries(count: number) {
  for (let line = 1; line <= count; line += 1) yield [{ record: { external_record_id: `r-${line}` }, row: { line } }];
}

const imported = (import_id: string, status: Import['status'], processed: number): Import =>
  importOf(import_id, { status, counts: countsOf(processed) });

/** Polls twice; has one import of an earlier run. */
const service: ImportService = {
  startImport: async (_, key) => ({
    import: imported(`import-${key}`, 'processing', 0),
    replayed: false,
    retryAfterSeconds: undefined,
  }),
  getImport: async (import_id) => imported(import_id, 'processing', 100),
  async waitForImport(import_id, { onProgress }) {
    for (const processed of [100, 300]) onProgress?.(imported(import_id, 'processing', processed));
    return imported(import_id, 'success', 500);
  },
};

it('the progress of each poll is reported once; that of an earlier run is resumed', async () => {
  const progress: Progress[] = [];
  const ended = sendAll({
    service,
    batches: batchesOf(entries(1000), { file: 'history.csv', position: 0, ids: new RecordIdSet() }),
    dry_run: false,
    run_id: 'spring',
    keyOf: ({ position }) => `key-${position}`,
    parallel: 1,
    accepted: { of: (position) => ['import-a'][position], add: async () => {} },
    onProgress: (each) => void progress.push(each),
  });
  await collected(ended);
  const ofStep = (step: Progress['step'], isResumed: boolean) =>
    progress.filter((each) => each.step === step && each.isResumed === isResumed).map(({ records }) => records);
  expect([ofStep('upload', true), ofStep('upload', false)]).toEqual([[500], [500]]);
  expect(ofStep('process', true)).toEqual([100]);
  expect(ofStep('process', false).toSorted((a, b) => a - b)).toEqual([100, 200, 200, 200, 200]);
});

async function* numbers(count: number): AsyncGenerator<number> {
  for (let n = 0; n < count; n += 1) yield n;
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('asCompleted', () => {
  it('each item has a step, and never more run at a time than allowed', async () => {
    let [running, most] = [0, 0];
    const results = asCompleted(numbers(10), 3, async (n) => {
      most = Math.max(most, (running += 1));
      await turn();
      running -= 1;
      return n;
    });
    expect((await collected(results)).toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(most).toBe(3);
  });

  it('after an error no further step starts, and the error is thrown once the others have ended', async () => {
    const [started, ended]: [number[], number[]] = [[], []];
    const results = asCompleted(numbers(10), 2, async (n) => {
      started.push(n);
      if (n === 0) throw new Error('first');
      await turn();
      ended.push(n);
    });
    await expect(collected(results)).rejects.toThrow('first');
    expect([started, ended]).toEqual([[0, 1], [1]]);
  });

  it('the steps in progress are awaited if the reader stops', async () => {
    let [started, ended] = [0, 0];
    for await (const n of asCompleted(numbers(10), 3, async (n) => {
      started += 1;
      for (let turns = 0; turns < n; turns += 1) await turn();
      ended += 1;
      return n;
    }))
      if (n === 0) break;
    expect(started).toBeGreaterThan(1);
    expect(ended).toBe(started);
  });
});
