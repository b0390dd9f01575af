/** Logical ids and fixed properties of resources with state: if one changes, CloudFormation replaces the resource and its data is lost. */
import { describe, expect, it } from 'vitest';
import { resourcesOfType } from '../../bin/local/template.ts';
import { templateOf } from '../kit/template.ts';

const STATEFUL = {
  'AWS::DynamoDB::GlobalTable': ['TableCD117FA1'],
  'AWS::KMS::Key': ['SigningKeyEEFC2790'],
  'AWS::KMS::Alias': ['SigningKeyAliasFA392759'],
  'AWS::SQS::Queue': [
    'ChunksDeadLetters16A5CB83',
    'ChunksQueue701EA5E3',
    'IntakeDeadLettersA15864BB',
    'IntakeQueue6FB53B87',
  ],
  'AWS::ApiGateway::RestApi': ['HttpApi4E1D4184'],
  'AWS::SNS::Topic': ['AlarmsTopic3A2DFEBA'],
};

/** Properties that cannot change without a replacement; a name of its own would keep a replacement from being made. */
const FIXED = {
  'AWS::DynamoDB::GlobalTable': {
    TableName: undefined,
    KeySchema: [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ],
  },
  'AWS::KMS::Key': { KeySpec: 'ECC_NIST_P256', KeyUsage: 'SIGN_VERIFY' },
  'AWS::SQS::Queue': { QueueName: undefined, FifoQueue: undefined },
};

describe.each(['sandbox', 'production'] as const)('in a %s', (stage) => {
  const template = templateOf({ company: 'acme', stage, platform: 'arn:aws:iam::123456789012:role/platform' });

  it.each(Object.entries(STATEFUL))('the logical ids of %s stay', (type, ids) => {
    expect(resourcesOfType(template, type).map(([id]) => id)).toEqual(ids);
  });

  it.each(Object.entries(FIXED))('properties that would replace %s stay', (type, fixed) => {
    for (const [, properties] of resourcesOfType(template, type)) {
      expect(Object.fromEntries(Object.keys(fixed).map((name) => [name, properties[name]]))).toEqual(fixed);
    }
  });

  it('created resources have tags with company and stage', () => {
    for (const [, { Tags }] of resourcesOfType(template, 'AWS::SQS::Queue')) {
      expect(Tags).toMatchObject(
        expect.arrayContaining([
          { Key: 'application', Value: 'course-progress-migration' },
          { Key: 'company', Value: 'acme' },
          { Key: 'stage', Value: stage },
        ]),
      );
    }
  });
});

it('named resources of another company’s stack have other names', () => {
  const names = (company: string) => {
    const { Resources } = templateOf({ company, stage: 'production' });
    const named =
      /"(?:AlarmName|AliasName|DashboardName|QueryDefinitionName|FunctionName|TableName|QueueName)":"([^"]+)"/g;
    return [...JSON.stringify(Resources).matchAll(named)].map(([, name]) => name);
  };
  const acme = new Set(names('acme'));
  expect(acme.size).toBeGreaterThan(7);
  expect(names('globex').filter((name) => acme.has(name))).toEqual([]);
});
