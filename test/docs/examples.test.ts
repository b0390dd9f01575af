/**
 * Each example of the document is what the service returns to its requests, sent in turn to a local stack with the
 * sample data. `asShown` replaces ids, times, tokens and keys. Costs ten seconds. Record them for `npm run openapi` by
 * `npx vitest run -u --config test/docs/vitest.config.ts test/docs/examples.test.ts`.
 */
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { handler as cancelImport } from '../../functions/handlers/cancel-import.ts';
import { handler as getRevert } from '../../functions/handlers/get-revert.ts';
import { handler as getRunRevert } from '../../functions/handlers/get-run-revert.ts';
import { handler as revertImport } from '../../functions/handlers/revert-import.ts';
import { handler as signEvidence } from '../../functions/handlers/sign-evidence.ts';
import { handler as revertRun } from '../../functions/handlers/revert-run.ts';
import { approvalByAnother, approvalRequired } from '../../functions/http/plan-requests.ts';
import { failureOf } from '../../functions/http/response.ts';
import { importOf } from '../../functions/http/operations.ts';
import type { CompanyRequest } from '../../functions/http/types.ts';
import { handler as cancelRun } from '../../functions/handlers/cancel-run.ts';
import { TemporarilyUnavailable } from '../../functions/runtime/faults.ts';
import { REQUEST_ERROR_STATUS, SCOPES, codesOf } from '../../functions/shared/codes.ts';
import { MAX_BODY_BYTES, MAX_IMPORTS_PREVIEWED } from '../../functions/shared/limits.ts';
import type { Course, User } from '../../functions/shared/model.ts';
import { openApiDocument } from '../../lib/openapi/document.ts';
import { OPERATIONS } from '../../lib/openapi/operations.ts';
import { SAMPLE } from '../../lib/sandbox/sample.ts';
import { type Answer, finished, type Send, type Sending, sender } from '../kit/http-client.ts';
import { startStackOn } from '../kit/local-stack.ts';
import { codeOf, startIdentityProvider, type IdentityProvider } from '../kit/identity-provider.ts';
import { planted } from '../kit/planted.ts';
import { examplePaths } from '../security/matrix/ask.ts';
import { importWorld } from '../imports/world.ts';
import { NO_BODY, withBody } from '../kit/api-event.ts';

const BASE = '/v1/migrations/acme';
const IMPORTS = `${BASE}/progress/imports`;
const LOGIN = '/api/v1/auth/login';
const REFRESH = '/api/v1/auth/refresh-token';
const PASSWORD = 'changeme';

const sample = JSON.parse(readFileSync(SAMPLE, 'utf8')) as {
  companies: object[];
  users: (Omit<User, 'user_id'> & { id: number })[];
  courses: (Course & { company_id: string })[];
};
const [ada] = sample.users;
const machine = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const data = {
  ...sample,
  clients: [
    {
      company_id: 'acme',
      client_id: 'nightly',
      name: 'Nightly',
      jwks: { keys: [{ ...machine.publicKey.export({ format: 'jwk' }), kid: 'k' }] },
      scopes: SCOPES,
    },
  ],
  companies: [...sample.companies, { company_id: 'later', name: 'Later', migrations_enabled: false }],
  users: [...sample.users, { ...ada, id: 99, company_id: 'later', email: 'admin@later.test', password: PASSWORD }],
};

/** Recorded responses, by operation and status; errors by code, and by operation where that matters. */
const given = new Map<string, unknown>();
let provider: IdentityProvider;
let stack: Awaited<ReturnType<typeof startStackOn>>;

const requestOf = (name: string, key?: string): unknown => {
  const request = OPERATIONS.find((operation) => operation.name === name)?.request;
  if (request === undefined) throw new Error(`${name} takes no body`);
  return 'example' in request ? request.example : request.examples[key ?? '']?.value;
};

beforeAll(async () => {
  provider = await startIdentityProvider({ clients: ['0oa1b2c3'] });
  provider.accounts.set('ada', { email: 'admin@acme.test', email_verified: true });
  stack = await startStackOn(data, { signIn: { issuer: provider.issuer, client_id: '0oa1b2c3' } });
  const send = sender(stack.url);
  const { body: tokens } = await send('POST', LOGIN, { body: requestOf('login') });
  const token: string = tokens.access_token;
  const call = (method: string, path: string, body?: unknown, more: Sending = {}) =>
    send(method, path, { token, ...(body === undefined ? {} : { body }), ...more });
  given.set('login 201', tokens);
  await authenticated(send, call, tokens);
  await referred(call);
  await imported(send, call, token);
  await cancelled();
  await reverted();
  await refused(send, call);
});
afterAll(async () => {
  provider.stop();
  await stack.stop();
});

