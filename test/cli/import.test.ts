/** A run that is broken off and taken up again, against a service that keeps its promises. Costs milliseconds. */
import { readFileSync, writeFileSync, appendFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Import, ServiceError, ServiceUnreachable, type WaitOptions } from '../../bin/client/index.ts';
import { chunkKey, type ChunkIdentity } from '../../bin/cli/import/chunk-key.ts';
import { csvLine } from '../../bin/cli/import/csv-text.ts';
import { Journal, originOf } from '../../bin/cli/import/journal.ts';
import { openReading } from '../../bin/cli/import/open-reading.ts';
import { RejectedFile } from '../../bin/cli/import/rejected-file.ts';
import { rejectedLines } from '../../bin/cli/import/rejected-rows.ts';
import { type ChunkRun, type RunOutcome, runChunks } from '../../bin/cli/import/run-chunks.ts';
import { survey } from '../../bin/cli/import/survey.ts';
import { collected, fileOf, freshFolder } from './support/files.ts';

const ORIGIN = { file: 'history.csv', mapping: null, options: {}, base_url: 'http://x', company_id: 'acme' };
const ROWS = 1700;
const records = Array.from({ length: ROWS }, (_, i) => ({ external_record_id: `r-${i}`, bad: i % 100 === 99 }));

/** Accepts imports by key, as the service does; can be told to fail. */
class FakeService {
  readonly sent: string[] = [];
  readonly #imports = new Map<string, Import>();
  failAfter = Number.POSITIVE_INFINITY;

  async startImport(body: { dry_run: boolean; records: readonly unknown[] }, key = '') {
    if (this.sent.length >= this.failAfter) throw new ServiceUnreachable('gone');
    this.sent.push(key);
    const replayed = this.#imports.has(key);
    const ended = this.#imports.get(key) ?? this.#judge(key, body.records as typeof records);
    this.#imports.set(key, ended);
    return { import: { ...ended, status: 'processing' as const, records: [] }, replayed, retryAfterSeconds: 0 };
  }

  async getImport(import_id: string): Promise<Import> {
    const found = [...this.#imports.values()].find((each) => each.import_id === import_id);
    if (found === undefined)
      throw new ServiceError(404, { errors: [{ error_code: 'import_not_found', message: 'no' }], request_id: 'r' });
    return found;
  }

  async waitForImport(import_id: string, { onProgress }: WaitOptions = {}): Promise<Import> {
    const ended = await this.getImport(import_id);
    onProgress?.(ended);
    return ended;
  }

  forgetEverything(): void {
    this.#imports.clear();
  }

  get imports(): number {
    return this.#imports.size;
  }

  #judge(key: string, sent: typeof records): Import {
    const failed = sent.filter(({ bad }) => bad).length;
    const results = sent.map(({ external_record_id, bad }, index) => ({
      index,
      external_record_id,
      status: bad ? ('error' as const) : ('success' as const),
      outcome: bad ? null : ('applied' as const),
      errors: bad ? [{ error_code: 'user_not_found' as const, message: 'nobody' }] : [],
      warnings: [],
      progress: null,
    }));
    const counts = {
      total: sent.length,
      processed: sent.length,
      succeeded: sent.length - failed,
      failed,
      with_warnings: 0,
    };
    const times = { created_at: '2026-01-01T00:00:00.000Z', completed_at: '2026-01-01T00:00:00.000Z' };
    return {
      import_id: `import-${key}`,
      company_id: 'acme',
      status: 'partial_success',
      dry_run: false,
      ...times,
      counts,
      records: results,
    };
  }
}

let folder: string;
let service: FakeService;

beforeEach(() => {
  folder = freshFolder();
  service = new FakeService();
});

const file = fileOf(records.map((record) => JSON.stringify(record)).join('\n'), 'history.ndjson');

async function run(more: Partial<ChunkRun> = {}): Promise<RunOutcome> {
  const reading = await openReading(file, {});
  return runChunks({
    client: service,
    company_id: 'acme',
    reading,
    survey: await survey(reading),
    journal: Journal.open(folder, ['same'], ORIGIN),
    dry_run: false,
    run: '1',
    parallel: 1,
    progress: { uploaded: () => {}, processed: () => {} },
    ...more,
  });
}

