/**
 * An operator's work with deployed stacks, against MiniStack: two companies from their files, changes of one, the
 * recipes for events, another version and back, the check from outside, and the restore of the runbook.
 *
 * Differences of MiniStack from AWS: a restore copies the current items, whatever time is requested, and leaves no
 * summary; it drops the expiry, recovery, protection and tags of a table in a template.
 */
import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { join, resolve } from 'node:path';
import { json } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { stackName, type Stage } from '../../../lib/settings.ts';
import { finished, tokensOf } from '../../kit/http-client.ts';
import { cdk, deployStack, type Outputs, startAws } from './support/cdk.ts';
import { adminOf, companyData, importOf, recordOf } from './support/company-data.ts';
import { hostSender, type MiniStack } from './support/ministack.ts';
import { awsWithSummaries, blocksOf, runCommands } from './support/runbook.ts';
import { temporaryFolder } from '../../kit/temporary-folder.ts';
import { serve, type Serving } from '../../kit/serve.ts';

const PROJECT = resolve(import.meta.dirname, '../../..');
const folder = temporaryFolder('operations');
const run = promisify(execFile);

type Written = Readonly<Record<string, unknown>> & { readonly company: string; readonly stage: Stage };
let aws: MiniStack;

const HOME = { account: '000000000000', region: 'us-east-1' };
const SANDBOX: Written = { company: 'acme', stage: 'sandbox', ...HOME, data: 'acme-data.json' };
const PRODUCTION: Written = {
  company: 'globex',
  stage: 'production',
  ...HOME,
  'web-acl': 'none',
  'retention-days': 'none',
};
const ADMIN = adminOf('acme');

const write = (settings: Written): void =>
  writeFileSync(join(folder, `${settings.company}.${settings.stage}.json`), JSON.stringify(settings));

function deploy(settings: Written, version = '1.0.0', more: readonly string[] = []): Promise<Outputs> {
  write(settings);
  const { company, stage } = settings;
  const context = { company, stage, companies: folder, version };
  return deployStack(aws, folder, stackName({ company, stage }), context, more);
}

async function verify(outputs: Outputs, version: string, login = true): Promise<{ code: number; printed: string }> {
  const [VERIFY_EMAIL, VERIFY_PASSWORD] = ADMIN;
  const env = { ...aws.environment, ...(login && { VERIFY_EMAIL, VERIFY_PASSWORD }) };
  const args = ['run', '--silent', 'verify', '--', outputs['BaseUrl'] ?? '', '--version', version];
  return run('npm', args, { cwd: PROJECT, env }).then(
    ({ stdout }) => ({ code: 0, printed: stdout }),
    ({ code, stdout, stderr }) => ({ code, printed: stdout + stderr }),
  );
}

beforeAll(async () => {
  writeFileSync(join(folder, 'acme-data.json'), JSON.stringify(companyData('acme')));
  aws = await startAws(folder);
});
afterAll(() => aws?.stop());

let sandbox: Outputs = {};
let production: Outputs = {};

const RECORD = recordOf('acme', 'kept');
const base = '/v1/migrations/acme';

/** An event as a rule forwards it. */
interface Told {
  readonly source: string;
  readonly 'detail-type': string;
  readonly detail: Readonly<Record<string, unknown>> & { readonly event_id: string };
}

async function admin() {
  const send = hostSender(sandbox['BaseUrl'] ?? '', aws.port);
  const { access: token } = await tokensOf(send, ...ADMIN);
  return { send, token };
}

/** The import of one record under its own key: created once, then replayed. */
async function importOnce(record = RECORD) {
  const { send, token } = await admin();
  const started = await importOf(send, token, 'acme', record);
  const { import_id = '' } = started.body;
  const { body: ended } = await finished(send, base, import_id, token);
  const audit = await send('GET', `${base}/progress/records?external_record_id=${record.external_record_id}`, {
    token,
  });
  return { import_id, status: ended.status, replayed: started.headers.get('idempotent-replayed'), audit: audit.body };
}
let first: Awaited<ReturnType<typeof importOnce>>;

