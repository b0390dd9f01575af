/** A run that is interrupted and resumed, against a service that keeps its promises. Costs under a second. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type HttpRequest,
  type HttpResponse,
  type Import,
  memoryTokenStore,
  MigrationClient,
  ServiceError,
  ServiceUnreachable,
} from '../../../bin/client/index.ts';
import {
  type ChunkIdentity,
  chunkKey,
  type ImportRun,
  runPass,
  surveyOf,
} from '../../../bin/importer/run/import-run.ts';
import { Journal } from '../../../bin/importer/run/journal.ts';
import { RecordSet } from '../../../bin/importer/records/batches.ts';
import { openRecordFile } from '../../../bin/cli/files/records.ts';
import { PreviewBuilder } from '../../../bin/importer/mapping/preview.ts';
import { type Display, displayOn, OutageNotice } from '../../../bin/cli/progress/display.ts';
import type { Meter } from '../../../bin/cli/progress/meter.ts';
import { fileOf, freshFolder } from '../../cli/support/files.ts';

const LOGIN = { base_url: 'http://x', auth_base_url: 'http://x', company_id: 'acme', email: 'admin@acme.test' };
const ORIGIN = { file: 'history.csv', mapping: null, options: {}, base_url: 'http://x', company_id: 'acme' };
const ROWS = 1700;
const records = Array.from({ length: ROWS }, (_, i) => ({ external_record_id: `r-${i}`, bad: i % 100 === 99 }));

/** Accepts imports by key, as the service does; can be made to fail. */
class FakeService {
  readonly sent: string[] = [];
  readonly #imports = new Map<string, Import>();
  failAfter = Number.POSITIVE_INFINITY;

  readonly transport = async <Body>({ method, url, headers, body }: HttpRequest): Promise<HttpResponse<Body>> => {
    const found =
      method === 'POST'
        ? this.#start(headers?.['idempotency-key'] ?? '', body as { records: typeof records })
        : this.#find(url.split('/').at(-1));
    return { status: 200, body: found as Body, headers: new Headers(), retryAfterSeconds: 0 };
  };

  /** Changes every import, as somebody else might. */
  endEvery(change: Partial<Import>): void {
    for (const [key, each] of this.#imports) this.#imports.set(key, { ...each, ...change });
  }

  forgetEverything(): void {
    this.#imports.clear();
  }

  get imports(): number {
    return this.#imports.size;
  }

  #start(key: string, body: { records: typeof records }): Import {
    if (this.sent.length >= this.failAfter) throw new ServiceUnreachable('gone');
    this.sent.push(key);
    const ended = this.#imports.get(key) ?? processed(`import-${key}`, body.records);
    this.#imports.set(key, ended);
    return { ...ended, status: 'processing', records: [] };
  }

  #find(import_id: string | undefined): Import {
    const found = [...this.#imports.values()].find((each) => each.import_id === import_id);
    if (found === undefined)
      throw new ServiceError(404, { errors: [{ error_code: 'import_not_found', message: 'no' }], request_id: 'r' });
    return found;
  }
}

function processed(import_id: string, sent: typeof records): Import {
  const total = sent.length;
  const failed = sent.filter(({ bad }) => bad).length;
  return {
    import_id,
    company_id: 'acme',
    status: 'partial_success',
    dry_run: false,
    created_at: '2026-01-01T00:00:00.000Z',
    created_by: 1,
    run_id: null,
    completed_at: '2026-01-01T00:00:00.000Z',
    cancelled_at: null,
    reverted_at: null,
    counts: { total, processed: total, succeeded: total - failed, failed, with_warnings: 0 },
    records: sent.map(({ external_record_id, bad }, index) => ({
      index,
      external_record_id,
      status: bad ? 'error' : 'success',
      outcome: bad ? null : 'applied',
      errors: bad ? [{ error_code: 'user_not_found', message: 'nobody' }] : [],
      warnings: [],
      progress: null,
    })),
  };
}

let folder: string;
let service: FakeService;
let shown: string;

beforeEach(() => {
  folder = freshFolder();
  service = new FakeService();
  shown = '';
});

const file = fileOf(records.map((record) => JSON.stringify(record)).join('\n'), 'history.ndjson');

