/**
 * Evidence of a run as an auditor gets it: saved by the command, verified without the service, and again after a revert
 * and an erasure (§4.10). On a local stack of its own; costs ten seconds, and with AT_LENGTH two minutes.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { memoryTokenStore, MigrationClient, ServiceError } from '../../../../bin/importer/client/index.ts';
import { verifyFiles } from '../../../../bin/importer/command/commands/verify-evidence.ts';
import { reasonOf, saveEvidence, saveResults } from '../../../../bin/importer/command/commands/evidence.ts';
import { SAMPLE } from '../../../../lib/sandbox/sample.ts';
import { functionOf } from '../../../deploy/support/clone-import.ts';
import { AT_LENGTH } from '../../../kit/at-length.ts';
import { startStackOn } from '../../../kit/local-stack.ts';
import { temporaryFolder } from '../../../kit/temporary-folder.ts';
import { hasPython, pythonVerdicts } from '../../engine/evidence/python-verdicts.ts';
import { recordedOutput } from '../support/output.ts';

const folder = temporaryFolder('evidence');
const inFolder = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
let stack: Awaited<ReturnType<typeof startStackOn>>;
let client: MigrationClient;
let file: string;
let results: string;

const recordOf = (external_record_id: string, email: string, completion_pct: unknown = 60) => ({
  external_record_id,
  user: { email },
  content: { type: 'course', platform_course_id: 101 },
  progress: { completion_pct },
});

beforeAll(async () => {
  stack = await startStackOn(JSON.parse(readFileSync(SAMPLE, 'utf8')) as object);
  client = new MigrationClient({ baseUrl: stack.url, company_id: 'acme', tokens: memoryTokenStore() });
  await client.session.login({ email: 'admin@acme.test', password: 'changeme' });
  const batches = [
    [recordOf('a', 'ben.castillo@acme.test', 33.335), recordOf('b', 'ben.castillo@acme.test', 'Ñ')],
    [recordOf('c', 'chiara.romano@acme.test')],
  ];
  for (const records of batches) {
    const { import: started } = await client.startImport({ dry_run: false, run_id: 'spring', records });
    await client.waitForImport(started.import_id);
  }
  const asked = {
    reason: 'The last day',
    statement: { files: [{ name: 'a.csv' }] },
    out: join(folder, 'evidence-spring.json'),
  };
  file = (await saveEvidence(client, 'spring', asked, recordedOutput())) ?? '';
  results = await saveResults(client, 'spring', file);
}, 60_000);
afterAll(async () => stack?.stop());

async function verified(paths: readonly string[]) {
  const [text, json] = [recordedOutput(), recordedOutput(true)];
  const code = await verifyFiles(paths, text);
  await verifyFiles(paths, json);
  const [{ findings }] = json.values as [
    { findings: { status: string; code: string; check: string; import_id?: string }[] },
  ];
  return { code, text: text.results.join('\n'), findings, codes: findings.map(({ code: each }) => each) };
}

async function fresh(): Promise<string> {
  const imports = [];
  for await (const each of client.evidence('spring')) imports.push(each);
  return inFolder('fresh.json', JSON.stringify({ imports, next_cursor: null }));
}

it('holds, with the results that the service lists, and says what it cannot show', async () => {
  const { code, text, codes } = await verified([file, results]);
  expect([code, codes]).toEqual([0, ['signed', 'imports hold', 'counts hold', 'results hold', 'records hold']]);
  expect(text).toContain('signed by admin@acme.test');
  expect(text).toContain('It cannot show whether the export of the old system was true or complete.');
  if (!hasPython) return;
  const { evidence, keys, imports } = JSON.parse(readFileSync(file, 'utf8'));
  const lines = readFileSync(results, 'utf8').trim().split('\n');
  expect(pythonVerdicts([{ evidence, keys: keys.keys, imports, lines }])).toEqual([[]]);
});

it('takes the JWS alone, the response of the service, pages of the list, and keys of their own', async () => {
  const { evidence, keys, imports } = JSON.parse(readFileSync(file, 'utf8'));
  const jwks = inFolder('jwks.json', JSON.stringify(keys));
  const jws = inFolder('evidence.jws', `${evidence}\n`);
  const response = inFolder('response.json', JSON.stringify({ evidence }));
  const pages = inFolder(
    'pages.json',
    JSON.stringify(imports.map((each: object) => ({ imports: [each], next_cursor: 'x' }))),
  );
  expect((await verified([jws, jwks])).codes).toEqual(['signed', 'no list']);
  expect((await verified([response, pages, results, jwks])).code).toBe(0);
  expect((await verified([file])).text).toContain('The keys came with the evidence.');
  expect((await verified([file, jwks])).text).not.toContain('The keys came with');
  const records = readFileSync(results, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const whole = inFolder(
    'whole.json',
    JSON.stringify({ evidence: { evidence }, jwks: keys, imports: { imports }, records }, undefined, 1),
  );
  expect((await verified([whole])).codes.at(-1)).toBe('records hold');
  const listed = inFolder('listed.json', JSON.stringify([{ records, next_cursor: null }], undefined, 1));
  expect((await verified([file, listed])).codes.at(-1)).toBe('records hold');
  const other = inFolder('other.json', JSON.stringify({ keys: [{ ...keys.keys[0], kid: 'other' }] }));
  expect((await verified([file, other])).codes).toEqual(['unknown key']);
  await expect(verified([jws])).rejects.toThrow('There is no key');
  await expect(verified([jwks])).rejects.toThrow('There is no evidence');
});

it('a changed line is refused, with its import and its place', async () => {
  const changed = inFolder(
    'changed.jsonl',
    readFileSync(results, 'utf8').replace('"completion_pct":60', '"completion_pct":61'),
  );
  const { code, text } = await verified([file, changed]);
  expect(code).toBe(1);
  expect(text).toMatch(/DIFFERS +Import \w+: its results \(.*changed\.jsonl, line 3\) are not those that were signed/);
});

// Each waits for half a minute and more.
it.runIf(AT_LENGTH)(
  'after a revert and an erasure it says what no longer matches, and why',
  async () => {
    await client.revertRun('spring', { dry_run: false });
    await client.waitForRunRevert('spring');
    const reverted = await verified([file, await fresh(), results]);
    const holding = ['counts hold', 'results hold', 'records hold'];
    expect(reverted.codes).toEqual(['signed', 'imports hold', 'import reverted', 'import reverted', ...holding]);
    expect(reverted.code).toBe(1);

    const erase = { kind: 'user', company_id: 'acme', id: 3, version: Date.now() + 1000, erase: true };
    await functionOf(stack, 'Intake').attempt({ facts: [erase] });
    while (!readFileSync(await fresh(), 'utf8').includes('"erased":true')) await client.getRun('spring');
    const later = await saveResults(client, 'spring', join(folder, 'later.json'));
    const { codes, findings, text } = await verified([file, join(folder, 'fresh.json'), later]);
    expect(codes).toEqual(expect.arrayContaining(['import erased', 'results erased', 'records erased']));
    expect(findings.some(({ status }) => status === 'differs')).toBe(false);
    expect(text).toContain('because a person was erased from it since');
    // What was saved before the erasure is still what was signed.
    expect((await verified([file, results])).code).toBe(0);
  },
  240_000,
);

it('a reason is asked for at a terminal only', async () => {
  await expect(reasonOf(undefined, false)).rejects.toThrow('Say why');
  await expect(reasonOf('x'.repeat(1001), false)).rejects.toThrow('1001 characters');
  expect(await reasonOf(' why ', false)).toBe('why');
});

it('a service that signs no evidence is said in one line', async () => {
  const output = recordedOutput();
  const error_code = 'route_not_found';
  const none = async () => Promise.reject(new ServiceError(404, { errors: [{ error_code, message: '' }] }));
  const off = { signEvidence: none } as unknown as MigrationClient;
  expect(await saveEvidence(off, 'spring', { reason: 'why' }, output)).toBeUndefined();
  expect(output.notes).toEqual(['This service signs no evidence: its setting "evidence" is off.']);
});
