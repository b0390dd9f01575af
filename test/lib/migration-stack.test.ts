import { LISTED } from '../../functions/dynamodb/table.ts';
import { describe, expect, it } from 'vitest';
import cdk from '../../cdk.json' with { type: 'json' };
import { localFunctions } from '../../bin/local/functions.ts';
import { routeTable } from '../../bin/local/route-table.ts';
import { PhysicalResources, type Template, resolveIntrinsics, resourcesOfType } from '../../bin/local/template.ts';
import { type RouteName, ROUTES } from '../../functions/shared/routes.ts';
import { grantsOf } from '../../lib/functions/grants.ts';
import { roleOf } from '../../lib/functions/roles.ts';
import { artifactOf, roleIn, statementsIn, templateOf, variablesIn } from '../kit/template.ts';

const sandbox = templateOf({ company: 'acme', stage: 'sandbox', evidence: true });
const production = templateOf({ company: 'acme', stage: 'production' });

const pascalCase = (name: string): string =>
  name.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());

function idOf(template: Template, part: string): string {
  const pattern = new RegExp(`^(Http|Processing|SandboxData|Settings)${part}[0-9A-F]{8}$`);
  const id = resourcesOfType(template, 'AWS::Lambda::Function').find(([name]) => pattern.test(name))?.[0];
  if (id === undefined) throw new Error(`no function ${part}`);
  return id;
}

const actionsOf = (part: string): string[] =>
  statementsIn(sandbox, roleIn(sandbox, idOf(sandbox, part))).flatMap(({ Action }) => Action);

function localApi(template: Template) {
  const resources = new PhysicalResources(template);
  const functions = localFunctions(
    '',
    resources,
    () => ({}),
    () => undefined,
  );
  return { route: routeTable(resources, functions) };
}

const tableOf = (template: Template) => resourcesOfType(template, 'AWS::DynamoDB::GlobalTable')[0];
const keyOf = (template: Template) => resourcesOfType(template, 'AWS::KMS::Key')[0];
const environmentOf = (part: string): string[] =>
  Object.keys(new Map(variablesIn(sandbox)).get(idOf(sandbox, part)) ?? {});

