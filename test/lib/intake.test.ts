/** The permissions to send facts to a stack, by the template. Costs two syntheses, about a second. */
import { describe, expect, it } from 'vitest';
import { resourcesOfType } from '../../bin/local/template.ts';
import { templateOf } from '../kit/template.ts';

const OWN = { 'Fn::GetAtt': [expect.stringContaining('intake'), 'Arn'] };
const PLATFORM = 'arn:aws:iam::123456789012:role/platform';

describe.each(['sandbox', 'production'] as const)('the intake of a %s', (stage) => {
  const granted = templateOf({ company: 'acme', stage, platform: PLATFORM });
  const closed = templateOf({ company: 'acme', stage });
  const policyOf = (template: typeof granted) =>
    resourcesOfType(template, 'AWS::SQS::QueuePolicy').find(([id]) => id.startsWith('IntakeQueue'))?.[1] as {
      PolicyDocument: { Statement: Record<string, unknown>[] };
    };

  it('the function may be invoked from outside by the platform alone, and has no URL', () => {
    const permissions = (template: typeof granted) =>
      resourcesOfType(template, 'AWS::Lambda::Permission').filter(([id]) => id.startsWith('Intake'));
    expect(permissions(granted).map(([, { Action, Principal }]) => [Action, Principal])).toEqual([
      ['lambda:InvokeFunction', PLATFORM],
    ]);
    expect(permissions(closed)).toEqual([]);
    expect(resourcesOfType(granted, 'AWS::Lambda::Url')).toEqual([]);
  });

  it('the queue takes messages of the platform alone, and none that is not encrypted on its way', () => {
    const { Statement } = policyOf(granted).PolicyDocument;
    const sends = Statement.filter(({ Action }) => JSON.stringify(Action).includes('sqs:SendMessage'));
    expect(sends).toMatchObject([
      { Effect: 'Allow', Principal: { AWS: PLATFORM } },
      // Who polls the queue passes a rejected message on.
      { Effect: 'Deny', Principal: { AWS: '*' }, Condition: { ArnNotEquals: { 'aws:PrincipalArn': [PLATFORM, OWN] } } },
    ]);
    expect(JSON.stringify(policyOf(granted))).toContain('"aws:SecureTransport":"false"');
  });

  it('an operator may send too, because to redrive is to send; the queue itself allows it to nothing more', () => {
    const operator = 'arn:aws:iam::123456789012:role/on-call';
    const { Statement } = policyOf(templateOf({ company: 'acme', stage, platform: PLATFORM, operator })).PolicyDocument;
    const named = Statement.filter((statement) => JSON.stringify(statement).includes(operator));
    expect(named).toMatchObject([
      { Effect: 'Deny', Condition: { ArnNotEquals: { 'aws:PrincipalArn': [PLATFORM, operator, OWN] } } },
    ]);
  });

  it('a stack in which no role may send has no queue to poll', () => {
    const ofIntake = (template: typeof granted, type: string) =>
      resourcesOfType(template, type).filter(([id]) => id.startsWith('Intake')).length;
    const types = ['AWS::SQS::Queue', 'AWS::Lambda::EventSourceMapping', 'AWS::Lambda::Function'];
    expect(types.map((type) => ofIntake(granted, type))).toEqual([2, 1, 1]);
    expect(types.map((type) => ofIntake(closed, type))).toEqual([0, 0, 1]);
  });

  it('the function reads one message at a time; no delivery that fails makes it a dead letter for days', () => {
    const queue = granted.Resources['IntakeQueue6FB53B87']?.Properties;
    expect(queue).toMatchObject({
      VisibilityTimeout: 360,
      SqsManagedSseEnabled: true,
      RedrivePolicy: {
        maxReceiveCount: 1000,
        deadLetterTargetArn: { 'Fn::GetAtt': ['IntakeDeadLettersA15864BB', 'Arn'] },
      },
    });
    const source = resourcesOfType(granted, 'AWS::Lambda::EventSourceMapping').find(([id]) => id.startsWith('Intake'));
    expect(source?.[1]).toMatchObject({ BatchSize: 1, FunctionResponseTypes: ['ReportBatchItemFailures'] });
  });
});
