/**
 * The files of evidence that the command takes, and what it says of them (§4.10). Costs a second; with AT_LENGTH, on a
 * stack of its own, what it says after a revert and an erasure: two minutes.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { MigrationClient, ServiceError } from '../../../../bin/importer/client/index.ts';
import { givenKeys, verifyFiles } from '../../../../bin/importer/command/commands/verify-evidence.ts';
import { reasonOf, saveEvidence, saveResults } from '../../../../bin/importer/command/commands/evidence.ts';
import { SAMPLE } from '../../../../lib/sandbox/sample.ts';
import { functionOf } from '../../../deploy/support/clone-import.ts';
import { AT_LENGTH } from '../../../kit/at-length.ts';
import { localSigner } from '../../../kit/local-signer.ts';
import { temporaryFolder } from '../../../kit/temporary-folder.ts';
import { type SignedRun, signedRun } from '../../engine/evidence/signed-run.ts';
import { recordedOutput } from '../support/output.ts';

const folder = temporaryFolder('evidence');
const inFolder = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
let run: SignedRun;
let file: string;
let results: string;
/** Keys that were fetched, not those of the files. */
let fetched: string;

beforeAll(async () => {
  run = await signedRun(localSigner());
  const { evidence, imports, keys, lines } = run;
  file = inFolder('evidence-spring.json', JSON.stringify({ evidence, imports }));
  fetched = inFolder('keys.json', JSON.stringify({ keys }));
  results = inFolder('evidence-spring.records.jsonl', lines.join('\n'));
});

interface Printed {
  readonly holds: boolean | null;
  readonly keys_came_with_evidence: boolean;
  readonly findings: readonly { readonly status: string; readonly code: string }[];
}

async function verified(paths: readonly string[], keysFile: string | undefined = fetched) {
  const [text, json] = [recordedOutput(), recordedOutput(true)];
  const keys = await givenKeys({ keys: keysFile });
  const code = await verifyFiles(paths, keys, text);
  await verifyFiles(paths, keys, json);
  const [printed] = json.values as [Printed];
  const { findings } = printed;
  return { ...printed, code, text: text.results.join('\n'), codes: findings.map(({ code: each }) => each) };
}

it('says what holds, who signed, and what evidence cannot show', async () => {
  const { code, text, codes } = await verified([file, results]);
  expect([code, codes]).toEqual([0, ['signed', 'imports hold', 'counts hold', 'results hold', 'records hold']]);
  expect(text).toContain('signed by admin@acme.test');
  expect(text).toContain(
    'made by a machine, approved by user 2 on 2026-03-01T09:00:00.000Z (“As agreed”), applied by user 1 on 2026-03-01T10:00:00.000Z',
  );
  expect(text).toContain('It cannot show whether the export of the old system was true or complete.');
});

it('takes the JWS alone, the response of the service, and pages of the list', async () => {
  const { evidence, imports } = run;
  const jws = inFolder('evidence.jws', `${evidence}\n`);
  const response = inFolder('response.json', JSON.stringify({ evidence }));
  const pages = inFolder('pages.json', JSON.stringify(imports.map((each) => ({ imports: [each], next_cursor: 'x' }))));
  expect((await verified([jws])).codes).toEqual(['signed', 'no list']);
  expect((await verified([response, pages, results])).code).toBe(0);
  const records = run.lines.map((line): unknown => JSON.parse(line));
  const whole = inFolder(
    'whole.json',
    JSON.stringify({ evidence: { evidence }, imports: { imports }, records }, undefined, 1),
  );
  expect((await verified([whole])).codes.at(-1)).toBe('records hold');
  const listed = inFolder('listed.json', JSON.stringify([{ records, next_cursor: null }], undefined, 1));
  expect((await verified([file, listed])).codes.at(-1)).toBe('records hold');
  const other = inFolder('other.json', JSON.stringify({ keys: [{ ...run.keys[0], kid: 'other' }] }));
  expect((await verified([file], other)).codes).toEqual(['unknown key']);
  await expect(verified([fetched])).rejects.toThrow('files_without_evidence');
});

