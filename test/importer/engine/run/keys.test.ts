/** The keys of every release are those in keys.json: another key sends a batch again. Costs two seconds. */
import { describe, expect, it } from 'vitest';
import {
  type ImportAllOptions,
  type ImportRecord,
  memoryTokenStore,
  MigrationClient,
} from '../../../../bin/importer/client/index.ts';
import { sha256Hex } from '../../../../bin/importer/engine/ground/digest.ts';
import { PreviewBuilder } from '../../../../bin/importer/engine/run/preview.ts';
import { RecordSet } from '../../../../bin/importer/engine/apply/record-set.ts';
import { openRecordFile } from '../../../../bin/importer/command/files/records.ts';
import { NO_JOURNAL, type Pass, runPass } from '../../../../bin/importer/engine/run/import-run.ts';
import { type ChunkIdentity, chunkKey, journalName, runName } from '../../../../bin/importer/engine/run/keys.ts';
import { surveyOf } from '../../../../bin/importer/engine/run/survey.ts';
import { fileOf } from '../../command/support/files.ts';
import { countsOf, importOf, resultOf } from '../../command/support/imports.ts';
import { HEADER } from '../../command/support/runs.ts';
import { fakeService } from '../../client/fake-service.ts';
import KEYS from './keys.json' with { type: 'json' };

interface Body {
  readonly dry_run: boolean;
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

const imported = (headers: Readonly<Record<string, string>> = {}, { dry_run, records }: Body) =>
  importOf(`import-${headers['idempotency-key']}`, {
    dry_run,
    counts: countsOf(records.length),
    records: records.map(({ external_record_id = null }, index) => resultOf(index, external_record_id)),
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

const ROWS = Array.from({ length: 1100 }, (_, i) => `c-${i % 1050},ben.castillo@acme.test,101,${i % 101}`);
const CSV = [[HEADER, ...ROWS].join('\n'), 'history.csv'] as const;
const ndjson = (records: readonly ImportRecord[]) =>
  [records.map((each) => JSON.stringify(each)).join('\n'), 'more.ndjson'] as const;

const PASS: Pass = { attempt: '1', run_id: 'history' };

const sentOfFiles = (files: readonly (readonly [string, string])[], pass: Pass = PASS): Promise<string[]> =>
  sentBy(async (service) => {
    const set = new RecordSet(
      await Promise.all(files.map(([text, name]) => openRecordFile(fileOf(text, name), {}))),
      undefined,
    );
    const [survey, preview] = [await surveyOf(set), new PreviewBuilder(0)];
    await runPass({ service, company_id: 'acme', set, survey, preview, journal: NO_JOURNAL, parallel: 1 }, pass);
  });

const sentOfCall = (records: readonly ImportRecord[], options: ImportAllOptions): Promise<string[]> =>
  sentBy((client) => client.importAll(records, { parallel: 1, ...options }));

it.each([
  ['large records', [ndjson(LARGE)], PASS],
  ['repeated ids', [ndjson(REPEATED)], PASS],
  ['a table', [CSV], PASS],
  ['three files, of which one repeats another', [CSV, ndjson(MANY.slice(0, 600)), CSV], PASS],
  ['of no run', [CSV], { attempt: '1', run_id: null }],
  ['a second attempt', [CSV], { ...PASS, attempt: '2' }],
] as const)('the dry runs of files (%s) have the keys and records of every release', async (name, files, pass) => {
  expect(await sentOfFiles(files, pass)).toEqual(KEYS.files[name]);
});

it.each([
  ['1,201 records', MANY, { key: 'k' }],
  ['a run', MANY, { key: 'k', run_id: 'history' }],
  ['large records, without a key', LARGE, {}],
  ['repeated ids', REPEATED, { key: 'k' }],
  ['records without ids', NO_IDS, { key: 'k' }],
] as const)('the imports of a call (%s) have the keys and records of every release', async (name, records, options) => {
  expect(await sentOfCall(records, options)).toEqual(KEYS.calls[name]);
});

describe('chunkKey', () => {
  const identity: ChunkIdentity = {
    company_id: 'acme',
    attempt: '1',
    run_id: 'history',
    file: 'f',
    mapping: 'm',
    index: 0,
    digest: 'd',
  };

  it('chunkKey: the same identity → the key of every release, which fits the header', () => {
    expect(chunkKey(identity)).toBe('cpm-CfWQUbu459fCyq3haLvG1A33wCszbxPR2ym0cg8oD-s');
    expect(chunkKey(identity)).toMatch(/^[\x21-\x7e]{1,255}$/);
  });

  it.each<Partial<ChunkIdentity>>([
    { company_id: 'other' },
    { attempt: '2' },
    { run_id: 'other' },
    { file: 'g' },
    { mapping: 'n' },
    { index: 1 },
    { digest: 'e' },
  ])('chunkKey: another identity (%o) → another key', (change) => {
    expect(chunkKey({ ...identity, ...change })).not.toBe(chunkKey(identity));
  });
});

const file = (path: string, hash = 'f') => ({ file: { path, hash }, mappingHash: 'm' });

describe('runName', () => {
  it.each([
    ['/a.b/Ünï history_2024 (1).csv', 'Ünï-history-2024-1-6b86b273'],
    ['stdin', 'stdin-6b86b273'],
    ['.csv', 'csv-6b86b273'],
    [
      'exports/long-long-long-long-long-long-long-long-long-long-long-long-long-long-😀.csv',
      'long-long-long-long-long-long-long-long-long-long-long-long--6b86b273',
    ],
    ['---.csv', 'import-6b86b273'],
    ['a.tar.gz', 'a-tar-6b86b273'],
  ])('runName: %s → %s', (path, name) => {
    expect(runName([file(path)], '1')).toBe(name);
  });

  it('runName: several files → named after the first, another attempt another name', () => {
    expect(runName([file('a.csv'), file('b.csv', 'g')], '2')).toBe('a-d4735e3a');
  });
});

it('journalName: other files, another service, a replacing import → another journal', () => {
  const service = { base_url: 'http://x', company_id: 'acme' };
  const names = [
    journalName([file('a.csv')], service),
    journalName([file('a.csv'), file('b.csv', 'g')], service),
    journalName([file('a.csv')], { ...service, company_id: 'other' }),
    journalName([file('a.csv')], service, { replace: true }),
  ];
  expect(new Set(names).size).toBe(4);
  expect(journalName([file('renamed.csv')], service)).toBe(names[0]);
});