type Call = (method: string, path: string, body?: unknown, more?: Sending) => Promise<Answer>;

async function keep(key: string, answer: Promise<Answer>): Promise<Answer> {
  const { status, body } = await answer;
  given.set(`${key} ${status}`, body);
  return answer;
}

async function authenticated(send: Send, call: Call, { refresh_token }: { refresh_token: string }): Promise<void> {
  const leaving = await send('POST', LOGIN, { body: requestOf('login') });
  await keep('logout', call('POST', '/api/v1/auth/logout', undefined, { token: leaving.body.access_token }));
  await keep('get-profile', call('GET', '/api/v1/auth/profile'));
  await keep('refresh-token', send('POST', REFRESH, { body: { refreshToken: refresh_token } }));
  const ways = await send('GET', '/api/v1/auth/sign-in');
  given.set('get-sign-in 200', JSON.parse(JSON.stringify(ways.body).replaceAll(provider.url, 'https://acme.okta.com')));
  await keep(
    'sign-in',
    send('POST', '/api/v1/auth/sign-in', { body: await codeOf(provider.issuer, 'ada', { client_id: '0oa1b2c3' }) }),
  );
  await keep('get-jwks', send('GET', '/api/v1/auth/.well-known/jwks.json'));
  const server = await send('GET', '/api/v1/auth/.well-known/oauth-authorization-server');
  const shown = JSON.stringify(server.body).replaceAll(stack.url, 'https://acme.example.com');
  given.set('get-authorization-server 200', JSON.parse(shown));
  const tokenOf = async (jti: string, more: object = {}) => {
    const client_assertion = await new SignJWT({ jti, aud: server.body.issuer, iss: 'nightly', sub: 'nightly' })
      .setProtectedHeader({ alg: 'ES256', kid: 'k' })
      .setExpirationTime('1m')
      .sign(machine.privateKey);
    const form = { ...(requestOf('get-token') as object), client_assertion, ...more };
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    return send('POST', '/api/v1/auth/token', { body: new URLSearchParams(form).toString(), headers });
  };
  await keep('get-token', tokenOf('one'));
  const { body: reading } = await tokenOf('two', { scope: 'read' });
  const unscoped = await call('POST', `${BASE}/users/mappings`, {}, { token: reading.access_token });
  given.set('insufficient_scope', unscoped.body.errors);
  const { body: document } = await send('GET', '/v1/openapi.json');
  given.set('get-openapi 200', { openapi: document.openapi });
}

async function referred(call: Call): Promise<void> {
  await keep('list-courses', call('GET', `${BASE}/catalog/courses?limit=1`));
  for (const [name, path] of [
    ['resolve-users', 'users/resolve'],
    ['register-user-mappings', 'users/mappings'],
    ['register-course-mappings', 'catalog/mappings'],
  ] as const) {
    await keep(name, call('POST', `${BASE}/${path}`, requestOf(name)));
  }
}

async function imported(send: Send, call: Call, token: string): Promise<void> {
  await keep('start-import', call('POST', IMPORTS, requestOf('start-import', 'dryRun')));
  const started = await keep('start-import', call('POST', IMPORTS, requestOf('start-import', 'classHistory')));
  const { import_id } = started.body;
  await keep('get-import', finished(send, BASE, import_id, token));
  await keep('list-imports', call('GET', `${IMPORTS}?status=success`));
  const [record] = history().records;
  const leaver = { ...record, external_record_id: 'leaver-1', user: { email: 'dora.leaver@acme.test' } };
  const asked = { dry_run: false, archive: true, run_id: 'leavers-2026', records: [leaver] };
  await finished(send, BASE, (await call('POST', IMPORTS, asked)).body.import_id, token);
  await keep('list-archive', call('GET', `${BASE}/progress/archive?include=record`));
  await keep('get-learner', call('GET', `${BASE}/progress/learners?email=ben.castillo@acme.test`));
  for (const { route, path } of examplePaths({ import_id, external_record_id: 'r-1' }, 'acme')) {
    if (!given.has(`${route.name} 200`)) await keep(route.name, call('GET', path));
  }
  await keep('cancel-import', call('POST', `${IMPORTS}/${import_id}/cancel`));
  await keep(
    'sign-evidence',
    call('POST', `${BASE}/progress/runs/lms-2026/evidence`, requestOf('sign-evidence', 'migration')),
  );
  await keep('get-evidence-jwks', send('GET', '/api/v1/auth/.well-known/evidence-jwks.json'));
  await keep('cancel-run', call('POST', `${BASE}/progress/runs/lms-2026/cancel`));
  for (const _ of ['made', 'changed'])
    await keep('put-run', call('PUT', `${BASE}/progress/runs/autumn-2026`, requestOf('put-run')));
  await planned(call);
}