describe('a run', () => {
  it('sends every row once, 500 at most in an import, and adds up', async () => {
    let [uploaded, processed] = [0, 0];
    const progress = {
      uploaded: (count: number) => void (uploaded += count),
      processed: (count: number) => void (processed += count),
    };
    const { tally, chunks } = await run({ progress, parallel: 3 });
    expect(tally).toMatchObject({
      rows: ROWS,
      applied: ROWS - 17,
      rejected: 17,
      rejected_by_reason: { user_not_found: 17 },
    });
    expect(chunks.map(({ rejected }) => rejected)).toEqual([5, 5, 5, 2]);
    expect([service.sent.length, uploaded, processed]).toEqual([4, ROWS, ROWS]);
  });

  it('that broke off sends only what was not accepted', async () => {
    service.failAfter = 2;
    await expect(run()).rejects.toBeInstanceOf(ServiceUnreachable);
    service.failAfter = Number.POSITIVE_INFINITY;
    const { tally, sent, resumed } = await run();
    expect({ sent, resumed, rows: tally.rows }).toEqual({ sent: 2, resumed: 2, rows: ROWS });
    expect(new Set(service.sent).size).toBe(4);
  });

  it('without its journal sends the same keys, so the service makes nothing new', async () => {
    await run();
    folder = freshFolder();
    const { tally } = await run();
    expect(service.sent).toHaveLength(8);
    expect(service.imports).toBe(4);
    expect(tally.rows).toBe(ROWS);
  });

  it('whose service lost its data sends everything again', async () => {
    await run();
    service.forgetEverything();
    expect(await run()).toMatchObject({ sent: 4, resumed: 0 });
  });

  it('stops where the file has changed since it was looked through', async () => {
    const reading = await openReading(file, {});
    const { digests, ...seen } = await survey(reading);
    await expect(run({ survey: { ...seen, digests: ['other', ...digests.slice(1)] } })).rejects.toThrow('has changed');
    expect(service.sent).toEqual([]);
  });
});

describe('the key of a chunk', () => {
  const identity: ChunkIdentity = {
    company_id: 'acme',
    run: '1',
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
    { dry_run: true },
    { file: 'g' },
    { mapping: 'n' },
    { index: 1 },
    { digest: 'e' },
  ])('is another for %o', (change) => {
    expect(chunkKey({ ...identity, ...change })).not.toBe(chunkKey(identity));
  });
});

describe('the journal', () => {
  it('takes no notice of a line that a kill cut short', () => {
    Journal.open(folder, ['same'], ORIGIN).accept('1', 0, 'import-a');
    const [name = ''] = readdirSync(folder);
    appendFileSync(join(folder, name), '{"kind":"accepted","run":"1","chu');
    expect([...Journal.open(folder, ['same'], ORIGIN).accepted('1')]).toEqual([[0, 'import-a']]);
  });

  it('goes on with a dry run that broke off, and makes a finished one anew', () => {
    const journal = Journal.open(folder, ['same'], ORIGIN);
    const first = journal.beginDryRun();
    expect(Journal.open(folder, ['same'], ORIGIN).beginDryRun()).toBe(first);
    journal.endDryRun(first);
    expect(Journal.open(folder, ['same'], ORIGIN).beginDryRun()).not.toBe(first);
  });

  it('knows where an import came from', () => {
    Journal.open(folder, ['same'], ORIGIN).accept('1', 0, 'import-a');
    expect(originOf(folder, 'import-a')).toMatchObject(ORIGIN);
    expect(originOf(folder, 'import-b')).toBeUndefined();
  });
});

describe('rejected rows', () => {
  it('stand in their own columns with the reasons of this run alone', async () => {
    const csv = '\u{feff}external_record_id;user.email;error_codes;error_messages\r\nr-1;"a;b";old;old\r\nr-2;c;;\r\n';
    const reading = await openReading(fileOf(csv), {});
    const lines = await collected(
      rejectedLines(
        reading,
        async () =>
          new Map([
            [
              0,
              {
                errors: [
                  { error_code: 'x', message: 'm; 1' },
                  { error_code: 'x', message: 'm 2' },
                ],
              },
            ],
          ]),
      ),
    );
    expect(lines.join('')).toBe(
      '\u{feff}external_record_id;user.email;error_codes;error_messages\r\nr-1;"a;b";x;"m; 1; m 2"\r\n',
    );
  });

  it.each([[['a', 'b,c', 'd"e', ' f', 'g\nh', ''], 'a,"b,c","d""e"," f","g\nh",']])(
    '%j is quoted where it must be',
    (cells, line) => {
      expect(csvLine(cells, ',')).toBe(line);
    },
  );

  it('are never written over the file they come from, nor over one that was worked on', async () => {
    const rejected = new RejectedFile(folder);
    async function* lines(text: string) {
      yield text;
    }
    const name = join(folder, 'rejected.csv');
    const write = (text: string, asked?: string) =>
      rejected.write(lines(text), { asked, name, input: join(folder, 'history.csv') });
    expect(await write('first')).toBe(name);
    expect(await write('second')).toBe(name);
    writeFileSync(name, 'mended');
    expect(await write('third')).toBe(join(folder, 'rejected-2.csv'));
    expect(readFileSync(name, 'utf8')).toBe('mended');
    await expect(write('fourth', join(folder, 'history.csv'))).rejects.toThrow('overwrite');
  });
});