describe('two companies', () => {
  it('two companies are deployed from their files', async () => {
    sandbox = await deploy({ ...SANDBOX, cors: ['https://app.example.com'], 'signing-key': 2 });
    production = await deploy(PRODUCTION);
    expect([sandbox['Version'], production['Version']]).toEqual(['1.0.0', '1.0.0']);
    first = await importOnce();
    expect(first).toMatchObject({ status: 'success', audit: { contributions: [{ import_id: first.import_id }] } });
  });

  it('verify finds nothing wrong: the sandbox goes through the seven steps, production shows its public part', async () => {
    const [journey, look] = [await verify(sandbox, '1.0.0'), await verify(production, '1.0.0', false)];
    expect(journey).toMatchObject({ code: 0, printed: expect.stringContaining('ok     Step 7') });
    expect(look).toMatchObject({ code: 0, printed: expect.stringContaining('Not checked without VERIFY_EMAIL') });
  });
});

describe('the recipes of docs/events.md', () => {
  const [pattern = '', queue = '', read = '', email = '', https = ''] = blocksOf('events.md');
  const [example = '{}'] = blocksOf('events.md', 'json');
  const received: { key: string; event: unknown }[] = [];
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    received.push({ key: String(request.headers['x-api-key']), event: await json(request) });
    response.end();
  };
  let hook: Serving | undefined;
  afterAll(() => hook?.stop());

  const urlOf = (name: string) => `QUEUE=$(aws sqs get-queue-url --queue-name ${name} --query QueueUrl --output text)`;
  const emptied = (name: string) => `${urlOf(name)}; aws sqs purge-queue --queue-url "$QUEUE"`;
  const bodyIn = (name: string): Promise<string> => runCommands([urlOf(name), read].join('\n'), aws.environment);
  let told: Awaited<ReturnType<typeof importOnce>>;
  let idOfEnd: string;

  /** Compares an event with the document's example, and with the import. Returns the id of the event. */
  async function mustBeTold(event: Told, type: string, reverted_at: unknown): Promise<string> {
    const { send, token } = await admin();
    const { records: _, ...import_ } = (await send('GET', `${base}/progress/imports/${told.import_id}`, { token }))
      .body;
    const { event_id, ...detail } = event.detail;
    expect([event.source, event['detail-type']]).toEqual(['course-progress-migration', type]);
    expect(detail).toEqual({ stage: 'sandbox', ...import_, reverted_at });
    const shown = (JSON.parse(example) as Told).detail;
    expect(Object.keys(event.detail).toSorted()).toEqual(Object.keys(shown).toSorted());
    expect(Object.keys(event.detail['counts'] as object)).toEqual(Object.keys(shown['counts'] as object));
    return event_id;
  }

  it('the recipes bring the end of an import to a queue, to the topic of an e-mail, and to an address with its key', async () => {
    hook = await serve(receive);
    const ADDRESS = `${hook.url}/imports`;
    const environment = { ...aws.environment, ADDRESS, KEY: 'a secret', EMAIL: 'migrations@acme.test' };
    const recipe = (...blocks: string[]): Promise<string> => runCommands([pattern, ...blocks].join('\n'), environment);
    // A queue that is also subscribed to the topic receives the text of the e-mail.
    const mailbox = `QUEUE=$(aws sqs create-queue --queue-name mailbox --query QueueUrl --output text)
      ARN=$(aws sqs get-queue-attributes --queue-url "$QUEUE" --attribute-names QueueArn --query Attributes.QueueArn --output text)
      aws sns subscribe --topic-arn "$TOPIC" --protocol sqs --notification-endpoint "$ARN" --attributes RawMessageDelivery=true`;
    await Promise.all([recipe(queue), recipe(email, mailbox), recipe(https)]);

    told = await importOnce({ ...RECORD, user: { email: ADMIN[0] }, external_record_id: 'told' });
    const event = JSON.parse(await bodyIn('import-events')) as Told;
    idOfEnd = await mustBeTold(event, 'Import Ended', null);
    expect(await bodyIn('mailbox')).toContain(
      `Import Ended: ${told.import_id} of acme, success. 0 of 1 records were rejected.`,
    );
    await vi.waitFor(() => expect(received).toEqual([{ key: 'a secret', event }]), 60_000);
  });

  it('the recipes bring the revert of an import to them as well, and no dry run', async () => {
    for (const name of ['import-events', 'mailbox']) await runCommands(emptied(name), aws.environment);
    const { send, token } = await admin();
    await send('POST', `${base}/progress/imports`, { token, body: { dry_run: true, records: [RECORD] } });
    const path = `${base}/progress/imports/${told.import_id}/revert`;
    const dry = await send('POST', path, { token, body: { dry_run: true } });
    expect([dry.status, dry.body.records[0].outcome]).toEqual([200, 'reverted']);
    expect((await send('POST', path, { token, body: { dry_run: false } })).status).toBe(202);
    const reverted = await vi.waitUntil(
      async () => {
        const { body } = await send('GET', path, { token });
        return body.status === 'success' && body;
      },
      { timeout: 240_000, interval: 1_000 },
    );
    expect(reverted.records).toEqual(dry.body.records);

    const event = JSON.parse(await bodyIn('import-events')) as Told;
    expect(await mustBeTold(event, 'Import Reverted', reverted.completed_at)).not.toBe(idOfEnd);
    expect(await bodyIn('mailbox')).toContain(`Import Reverted: ${told.import_id} of acme, success.`);
    await vi.waitFor(() => expect(received.slice(1)).toEqual([{ key: 'a secret', event }]), 60_000);
  });
});