/** A plan of one dry run of the run that was decided about. */
async function planned(call: Call): Promise<void> {
  const path = `${BASE}/progress/runs/autumn-2026/plan`;
  const { records } = history();
  const dryRun = await call('POST', IMPORTS, { dry_run: true, run_id: 'autumn-2026', records });
  const import_ids = [dryRun.body.import_id];
  const { body: plan } = await keep('make-plan', call('POST', path, { import_ids }));
  await keep('make-plan', call('POST', path, { import_ids }));
  await keep('get-plan', call('GET', path));
  await keep('list-plan-records', call('GET', `${path}/records`));
  const { plan_digest } = plan;
  await keep('approve-plan', call('POST', `${path}/approve`, { plan_digest, comment: 'As agreed.' }));
  await applied(call, records);
}

/** A plan of another run, which is applied to its end. */
async function applied(call: Call, records: readonly object[]): Promise<void> {
  const path = `${BASE}/progress/runs/winter-2026`;
  const dryRun = await call('POST', IMPORTS, { dry_run: true, run_id: 'winter-2026', records });
  const { body: plan } = await call('POST', `${path}/plan`, { import_ids: [dryRun.body.import_id] });
  const { plan_digest } = plan;
  await keep('apply-plan', call('POST', `${path}/plan/apply`, { plan_digest }));
  for (let status = 'processing'; status === 'processing';) ({ status } = (await call('GET', path)).body);
  await keep('apply-plan', call('POST', `${path}/plan/apply`, { plan_digest }));
}

const history = () => requestOf('start-import', 'classHistory') as { run_id: string; records: object[] };
const caller = { company: { company_id: 'acme' }, user: { user_id: 1 } };

/** The errors of a request that is refused. */
async function refusalOf(response: unknown): Promise<unknown> {
  const refusal = await Promise.resolve(response).catch(failureOf);
  return refusal instanceof Object && 'problem' in refusal ? [refusal.problem] : undefined;
}

/** Cancellation of an open import, which over HTTP would be a race: from the services themselves. */
async function cancelled(): Promise<void> {
  const { run_id, records } = history();
  const world = await importWorld();
  await world.accept(records, { run_id });
  const asked = { caller: { company: { company_id: 'acme' } }, import: await world.read(), basePath: '', ...NO_BODY };
  const { body } = await cancelImport.operation(asked as CompanyRequest, world.services);
  given.set('cancel-import 202', body);
  const open = await importWorld();
  await open.accept(records, { run_id });
  const signing = { caller, path: { run_id }, ...withBody(requestOf('sign-evidence', 'migration')) } as never;
  given.set('run_not_terminal', await refusalOf(signEvidence.operation(signing, open.services)));
  const other = await importWorld();
  await other.accept(records, { run_id });
  const ofRun = { caller, path: { run_id }, ...NO_BODY } as never;
  given.set('cancel-run 202', (await cancelRun.operation(ofRun, other.services)).body);
}

