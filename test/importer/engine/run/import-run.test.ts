/** Dry runs that are interrupted and resumed, against a service that keeps its promises. Costs under a second. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type Import, ServiceError, ServiceUnreachable } from '../../../../bin/importer/client/index.ts';
import { displayOn, Meter, outageNotice, whileMetered } from '../../../../bin/importer/command/progress.ts';
import { PreviewBuilder } from '../../../../bin/importer/engine/run/preview.ts';
import { type ImportRun, NO_JOURNAL, runPass, sendDryRuns } from '../../../../bin/importer/engine/run/import-run.ts';
import { Journal } from '../../../../bin/importer/engine/run/journal.ts';
import type { ImportService, OnProgress } from '../../../../bin/importer/engine/run/send.ts';
import { surveyOf } from '../../../../bin/importer/engine/run/survey.ts';
import { fileOf } from '../../command/support/files.ts';
import { countsOf, importOf, resultOf } from '../../command/support/imports.ts';
import { memoryStore, setOf } from '../../command/support/runs.ts';

const ROWS = 1700;
const records = Array.from({ length: ROWS }, (_, i) => ({ external_record_id: `r-${i}`, bad: i % 100 === 99 }));

/** Accepts imports by key, as the service does; can be made to fail. */
class FakeService implements ImportService {
  readonly sent: string[] = [];
  readonly #imports = new Map<string, Import>();
  failAfter = Number.POSITIVE_INFINITY;

  async startImport({ records: given }: { readonly records: readonly unknown[] }, key: string) {
    if (this.sent.length >= this.failAfter) throw new ServiceUnreachable('gone');
    this.sent.push(key);
    const ended = this.#imports.get(key) ?? processed(`import-${key}`, given as typeof records);
    this.#imports.set(key, ended);
    return { import: ended, replayed: false, retryAfterSeconds: undefined };
  }

  async getImport(import_id: string): Promise<Import> {
    const found = [...this.#imports.values()].find((each) => each.import_id === import_id);
    if (found === undefined)
      throw new ServiceError(404, { errors: [{ error_code: 'import_not_found', message: 'no' }], request_id: 'r' });
    return found;
  }

  waitForImport(import_id: string): Promise<Import> {
    return this.getImport(import_id);
  }

  forgetEverything(): void {
    this.#imports.clear();
  }

  get imports(): number {
    return this.#imports.size;
  }
}

const processed = (import_id: string, sent: typeof records): Import =>
  importOf(import_id, {
    status: 'validated',
    dry_run: true,
    counts: countsOf(sent.length, sent.filter(({ bad }) => bad).length),
    records: sent.map(({ external_record_id, bad }, index) =>
      resultOf(index, external_record_id, bad ? { error_code: 'user_not_found', message: 'nobody' } : undefined),
    ),
  });

let service: FakeService;
let journal: string[];

beforeEach(() => {
  service = new FakeService();
  journal = [];
});

const file = fileOf(records.map((record) => JSON.stringify(record)).join('\n'), 'history.ndjson');
const openSet = () => setOf(file);

async function runOf(more: Partial<ImportRun> = {}): Promise<ImportRun> {
  const set = await openSet();
  return {
    service,
    company_id: 'acme',
    set,
    survey: await surveyOf(set),
    preview: new PreviewBuilder(0),
    journal: await Journal.read(memoryStore(journal)),
    parallel: 1,
    ...more,
  };
}

const run = async (more: Partial<ImportRun> = {}, onProgress?: OnProgress) =>
  runPass(await runOf(more), { attempt: '1', run_id: 'history' }, onProgress);

describe('runPass', () => {
  it('a run sends every row once, 500 at most in an import, and adds up the results', async () => {
    const { summary, chunks } = await run({ parallel: 3 });
    expect(summary).toMatchObject({
      rows: ROWS,
      applied: ROWS - 17,
      rejected: 17,
      rejected_by_reason: { user_not_found: 17 },
    });
    expect(chunks.map(({ rejected }) => rejected)).toEqual([5, 5, 5, 2]);
    expect(service.sent).toHaveLength(4);
  });

  it('a run that was interrupted sends only the records that were not accepted', async () => {
    service.failAfter = 2;
    await expect(run()).rejects.toBeInstanceOf(ServiceUnreachable);
    service.failAfter = Number.POSITIVE_INFINITY;
    const { summary, sent, resumed } = await run();
    expect({ sent, resumed, rows: summary.rows }).toEqual({ sent: 2, resumed: 2, rows: ROWS });
    expect(new Set(service.sent).size).toBe(4);
  });

  it('a resumed run computes its rate from its own records', async () => {
    await run();
    vi.useFakeTimers({ toFake: ['Date'], now: 0 });
    const meter = (name: string): Meter => new Meter(name, ROWS, Date.now);
    const meters = { upload: meter('upload'), process: meter('processing') };
    const display = displayOn({ write: () => true });
    const outage = outageNotice(() => {}, Date.now);
    await whileMetered({ display, outage }, meters, (onProgress) => run({}, onProgress));
    vi.setSystemTime(10_000);
    for (const { done, rate } of Object.values(meters)) expect({ done, rate }).toEqual({ done: ROWS, rate: 0 });
    vi.useRealTimers();
  });

  it('a run without its journal sends the same keys, so the service creates nothing new', async () => {
    await run();
    journal = [];
    const { summary } = await run();
    expect(service.sent).toHaveLength(8);
    expect(service.imports).toBe(4);
    expect(summary.rows).toBe(ROWS);
  });

  it('a run sends everything again if the service lost its data', async () => {
    await run();
    service.forgetEverything();
    expect(await run()).toMatchObject({ sent: 4, resumed: 0 });
  });

  it('a run stops if the file has changed since the survey', async () => {
    const { digests, ...survey } = await surveyOf(await openSet());
    await expect(run({ survey: { ...survey, digests: ['other', ...digests.slice(1)] } })).rejects.toThrow(
      'file_changed_meanwhile',
    );
    expect(service.sent).toEqual([]);
  });
});

describe('sendDryRuns', () => {
  let ids = 0;
  const ambient = { newId: () => `attempt ${(ids += 1)}`, now: () => 0 };
  const sent = async (asked?: string) => sendDryRuns(await runOf(), { ...ambient, asked });

  it('a run is named after the file, unless it is asked for by a name', async () => {
    expect((await sent()).run_id).toMatch(/^history-[0-9a-f]{8}$/);
    expect((await sent('spring')).run_id).toBe('spring');
  });

  it.each([
    ['with a journal', {}],
    ['without one', { journal: NO_JOURNAL }],
  ])('%s, each asks the archive to keep if the run does', async (_name, more) => {
    const start = vi.spyOn(service, 'startImport');
    const asked = { ...ambient, asked: 'spring', archive: true };
    expect(await sendDryRuns(await runOf(more), asked)).toMatchObject({ archive: true });
    expect(new Set(start.mock.calls.map(([body]) => (body as { archive?: boolean }).archive))).toEqual(new Set([true]));
  });

  it('once they have all ended, the same records are sent again under other keys, as parts of the same run', async () => {
    const [first, second] = [await sent(), await sent()];
    expect(new Set(service.sent).size).toBe(8);
    expect(second.run_id).toBe(first.run_id);
  });

  it('those that were interrupted are resumed under their keys', async () => {
    service.failAfter = 2;
    await expect(sent()).rejects.toBeInstanceOf(ServiceUnreachable);
    service.failAfter = Number.POSITIVE_INFINITY;
    expect(await sent()).toMatchObject({ sent: 2, resumed: 2 });
    expect(new Set(service.sent).size).toBe(4);
  });
});