describe('the API', () => {
  const methods = () => {
    const { route } = localApi(sandbox);
    return ROUTES.map(({ name, method, path }) => [name, route(method, path)?.target.spec.name]);
  };

  it('the API has the routes of the route list, each with its function', () => {
    const ids = ROUTES.map(({ name }) => [name, idOf(sandbox, pascalCase(name))]);
    expect(methods()).toEqual(ids);
  });

  it.each([
    ['POST', '/'],
    ['POST', '/page/page.js'],
    ['GET', '/page'],
    ['GET', '/nowhere/at/all'],
    ['DELETE', '/v1/migrations/acme/progress/imports'],
    ['GET', '/v1/migrations/acme'],
    ['GET', '/api/v1/auth/login'],
  ])('no path and no method is left to API Gateway: %s %s', (method, path) => {
    expect(localApi(sandbox).route(method, path)?.target.spec.name).toBe(idOf(sandbox, 'RouteNotFound'));
  });

  it.each(['/', '/page/page.js'])('a sandbox serves the page at %s, with a function that has no permission', (path) => {
    const id = localApi(sandbox).route('GET', path)?.target.spec.name;
    expect(id).toBe(idOf(sandbox, 'ServePage'));
    expect(grantsOf('serve-page')).toEqual({ knowsApproval: true, knowsMail: true });
  });

  it('production serves the page only if its settings say so', () => {
    const named = (template: Template) => resourcesOfType(template, 'AWS::Lambda::Function').map(([id]) => id);
    expect(named(production).filter((id) => id.includes('ServePage'))).toEqual([]);
    expect(localApi(production).route('GET', '/')?.target.spec.name).toBe(idOf(production, 'RouteNotFound'));
  });

  it.each([
    [sandbox, 'evidence,page'],
    [templateOf({ company: 'acme', stage: 'production', page: true }), 'page'],
    [production, undefined],
  ])('what no route matches is refused by what the stack has: %#', (template, parts) => {
    expect(new Map(variablesIn(template)).get(idOf(template, 'RouteNotFound'))?.['API_PARTS']).toBe(parts);
  });

  it.each([
    ['POST', '/v1/migrations/acme/progress/runs/spring/evidence'],
    ['GET', '/v1/migrations/acme/progress/runs/spring/evidence'],
    ['GET', '/api/v1/auth/.well-known/evidence-jwks.json'],
  ])('without the setting `evidence` there is no key for it, and %s %s is refused', (method, path) => {
    expect(localApi(production).route(method, path)?.target.spec.name).toBe(idOf(production, 'RouteNotFound'));
    expect(resourcesOfType(production, 'AWS::KMS::Key')).toHaveLength(1);
  });

  it('the API is regional, named after the stack, and takes all content as binary', () => {
    const [[, api] = []] = resourcesOfType(sandbox, 'AWS::ApiGateway::RestApi');
    expect(api).toMatchObject({
      Name: 'course-progress-migration-acme-sandbox',
      EndpointConfiguration: { Types: ['REGIONAL'] },
      BinaryMediaTypes: ['*/*'],
      MinimumCompressionSize: 2048,
    });
    expect(resourcesOfType(sandbox, 'AWS::ApiGateway::Account')).toEqual([]);
  });

  const limitsIn = (template: Template) => {
    const [[, stage] = []] = resourcesOfType(template, 'AWS::ApiGateway::Stage');
    const settings = stage?.['MethodSettings'] as Record<string, unknown>[];
    return settings.map((each) => [
      String(each['ResourcePath']).replaceAll('~1', '/'),
      each['HttpMethod'],
      each['ThrottlingRateLimit'],
      each['ThrottlingBurstLimit'],
    ]);
  };

  it.each([
    ['with', sandbox],
    ['without', production],
  ])('%s evidence, each route of the API has a rate, and nothing else has', (_, template) => {
    const [, ...limits] = limitsIn(template);
    const { route } = localApi(template);
    const isServed = (method: string, path: string) =>
      route(method, path)?.target.spec.name !== idOf(template, 'RouteNotFound');
    const served = ROUTES.filter(({ method, path }) => isServed(method, path));
    expect(limits.map(([path, method]) => `${method} ${path}`)).toEqual(
      served.map(({ method, path }) => `${method} /${path}`),
    );
  });

  it('each method has a rate of its own, and all of them together admit some 260 requests a second', () => {
    const [others, ...limits] = limitsIn(production);
    expect(others).toEqual(['/*', '*', 3, 50]);
    expect(limits.find(([path]) => String(path).endsWith('/login'))).toEqual(['//api/v1/auth/login', 'POST', 10, 20]);
    const methods = resourcesOfType(production, 'AWS::ApiGateway::Method').length;
    const sum = limits.reduce((all, [, , perSecond]) => all + Number(perSecond), 0);
    expect(sum + 3 * (methods - limits.length)).toBeLessThanOrEqual(280);
  });

  it.each([
    [undefined, [80, 200], [20, 50]],
    [24_000, [96, 240], [24, 60]],
    [25_001, [101, 251], [26, 63]],
    [40_000, [160, 400], [40, 100]],
  ])('the API lets in as many imports, and their polls, as a table with warm: %s takes', (warm, polls, imports) => {
    const limits = limitsIn(templateOf({ company: 'acme', stage: 'production', ...(warm !== undefined && { warm }) }));
    const path = '//v1/migrations/{company_id}/progress/imports';
    expect(limits).toContainEqual([`${path}/{import_id}`, 'GET', ...polls]);
    expect(limits).toContainEqual([path, 'POST', ...imports]);
    const ofOthers = (each: typeof limits) => each.filter(([name]) => !/imports(\/\{import_id\})?$/.test(String(name)));
    expect(ofOthers(limits)).toEqual(ofOthers(limitsIn(production)));
  });

  it('the API is reached under its stage, and the output that says so does not end in a slash', () => {
    const { BaseUrl } = (sandbox as unknown as { Outputs: Record<string, { Value: unknown }> }).Outputs;
    expect(resolveIntrinsics(BaseUrl?.Value, new PhysicalResources())).toBe(
      'https://HttpApi4E1D4184.execute-api.us-east-1.amazonaws.com/sandbox',
    );
  });

  it('every function has the newest runtime on arm64', () => {
    for (const [, properties] of resourcesOfType(sandbox, 'AWS::Lambda::Function')) {
      expect(properties).toMatchObject({ Runtime: 'nodejs24.x', Architectures: ['arm64'], Handler: 'index.handler' });
    }
  });

  it('the API waits longer than its functions may take', () => {
    const ofRoutes = resourcesOfType(sandbox, 'AWS::Lambda::Function').filter(([id]) => id.startsWith('Http'));
    expect(new Set(ofRoutes.map(([, { Timeout }]) => Timeout))).toEqual(new Set([29]));
  });
});