/** Over HTTP a revert waits for its fences; here, from the handlers themselves, the clock is moved. */
async function reverted(): Promise<void> {
  const { run_id, records } = history();
  for (const [post, get, what] of [
    [revertImport.operation, getRevert.operation, ['revert-import', 'get-revert']],
    [revertRun.operation, getRunRevert.operation, ['revert-run', 'get-run-revert']],
  ] as const) {
    const world = await importWorld();
    const platform = planted(world.stores.platform);
    await platform.putUsers(sample.users.map(({ id, ...user }) => ({ ...user, user_id: id })));
    await platform.putCourses('acme', sample.courses);
    await world.accept(records, { run_id });
    const asked = async (dry_run: boolean) =>
      ({ caller, path: { run_id }, query: {}, import: await world.read(), ...withBody({ dry_run }) }) as never;
    const key = `import_not_terminal${post === revertRun.operation ? ' run' : ''}`;
    given.set(key, await refusalOf(post(await asked(false), world.services)));
    await world.deliver();
    if (post === revertImport.operation) {
      const request: CompanyRequest = await asked(false);
      const expired = { import_id: '0f2k3j4h5g6d7s8a9q0w1e2r3t', expires_at: '2000-01-01T00:00:00.000Z' };
      const old = { ...request, import: { ...importOf(request), ...expired } };
      given.set('report_expired', await refusalOf(post(old, world.services)));
    }
    if (post === revertRun.operation) {
      const large = await importWorld();
      for (let at = 0; at <= MAX_IMPORTS_PREVIEWED; at += 1)
        await large.accept([{}], { run_id, import_id: `${at}`.padStart(26, '0') });
      await large.deliver();
      given.set('report_not_requested', await refusalOf(get(await asked(true), large.services)));
    }
    for (const dry_run of [true, false]) {
      const { statusCode, body } = await post(await asked(dry_run), world.services);
      given.set(`${what[0]} ${statusCode}`, body);
    }
    await world.deliverReverts();
    given.set(`${what[1]} 200`, (await get(await asked(true), world.services)).body);
  }
}

async function refused(send: Send, call: Call): Promise<void> {
  // With the id and the date of the document in place of those of the import that a message names.
  const shown = ({ message, ...error }: { message: string }) => ({
    ...error,
    message: message
      .replace(/[0-9a-f]{64}/, 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
      .replace(/(?<=import )[0-9a-z]{26}/, '0f2k3j4h5g6d7s8a9q0w1e2r3t')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/, TIMES.ofImport.created),
  });
  const fail = async (key: string, answer: Promise<Answer>) => given.set(key, (await answer).body.errors.map(shown));
  const login = (body: object) => send('POST', LOGIN, { body });
  const wrong = { email: 'ben.castillo@acme.test', password: 'wrong' };
  await fail('invalid_request', call('POST', IMPORTS, []));
  await fail('unauthorized', call('GET', '/api/v1/auth/profile', undefined, { token: 'x' }));
  await fail('unauthorized login', login(wrong));
  await fail('unauthorized refresh', send('POST', REFRESH, { body: { refreshToken: 'x' } }));
  await fail('forbidden', call('GET', '/v1/migrations/other/catalog/courses'));
  const later = await login({ email: 'admin@later.test', password: PASSWORD });
  const ofLater = { token: later.body.access_token };
  await fail('migrations_not_enabled', send('GET', '/v1/migrations/later/catalog/courses', ofLater));
  await fail('import_not_found', call('GET', `${IMPORTS}/nothing`));
  await fail('run_not_found', call('GET', `${BASE}/progress/runs/nothing`));
  await fail('record_not_found', call('GET', `${BASE}/progress/records?external_record_id=nothing`));
  await fail('learner_not_found', call('GET', `${BASE}/progress/learners?user_id=999`));
  await fail('mapping_not_found', call('DELETE', `${BASE}/users/mappings/nothing`));
  await fail('route_not_found', call('GET', '/nothing'));
  const ofPlan = `${BASE}/progress/runs/autumn-2026/plan`;
  await fail('plan_incomplete', call('POST', ofPlan, { import_ids: ['nothing'] }));
  await fail('plan_digest_differs', call('POST', `${ofPlan}/approve`, requestOf('approve-plan')));
  await call('PUT', `${BASE}/progress/runs/spring-2026`, {});
  await fail('plan_not_found', call('GET', `${BASE}/progress/runs/spring-2026/plan`));
  await fail('plan_closed', call('DELETE', `${BASE}/progress/runs/lms-2026`));
  const stale = { headers: { 'content-type': 'application/json', 'if-match': '"1"' } };
  await fail('version_conflict', call('PUT', `${BASE}/progress/runs/autumn-2026`, {}, stale));
  await fail('method_not_allowed', call('DELETE', '/api/v1/auth/profile'));
  await fail('batch_too_large', call('POST', IMPORTS, { dry_run: true, records: Array(501).fill({}) }));
  await fail('payload_too_large', call('POST', IMPORTS, `"${'x'.repeat(MAX_BODY_BYTES)}"`));
  const headers = { 'content-type': 'application/json', 'idempotency-key': 'k' };
  await call('POST', IMPORTS, { dry_run: true, records: [{}] }, { headers });
  await fail('idempotency_key_reused', call('POST', IMPORTS, { dry_run: true, records: [{}, {}] }, { headers }));
  for (let failure = 0; failure < 9; failure += 1) await login(wrong);
  await fail('too_many_requests', login(wrong));
  // This stack asks for no second person.
  given.set('approval_required', [approvalRequired().problem]);
  given.set('approval_by_another', [approvalByAnother().problem]);
  // Faults of the service: no request causes them.
  given.set('internal_error', [failureOf(new Error('a fault')).problem]);
  given.set('temporarily_unavailable', [failureOf(new TemporarilyUnavailable('a fault')).problem]);
}

