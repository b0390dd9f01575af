/** The effect of each setting of a deployment on the template. Costs seconds. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import cdk from '../../cdk.json' with { type: 'json' };
import { resourcesOfType, type Template } from '../../bin/local/template.ts';
import type { Settings } from '../../lib/settings.ts';
import { artifactOf, roleIn, SHARED, statementsIn, templateOf, variablesIn } from '../kit/template.ts';

const ACME = { company: 'acme', stage: 'production' } satisfies Settings;
const TOPIC = 'arn:aws:sns:eu-west-1:111122223333:on-call';
/** Settings that do not touch each other, in one template. */
const FULL = {
  alarms: ['a@example.com', TOPIC, 'b@example.com'],
  documentation: 'https://docs.example.com/',
  retentionDays: 400,
  archiveYears: 3,
  processors: 40,
  hourlyImports: 50_000,
  hourlyUploadMb: 20,
  hourlyDownloadMb: 30,
  warm: 24_000,
  accessLogs: 'arn:aws:firehose:eu-west-1:111122223333:deliverystream/amazon-apigateway-acme',
  tracing: true,
} satisfies Partial<Settings>;
/** Settings that switch something off, or change nothing in the template. */
const OFF = {
  retentionDays: 'none',
  warm: 8000,
  tracing: false,
  canary: false,
  leadingKeys: false,
} satisfies Partial<Settings>;
const templateWith = (settings: Partial<Settings>): Template => templateOf({ ...ACME, ...settings });
const tablesOf = (template: Template) => resourcesOfType(template, 'AWS::DynamoDB::GlobalTable');

describe('the stack', () => {
  const production = artifactOf(ACME);

  it('the stack belongs to the account and region of its settings, so that credentials of another are refused', () => {
    const { environment } = artifactOf({ ...ACME, account: '111122223333', region: 'eu-west-1' });
    expect(environment).toMatchObject({ account: '111122223333', region: 'eu-west-1' });
    expect(production.environment).toMatchObject({ account: 'unknown-account', region: 'unknown-region' });
  });

  it('the stack cannot be deleted by mistake in production', () => {
    expect(production.terminationProtection).toBe(true);
    expect(artifactOf({ ...ACME, stage: 'sandbox' }).terminationProtection).not.toBe(true);
  });

  it('an output and every function name the version of the stack', () => {
    const template = templateOf(ACME) as Template & { Outputs: Record<string, { Value: unknown }> };
    expect(template.Outputs['Version']?.Value).toBe('1.2.3');
    for (const [, variables] of variablesIn(template)) expect(variables).toMatchObject({ SERVICE_VERSION: '1.2.3' });
  });

  it('all flags that the CDK recommends change nothing beside those of cdk.json', () => {
    const path = createRequire(import.meta.url).resolve('aws-cdk-lib/recommended-feature-flags.json');
    const recommended = JSON.parse(readFileSync(path, 'utf8')) as object;
    const synthesized = (context: object) =>
      artifactOf({ ...ACME, ...FULL, account: '111122223333', region: 'eu-west-1' }, undefined, context).template;
    expect(synthesized({ ...recommended, ...cdk.context })).toEqual(synthesized(cdk.context));
  });
});