describe('the chunk queue', () => {
  const queues = resourcesOfType(sandbox, 'AWS::SQS::Queue');
  const chunks = queues.find(([, properties]) => 'RedrivePolicy' in properties);
  const deadLetters = queues.find(([, properties]) => !('RedrivePolicy' in properties));

  it('the queue hides a message for six times the processor’s timeout, and moves it to the dead letters after five failures', () => {
    expect(sandbox.Resources[idOf(sandbox, 'ProcessChunk')]?.Properties?.['Timeout']).toBe(20);
    expect(chunks?.[1]).toMatchObject({
      VisibilityTimeout: 120,
      MessageRetentionPeriod: 1_209_600,
      SqsManagedSseEnabled: true,
      RedrivePolicy: { maxReceiveCount: 5, deadLetterTargetArn: { 'Fn::GetAtt': [deadLetters?.[0], 'Arn'] } },
    });
  });

  it('dead letters are kept for 14 days', () => {
    expect(deadLetters?.[1]).toMatchObject({ MessageRetentionPeriod: 1_209_600, SqsManagedSseEnabled: true });
  });

  it('the queue is processed in small batches with partial failures and bounded concurrency', () => {
    const [[, source] = []] = resourcesOfType(sandbox, 'AWS::Lambda::EventSourceMapping');
    expect(source).toMatchObject({
      BatchSize: 4,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      ScalingConfig: { MaximumConcurrency: 5 },
    });
  });

  it('the queue refuses unencrypted connections', () => {
    const policies = resourcesOfType(sandbox, 'AWS::SQS::QueuePolicy').map(([, properties]) =>
      JSON.stringify(properties),
    );
    expect(policies).toHaveLength(2);
    for (const policy of policies) expect(policy).toContain('"aws:SecureTransport":"false"');
  });
});

describe('the table', () => {
  it('the table is on demand and recoverable, and its indexes hold every member that a list shows', () => {
    expect(tableOf(sandbox)?.[1]).toMatchObject({
      BillingMode: 'PAY_PER_REQUEST',
      Replicas: [{ PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } }],
      TimeToLiveSpecification: { AttributeName: 'expires_at_seconds', Enabled: true },
      GlobalSecondaryIndexes: [
        { IndexName: 'imports-by-company', Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: LISTED } },
        { IndexName: 'imports-by-status', Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: LISTED } },
        { IndexName: 'imports-by-run', Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: LISTED } },
        {
          IndexName: 'open-imports',
          Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['resends', 'closing_at'] },
        },
      ],
    });
  });

  it('the table can be deleted in a sandbox only', () => {
    expect(tableOf(sandbox)?.[1]).toMatchObject({ Replicas: [{ DeletionProtectionEnabled: false }] });
    expect(tableOf(production)?.[1]).toMatchObject({ Replicas: [{ DeletionProtectionEnabled: true }] });
    expect(tableOf(production)?.[2]).toMatchObject({ DeletionPolicy: 'Retain' });
  });
});

describe('permissions of a function', () => {
  it('permissions are limited to named resources', () => {
    const wild = [sandbox, production]
      .flatMap((template) => statementsIn(template))
      .filter(({ Action, Resource }) => JSON.stringify([Action, Resource]).includes('*'));
    expect(wild).toEqual([]);
  });

  it('no permission comes from a managed policy', () => {
    for (const [, role] of resourcesOfType(sandbox, 'AWS::IAM::Role'))
      expect(role).not.toHaveProperty('ManagedPolicyArns');
  });

  it('no function may scan', () => {
    expect(JSON.stringify(sandbox)).not.toContain('dynamodb:Scan');
  });

  const signing = new Set(['Login', 'SignIn', 'RefreshToken', 'GetToken', 'SignEvidence']);
  const taking = [
    'CancelImport',
    'CancelRun',
    'RevertImport',
    'RevertRun',
    'PutRun',
    'DeleteRun',
    'MakePlan',
    'DeletePlan',
    'ApplyPlan',
    'ApprovePlan',
  ];
  const sending = new Set(['StartImport', ...taking]);
  const registering = ['RegisterUserMappings', 'RegisterCourseMappings', 'DeleteUserMapping', 'DeleteCourseMapping'];
  const writing = new Set([...signing, 'Logout', ...sending, ...registering]);
  /** Functions that only read share a role, which may count downloads towards the quota and keep sums of runs. */
  const reading = (name: RouteName) => roleOf(name)[0] === 'reading';

  it.each(ROUTES.map(({ name }) => name))('%s signs, sends and writes only if that is its task', (name) => {
    const part = pascalCase(name);
    const actions = actionsOf(part);
    expect(actions.includes('kms:Sign')).toBe(signing.has(part));
    expect(actions.includes('sqs:SendMessage')).toBe(sending.has(part));
    const writes = actions.filter((action) => /^dynamodb:.*(Put|Update|Delete|Write|PartiQL)/.test(action));
    expect(reading(name) ? writes : []).toEqual(reading(name) ? ['dynamodb:UpdateItem'] : []);
    expect(writes.length > 0).toBe(reading(name) || writing.has(part));
  });

  it('the processor claims, contributes and frees by statements', () => {
    const statements = actionsOf('ProcessChunk').filter((action) => action.includes('PartiQL'));
    expect(statements).toEqual(['dynamodb:PartiQLInsert', 'dynamodb:PartiQLUpdate', 'dynamodb:PartiQLDelete']);
  });

  it.each([
    ['GetOpenapi', []],
    ['RouteNotFound', ['API_PARTS']],
    ['GetJwks', ['TABLE_NAME']],
    ['GetProfile', ['TABLE_NAME', 'TOKEN_AUDIENCE', 'TOKEN_ISSUER']],
    ['Login', ['SIGNING_KEY_ID', 'TABLE_NAME', 'TOKEN_AUDIENCE', 'TOKEN_ISSUER']],
    ['StartImport', ['CHUNK_QUEUE_URL', 'HOURLY_QUOTAS', 'TABLE_NAME', 'TOKEN_AUDIENCE', 'TOKEN_ISSUER']],
    ['ListCourses', ['HOURLY_QUOTAS', 'TABLE_NAME', 'TOKEN_AUDIENCE', 'TOKEN_ISSUER']],
    ['ProcessChunk', ['CHUNK_QUEUE_URL', 'HOURLY_QUOTAS', 'STAGE', 'TABLE_NAME']],
    ['Watchdog', ['CHUNK_QUEUE_URL', 'STAGE', 'TABLE_NAME']],
    ['Loader', ['SANDBOX_DATA_FILE', 'TABLE_NAME']],
    ['Checker', ['SETTINGS_PARAMETER']],
  ])('%s has only the variables that it needs', (part, names) => {
    expect(environmentOf(part).toSorted()).toEqual([...names, 'POWERTOOLS_SERVICE_NAME', 'SERVICE_VERSION'].toSorted());
  });
});