const JWT = /^eyJ[\w-]+\.[\w-]+\.[\w-]{86}$/;
const TIME = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;
/** Times of the sent records are before this one; those of the run are not. */
const FIRST_OF_RUN = '2025';
const TIMES = {
  ofImport: { created: '2026-01-02T03:04:05.678Z', completed: '2026-01-02T03:04:07.012Z' },
  ofRevert: { created: '2026-01-03T10:20:30.456Z', completed: '2026-01-03T10:21:22.345Z' },
};
const SHOWN: Readonly<Record<string, string>> = {
  import_id: '3f9k2m7q1x8v5c0b4n6t2r9w1e',
  plan_id: 'k3v9x2m7q1c5z',
  plan_digest: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  records_digest: '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
  results_digest: 'fcde2b2edba56bf408601fb721fe9b5c338d10ee429ea04fae5511b68fbf8fb9',
  next_cursor: 'RGf1bWwvS2bFqX0eY7wq3mTt5uVdJk9nZxCpA4sHh8UxMDE',
  x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
  y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
  kid: '0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbW',
};

/** The body with the document's times, ids, tokens and keys in the place of its own, which have the same form. */
function asShown(key: string, body: unknown): unknown {
  const times = key.includes('revert') ? TIMES.ofRevert : TIMES.ofImport;
  const text = JSON.stringify(body, function (this: { created_at?: string }, name, member: unknown) {
    if (typeof member !== 'string') return member;
    if (JWT.test(member)) return `${member.slice(0, 20)}…`;
    if (TIME.test(member) && member > FIRST_OF_RUN)
      return name === 'completed_at' && member !== this.created_at ? times.completed : times.created;
    const shown = SHOWN[name];
    return shown === undefined || (name !== 'next_cursor' && shown.length !== member.length) ? member : shown;
  });
  return JSON.parse(text ?? 'null');
}

const keys = OPERATIONS.flatMap(({ name, success }) =>
  success.filter((each) => 'schema' in each).map(({ status }) => `${name} ${status}`),
);

describe('examples of the document', () => {
  it('the example of each success is the response of the service', async () => {
    const shown = Object.fromEntries(keys.map((key) => [key, asShown(key, given.get(key))]));
    expect(Object.values(shown)).not.toContain(null);
    await expect(`${JSON.stringify(shown, null, 2)}\n`).toMatchFileSnapshot('../../lib/openapi/examples.json');
  });

  const { responses } = openApiDocument('0.0.0').components;
  const errors = Object.entries(responses).flatMap(([component, { content }]) =>
    Object.entries(content['application/json'].examples).map(([name, { value }]) => ({ component, name, value })),
  );
  it.each(errors)('the example of $component, $name, is what the service gives', ({ name, value }) => {
    expect(value.errors).toEqual(given.get(name));
  });

  it('no error lacks an example', () => {
    const shown = new Set(errors.flatMap(({ value }) => value.errors.map(({ error_code }) => error_code)));
    expect(codesOf(REQUEST_ERROR_STATUS).filter((code) => !shown.has(code))).toEqual(['method_not_allowed']);
  });

  it.each(['dryRun', 'classHistory', 'passedExam', 'externalIds'])(
    'the example of a request, %s, is accepted',
    async (key) => {
      const send = sender(stack.url);
      const { body: tokens } = await send('POST', LOGIN, { body: requestOf('login') });
      const body = { ...(requestOf('start-import', key) as object), dry_run: true };
      const report = await send('POST', IMPORTS, { token: tokens.access_token, body });
      expect([report.status, report.body.counts.failed]).toEqual([200, 0]);
    },
  );
});
