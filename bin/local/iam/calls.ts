/** The actions that a request of the AWS JSON protocol needs, by its `X-Amz-Target`. */
import { eventBusArn, keyArn, parameterArn, queueArn } from '../template.ts';
import type { RequestedAction } from './policy.ts';
import { type Body, type Tables, tableActions } from './table-calls.ts';

export type Service = 'dynamodb' | 'events' | 'kms' | 'sqs' | 'ssm';

const SERVICES: Readonly<Record<string, Service>> = {
  AWSEvents: 'events',
  AmazonSQS: 'sqs',
  AmazonSSM: 'ssm',
  DynamoDB_20120810: 'dynamodb',
  TrentService: 'kms',
};

export interface Target {
  readonly service: Service;
  readonly operation: string;
}

export function targetOf(header: unknown): Target | undefined {
  const [prefix = '', operation = ''] = String(header).split('.');
  const service = SERVICES[prefix];
  return service && { service, operation };
}

export interface Named {
  readonly tables: Tables;
  /** ARNs by the path of the queue's URL. */
  readonly queues: ReadonlyMap<string, string>;
}

export function requestedActions(
  { service, operation }: Target,
  body: Body,
  { tables, queues }: Named,
): RequestedAction[] {
  if (service === 'dynamodb') return tableActions(operation, body, tables);
  if (service === 'kms')
    return [{ action: `kms:${operation}`, resource: keyArn(String(body['KeyId'])), leadingKeys: [] }];
  if (service === 'ssm')
    return [{ action: `ssm:${operation}`, resource: parameterArn(String(body['Name'])), leadingKeys: [] }];
  if (service === 'events') return busActions(operation, body);
  // A batch needs the action of one message.
  const action = `sqs:${operation.replace(/Batch$/, '')}`;
  return [{ action, resource: arnOfUrl(body['QueueUrl'], queues), leadingKeys: [] }];
}

/** Each entry names its bus; without a name it is the default one. */
function busActions(operation: string, { Entries = [] }: Body): RequestedAction[] {
  return (Entries as readonly { readonly EventBusName?: string; readonly Source: string }[]).map((entry) => ({
    action: `events:${operation}`,
    resource: eventBusArn(entry.EventBusName),
    leadingKeys: [],
    source: entry.Source,
  }));
}

function arnOfUrl(url: unknown, queues: Named['queues']): string {
  const path = URL.parse(String(url))?.pathname ?? '';
  return queues.get(path) ?? queueArn(path.split('/').at(-1) ?? '');
}