describe('the stack', () => {
  it('the stack loads data into a sandbox, and again when the file has changed, but never into production', () => {
    const [[, data] = []] = resourcesOfType(sandbox, 'Custom::SandboxData');
    expect(data).toMatchObject({ FileHash: 'hash' });
    expect(resourcesOfType(production, 'Custom::SandboxData')).toEqual([]);
    expect(JSON.stringify(production)).not.toContain('SANDBOX_DATA_FILE');
  });

  it('the watchdog runs every minute, counted from when its rule was made, so that a fleet’s are not all started in one second', () => {
    const [[, rule] = []] = resourcesOfType(sandbox, 'AWS::Events::Rule');
    expect(rule).toMatchObject({ ScheduleExpression: 'rate(1 minute)', State: 'ENABLED' });
  });

  it('the signing key is a P-256 key that is kept in production', () => {
    expect(keyOf(sandbox)?.[1]).toMatchObject({ KeySpec: 'ECC_NIST_P256', KeyUsage: 'SIGN_VERIFY' });
    expect(keyOf(production)?.[2]).toMatchObject({
      DeletionPolicy: 'RetainExceptOnCreate',
      UpdateReplacePolicy: 'Retain',
    });
  });

  it('the logs of production are kept for a year, and longer than the stack; those of a sandbox for as long as its table can be restored', () => {
    const kept = (template: typeof sandbox) =>
      new Set(
        resourcesOfType(template, 'AWS::Logs::LogGroup').map(([, group, policies]) =>
          JSON.stringify([group['RetentionInDays'], (policies as { DeletionPolicy?: string }).DeletionPolicy]),
        ),
      );
    expect(kept(production)).toEqual(new Set(['[365,"RetainExceptOnCreate"]']));
    expect(kept(sandbox)).toEqual(new Set(['[60,"Delete"]']));
  });

  it('a function that sends events to the account’s bus sends them as this service, and as no other', () => {
    const statements = resourcesOfType(production, 'AWS::IAM::Policy').flatMap(
      ([, { PolicyDocument }]) => (PolicyDocument as { Statement: { Action: string; Condition?: object }[] }).Statement,
    );
    const sending = statements.filter(({ Action }) => Action === 'events:PutEvents');
    expect(sending.length).toBeGreaterThan(0);
    for (const { Condition } of sending)
      expect(Condition).toEqual({ StringEquals: { 'events:source': 'course-progress-migration' } });
  });

  it('every synthesis gives the same stack', () => {
    const settings = { company: 'acme', stage: 'sandbox', evidence: true } as const;
    // A context of its own: the templates of one context are synthesized once, and shared.
    const again = artifactOf(settings, undefined, { ...cdk.context, synthesis: 'another' });
    expect(again.template).not.toBe(sandbox);
    expect(again.template).toEqual(sandbox);
  });
});