describe('keys that came with the evidence', () => {
  /** Evidence that a forger signed, with his key: it wears the kid of the service. */
  async function forgedFiles() {
    const kid = String(run.keys[0]?.['kid']);
    const { evidence, imports, keys, lines } = await signedRun(localSigner(), { header: { kid } });
    const jwks = { keys: keys.map((key) => ({ ...key, kid })) };
    const members = { evidence, keys: jwks, imports };
    return {
      whole: inFolder('forged.json', JSON.stringify(members)),
      keys: inFolder('forged.jwks.json', JSON.stringify(jwks)),
      results: inFolder('forged.records.jsonl', lines.join('\n')),
    };
  }

  it('are not used: the signature is not checked, and the command ends with 1', async () => {
    const forged = await forgedFiles();
    for (const paths of [[forged.whole], [forged.whole, forged.results], [forged.whole, forged.keys]]) {
      const keys = undefined;
      const text = recordedOutput(true);
      const code = await verifyFiles(paths, keys, text);
      const [{ holds, keys_came_with_evidence, findings }] = text.values as [Printed];
      expect([code, holds, keys_came_with_evidence]).toEqual([1, null, true]);
      expect(findings[0]).toMatchObject({ check: 'signature', status: 'unchecked', code: 'no keys' });
    }
    const text = recordedOutput();
    await verifyFiles([forged.whole], undefined, text);
    expect(text.results.join('\n')).toMatch(/as it says signed by .*not checked .*Whether it holds is not known/s);
  });

  it('do not verify it beside those of the service either, nor with --keys', async () => {
    const forged = await forgedFiles();
    expect(await verified([forged.whole, forged.results])).toMatchObject({ code: 1, holds: false, codes: ['forged'] });
    expect(await verified([forged.whole], forged.keys)).toMatchObject({ holds: false, codes: ['key misnamed'] });
    await expect(verified([forged.whole], forged.whole)).rejects.toThrow('file_without_keys');
  });

  it('are not in the files that the command saves', async () => {
    const out = join(folder, 'saved.json');
    const { evidence, imports } = run;
    const client = {
      signEvidence: async () => ({ evidence }),
      evidence: async function* () {
        yield* imports;
      },
    };
    await saveEvidence(client as unknown as MigrationClient, 'spring', { reason: 'why', out }, recordedOutput());
    expect(Object.keys(JSON.parse(readFileSync(out, 'utf8')))).toEqual(['evidence', 'imports']);
    await expect(givenKeys({ keys: out })).rejects.toThrow('file_without_keys');
  });
});

it('the address of the keys is https, or of this machine', async () => {
  await expect(givenKeys({ url: 'http://history.example' })).rejects.toThrow('not encrypted');
});

it('a changed line is refused, with its import and its place', async () => {
  const changed = inFolder('changed.jsonl', run.lines.join('\n').replace('"r-import2-3"', '"r-import2-9"'));
  const { code, text } = await verified([file, changed]);
  expect(code).toBe(1);
  expect(text).toMatch(
    /DIFFERS +Import import2: its results \(.*changed\.jsonl, line 5–8\) are not those that were signed/,
  );
});

const recordOf = (external_record_id: string, email: string, completion_pct: unknown = 60) => ({
  external_record_id,
  user: { email },
  content: { type: 'course', platform_course_id: 101 },
  progress: { completion_pct },
});

// Each waits for half a minute and more.
it.runIf(AT_LENGTH)(
  'evidence of a service says, after a revert and an erasure, what no longer matches, and why',
  async () => {
    const { startStackOn } = await import('../../../kit/local-stack.ts');
    const stack = await startStackOn(JSON.parse(readFileSync(SAMPLE, 'utf8')) as object);
    onTestFinished(() => stack.stop());
    const client = new MigrationClient({ baseUrl: stack.url, company_id: 'acme' });
    await client.session.login({ email: 'admin@acme.test', password: 'changeme' });
    for (const records of [
      [recordOf('a', 'ben.castillo@acme.test', 33.335), recordOf('b', 'ben.castillo@acme.test', 'Ñ')],
      [recordOf('c', 'chiara.romano@acme.test')],
    ]) {
      const { import: started } = await client.startImport({ dry_run: false, run_id: 'spring', records });
      await client.waitForImport(started.import_id);
    }
    const asked = { reason: 'The last day', out: join(folder, 'signed.json') };
    const signed = (await saveEvidence(client, 'spring', asked, recordedOutput())) ?? '';
    const keys = inFolder('stack-keys.json', JSON.stringify(await client.evidenceKeys()));
    const saved = await saveResults(client, 'spring', signed);
    const fresh = async (): Promise<string> => {
      const imports = [];
      for await (const each of client.evidence('spring')) imports.push(each);
      return inFolder('fresh.json', JSON.stringify({ imports, next_cursor: null }));
    };
    await client.revertRun('spring', { dry_run: false });
    await client.waitForRunRevert('spring');
    const reverted = await verified([signed, await fresh(), saved], keys);
    const holding = ['counts hold', 'results hold', 'records hold'];
    expect(reverted.codes).toEqual(['signed', 'imports hold', 'import reverted', 'import reverted', ...holding]);
    expect(reverted.code).toBe(1);

    const erase = { kind: 'user', company_id: 'acme', id: 3, version: Date.now() + 1000, erase: true };
    await functionOf(stack, 'Intake').attempt({ facts: [erase] });
    while (!readFileSync(await fresh(), 'utf8').includes('"erased":true')) await client.getRun('spring');
    const later = await saveResults(client, 'spring', join(folder, 'later.json'));
    const { codes, findings, text } = await verified([signed, join(folder, 'fresh.json'), later], keys);
    expect(codes).toEqual(expect.arrayContaining(['import erased', 'results erased', 'records erased']));
    expect(findings.some(({ status }) => status === 'differs')).toBe(false);
    expect(text).toContain('because a person was erased from it since');
    // What was saved before the erasure is still what was signed.
    expect((await verified([signed, saved], keys)).code).toBe(0);
  },
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
