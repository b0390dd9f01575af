/** Evidence of a run, signed over HTTP and checked by an outsider (§4.10). On the shared stack; costs seconds. */
import { createHash } from 'node:crypto';
import { createLocalJWKSet, compactVerify, decodeProtectedHeader } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { canonicalJson } from '../../functions/records/json.ts';
import { type Admin, adminOf, call } from '../kit/api.ts';
import { freshId, record } from '../kit/records.ts';

const EVIDENCE_KEYS = '/api/v1/auth/.well-known/evidence-jwks.json';
let admin: Admin;
beforeAll(async () => {
  admin = await adminOf('evidence');
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
    const { run_id, path } = await newRun();
    const statement = { files: [{ name: 'a.csv', sha256: 'x'.repeat(15_000) }] };
    const signed = await admin.post(path, { reason: 'The last day', statement });
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

    const imports = (await admin.pages(`${path}?limit=1`)).flatMap((page) => page.imports);
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
    const { path } = await newRun();
    const body = '{"reason":"x","statement":{"__proto__":{"a":-0.5},"large":1e400,"é😀":[1e21,null]}}';
    const { evidence } = (await call('POST', admin.base + path, { token: admin.token, body })).body;
    const [, payload = ''] = evidence.split('.');
    const sent = '"statement":{"__proto__":{"a":-0.5},"large":1e999,"é😀":[1e+21,null]}';
    expect(Buffer.from(payload, 'base64url').toString()).toContain(sent);
  });
});

it.each([
  [{}, 'reason'],
  [{ reason: '' }, 'reason'],
  [{ reason: 'x'.repeat(1001) }, 'reason'],
  [{ reason: 'x', statement: [] }, 'statement'],
  [{ reason: 'x', statement: { a: 'x'.repeat(16_384) } }, 'statement'],
  [{ reason: 'x', statment: {} }, 'statment'],
])('%j is 400 and names %s', async (body, field) => {
  const { path } = await newRun();
  const response = await admin.post(path, body);
  expect([response.status, response.body.errors[0].field]).toEqual([400, field]);
});

it('a run that does not exist is 404', async () => {
  const path = '/progress/runs/nothing/evidence';
  for (const response of [await admin.get(path), await admin.post(path, { reason: 'x' })])
    expect([response.status, response.body.errors[0].error_code]).toEqual([404, 'run_not_found']);
});

it('no token verifies as evidence, and no evidence as a token', async () => {
  const { path } = await newRun();
  const { evidence } = (await admin.post(path, { reason: 'x' })).body;
  await expect(verified(admin.token)).rejects.toThrow('no applicable key found');
  expect((await call('GET', '/api/v1/auth/profile', { token: evidence })).status).toBe(401);
  const tokenKeys = (await call('GET', '/api/v1/auth/.well-known/jwks.json')).body.keys;
  const evidenceKeys = (await call('GET', EVIDENCE_KEYS)).body.keys;
  const kids = new Set(tokenKeys.map(({ kid }: { kid: string }) => kid));
  expect(evidenceKeys.some(({ kid }: { kid: string }) => kids.has(kid))).toBe(false);
});

// Last: the imports of a company wait while a revert runs.
it('a revert of the run, or of one of its imports, is waited for', async () => {
  const [run, other] = [await newRun(), await newRun()];
  const [{ import_id }] = (await admin.get(other.path)).body.imports;
  for (const [subject, path] of [
    [`runs/${run.run_id}`, run.path],
    [`imports/${import_id}`, other.path],
  ] as const) {
    expect((await admin.post(`/progress/${subject}/revert`, { dry_run: false })).status).toBe(202);
    const during = await admin.post(path, { reason: 'during' });
    expect([during.status, during.body.errors?.[0].error_code]).toEqual([409, 'run_not_terminal']);
  }
});
