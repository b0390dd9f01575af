/** The keys of every release are those written down here: another key sends a batch again. Costs two seconds. */
import { describe, expect, it } from 'vitest';
import {
  type ImportAllOptions,
  type ImportRecord,
  memoryTokenStore,
  MigrationClient,
} from '../../../bin/client/index.ts';
import { sha256Hex } from '../../../bin/importer/digest.ts';
import { PreviewBuilder } from '../../../bin/importer/mapping/preview.ts';
import { RecordSet } from '../../../bin/importer/records/record-set.ts';
import { openRecordFile } from '../../../bin/cli/files/records.ts';
import { type Pass, runPass } from '../../../bin/importer/run/import-run.ts';
import { Journal } from '../../../bin/importer/run/journal.ts';
import { type ChunkIdentity, chunkKey, journalName, runName } from '../../../bin/importer/run/keys.ts';
import { surveyOf } from '../../../bin/importer/run/survey.ts';
import { fileOf } from '../../cli/support/files.ts';
import { memoryStore, ORIGIN } from '../../cli/support/journal.ts';
import { fakeService } from '../../client/fake-service.ts';

interface Body {
  readonly dry_run: boolean;
  readonly run_id?: string;
  readonly records: readonly { readonly external_record_id?: string }[];
}

/** Of each import that a run sends: its key, the number of its records, and a hash of the request. */
async function sentBy(run: (client: MigrationClient) => Promise<unknown>): Promise<string[]> {
  const service = fakeService(({ headers, body }) => ({ status: 202, body: imported(headers, body as Body) }));
  const tokens = memoryTokenStore({ access_token: 'token' });
  await run(new MigrationClient({ baseUrl: 'http://x', company_id: 'acme', tokens, transport: service.transport }));
  return service.requests.map(({ headers, body }) => {
    const { length } = (body as Body).records;
    return `${headers?.['idempotency-key']}: ${length} records, ${sha256Hex(JSON.stringify(body)).slice(0, 16)}`;
  });
}

const imported = (headers: Readonly<Record<string, string>> = {}, { dry_run, run_id, records }: Partial<Body>) => ({
  import_id: `import-${headers['idempotency-key']}`,
  status: 'success',
  dry_run,
  run_id: run_id ?? null,
  cancelled_at: null,
  reverted_at: null,
  counts: {
    total: records?.length,
    processed: records?.length,
    succeeded: records?.length,
    failed: 0,
    with_warnings: 0,
  },
  records: records?.map(({ external_record_id }, index) => ({
    index,
    external_record_id: external_record_id ?? null,
    status: 'success',
    outcome: 'applied',
    errors: [],
    warnings: [],
    progress: null,
  })),
});

const record = (i: number, more: { readonly external_ref?: string } = {}): ImportRecord => ({
  external_record_id: `r-${i}`,
  user: { email: `learner-${i % 7}@acme.test` },
  content: { type: 'course', platform_course_id: 101 },
  progress: { completion_pct: i % 101 },
  ...more,
});
const MANY = Array.from({ length: 1201 }, (_, i) => record(i));
/** Each 60 KB of UTF-8, and a third of that in characters. */
const LARGE = Array.from({ length: 130 }, (_, i) => record(i, { external_ref: 'é😀'.repeat(10_000) }));
/** A large repeat closes a batch of a file, and so do 500 repeats; a call leaves them out before it cuts. */
const REPEATED = [
  ...Array.from({ length: 300 }, (_, i) => record(i, { external_ref: 'x'.repeat(11_000) })),
  record(7, { external_ref: 'x'.repeat(500_000) }),
  ...Array.from({ length: 700 }, () => record(8)),
  ...Array.from({ length: 100 }, (_, i) => record(1000 + i)),
];
const NO_IDS = [{ user: {} }, { user: {} }, { user: {} }, record(1), { external_record_id: '' }] as ImportRecord[];

const HEADER = 'external_record_id,user.email,content.platform_course_id,progress.completion_pct';
const ROWS = Array.from({ length: 1100 }, (_, i) => `c-${i % 1050},ben.castillo@acme.test,101,${i % 101}`);
const CSV = [[HEADER, ...ROWS].join('\n'), 'history.csv'] as const;
const ndjson = (records: readonly ImportRecord[]) =>
  [records.map((each) => JSON.stringify(each)).join('\n'), 'more.ndjson'] as const;

const REAL: Pass = { dry_run: false, attempt: '1', run_id: 'history' };

const sentOfFiles = (files: readonly (readonly [string, string])[], pass: Pass = REAL): Promise<string[]> =>
  sentBy(async (service) => {
    const set = new RecordSet(
      await Promise.all(files.map(([text, name]) => openRecordFile(fileOf(text, name), {}))),
      undefined,
    );
    const [survey, journal] = [await surveyOf(set), await Journal.open(memoryStore(), ORIGIN)];
    const preview = new PreviewBuilder(0);
    await runPass({ service, company_id: 'acme', set, survey, preview, journal, parallel: 1 }, pass);
  });