describe('a change of one company', () => {
  it('a change cannot leave out a deployed setting, nor return to an earlier key', async () => {
    await expect(deploy(SANDBOX)).rejects.toThrow(
      /cors is deployed and not set now.*signing-key is 1, but 2 is deployed/s,
    );
    expect((await importOnce()).replayed).toBe('true');
  });

  it('a change may leave out a setting that it forgets explicitly', async () => {
    await deploy({ ...SANDBOX, 'signing-key': 2, forget: ['cors'] });
    expect((await importOnce()).import_id).toBe(first.import_id);
  });
});

const CURRENT = { ...SANDBOX, 'signing-key': 2, forget: ['cors'] };

describe('another version', () => {
  it('the stack shows another version after it is deployed, and the former one after that is deployed again', async () => {
    for (const version of ['1.1.0', '1.0.0']) {
      sandbox = await deploy(CURRENT, version);
      expect(sandbox['Version']).toBe(version);
      expect(await verify(sandbox, version)).toMatchObject({ code: 0 });
      expect(await importOnce()).toMatchObject({ import_id: first.import_id, audit: first.audit });
    }
    expect(await verify(sandbox, '1.1.0')).toMatchObject({ code: 1, printed: expect.stringContaining('not 1.1.0') });
  });
});

describe('the restore of the runbook', () => {
  const ADA = { kind: 'user', company_id: 'acme', id: 900, email: 'ada@acme.test', name: 'Ada', avatar: '' };
  const ADMITTED = { ...ADA, version: 1, role: 'admin', license: 'active', password: 'password of ada' };
  const shell = (block: string): Promise<string> => runCommands(block, aws.environment);
  /** Runs the command as in the runbook. `table`: the restored one. */
  async function restore(...more: string[]): Promise<{ code: number; printed: string; table: string }> {
    const to = ['--company', 'acme', '--stage', 'sandbox', '--to', 'latest', ...more];
    const env = { ...aws.environment, PATH: `${awsWithSummaries(folder)}:${process.env['PATH']}` };
    const { code, printed } = await run('npm', ['run', '--silent', 'restore', '--', ...to], { cwd: PROJECT, env }).then(
      ({ stdout }) => ({ code: 0, printed: stdout }),
      ({ code, stdout, stderr }) => ({ code, printed: stdout + stderr }),
    );
    return { code, printed, table: /\S+-restored-\w+/.exec(printed)?.[0] ?? '' };
  }
  async function tell(fact: object): Promise<string> {
    writeFileSync(join(folder, 'fact.json'), JSON.stringify({ facts: [fact] }));
    const [payload, told] = [join(folder, 'fact.json'), join(folder, 'told.json')];
    return shell(
      `aws lambda invoke --function-name ${sandbox['IntakeFunctionName']} --payload file://${payload} ${told}; cat ${told}`,
    );
  }
  const profile = async (token: string) =>
    (await hostSender(sandbox['BaseUrl'] ?? '', aws.port)('GET', '/api/v1/auth/profile', { token })).status;
  afterAll(() => {
    for (const end of ['.json', '-facts.jsonl'])
      rmSync(join(PROJECT, `restore-${stackName({ company: 'acme', stage: 'sandbox' })}${end}`), { force: true });
  });
  const arn = (name = '') => `arn:aws:dynamodb:us-east-1:000000000000:table/${name}`;
  let before = '';
  let table = '';

  it('the restore closes the stack, makes a table with indexes, expiry, recovery, protection and tags, and asks for a deployment', async () => {
    await shell(`aws dynamodb update-continuous-backups --table-name ${sandbox['TableName']} \
      --point-in-time-recovery-specification PointInTimeRecoveryEnabled=true
      aws dynamodb tag-resource --resource-arn ${arn(sandbox['TableName'])} --tags Key=application,Value=ours`);
    await tell(ADMITTED);
    before = (await admin()).token;
    await tell({ ...ADMITTED, version: 2, license: 'inactive' });
    const restored = await restore();
    expect(restored).toMatchObject({ code: 3, printed: expect.stringContaining('next number of "signing-key"') });
    ({ table } = restored);
    expect(await profile(before)).toBeGreaterThanOrEqual(429);
    const described = await shell(
      `aws dynamodb describe-table --table-name ${table}; aws dynamodb describe-time-to-live --table-name ${table}
      aws dynamodb describe-continuous-backups --table-name ${table}
      aws dynamodb list-tags-of-resource --resource-arn ${arn(table)}`,
    );
    for (const part of ['imports-by-company', 'open-imports', 'expires_at_seconds', '"Key": "application"'])
      expect(described).toContain(part);
    expect(described).toMatch(/"DeletionProtectionEnabled": true[^]*"PointInTimeRecoveryStatus": "ENABLED"/);
  }, 600_000);

  it('after the deployment, in which the table becomes the stack’s own, the API opens only once the facts are in', async () => {
    // MiniStack restores the current items: at the requested time, Ada was an admin.
    const key = (pk: string, sk: string) =>
      `--table-name ${table} --key '{"pk":{"S":"acme#${pk}"},"sk":{"S":"${sk}"}}' --expression-attribute-names '{"#a":"${sk === 'fact' ? 'version' : 'license'}"}'`;
    await shell(`aws dynamodb update-item ${key('fact#user-900', 'fact')} --update-expression 'SET #a = :v' --expression-attribute-values '{":v":{"N":"1"}}'
      aws dynamodb update-item ${key('user#ada@acme.test', 'user')} --update-expression 'SET #a = :v' --expression-attribute-values '{":v":{"S":"active"}}'`);
    sandbox = await deploy({ ...CURRENT, 'restored-table': table, 'signing-key': 3 }, '1.0.0', [
      '--import-existing-resources',
    ]);
    expect(sandbox['TableName']).toBe(table);
    const resources = `aws cloudformation list-stack-resources --stack-name ${stackName({ company: 'acme', stage: 'sandbox' })}`;
    expect(await shell(resources)).toContain(`"PhysicalResourceId": "${table}"`);

    expect(await restore()).toMatchObject({ code: 3, printed: expect.stringContaining('1 users') });
    expect(await profile(before)).toBeGreaterThanOrEqual(429);
    expect(await tell({ ...ADMITTED, version: 2, license: 'inactive' })).toContain('"applied"');
    expect(await restore()).toMatchObject({ code: 0, printed: expect.stringContaining('The stack is open') });
    expect(await profile(before)).toBe(401);
    const send = hostSender(sandbox['BaseUrl'] ?? '', aws.port);
    const login = { email: ADA.email, password: ADMITTED.password };
    expect((await send('POST', '/api/v1/auth/login', { body: login })).status).toBe(401);
    expect(await importOnce()).toMatchObject({ import_id: first.import_id, replayed: 'true', audit: first.audit });
    expect(await verify(sandbox, '1.0.0')).toMatchObject({ code: 0 });
  }, 600_000);

  it('a deployment that forgets the table does not undo the restore', async () => {
    await expect(deploy({ ...CURRENT, 'signing-key': 3 })).rejects.toThrow(
      /restored-table is deployed and not set now/,
    );
    expect(await importOnce()).toMatchObject({ import_id: first.import_id });
  });
});

it('a production stack is not deleted by one command', async () => {
  const app = join(folder, stackName({ company: 'globex', stage: 'production' }));
  const destroyed = cdk(['destroy', '--force', '--app', app], aws.environment);
  await expect(destroyed).rejects.toThrow(/[Tt]ermination ?[Pp]rotection/);
  expect(await verify(production, '1.0.0', false)).toMatchObject({ code: 0 });
});
