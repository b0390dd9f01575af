/**
 * `cdk bootstrap` and `cdk deploy` as an operator types them, against MiniStack, for two companies; then the workflow
 * of the interface (§1) through each company's API, functions, queue and table.
 *
 * Differences of MiniStack from AWS: it selects an API by the Host header (see hostExchange); it renames no header and
 * has no limit on bodies or of 29 seconds, so not every response of API Gateway itself, which test/lib and test/local
 * cover; it enforces no IAM policy, which test/deploy/least-privilege.test.ts covers; it keeps alarms, throttles and
 * dashboards without acting on them, which test/deploy and test/lib cover; it has no saved queries (see
 * keepWhatMiniStackKnows); and a message that keeps failing never reaches its dead-letter queue.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { finished, type Send, tokensOf } from '../../kit/http-client.ts';
import { cdk, contextOf } from './support/cdk.ts';
import { companyData } from './support/company-data.ts';
import {
  hostExchange,
  hostSender,
  keepWhatMiniStackKnows,
  type MiniStack,
  sendMessages,
  startMiniStack,
} from './support/ministack.ts';
import { temporaryFolder } from '../../kit/temporary-folder.ts';

const COMPANIES = ['acme', 'globex'] as const;
type Company = (typeof COMPANIES)[number];
type Outputs = Readonly<Record<string, string>>;

const folder = temporaryFolder('rehearsal');
const PLATFORM = 'arn:aws:iam::000000000000:role/platform';
const stackOf = (company: string, stage = 'sandbox'): string => `course-progress-migration-${company}-${stage}`;
let aws: MiniStack;

function deploySandbox(company: Company, data: object): Promise<Outputs> {
  const file = join(folder, `${company}.json`);
  writeFileSync(file, JSON.stringify(data));
  return deploy(stackOf(company), { company, stage: 'sandbox', data: file });
}

async function deploy(stack: string, context: Readonly<Record<string, string>>): Promise<Outputs> {
  const outputs = join(folder, `${stack}-outputs.json`);
  const app = join(folder, stack);
  await cdk(['synth', '--quiet', ...contextOf(context), '--output', app]);
  keepWhatMiniStackKnows(join(app, `${stack}.template.json`));
  const how = ['--require-approval', 'never', '--outputs-file', outputs, '--progress', 'events'];
  await cdk(['deploy', '--app', app, ...how], aws.environment);
  return JSON.parse(readFileSync(outputs, 'utf8'))[stack];
}

beforeAll(async () => {
  aws = await startMiniStack();
  // Bootstrapping must not load the app, which is elsewhere.
  await cdk(['bootstrap', 'aws://000000000000/us-east-1'], aws.environment, folder);
});
afterAll(() => aws?.stop());

const deployed = new Map<Company, Outputs>();
const outputsOf = (company: Company): Outputs => deployed.get(company) ?? {};
const senderOf = (company: Company): Send => hostSender(outputsOf(company)['BaseUrl'] ?? '', aws.port);
const admin = (company: Company) => [`admin@${company}.test`, `password of ${company}`] as const;

/** The seven steps of the interface (§1), as an admin of the company. */
async function wholeWorkflow(company: Company, send: Send): Promise<void> {
  const { access: token } = await tokensOf(send, ...admin(company));
  const base = `/v1/migrations/${company}`;
  const get = (path: string) => send('GET', base + path, { token });
  const post = (path: string, body: unknown, headers = {}) => send('POST', base + path, { token, body, headers });

  const catalog = await get('/catalog/courses');
  expect(catalog.body.courses).toMatchObject([{ platform_course_id: 101 }]);
  const email = `learner@${company}.test`;
  const resolved = await post('/users/resolve', { emails: [email, `nobody@${company}.test`] });
  expect(resolved.body.counts).toMatchObject({ active: 1, not_found: 1 });
  const users = await post('/users/mappings', { mappings: [{ external_user_id: 9101, email }] });
  const courses = await post('/catalog/mappings', {
    mappings: [{ external_course_id: 'c', platform_course_id: 101 }],
  });
  expect([users.body.counts.created, courses.body.counts.created]).toEqual([1, 1]);

  const good = {
    external_record_id: 'r-1',
    user: { external_user_id: '9101' },
    content: { type: 'course', external_course_id: 'c' },
    progress: { classes: [{ platform_class_id: 1, viewed_at: '2021-01-01' }] },
  };
  const bad = { ...good, external_record_id: 'r-2', content: { type: 'course', platform_course_id: 404 } };
  const dry = await post('/progress/imports', { dry_run: true, records: [good, bad] });
  expect(dry).toMatchObject({ status: 200, body: { status: 'validated', counts: { succeeded: 1, failed: 1 } } });

  const real = { dry_run: false, records: [good, bad] };
  const started = await post('/progress/imports', real, { 'idempotency-key': 'rehearsal' });
  expect(started).toMatchObject({ status: 202, body: { status: 'processing' } });
  const { import_id } = started.body;
  expect(await finished(send, base, import_id, token)).toMatchObject({
    body: { status: 'partial_success', counts: { total: 2, processed: 2, succeeded: 1, failed: 1 } },
  });
  const again = await post('/progress/imports', real, { 'idempotency-key': 'rehearsal' });
  expect(again.body.import_id).toBe(import_id);
  const rejected = await get(`/progress/imports/${import_id}/records?status=error`);
  expect(rejected.body.records).toMatchObject([{ index: 1, errors: [{ error_code: 'course_not_in_catalog' }] }]);
  const audit = await get('/progress/records?external_record_id=r-1');
  expect(audit.body).toMatchObject({ effective: { completion_pct: 25 }, contributions: [{ import_id }] });
}

