/** Who may sign evidence, and when it is refused (§4.10), over HTTP, on a local stack of its own. Costs ten seconds. */
import { DisableKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import cdk from '../../cdk.json' with { type: 'json' };
import { builtStack } from '../../bin/local/built-stack.ts';
import { awsEnvironment } from '../../bin/local/endpoints.ts';
import { localFunctions } from '../../bin/local/functions.ts';
import { gatewayResponses } from '../../bin/local/gateway-responses.ts';
import { startHttpServer } from '../../bin/local/http-server.ts';
import { EVIDENCE_KEY_ID } from '../../bin/local/kms.ts';
import { RouteTable } from '../../bin/local/route-table.ts';
import { PhysicalResources, resourcesOfType } from '../../bin/local/template.ts';
import { type Send, finished, sender, tokensOf } from '../kit/http-client.ts';
import { startStackOn } from '../kit/local-stack.ts';
import { record } from '../kit/records.ts';
import { artifactOf } from '../kit/template.ts';
import { PASSWORD, testData } from '../kit/test-data.ts';

const BASE = '/v1/migrations/evidence/progress';
const RUN = 'signed';
const BODY = { reason: 'The last day' };
let stack: Awaited<ReturnType<typeof startStackOn>>;
let send: Send;

beforeAll(async () => {
  const ours = ({ company_id }: { readonly company_id: string }) => ['evidence', 'life'].includes(company_id);
  const { companies, users, courses } = testData();
  const admin = users.find(({ email }) => email === 'admin@evidence.test');
  stack = await startStackOn({
    companies: companies.filter(ours),
    users: [...users.filter(ours), { ...admin, id: 1, email: 'second@evidence.test' }],
    courses: courses.filter(ours),
    progress: [],
  });
  send = sender(stack.url);
  await ended(RUN);
}, 200_000);
afterAll(async () => stack?.stop());

const tokenOf = async (email: string) => (await tokensOf(send, email, PASSWORD)).access;
async function start(run_id: string) {
  const token = await tokenOf('admin@evidence.test');
  const body = { dry_run: false, run_id, records: [record('evidence')] };
  return { token, import_id: (await send('POST', `${BASE}/imports`, { token, body })).body.import_id as string };
}
async function ended(run_id: string) {
  const started = await start(run_id);
  await finished(send, '/v1/migrations/evidence', started.import_id, started.token);
  return started;
}
const sign = (token: string, run_id = RUN) => send('POST', `${BASE}/runs/${run_id}/evidence`, { token, body: BODY });

it('each admin of the company may sign, and is named', async () => {
  for (const email of ['admin@evidence.test', 'second@evidence.test']) {
    const { status, body } = await sign(await tokenOf(email));
    const payload = JSON.parse(Buffer.from(body.evidence.split('.')[1], 'base64url').toString());
    expect([status, payload.signed_by.email]).toEqual([200, email]);
  }
});

const evidenceOf = async () => (await sign(await tokenOf('admin@evidence.test'))).body.evidence;

it.each([
  ['an admin of another company', () => tokenOf('admin@life.test'), 403, 'forbidden'],
  ['a learner of the company', () => tokenOf('customer@evidence.test'), 403, 'forbidden'],
  ['evidence in place of a token', evidenceOf, 401, 'unauthorized'],
])('%s neither signs nor lists', async (_, token, status, code) => {
  const bearer = await token();
  for (const answer of [await sign(bearer), await send('GET', `${BASE}/runs/${RUN}/evidence`, { token: bearer })])
    expect([answer.status, answer.body.errors[0].error_code]).toEqual([status, code]);
});

it('a run with an import that is still processing is 409', async () => {
  const { token, import_id } = await ended('reverted');
  // While a revert runs, what the company accepts waits.
  await send('POST', `${BASE}/imports/${import_id}/revert`, { token, body: { dry_run: false } });
  await start('waits');
  const { status, body } = await sign(token, 'waits');
  expect([status, body.errors[0].error_code]).toEqual([409, 'run_not_terminal']);
});

/** The API of the same stack deployed without the setting, over what it has stored. */
async function switchedOff() {
  const context = { ...cdk.context, 'aws:cdk:enable-asset-metadata': true };
  const { template } = artifactOf({ company: 'local', stage: 'sandbox', evidence: false }, undefined, context);
  const { bundles } = await builtStack();
  const resources = new PhysicalResources();
  for (const [table] of resourcesOfType(template, 'AWS::DynamoDB::GlobalTable'))
    resources.set(table, { ref: stack.tableName, attributes: {} });
  const { endpoint, credentials } = stack.operator;
  const functions = localFunctions(
    { template, bundles },
    resources,
    () => awsEnvironment(endpoint, credentials.accessKeyId),
    () => {},
  );
  const routes = new RouteTable(template, resources, functions);
  const http = await startHttpServer(0, { routes, refuse: gatewayResponses(template) });
  onTestFinished(async () => {
    await Promise.all([http.stop(), ...[...functions.values()].map((each) => each.stop())]);
  });
  return sender(http.url);
}

it('switched off, each of its operations is 404, and the others go on; the keys stay stored', async () => {
  const token = await tokenOf('admin@evidence.test');
  await sign(token);
  const keys = '/api/v1/auth/.well-known/evidence-jwks.json';
  const sendOff = await switchedOff();
  for (const [method, path, body] of [
    ['POST', `${BASE}/runs/${RUN}/evidence`, BODY],
    ['GET', `${BASE}/runs/${RUN}/evidence`],
    ['GET', keys],
  ] as const) {
    const { status, body: answer } = await sendOff(method, path, { token, body });
    expect([status, answer.errors[0].error_code]).toEqual([404, 'route_not_found']);
  }
  expect((await sendOff('GET', `${BASE}/runs/${RUN}`, { token })).body.status).toBe('success');
  expect((await send('GET', keys)).body.keys).toHaveLength(1);
});

it('a disabled key is 503 with what to do, for evidence alone', async () => {
  const token = await tokenOf('admin@evidence.test');
  const client = new KMSClient(stack.operator);
  await client.send(new DisableKeyCommand({ KeyId: EVIDENCE_KEY_ID }));
  client.destroy();
  const { status, headers, body } = await sign(token);
  expect([status, body.errors]).toEqual([
    503,
    [{ error_code: 'temporarily_unavailable', message: expect.stringContaining('An operator of the service must') }],
  ]);
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  const listed = await send('GET', `${BASE}/runs/${RUN}/evidence`, { token });
  expect([listed.status, typeof (await tokenOf('admin@evidence.test'))]).toEqual([200, 'string']);
});