describe('alarms', () => {
  const template = templateWith(FULL);

  it('each address is subscribed to the alarms', () => {
    const subscriptions = resourcesOfType(template, 'AWS::SNS::Subscription');
    expect(subscriptions.map(([, { Endpoint }]) => Endpoint)).toEqual(['a@example.com', 'b@example.com']);
  });

  it('alarms notify each topic beside the stack’s own', () => {
    const alarms = resourcesOfType(template, 'AWS::CloudWatch::Alarm');
    expect(alarms.length).toBeGreaterThan(5);
    for (const [, { AlarmActions, OKActions = AlarmActions }] of alarms) {
      expect(AlarmActions).toEqual([expect.anything(), TOPIC]);
      expect(OKActions).toEqual(AlarmActions);
    }
  });

  it('that an alarm is quiet again is said of states, not of events, which do not end', () => {
    const told = resourcesOfType(template, 'AWS::CloudWatch::Alarm').flatMap(([id, { OKActions }]) =>
      OKActions === undefined ? [] : [id],
    );
    expect(told).toContainEqual(expect.stringContaining('ServerErrors'));
    expect(told).not.toContainEqual(expect.stringMatching(/ImportAbandoned|TheftSuspected|RecordsProcessingFailed/));
  });

  it('with tickets, alarms that can wait notify others, and wake nobody', () => {
    const { template: apart } = artifactOf({ ...ACME, ...FULL, objectives: true, tickets: ['board@example.com'] });
    const topicOf = (address: string) => {
      const all = resourcesOfType(apart, 'AWS::SNS::Subscription');
      return all.find(([, { Endpoint }]) => Endpoint === address)?.[1]['TopicArn'];
    };
    const actionsOf = (name: string) =>
      resourcesOfType(apart, 'AWS::CloudWatch::Alarm').find(([id]) => id.includes(name))?.[1]['AlarmActions'];
    expect(actionsOf('CallsThrottled')).toEqual([topicOf('board@example.com')]);
    expect(actionsOf('ServerErrors')).toEqual([topicOf('a@example.com'), TOPIC]);
  });

  it('with the address of the runbook, each alarm has a link that a pager can open', () => {
    const { template: linked } = artifactOf({ ...ACME, ...FULL, runbook: 'https://wiki.example.com/runbook' });
    for (const [, { AlarmDescription }] of resourcesOfType(linked, 'AWS::CloudWatch::Alarm'))
      expect(AlarmDescription).toMatch(/What to do: https:\/\/wiki\.example\.com\/runbook#[a-z-]+$/);
  });
});

it('only the function that serves the OpenAPI document gets the address of the documentation', () => {
  const informed = variablesIn(templateWith(FULL)).filter(([, variables]) =>
    Object.values(variables).includes(FULL.documentation),
  );
  expect(informed.map(([id]) => id)).toEqual([expect.stringContaining('GetOpenapi')]);
});

it('retention-days are known to the two functions that accept imports; without them nothing expires', () => {
  const daysIn = (template: Template) =>
    variablesIn(template).flatMap(([name, { RETENTION_DAYS }]) =>
      RETENTION_DAYS === undefined ? [] : [[name.replace(/[A-F0-9]{8}$/, ''), RETENTION_DAYS]],
    );
  expect(daysIn(templateWith(FULL))).toEqual([
    [expect.stringMatching(/StartImport/i), '400'],
    [expect.stringMatching(/ProcessChunk/i), '400'],
  ]);
  expect(daysIn(templateOf(ACME))).toEqual([]);
  expect(daysIn(templateWith(OFF))).toEqual([]);
});

it('archive-years are known to the same functions', () => {
  const yearsIn = (template: Template) =>
    variablesIn(template).flatMap(([, { ARCHIVE_YEARS }]) => (ARCHIVE_YEARS === undefined ? [] : [ARCHIVE_YEARS]));
  expect(yearsIn(templateWith(FULL))).toEqual(['3', '3']);
  expect(yearsIn(templateOf(ACME))).toEqual([]);
});

it('processors bound how much of the account’s concurrency imports can take', () => {
  const concurrencyOf = (template: Template) =>
    resourcesOfType(template, 'AWS::Lambda::EventSourceMapping').map(([, { ScalingConfig }]) => ScalingConfig);
  expect(concurrencyOf(templateWith(FULL))).toContainEqual({ MaximumConcurrency: 40 });
  const byWarm = [undefined, 24_000, 40_000].map(
    (warm) => concurrencyOf(templateWith(warm === undefined ? {} : { warm }))[0],
  );
  expect(byWarm).toEqual([5, 5, 8].map((MaximumConcurrency) => ({ MaximumConcurrency })));
});

it('hourly quotas are given to the functions that count, in bytes', () => {
  const quotasIn = (settings: Partial<Settings>) => {
    const given = variablesIn(templateWith(settings)).flatMap(
      ([, { HOURLY_QUOTAS }]) => (HOURLY_QUOTAS as string | undefined) ?? [],
    );
    expect(given).toHaveLength(15);
    return [...new Set(given)].map((each) => JSON.parse(each) as object);
  };
  expect(quotasIn({})).toEqual([{ imports: 7_500, upload_bytes: 4e9, download_bytes: 20e9 }]);
  expect(quotasIn(FULL)).toEqual([{ imports: 50_000, upload_bytes: 20e6, download_bytes: 30e6 }]);
});

it('warm leaves the table as it is: DynamoDB refuses to lower warm throughput, so a rollback to a former value would fail', () => {
  for (const settings of [OFF, { warm: 40_000 }]) {
    expect(JSON.stringify(templateWith(settings))).not.toContain('WarmThroughput');
    expect(tablesOf(templateWith(settings))[0]?.[1]).toEqual(tablesOf(templateOf(ACME))[0]?.[1]);
  }
});

it('access-logs send a line for each request to the stream, without a role of the account; without them there is no line', () => {
  const stageOf = (settings: Partial<Settings>) =>
    resourcesOfType(templateWith(settings), 'AWS::ApiGateway::Stage')[0]?.[1]['AccessLogSetting'];
  expect(stageOf(FULL)).toMatchObject({
    DestinationArn: FULL.accessLogs,
    Format: expect.stringMatching(/sourceIp.*error\.responseType.*wafResponseCode/),
  });
  expect(stageOf({})).toBeUndefined();
  expect(resourcesOfType(templateWith(FULL), 'AWS::ApiGateway::Account')).toEqual([]);
});

describe('tracing', () => {
  const traced = (template: Template) =>
    resourcesOfType(template, 'AWS::Lambda::Function').filter(([, each]) => 'TracingConfig' in each);
  const xray = (template: Template) =>
    statementsIn(template).filter(({ Action }) => JSON.stringify(Action).includes('xray:'));
  const stage = (template: Template) => resourcesOfType(template, 'AWS::ApiGateway::Stage')[0]?.[1]['TracingEnabled'];

  it('tracing: the stage and every function send traces, and each role may do only that with X-Ray', () => {
    const template = templateWith(FULL);
    expect(stage(template)).toBe(true);
    const functions = resourcesOfType(template, 'AWS::Lambda::Function');
    expect(traced(template)).toHaveLength(functions.length);
    for (const [, { TracingConfig }] of functions) expect(TracingConfig).toEqual({ Mode: 'Active' });
    const Action = ['xray:PutTelemetryRecords', 'xray:PutTraceSegments'];
    const policies = resourcesOfType(template, 'AWS::IAM::Policy').map(([id]) => id);
    expect(xray(template)).toEqual(policies.map((id) => ({ id, Action, Effect: 'Allow', Resource: '*' })));
  });

  it('without tracing nothing sends traces, and no role may', () => {
    for (const settings of [{}, OFF]) {
      const template = templateWith(settings);
      expect([stage(template), traced(template), xray(template)]).toEqual([undefined, [], []]);
    }
  });
});

describe('objectives and a canary', () => {
  const namesOf = (template: Template) =>
    resourcesOfType(template, 'AWS::CloudWatch::Alarm').map(([, { AlarmName }]) => String(AlarmName).split('-').at(-1));
  const added = (settings: Partial<Settings>) =>
    namesOf(templateWith(settings)).filter((name) => !namesOf(templateOf(ACME)).includes(name));

  it('objectives add five alarms, of which the one of latency looks at a percentile of enough values', () => {
    expect(added({ objectives: true })).toEqual([
      'ErrorBudgetBurns',
      'SlowResponses',
      'CallsRefused',
      'GatewayRefuses',
      'CallsThrottled',
    ]);
    const alarms = resourcesOfType(templateWith({ objectives: true }), 'AWS::CloudWatch::Alarm');
    const slow = alarms.find(([, { AlarmName }]) => String(AlarmName).endsWith('-SlowResponses'));
    expect(slow?.[1]).toMatchObject({ ExtendedStatistic: 'p90', EvaluateLowSampleCountPercentile: 'ignore' });
  });

  it('a canary is one function that is started every five minutes, knows the address of the API, and may only log', () => {
    const template = templateWith({});
    expect(namesOf(template)).toContain('CanaryFails');
    const ofCanary = (type: string) =>
      resourcesOfType(template, type).find(([id]) => id.startsWith('Canary')) ?? (['', {}] as const);
    const [id] = ofCanary('AWS::Lambda::Function');
    const Variables = new Map(variablesIn(template)).get(id);
    expect(Object.keys(Variables ?? {}).toSorted()).toEqual(['BASE_URL', 'POWERTOOLS_SERVICE_NAME', 'SERVICE_VERSION']);
    const outputs = template as Template & { Outputs: Record<string, { Value: unknown }> };
    expect(Variables).toMatchObject({ BASE_URL: outputs.Outputs['BaseUrl']?.Value });
    expect(ofCanary('AWS::Events::Rule')[1]).toMatchObject({
      ScheduleExpression: 'rate(5 minutes)',
      State: 'ENABLED',
      Targets: [{ Arn: { 'Fn::GetAtt': [id, 'Arn'] }, RetryPolicy: { MaximumRetryAttempts: 0 } }],
    });
    const actions = statementsIn(template, roleIn(template, id)).flatMap(({ Action }) => Action);
    expect(actions.toSorted()).toEqual(['logs:CreateLogStream', 'logs:PutLogEvents']);
  });

  it('a production stack has a canary unless it is switched off, a sandbox only with the setting', () => {
    const canaryOf = (template: Template) => Object.keys(template.Resources).filter((id) => /canary/i.test(id));
    expect(canaryOf(templateWith(OFF))).toEqual([]);
    expect(canaryOf(templateOf({ ...ACME, stage: 'sandbox' }))).toEqual([]);
    expect(canaryOf(templateOf({ ...ACME, stage: 'sandbox', canary: true }))).not.toEqual([]);
  });
});

describe('mail-from', () => {
  const template = templateWith({ mailFrom: 'migrations@mail.acme.example', page: true });
  const [id = ''] =
    resourcesOfType(template, 'AWS::Lambda::Function').find(([name]) => name.startsWith('Notices')) ?? [];

  it('one function may send mail, from this address alone, and read nothing but users', () => {
    const sending = statementsIn(template).filter(({ Action }) => JSON.stringify(Action).includes('ses:'));
    expect(sending).toMatchObject([
      { Action: 'ses:SendEmail', Condition: { StringEquals: { 'ses:FromAddress': 'migrations@mail.acme.example' } } },
    ]);
    const resources = JSON.stringify(sending[0]?.Resource).matchAll(/:(identity|configuration-set)\/([^"]+)/g);
    expect([...resources].map(([, , name]) => name)).toEqual([
      '*',
      'acme.example',
      'mail.acme.example',
      'migrations@mail.acme.example',
    ]);
    const own = statementsIn(template, roleIn(template, id));
    expect(own.flatMap(({ Action }) => Action).toSorted()).toEqual([
      'dynamodb:BatchGetItem',
      'logs:CreateLogStream',
      'logs:PutLogEvents',
      'ses:SendEmail',
    ]);
    expect(own).toContainEqual(sending[0]);
  });

  it('notices of this stage invoke it, and it links the page where there is one', () => {
    const rules = resourcesOfType(template, 'AWS::Events::Rule').map(([, properties]) => properties);
    expect(rules).toContainEqual(
      expect.objectContaining({
        EventPattern: {
          source: ['course-progress-migration'],
          'detail-type': ['Plan Waiting', 'Plan Approved', 'Run Ended', 'Run Reverted'],
          detail: { stage: ['production'] },
        },
        Targets: [expect.objectContaining({ Arn: { 'Fn::GetAtt': [id, 'Arn'] } })],
      }),
    );
    const urlIn = (of: Template) => variablesIn(of).flatMap(([, { PAGE_URL }]) => PAGE_URL ?? []);
    expect(urlIn(template)).toHaveLength(1);
    expect(urlIn(templateWith({ mailFrom: 'm@acme.example' }))).toEqual([]);
  });

  it('without it nothing sends mail', () => {
    expect(JSON.stringify(templateOf(ACME))).not.toMatch(/ses:|Notices/);
  });
});

it('leading-keys: false leaves no condition on the keys of items in any role, and everything else as it is', () => {
  const conditions = (settings: Partial<Settings>) =>
    JSON.stringify(templateWith(settings)).match(/"dynamodb:LeadingKeys"/g)?.length ?? 0;
  expect(conditions({})).toBeGreaterThan(20);
  expect(conditions(OFF)).toBe(0);
});

describe('a stack that is given a table', () => {
  const template = templateWith({ table: 'acme-restored' });
  const arn = /:table\/acme-restored/;

  it('the stack makes no table of its own', () => {
    expect(tablesOf(template)).toEqual([]);
  });

  it('every function that used its own table gets that one, and the permissions for it and its indexes', () => {
    const users = (of: Template) =>
      variablesIn(of).flatMap(([id, { TABLE_NAME }]) => (TABLE_NAME === undefined ? [] : [[id, TABLE_NAME] as const]));
    const own = users(templateOf(ACME));
    expect(users(template)).toEqual(own.map(([id]) => [id, 'acme-restored']));

    const granted = (of: Template) =>
      statementsIn(of)
        .filter(({ Action }) => JSON.stringify(Action).includes('dynamodb:'))
        .map(({ id, Action, Resource }) => ({ id, Action, Resource: JSON.stringify(Resource) }));
    const statements = granted(template);
    expect(statements.map(({ id, Action }) => [id, Action])).toEqual(
      granted(templateOf(ACME)).map(({ id, Action }) => [id, Action]),
    );
    for (const { Resource } of statements) expect(Resource).toMatch(arn);
    expect(statements.filter(({ Resource }) => Resource.includes('/index/'))).toHaveLength(16);
  });

  it('the outputs name the table', () => {
    expect(JSON.stringify(template)).toContain('"TableName":{"Description":"The one table","Value":"acme-restored"}');
  });
});

it('a restored table is the stack’s own, kept, and new to the template by its name, so that a deployment imports it', () => {
  const [own] = resourcesOfType(templateOf(ACME), 'AWS::DynamoDB::GlobalTable');
  const template = templateWith({ restoredTable: 'acme-restored-1' });
  const [[id, restored] = ['', {}], ...others] = resourcesOfType(template, 'AWS::DynamoDB::GlobalTable');
  expect([others, id === own?.[0]]).toEqual([[], false]);
  const GlobalSecondaryIndexes = own?.[1]['GlobalSecondaryIndexes'];
  expect(restored).toMatchObject({ TableName: 'acme-restored-1', GlobalSecondaryIndexes });
  expect(template.Resources[id]).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
});

describe('the check of the settings', () => {
  const checksOf = (settings: Partial<Settings>) =>
    resourcesOfType(templateWith(settings), 'Custom::SettingsCheck').map(([id, properties]) => ({ id, properties }));

  const parameterIn = (template: Template) =>
    resourcesOfType(template, 'AWS::SSM::Parameter').find(([id]) => id.startsWith('Settings'));

  it('the check knows the current settings, and those that may be forgotten', () => {
    expect(checksOf(SHARED.production)).toMatchObject([
      {
        properties: {
          SigningKey: '2',
          Names: ['cors', 'signing-key', 'warm'],
          Forget: ['alarms'],
          File: 'companies/acme.production.json',
        },
      },
    ]);
  });

  it('the check is another resource for other settings, so that a rollback deletes it and is not itself checked', () => {
    const idOf = (settings: Partial<Settings>) => checksOf(settings)[0]?.id;
    expect(idOf({ warm: 24_000 })).toBe(idOf({ warm: 40_000 }));
    expect(new Set([idOf({}), idOf({ warm: 40_000 }), idOf({ objectives: true })]).size).toBe(3);
  });

  it('the settings are a parameter of the template, so that CloudFormation takes them back with a deployment that fails', () => {
    const { SigningKey, Writes, Names } = checksOf(SHARED.production)[0]?.properties ?? {};
    const [, { Name, Value } = {}] = parameterIn(templateOf(SHARED.production)) ?? [];
    expect(Name).toBe('/course-progress-migration-acme-production/settings');
    expect(JSON.parse(String(Value))).toEqual({ SigningKey, Writes, Names });
  });

  it('the check comes before the table, the key and the parameter are touched', () => {
    const template = templateWith({});
    const [check] = checksOf({});
    const kept = ['AWS::DynamoDB::GlobalTable', 'AWS::KMS::Key'].map((type) => resourcesOfType(template, type)[0]);
    for (const [, , resource] of [...kept, parameterIn(template)].map((each) => each ?? [])) {
      expect(resource).toMatchObject({ DependsOn: expect.arrayContaining([check?.id]) });
    }
  });
});
