import { describe, expect, it } from 'vitest';
import { type Template, resourcesOfType } from '../../bin/local/template.ts';
import { ROUTES } from '../../functions/shared/routes.ts';
import { templateOf } from '../kit/template.ts';

const sandbox = templateOf({ company: 'acme', stage: 'sandbox' });
const production = templateOf({ company: 'acme', stage: 'production' });

interface Statement {
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
}

/** Logical id of the function of a route or construct. */
function idOf(template: Template, part: string): string {
  const pattern = new RegExp(`^(Http|Processing|SandboxData|Settings)${part}[0-9A-F]{8}$`);
  const id = resourcesOfType(template, 'AWS::Lambda::Function').find(([name]) => pattern.test(name))?.[0];
  if (id === undefined) throw new Error(`no function ${part}`);
  return id;
}

function allStatements(template: Template, policies = /./): Statement[] {
  return resourcesOfType(template, 'AWS::IAM::Policy')
    .filter(([id]) => policies.test(id))
    .flatMap(([, properties]) => (properties['PolicyDocument'] as { Statement: Statement[] }).Statement);
}

const statementsOf = (part: string): Statement[] =>
  allStatements(sandbox, new RegExp(`^(Http|Processing|SandboxData)${part}RoleDefaultPolicy[0-9A-F]{8}$`));
const actionsOf = (part: string): string[] => statementsOf(part).flatMap(({ Action }) => Action);

const tableOf = (template: Template) => resourcesOfType(template, 'AWS::DynamoDB::GlobalTable')[0];
const keyOf = (template: Template) => resourcesOfType(template, 'AWS::KMS::Key')[0];
const environmentOf = (part: string): string[] =>
  Object.keys(
    (sandbox.Resources[idOf(sandbox, part)]?.Properties?.['Environment'] as { Variables?: object })?.Variables ?? {},
  );

describe('the HTTP API', () => {
  it('has exactly the routes of the route list, and a default', () => {
    const keys = resourcesOfType(sandbox, 'AWS::ApiGatewayV2::Route').map(([, { RouteKey }]) => RouteKey);
    expect(keys).toHaveLength(ROUTES.length + 1);
    expect(new Set(keys)).toEqual(new Set(['$default', ...ROUTES.map(({ method, path }) => `${method} ${path}`)]));
  });

  it('throttles and logs accesses without query strings', () => {
    const [[, stage] = []] = resourcesOfType(sandbox, 'AWS::ApiGatewayV2::Stage');
    expect(stage?.['DefaultRouteSettings']).toMatchObject({ ThrottlingRateLimit: 100, ThrottlingBurstLimit: 200 });
    expect(JSON.stringify(stage?.['AccessLogSettings'])).not.toContain('query');
    expect(stage?.['RouteSettings']).toEqual({
      'POST /api/v1/auth/login': { ThrottlingRateLimit: 10, ThrottlingBurstLimit: 20 },
      'POST /api/v1/auth/refresh-token': { ThrottlingRateLimit: 10, ThrottlingBurstLimit: 20 },
      'POST /v1/migrations/{company_id}/progress/imports': { ThrottlingRateLimit: 20, ThrottlingBurstLimit: 50 },
    });
  });

  it('gives every function the newest runtime on arm64', () => {
    for (const [, properties] of resourcesOfType(sandbox, 'AWS::Lambda::Function')) {
      expect(properties).toMatchObject({ Runtime: 'nodejs24.x', Architectures: ['arm64'], Handler: 'index.handler' });
    }
  });

  it('waits longer than its functions may take', () => {
    const ofRoutes = resourcesOfType(sandbox, 'AWS::Lambda::Function').filter(([id]) => id.startsWith('Http'));
    expect(new Set(ofRoutes.map(([, { Timeout }]) => Timeout))).toEqual(new Set([29]));
  });
});

describe('the chunk queue', () => {
  const queues = resourcesOfType(sandbox, 'AWS::SQS::Queue');
  const chunks = queues.find(([, properties]) => 'RedrivePolicy' in properties);
  const deadLetters = queues.find(([, properties]) => !('RedrivePolicy' in properties));

  it('hides a message for six times the processor’s timeout, and moves it to the dead letters after five failures', () => {
    expect(sandbox.Resources[idOf(sandbox, 'ProcessChunk')]?.Properties?.['Timeout']).toBe(20);
    expect(chunks?.[1]).toMatchObject({
      VisibilityTimeout: 120,
      MessageRetentionPeriod: 1_209_600,
      SqsManagedSseEnabled: true,
      RedrivePolicy: { maxReceiveCount: 5, deadLetterTargetArn: { 'Fn::GetAtt': [deadLetters?.[0], 'Arn'] } },
    });
  });

  it('keeps dead letters for 14 days', () => {
    expect(deadLetters?.[1]).toMatchObject({ MessageRetentionPeriod: 1_209_600, SqsManagedSseEnabled: true });
  });

  it('is processed in small batches with partial failures and bounded concurrency', () => {
    const [[, source] = []] = resourcesOfType(sandbox, 'AWS::Lambda::EventSourceMapping');
    expect(source).toMatchObject({
      BatchSize: 4,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      ScalingConfig: { MaximumConcurrency: 5 },
    });
  });

  it('refuses unencrypted connections', () => {
    const policies = resourcesOfType(sandbox, 'AWS::SQS::QueuePolicy').map(([, properties]) =>
      JSON.stringify(properties),
    );
    expect(policies).toHaveLength(4);
    for (const policy of policies) expect(policy).toContain('"aws:SecureTransport":"false"');
  });
});