const sentOfCall = (records: readonly ImportRecord[], options: ImportAllOptions): Promise<string[]> =>
  sentBy((client) => client.importAll(records, { parallel: 1, ...options }));

describe('the imports that files become', () => {
  it.each([
    [
      '1,201 records',
      [ndjson(MANY)],
      REAL,
      [
        'cpm-h5UmuvZik92dCwwioADvpWEmdgWSJfH7TMFMehyhiU8: 500 records, d2a3bda174f4b085',
        'cpm-kPPDDd2YIyJ5tOihqR8OLHzrxWvb_Cj7CGc5AKf2jmE: 500 records, 42a42cabeddb02b2',
        'cpm-mXNiWQ2UbOyAsfbNoX9Rep0aPuxIeZw7FFFFGQowyos: 201 records, 5a76b5efdff49b34',
      ],
    ],
    [
      'large records',
      [ndjson(LARGE)],
      REAL,
      [
        'cpm-7ijiawIqzVGPYJd2v-QtHoJoHOcDroZ3R1134N2kEAg: 60 records, fa7d6e65a5a6b7c1',
        'cpm-pXlqDVJayn5PcU2IXogo6S5GLkGSmbXYNnXYQRMhyvw: 60 records, b9f67fe174a6f5da',
        'cpm-J_83l-QShMSJc7E5UYGI5ATz62j33CKJl8KV087pJ1I: 10 records, dee04f47934d30fb',
      ],
    ],
    [
      'repeated ids',
      [ndjson(REPEATED)],
      REAL,
      [
        'cpm-bckTALWUevRe8nBw67jSlv4OGkLmJxrF7NOhLBXHKRE: 300 records, cdb78ad022fad783',
        'cpm-jGvXh4bBVj2XtgM5DMalGRp3jqfhulWHlpDeTx4Cakk: 100 records, dd54092c683bc022',
      ],
    ],
    [
      'a table',
      [CSV],
      REAL,
      [
        'cpm-W-q40ci8-8fUzW9fL2g02-_6iUmmYtey4mL6AmgdLyQ: 500 records, dd845ece48dec383',
        'cpm-wuHMCuTaXw7EUb9RtCfyBHKxR_nWWLC2ymLYdNSi0xI: 500 records, c43a0dd72c948861',
        'cpm-GX1n-_rZwWFZhryZSs3A71EP8IuUJ23b6RvQ3jjF6XM: 50 records, 4bac2939e923c8cc',
      ],
    ],
    [
      'three files, of which one repeats another',
      [CSV, ndjson(MANY.slice(0, 600)), CSV],
      REAL,
      [
        'cpm-W-q40ci8-8fUzW9fL2g02-_6iUmmYtey4mL6AmgdLyQ: 500 records, dd845ece48dec383',
        'cpm-wuHMCuTaXw7EUb9RtCfyBHKxR_nWWLC2ymLYdNSi0xI: 500 records, c43a0dd72c948861',
        'cpm-GX1n-_rZwWFZhryZSs3A71EP8IuUJ23b6RvQ3jjF6XM: 50 records, 4bac2939e923c8cc',
        'cpm-Zzxovf_aL8ymx_MA8K0vpYAPQ780ENPCag15fiJQPE8: 500 records, d2a3bda174f4b085',
        'cpm-CpgKtG_ses4aduyDUqvVwuS8vK87ASovuQtiiSM5LQ4: 100 records, 0955759f62b777db',
      ],
    ],
    [
      'a dry run',
      [CSV],
      { dry_run: true, attempt: 'the-dry-run', run_id: null },
      [
        'cpm-ZNgZE8VAkgnBx-a1F8T3lN9YDI1RRdbWmEQ56_bkoMk: 500 records, 69853f77494680ef',
        'cpm-tljpxtmf-VdNV4jRDU0Wakzg_8LLiVK-3qRLWcz7EQI: 500 records, 1ceec354fd8901ae',
        'cpm-YkB_ApGn3k109ELgrj5zEKkiAbEAVKvHO88LSYqvOi8: 50 records, 6129120cd5a32740',
      ],
    ],
    [
      'a second attempt',
      [CSV],
      { ...REAL, attempt: '2' },
      [
        'cpm-08J-shKmJvUOZWGxRcf6C1ErRaJfUp5KLnk3CxV-wzo: 500 records, dd845ece48dec383',
        'cpm-t-od0uI7gk-oUBZXzJ-9gOW_qbShVz9fpTIbDa-gdzY: 500 records, c43a0dd72c948861',
        'cpm-XsF4ZTeqI7uTjBZFZBLii9l3RKjwBS_MAK8gMUdYKsk: 50 records, 4bac2939e923c8cc',
      ],
    ],
  ] as const)('of %s have these keys and records', async (_, files, pass, expected) => {
    expect(await sentOfFiles(files, pass)).toEqual(expected);
  });
});

