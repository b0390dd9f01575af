/**
 * `cdk bootstrap` and `cdk deploy` as an operator types them, against MiniStack, for two companies; then imports
 * through each company's API, functions, queue and table. operations.heavy.ts has the workflow of the interface (§1).
 *
 * Differences of MiniStack from AWS: it selects an API by the Host header (see hostExchange); it renames no header and
 * has no limit on bodies or of 29 seconds, so not every response of API Gateway itself, which test/lib and test/local
 * cover; it enforces no IAM policy, which test/deploy/least-privilege.test.ts covers; it keeps alarms, throttles and
 * dashboards without acting on them, which test/deploy and test/lib cover; it has no saved queries (see
 * keepWhatMiniStackKnows); and a message that keeps failing never reaches its dead-letter queue.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { finished, type Send, tokensOf } from '../../kit/http-client.ts';
import { cdk, deployStack, type Outputs, startAws } from './support/cdk.ts';
import { adminOf, companyData, importOf, recordOf } from './support/company-data.ts';
import { hostExchange, hostSender, type MiniStack, sendMessages } from './support/ministack.ts';
import { temporaryFolder } from '../../kit/temporary-folder.ts';

const COMPANIES = ['acme', 'globex'] as const;
type Company = (typeof COMPANIES)[number];

const folder = temporaryFolder('rehearsal');
const PLATFORM = 'arn:aws:iam::000000000000:role/platform';
const stackOf = (company: string, stage = 'sandbox'): string => `course-progress-migration-${company}-${stage}`;
let aws: MiniStack;

function deploySandbox(company: Company, data: object): Promise<Outputs> {
  const file = join(folder, `${company}.json`);
  writeFileSync(file, JSON.stringify(data));
  return deployStack(aws, folder, stackOf(company), { company, stage: 'sandbox', data: file });
}

beforeAll(async () => {
  aws = await startAws(folder);
});
afterAll(() => aws?.stop());

const deployed = new Map<Company, Outputs>();
const outputsOf = (company: Company): Outputs => deployed.get(company) ?? {};
const senderOf = (company: Company): Send => hostSender(outputsOf(company)['BaseUrl'] ?? '', aws.port);

describe.each(COMPANIES)('the stack of %s', (company) => {
  it('the stack is deployed by one command, which prints every address', async () => {
    deployed.set(company, await deploySandbox(company, companyData(company)));
    const outputs = outputsOf(company);
    const names = ['AlarmTopicArn', 'BaseUrl', 'ChunkQueueName', 'DeadLetterQueueName', 'TableName', 'Version'];
    expect(Object.keys(outputs)).toEqual(expect.arrayContaining(names));
    expect(outputs['TableName']).toContain(stackOf(company));
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
      const packed = await get('GET', file, { accept: '*/*', 'accept-encoding': 'br' });
      expect([packed.status, packed.headers.get('content-encoding')]).toEqual([200, 'br']);
      const again = await get('GET', file, { 'if-none-match': found.headers.get('etag') ?? '' });
      expect([again.status, again.payload]).toEqual([304, '']);
    }
  });

  it('the stack serves many records in several chunks', async () => {
    const send = senderOf(company);
    const { access: token } = await tokensOf(send, ...adminOf(company));
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
  it('the first company, users and catalog arrive through the queue, and an admin imports', async () => {
    const outputs = await deployStack(aws, folder, stackOf('acme', 'production'), {
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
    const [email, password] = adminOf('acme');
    const enabled = async () => {
      const login = await send('POST', '/api/v1/auth/login', { body: { email, password } });
      if (login.status !== 201) return false;
      const token = login.body.access_token;
      return (await send('GET', '/v1/migrations/acme/catalog/courses', { token })).status === 200;
    };
    await vi.waitFor(async () => expect(await enabled()).toBe(true), { timeout: 60_000, interval: 1_000 });
    const { access } = await tokensOf(send, email, password);
    const started = await importOf(send, access, 'acme', recordOf('acme', 'first'));
    const ended = await finished(send, '/v1/migrations/acme', started.body.import_id, access);
    expect(ended.body.status).toBe('success');
    expect(await send('GET', '/')).toMatchObject({ status: 404 });
  });
});

it('two companies do not know each other’s users, nor accept each other’s tokens', async () => {
  const { access } = await tokensOf(senderOf('acme'), ...adminOf('acme'));
  const [email, password] = adminOf('acme');
  const elsewhere = senderOf('globex');
  expect(await elsewhere('POST', '/api/v1/auth/login', { body: { email, password } })).toMatchObject({ status: 401 });
  expect(await elsewhere('GET', '/api/v1/auth/profile', { token: access })).toMatchObject({ status: 401 });
});

describe('a sandbox', () => {
  it('a sandbox loads a changed data file with the next deployment, and keeps migrated data', async () => {
    const data = companyData('acme');
    const [course] = data.courses;
    await deploySandbox('acme', { ...data, courses: [course, { ...course, platform_course_id: 102 }] });
    const send = senderOf('acme');
    const { access: token } = await tokensOf(send, ...adminOf('acme'));
    const catalog = await send('GET', '/v1/migrations/acme/catalog/courses', { token });
    expect(catalog.body.courses).toHaveLength(2);
    const audit = await send('GET', '/v1/migrations/acme/progress/records?external_record_id=many-1', { token });
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
    const [email, password] = adminOf('acme');
    const response = await senderOf('acme')('POST', '/api/v1/auth/login', { body: { email, password } });
    expect(response.status).toBe(404);
  });
});