describe('the table', () => {
  it('is on demand, recoverable, and has two keys-only indexes', () => {
    expect(tableOf(sandbox)?.[1]).toMatchObject({
      BillingMode: 'PAY_PER_REQUEST',
      Replicas: [{ PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } }],
      TimeToLiveSpecification: { AttributeName: 'expires_at_seconds', Enabled: true },
      GlobalSecondaryIndexes: [
        { IndexName: 'imports-by-company', Projection: { ProjectionType: 'KEYS_ONLY' } },
        { IndexName: 'open-imports', Projection: { ProjectionType: 'KEYS_ONLY' } },
      ],
    });
  });

  it('can be deleted in a sandbox only', () => {
    expect(tableOf(sandbox)?.[1]).toMatchObject({ Replicas: [{ DeletionProtectionEnabled: false }] });
    expect(tableOf(production)?.[1]).toMatchObject({ Replicas: [{ DeletionProtectionEnabled: true }] });
    expect(tableOf(production)?.[2]).toMatchObject({ DeletionPolicy: 'Retain' });
  });
});

describe('what a function may do', () => {
  it('is limited to named resources, except for X-Ray, which has none', () => {
    const wild = [sandbox, production]
      .flatMap((template) => allStatements(template))
      .filter(({ Action, Resource }) => JSON.stringify([Action, Resource]).includes('*'));
    expect(wild.length).toBeGreaterThan(0);
    for (const { Action } of wild) expect(Action).toEqual(['xray:PutTelemetryRecords', 'xray:PutTraceSegments']);
  });

  it('comes from no managed policy', () => {
    for (const [, role] of resourcesOfType(sandbox, 'AWS::IAM::Role'))
      expect(role).not.toHaveProperty('ManagedPolicyArns');
  });

  it('never includes a scan', () => {
    expect(JSON.stringify(sandbox)).not.toContain('dynamodb:Scan');
  });

  const signing = new Set(['Login', 'RefreshToken']);
  const sending = new Set(['StartImport']);
  const writing = new Set(['Login', 'RefreshToken', 'StartImport', 'RegisterUserMappings', 'RegisterCourseMappings']);

  it.each(ROUTES.map(({ name }) => name))('%s: signs, sends and writes only if that is its task', (name) => {
    const part = name.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
    const actions = actionsOf(part);
    expect(actions.includes('kms:Sign')).toBe(signing.has(part));
    expect(actions.includes('sqs:SendMessage')).toBe(sending.has(part));
    expect(
      actions.some((action) => /Put|Update|Delete|Write|PartiQL/.test(action) && action.startsWith('dynamodb:')),
    ).toBe(writing.has(part));
  });

  it('lets the processor claim and contribute by statements that only insert', () => {
    const statements = actionsOf('ProcessChunk').filter((action) => action.includes('PartiQL'));
    expect(statements).toEqual(['dynamodb:PartiQLInsert']);
  });

  it.each([
    ['GetOpenapi', []],
    ['RouteNotFound', []],
    ['GetJwks', ['TABLE_NAME']],
    ['GetProfile', ['TABLE_NAME', 'TOKEN_AUDIENCE', 'TOKEN_ISSUER']],
    ['Login', ['SIGNING_KEY_ID', 'TABLE_NAME', 'TOKEN_AUDIENCE', 'TOKEN_ISSUER']],
    ['StartImport', ['CHUNK_QUEUE_URL', 'TABLE_NAME', 'TOKEN_AUDIENCE', 'TOKEN_ISSUER']],
    ['ProcessChunk', ['TABLE_NAME']],
    ['Watchdog', ['CHUNK_QUEUE_URL', 'TABLE_NAME']],
    ['Loader', ['SANDBOX_DATA_FILE', 'TABLE_NAME']],
    ['Checker', ['CHUNK_QUEUE_URL']],
  ])('%s has only the variables that it needs', (part, names) => {
    expect(environmentOf(part).toSorted()).toEqual([...names, 'POWERTOOLS_SERVICE_NAME', 'SERVICE_VERSION'].toSorted());
  });
});

describe('the stack', () => {
  it('loads data into a sandbox, and again when the file has changed, but never into production', () => {
    const [[, data] = []] = resourcesOfType(sandbox, 'Custom::SandboxData');
    expect(data).toMatchObject({ FileHash: 'hash' });
    expect(resourcesOfType(production, 'Custom::SandboxData')).toEqual([]);
    expect(JSON.stringify(production)).not.toContain('SANDBOX_DATA_FILE');
  });

  it('runs the watchdog every minute', () => {
    const [[, rule] = []] = resourcesOfType(sandbox, 'AWS::Events::Rule');
    expect(rule).toMatchObject({ ScheduleExpression: 'rate(1 minute)', State: 'ENABLED' });
  });

  it('signs with a P-256 key that is kept in production', () => {
    expect(keyOf(sandbox)?.[1]).toMatchObject({ KeySpec: 'ECC_NIST_P256', KeyUsage: 'SIGN_VERIFY' });
    expect(keyOf(production)?.[2]).toMatchObject({
      DeletionPolicy: 'RetainExceptOnCreate',
      UpdateReplacePolicy: 'Retain',
    });
  });

  it('is the same in every synthesis', () => {
    expect(templateOf({ company: 'acme', stage: 'sandbox' })).toEqual(sandbox);
  });
});