describe('the imports that a call becomes', () => {
  it.each([
    [
      '1,201 records',
      MANY,
      { key: 'k' },
      [
        'k-LAXfc2n6j_kCPyThsX2bsAVw86YMM91ni-Jdd21r: 500 records, 76847111fa310e9c',
        'k-7Z5aBdcIwDdzL727ravfOPaPOKtNdkPRR-rwsGjs: 500 records, 8123675f7208652d',
        'k-uC1nppS-wGbXiy5uaGiF6s-mReOyknTtXhg50rxx: 201 records, bb06be141d4b61b2',
      ],
    ],
    [
      'a run',
      MANY,
      { key: 'k', run_id: 'history' },
      [
        'k-esH0j3DevHin07c0NPHZ4Z1AYxrDDERAnCo06UJs: 500 records, d2a3bda174f4b085',
        'k-3Ke1iprHXRQepd9TmAgiDqlCLXZ7SUD9v33xMwsw: 500 records, 42a42cabeddb02b2',
        'k-2MRCaTYNT7VUt7T8BG9tFDVtrM4mtAf19-Vvkv0N: 201 records, 5a76b5efdff49b34',
      ],
    ],
    [
      'large records, without a key',
      LARGE,
      {},
      [
        'import-all-zfWSj8b9m903kafJiYWmnkHH9MvQ--8Ay379gA14: 60 records, 53653130dc67b1f8',
        'import-all-8GnRIGTOFsBeB9uVcCs2yaIzNRU31_Hq8pCx2tpg: 60 records, 9881a651273c202d',
        'import-all-xuBhzrBFsbuwVYDRLqLz9MeUITy8Hi0b7iubWF83: 10 records, 2322f303e03ee926',
      ],
    ],
    [
      'repeated ids',
      REPEATED,
      { key: 'k' },
      ['k-Vd4X9hs6hAajRW7cGXOdVoFqJzP1c-Ghm4QFPI3j: 400 records, e6728d3a3eafc4e9'],
    ],
    [
      'records without ids',
      NO_IDS,
      { key: 'k' },
      ['k-LYCUp-hxYbTacG0HkMPiUR6Xs_DIjABDkenSLF8P: 5 records, c4da3fb363b5af56'],
    ],
  ])('of %s have these keys and records', async (_, records, options, expected) => {
    expect(await sentOfCall(records, options)).toEqual(expected);
  });
});

describe('chunkKey', () => {
  const identity: ChunkIdentity = {
    company_id: 'acme',
    attempt: '1',
    run_id: 'history',
    dry_run: false,
    file: 'f',
    mapping: 'm',
    index: 0,
    digest: 'd',
  };

  it('the same identity → the key of every release, which fits the header', () => {
    expect(chunkKey(identity)).toBe('cpm-PE0Wut5oFx9wKk8jAeOTBG287GKuQvm3xmWnLRqZROU');
    const dryRun = { dry_run: true, run_id: null, attempt: 'b3f3e0a0-0000-4000-8000-000000000000' };
    expect(chunkKey({ ...identity, ...dryRun })).toBe('cpm-oScQJJv7t3phjOz9dYs7X42jTcpFF6YC8ET8lMZi0v4');
    expect(chunkKey(identity)).toMatch(/^[\x21-\x7e]{1,255}$/);
  });

  it.each<Partial<ChunkIdentity>>([
    { company_id: 'other' },
    { attempt: '2' },
    { run_id: 'other' },
    { dry_run: true },
    { file: 'g' },
    { mapping: 'n' },
    { index: 1 },
    { digest: 'e' },
  ])('another identity (%o) → another key', (change) => {
    expect(chunkKey({ ...identity, ...change })).not.toBe(chunkKey(identity));
  });
});

const file = (path: string, hash = 'f') => ({ file: { path, hash }, mappingHash: 'm' });

describe('runName', () => {
  it.each([
    ['/a.b/Ünï history_2024 (1).csv', 'Ünï-history-2024-1-71431318'],
    ['stdin', 'stdin-71431318'],
    ['.csv', 'csv-71431318'],
    [
      'exports/long-long-long-long-long-long-long-long-long-long-long-long-long-long-😀.csv',
      'long-long-long-long-long-long-long-long-long-long-long-long--71431318',
    ],
    ['---.csv', 'import-71431318'],
    ['a.tar.gz', 'a-tar-71431318'],
  ])('%s → %s', (path, name) => {
    expect(runName([file(path)], 'acme', 1)).toBe(name);
  });

  it('several files → named after the first, other files and another attempt another name', () => {
    expect(runName([file('a.csv'), file('b.csv', 'g')], 'acme', 2)).toBe('a-b912ffb8');
  });
});

it('journalName: one file and several → the names of every release', () => {
  const service = { base_url: 'http://x', company_id: 'acme' };
  expect(journalName([file('a.csv')], service, 1)).toBe('140e5f920cceb7c22ed890bbe13b9038');
  expect(journalName([file('a.csv'), file('b.csv', 'g')], service, 2)).toBe('5657ba7ec6e84a4f6639788db227e165');
});
