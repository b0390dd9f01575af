/** Evidence of a run, signed over HTTP and checked by an outsider; who may sign, and when it is refused (§4.10). On the shared stack. */
import { createHash } from 'node:crypto';
import { DisableKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { createLocalJWKSet, compactVerify, decodeProtectedHeader } from 'jose';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { EVIDENCE_KEY_ID } from '../../bin/local/kms.ts';
import { canonicalJson } from '../../functions/records/json.ts';
import { type Admin, adminOf, call, login } from '../kit/api.ts';
import { freshId, record } from '../kit/records.ts';

const EVIDENCE_KEYS = '/api/v1/auth/.well-known/evidence-jwks.json';
let admin: Admin;
let path: string;
beforeAll(async () => {
  admin = await adminOf('evidence');
  ({ path } = await newRun());
});

/** A run of two imports, one of them with a rejected record. */
async function newRun() {
  const run_id = freshId('run');
  for (const records of [[record('evidence'), record('evidence', { user: {} })], [record('evidence')]]) {
    const { body } = await admin.post('/progress/imports', { dry_run: false, run_id, records });
    await admin.finished(body.import_id);
  }
  return { run_id, path: `/progress/runs/${run_id}/evidence` };
}

const sha256 = (values: readonly unknown[]): string =>
  createHash('sha256')
    .update(values.map((value) => `${canonicalJson(value)}\n`).join(''))
    .digest('hex');

async function verified(evidence: string) {
  const keys = createLocalJWKSet((await call('GET', EVIDENCE_KEYS)).body);
  const { payload } = await compactVerify(evidence, keys);
  return JSON.parse(new TextDecoder().decode(payload));
}

describe('signed evidence', () => {
  it('verifies with the published key, and its digests are those of what the run lists', async () => {
    const { run_id, path: of } = await newRun();
    const statement = { files: [{ name: 'a.csv', sha256: 'x'.repeat(15_000) }] };
    const signed = await admin.post(of, { reason: 'The last day', statement });
    expect(signed.status).toBe(200);
    expect(decodeProtectedHeader(signed.body.evidence)).toEqual({
      alg: 'ES256',
      typ: 'migration-evidence+jwt',
      kid: expect.any(String),
    });
    const payload = await verified(signed.body.evidence);
    const { counts } = (await admin.get(`/progress/runs/${run_id}`)).body;
    expect(payload).toMatchObject({ company_id: 'evidence', run_id, reason: 'The last day', statement, counts });
    expect(payload.signed_by.email).toBe('admin@evidence.test');
    expect(payload.plans).toEqual([]);

    const imports = (await admin.pages(`${of}?limit=1`)).flatMap((page) => page.imports);
    expect([payload.imports, payload.imports_digest]).toEqual([2, sha256(imports)]);
    for (const each of imports) {
      const results = (await admin.pages(`/progress/runs/${run_id}/records?limit=1&include=record`))
        .flatMap((page) => page.records)
        .filter(({ import_id }) => import_id === each.import_id);
      expect(each.records_digest).toBe(sha256(results.map(({ record: sent }) => sent)));
      expect(each.results_digest).toBe(sha256(results.map(({ record: _, ...result }) => result)));
    }
  });

  it('shows a statement as it was sent, odd numbers and names, too', async () => {
    const body = '{"reason":"x","statement":{"__proto__":{"a":-0.5},"large":1e400,"é😀":[1e21,null]}}';
    const { evidence } = (await call('POST', admin.base + path, { token: admin.token, body })).body;
    const [, payload = ''] = evidence.split('.');
    const sent = '"statement":{"__proto__":{"a":-0.5},"large":1e999,"é😀":[1e+21,null]}';
    expect(Buffer.from(payload, 'base64url').toString()).toContain(sent);
  });
});

it('a run that does not exist is 404', async () => {
  const none = '/progress/runs/nothing/evidence';
  for (const response of [await admin.get(none), await admin.post(none, { reason: 'x' })])
    expect([response.status, response.body.errors[0].error_code]).toEqual([404, 'run_not_found']);
});

it('no token verifies as evidence, and no evidence as a token', async () => {
  const { evidence } = (await admin.post(path, { reason: 'x' })).body;
  await expect(verified(admin.token)).rejects.toThrow('no applicable key found');
  expect((await call('GET', '/api/v1/auth/profile', { token: evidence })).status).toBe(401);
  const tokenKeys = (await call('GET', '/api/v1/auth/.well-known/jwks.json')).body.keys;
  const evidenceKeys = (await call('GET', EVIDENCE_KEYS)).body.keys;
  const kids = new Set(tokenKeys.map(({ kid }: { kid: string }) => kid));
  expect(evidenceKeys.some(({ kid }: { kid: string }) => kids.has(kid))).toBe(false);
});

const tokenOf = async (email: string): Promise<string> => (await login(email)).body.access_token;
const signed = (token: string) => call('POST', admin.base + path, { token, body: { reason: 'x' } });

it('each admin of the company may sign, and is named', async () => {
  for (const email of ['admin@evidence.test', 'second@evidence.test']) {
    const { status, body } = await signed(await tokenOf(email));
    expect([status, (await verified(body.evidence)).signed_by.email]).toEqual([200, email]);
  }
});

it.each([
  ['an admin of another company', () => tokenOf('admin@life.test'), 403, 'forbidden'],
  ['a learner of the company', () => tokenOf('customer@evidence.test'), 403, 'forbidden'],
  ['evidence in place of a token', async () => (await signed(admin.token)).body.evidence, 401, 'unauthorized'],
])('%s neither signs nor lists', async (_, bearer, status, code) => {
  const token = await bearer();
  for (const answer of [await signed(token), await call('GET', admin.base + path, { token })])
    expect([answer.status, answer.body.errors[0].error_code]).toEqual([status, code]);
});

// From here on the imports of the company wait, because a revert runs.
it('a revert of the run, or of one of its imports, is waited for, and so is an import that waits for it', async () => {
  const [run, other] = [await newRun(), await newRun()];
  const [{ import_id }] = (await admin.get(other.path)).body.imports;
  const refused = async (of: string) => {
    const { status, body } = await admin.post(of, { reason: 'during' });
    expect([status, body.errors?.[0].error_code]).toEqual([409, 'run_not_terminal']);
  };
  for (const [subject, of] of [
    [`runs/${run.run_id}`, run.path],
    [`imports/${import_id}`, other.path],
  ] as const) {
    expect((await admin.post(`/progress/${subject}/revert`, { dry_run: false })).status).toBe(202);
    await refused(of);
  }
  await admin.post('/progress/imports', { dry_run: false, run_id: 'waits', records: [record('evidence')] });
  await refused('/progress/runs/waits/evidence');
});

// Last: nothing enables the key again.
it('a disabled key is 503 with what to do, for evidence alone', async () => {
  const client = new KMSClient(inject('database').settings);
  await client.send(new DisableKeyCommand({ KeyId: EVIDENCE_KEY_ID }));
  client.destroy();
  const { status, headers, body } = await signed(admin.token);
  const message = expect.stringContaining('An operator of the service must');
  expect([status, body.errors]).toEqual([503, [{ error_code: 'temporarily_unavailable', message }]]);
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  expect([(await admin.get(path)).status, typeof (await tokenOf('admin@evidence.test'))]).toEqual([200, 'string']);
});