describe.each(COMPANIES)('the stack of %s', (company) => {
  it('the stack is deployed by one command, which prints every address', async () => {
    deployed.set(company, await deploySandbox(company, companyData(company)));
    const outputs = outputsOf(company);
    const names = ['AlarmTopicArn', 'BaseUrl', 'ChunkQueueName', 'DeadLetterQueueName', 'TableName', 'Version'];
    expect(Object.keys(outputs)).toEqual(expect.arrayContaining(names));
    expect(outputs['TableName']).toContain(stackOf(company));
  });

  it('the stack takes a company through the whole workflow', async () => {
    await expect(wholeWorkflow(company, senderOf(company))).resolves.toBeUndefined();
  });

  it('the stack serves the page below its stage, and each file that the page names', async () => {
    const get = hostExchange(outputsOf(company)['BaseUrl'] ?? '', aws.port);
    const page = await get('GET', '/');
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers.get('content-security-policy')).toContain(`frame-ancestors 'none'`);
    const files = [...page.payload.matchAll(/"\/sandbox(\/page\/[^"]+)"/g)].map(([, path = '']) => path);
    expect(files.map((file) => file.replace(/^.*\./, ''))).toEqual(['svg', 'txt', 'css', 'js']);
    for (const file of files) {
      const found = await get('GET', file);
      expect([found.status, found.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
      const packed = await get('GET', file, { accept: '*/*', 'accept-encoding': 'gzip' });
      expect([packed.status, packed.headers.get('content-encoding')]).toEqual([200, 'gzip']);
      const again = await get('GET', file, { 'if-none-match': found.headers.get('etag') ?? '' });
      expect([again.status, again.payload]).toEqual([304, '']);
    }
  });

  it('the stack serves many records in several chunks', async () => {
    const send = senderOf(company);
    const { access: token } = await tokensOf(send, ...admin(company));
    const base = `/v1/migrations/${company}`;
    const records = Array.from({ length: 500 }, (_, index) => ({
      external_record_id: `many-${index}`,
      user: { email: index % 10 === 0 ? `nobody@${company}.test` : `learner@${company}.test` },
      content: { type: 'course', platform_course_id: index % 7 === 0 ? 404 : 101 },
      progress: { completion_pct: 10 },
    }));
    const { body } = await send('POST', `${base}/progress/imports`, { token, body: { dry_run: true, records } });
    expect(body.counts).toMatchObject({ total: 500, processed: 500 });
    const started = await send('POST', `${base}/progress/imports`, { token, body: { dry_run: false, records } });
    const done = await finished(send, base, started.body.import_id, token);
    expect(done.body.counts).toEqual(body.counts);
  });
});

describe('a production stack', () => {
  it('the first company, users and catalog arrive through the queue, and an admin runs the seven steps', async () => {
    const outputs = await deploy(stackOf('acme', 'production'), {
      company: 'acme',
      stage: 'production',
      platform: PLATFORM,
      'web-acl': 'none',
      'retention-days': 'none',
    });
    const send = hostSender(outputs['BaseUrl'] ?? '', aws.port);
    const { companies, users, courses } = companyData('acme');
    const messages = [
      courses.map((course) => ({ kind: 'course', version: 1, ...course })),
      users.map((user) => ({ kind: 'user', version: 1, ...user })),
      companies.map((company) => ({ kind: 'company', version: 1, ...company })),
    ];
    await sendMessages(
      aws,
      outputs['IntakeQueueUrl'] ?? '',
      messages.map((facts) => JSON.stringify({ facts })),
    );
    const [email, password] = admin('acme');
    const enabled = async () => {
      const login = await send('POST', '/api/v1/auth/login', { body: { email, password } });
      if (login.status !== 201) return false;
      const token = login.body.access_token;
      return (await send('GET', '/v1/migrations/acme/catalog/courses', { token })).status === 200;
    };
    await vi.waitFor(async () => expect(await enabled()).toBe(true), { timeout: 60_000, interval: 1_000 });
    await wholeWorkflow('acme', send);
    expect(await send('GET', '/')).toMatchObject({ status: 404 });
  });
});

describe('responses of API Gateway', () => {
  it.each([
    ['GET', '/v1/nowhere', 404, 'route_not_found'],
    ['DELETE', '/v1/migrations/acme/progress/imports', 405, 'method_not_allowed'],
  ])('the response to %s %s is in the envelope', async (method, path, status, code) => {
    const response = await senderOf('acme')(method, path, { token: 'x' });
    expect([response.status, response.body.errors[0].error_code]).toEqual([status, code]);
    expect(response.headers.get('x-request-id')).toBe(response.body.request_id);
  });
});

describe('two companies', () => {
  it('two companies share no data', () => {
    const named = ['AlarmTopicArn', 'BaseUrl', 'ChunkQueueName', 'DeadLetterQueueName', 'SigningKeyId', 'TableName'];
    for (const name of named) expect(outputsOf('acme')[name]).not.toBe(outputsOf('globex')[name]);
  });

  it('two companies do not know each other’s users, nor accept each other’s tokens', async () => {
    const { access } = await tokensOf(senderOf('acme'), ...admin('acme'));
    const [email, password] = admin('acme');
    const elsewhere = senderOf('globex');
    expect(await elsewhere('POST', '/api/v1/auth/login', { body: { email, password } })).toMatchObject({ status: 401 });
    expect(await elsewhere('GET', '/api/v1/auth/profile', { token: access })).toMatchObject({ status: 401 });
  });
});

describe('a sandbox', () => {
  it('a sandbox loads a changed data file with the next deployment, and keeps migrated data', async () => {
    const data = companyData('acme');
    const [course] = data.courses;
    await deploySandbox('acme', { ...data, courses: [course, { ...course, platform_course_id: 102 }] });
    const send = senderOf('acme');
    const { access: token } = await tokensOf(send, ...admin('acme'));
    const catalog = await send('GET', '/v1/migrations/acme/catalog/courses', { token });
    expect(catalog.body.courses).toHaveLength(2);
    const audit = await send('GET', '/v1/migrations/acme/progress/records?external_record_id=r-1', { token });
    expect(audit.body.contributions).toHaveLength(1);
    await deploySandbox('acme', data);
    const former = await send('GET', '/v1/migrations/acme/catalog/courses', { token });
    expect(former.body.courses).toHaveLength(1);
  });

  it('a deployment with a wrong data file fails with the reason', async () => {
    await expect(deploySandbox('globex', { companies: [{}] })).rejects.toThrow(/companies\.0\.company_id/);
  });

  it('a sandbox is removed by one command', async () => {
    await cdk(['destroy', '--force', '--app', join(folder, stackOf('acme'))], aws.environment);
    const [email, password] = admin('acme');
    const response = await senderOf('acme')('POST', '/api/v1/auth/login', { body: { email, password } });
    expect(response.status).toBe(404);
  });
});