async function run(more: Partial<ImportRun> = {}) {
  const set = new RecordSet([await openRecordFile(file, {})]);
  const client = new MigrationClient({
    baseUrl: LOGIN.base_url,
    company_id: LOGIN.company_id,
    tokens: memoryTokenStore({ access_token: 'token' }),
    transport: service.transport,
    retry: { patienceMs: 0 },
  });
  const display: Display = displayOn({ write: (text: string) => (shown += text) });
  const parts: ImportRun = {
    connection: { client, login: LOGIN },
    set,
    survey: await surveyOf(set),
    preview: new PreviewBuilder(0),
    journal: Journal.open(folder, ['same'], ORIGIN),
    display,
    outage: new OutageNotice(
      (text) => display.note(text),
      () => 0,
    ),
    parallel: 1,
    ...more,
  };
  return runPass(parts, { dry_run: false, id: '1', run_id: 'history' });
}

describe('a run', () => {
  it('sends every row once, 500 at most in an import, and adds up', async () => {
    const { summary, chunks } = await run({ parallel: 3 });
    expect(summary).toMatchObject({
      rows: ROWS,
      applied: ROWS - 17,
      rejected: 17,
      rejected_by_reason: { user_not_found: 17 },
    });
    expect(chunks.map(({ rejected }) => rejected)).toEqual([5, 5, 5, 2]);
    expect(service.sent).toHaveLength(4);
    expect(shown).toBe('upload: 100 %, 1,700 of 1,700\nprocessing: 100 %, 1,700 of 1,700\n');
  });

  it('that was interrupted sends only what was not accepted', async () => {
    service.failAfter = 2;
    await expect(run()).rejects.toBeInstanceOf(ServiceUnreachable);
    service.failAfter = Number.POSITIVE_INFINITY;
    const { summary, sent, resumed } = await run();
    expect({ sent, resumed, rows: summary.rows }).toEqual({ sent: 2, resumed: 2, rows: ROWS });
    expect(new Set(service.sent).size).toBe(4);
  });

  it('that is resumed computes its rate from what it does itself', async () => {
    await run();
    vi.useFakeTimers({ toFake: ['Date'], now: 0 });
    const meters: Meter[] = [];
    const display: Display = {
      show: (shownNow) => void meters.push(...shownNow),
      note: () => {},
      end: () => {},
      clear: () => {},
    };
    await run({ display });
    vi.setSystemTime(10_000);
    expect(meters.map(({ done, rate }) => ({ done, rate }))).toEqual([
      { done: ROWS, rate: 0 },
      { done: ROWS, rate: 0 },
    ]);
    vi.useRealTimers();
  });

  it('without its journal sends the same keys, so the service creates nothing new', async () => {
    await run();
    folder = freshFolder();
    const { summary } = await run();
    expect(service.sent).toHaveLength(8);
    expect(service.imports).toBe(4);
    expect(summary.rows).toBe(ROWS);
  });

  it('whose service lost its data sends everything again', async () => {
    await run();
    service.forgetEverything();
    expect(await run()).toMatchObject({ sent: 4, resumed: 0 });
  });

  it.each([
    ['reverted_at', 'Run history was reverted'],
    ['cancelled_at', 'Run history was cancelled'],
  ] as const)('that somebody has taken back (%s) is not shown as imported', async (member, sentence) => {
    await run();
    service.endEvery({ [member]: '2026-01-02T00:00:00.000Z', run_id: 'history' });
    await expect(run()).rejects.toThrow(sentence);
    await expect(run()).rejects.toThrow('use --attempt 2');
  });

  it('stops if the file has changed since the survey', async () => {
    const { digests, ...survey } = await surveyOf(new RecordSet([await openRecordFile(file, {})]));
    await expect(run({ survey: { ...survey, digests: ['other', ...digests.slice(1)] } })).rejects.toThrow(
      'has changed',
    );
    expect(service.sent).toEqual([]);
  });
});

describe('the key of a chunk', () => {
  const identity: ChunkIdentity = {
    company_id: 'acme',
    run: '1',
    run_id: 'history',
    dry_run: false,
    file: 'f',
    mapping: 'm',
    index: 0,
    digest: 'd',
  };

  it('is the same for the same, and fits the header', () => {
    expect(chunkKey({ ...identity })).toBe(chunkKey(identity));
    expect(chunkKey(identity)).toMatch(/^[\x21-\x7e]{1,255}$/);
  });

  it.each<Partial<ChunkIdentity>>([
    { company_id: 'other' },
    { run: '2' },
    { run_id: 'other' },
    { dry_run: true },
    { file: 'g' },
    { mapping: 'n' },
    { index: 1 },
    { digest: 'e' },
  ])('is another for %o', (change) => {
    expect(chunkKey({ ...identity, ...change })).not.toBe(chunkKey(identity));
  });
});
