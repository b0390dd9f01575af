/**
 * The loss of a region as in docs/deploy.md, against MiniStack: a replica of the table, and a stack in its region.
 * Costs about three minutes.
 *
 * Difference of MiniStack from AWS: it replicates at once, where AWS may lose the last second of writes with the
 * region.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { stackName } from '../../../lib/settings.ts';
import { finished, type Send, tokensOf } from '../../kit/http-client.ts';
import { deployStack, type Outputs, startAws } from './support/cdk.ts';
import { adminOf, companyData, importOf, recordOf } from './support/company-data.ts';
import { hostSender, type MiniStack } from './support/ministack.ts';
import { blocksOf, runCommands } from './support/runbook.ts';
import { temporaryFolder } from '../../kit/temporary-folder.ts';

const FIRST = 'us-east-1';
const OTHER = 'eu-west-1';
const ACME = { company: 'acme', stage: 'sandbox' } as const;
const ADMIN = adminOf('acme');
const BASE = '/v1/migrations/acme';
const folder = temporaryFolder('region');
let aws: MiniStack;

async function deployIn(region: string, settings: object = {}): Promise<{ outputs: Outputs; send: Send }> {
  const written = { ...ACME, account: '000000000000', region, data: 'acme-data.json', ...settings };
  writeFileSync(join(folder, 'acme.sandbox.json'), JSON.stringify(written));
  const context = { ...ACME, companies: folder, version: '1.0.0' };
  const outputs = await deployStack(aws, join(folder, region), stackName(ACME), context);
  return { outputs, send: hostSender(outputs['BaseUrl'] ?? '', aws.port) };
}

const inRegion = (region: string, variables: object, commands: string): Promise<string> =>
  runCommands(commands, { ...aws.environment, ...variables, AWS_REGION: region, AWS_DEFAULT_REGION: region });

async function waitingIn(region: string, { ChunkQueueUrl: QUEUE = '' }: Outputs): Promise<number> {
  const asked = '--attribute-names ApproximateNumberOfMessages --query Attributes.ApproximateNumberOfMessages';
  return Number(
    await inRegion(region, { QUEUE }, `aws sqs get-queue-attributes --queue-url "$QUEUE" ${asked} --output text`),
  );
}

beforeAll(async () => {
  writeFileSync(join(folder, 'acme-data.json'), JSON.stringify(companyData('acme')));
  aws = await startAws(folder, [FIRST, OTHER]);
});
afterAll(() => aws?.stop());

let first: Awaited<ReturnType<typeof deployIn>>;
let second: Awaited<ReturnType<typeof deployIn>>;
let token = '';
let ended = '';
let open = '';

it('a replica of the table is made by the commands of deploy.md, while an import is open that the first region never ends', async () => {
  first = await deployIn(FIRST);
  const { TableName: TABLE = '', ChunkEventSource: SOURCE = '' } = first.outputs;
  const replicate = blocksOf('deploy.md').find((block) => block.includes('--replica-updates')) ?? '';
  await inRegion(FIRST, { TABLE, OTHER }, replicate);
  ({ access: token } = await tokensOf(first.send, ...ADMIN));
  ended = (await importOf(first.send, token, 'acme', recordOf('acme', 'kept'))).body.import_id;
  expect(await finished(first.send, BASE, ended, token)).toMatchObject({ body: { status: 'success' } });
  await inRegion(FIRST, { SOURCE }, 'aws lambda update-event-source-mapping --uuid "$SOURCE" --no-enabled');
  open = (await importOf(first.send, token, 'acme', recordOf('acme', 'open'))).body.import_id;
});

it('a stack on the replica has the imports, ends the open one, and accepts the tokens of the first', async () => {
  second = await deployIn(OTHER, { table: first.outputs['TableName'] });
  const { outputs, send } = second;
  expect(outputs['BaseUrl']).toContain(`.${OTHER}.`);
  expect(await waitingIn(FIRST, first.outputs)).toBeGreaterThan(0);
  const again = await importOf(send, token, 'acme', recordOf('acme', 'kept'));
  expect([again.body.import_id, again.headers.get('idempotent-replayed')]).toEqual([ended, 'true']);
  const WATCHDOG = outputs['WatchdogFunction'] ?? '';
  const [, watch = ''] =
    /^(aws lambda invoke .*\$WATCHDOG.*)$/m.exec(
      blocksOf('runbook.md').join('\n').replaceAll('"$(output WatchdogFunction)"', '"$WATCHDOG"'),
    ) ?? [];
  await inRegion(OTHER, { WATCHDOG }, watch);
  expect(await finished(send, BASE, open, token)).toMatchObject({ body: { status: 'success' } });
  const audit = await send('GET', `${BASE}/progress/records?external_record_id=open`, { token });
  expect(audit.body.contributions).toMatchObject([{ import_id: open }]);
});

it('the stack on the replica signs with a key of its own region, beside the published one of the first', async () => {
  const { send } = second;
  const keyOf = (jwt: string): string => JSON.parse(Buffer.from(jwt.split('.')[0] ?? '', 'base64url').toString()).kid;
  const { access } = await tokensOf(send, ...ADMIN);
  const { body } = await send('GET', '/api/v1/auth/.well-known/jwks.json');
  expect(body.keys.map(({ kid }: { kid: string }) => kid).toSorted()).toEqual([keyOf(token), keyOf(access)].toSorted());
  expect(keyOf(access)).not.toBe(keyOf(token));
});
