/**
 * The actions that a request of the AWS JSON protocol needs. It finds the partition keys where the service writes them, as
 * `functions/dynamodb/tenancy.ts` does; a call of another form names the key '', which no grant matches.
 */
import type {
  AttributeValue,
  BatchExecuteStatementInput,
  KeysAndAttributes,
  QueryInput,
  WriteRequest,
} from '@aws-sdk/client-dynamodb';
import { TABLE } from '../../../functions/dynamodb/table.ts';
import { eventBusArn, identityArn, keyArn, parameterArn, queueArn, tableArn } from '../template.ts';
import type { RequestedAction } from './policy.ts';

const SERVICES = {
  AWSEvents: 'events',
  AmazonSQS: 'sqs',
  AmazonSSM: 'ssm',
  DynamoDB_20120810: 'dynamodb',
  TrentService: 'kms',
} as const;

export type Service = (typeof SERVICES)[keyof typeof SERVICES] | 'ses';

export interface Target {
  readonly service: Service;
  readonly operation: string;
}

/** SES names its operation by the path. */
const SEND_EMAIL = '/v2/email/outbound-emails';

/** The service and operation of an `X-Amz-Target`, or of a path without one. */
export function targetOf(header: unknown, path?: string): Target | undefined {
  if (header === undefined && path === SEND_EMAIL) return { service: 'ses', operation: 'SendEmail' };
  const [prefix = '', operation = ''] = String(header).split('.');
  const service = (SERVICES as Readonly<Record<string, Service>>)[prefix];
  return service && { service, operation };
}

type Body = Readonly<Record<string, unknown>>;

export function requestedActions({ service, operation }: Target, body: Body): RequestedAction[] {
  if (service === 'dynamodb') return tableActions(operation, body);
  // A batch needs the action of one message.
  const action = `${service}:${operation.replace(/Batch$/, '')}`;
  if (service === 'events') {
    // Each entry names its bus; without a name it is the default one.
    const entries = body['Entries'] as readonly { readonly EventBusName?: string; readonly Source: string }[];
    return entries.map(({ EventBusName, Source: source }) => ({
      action,
      resource: eventBusArn(EventBusName),
      leadingKeys: [],
      source,
    }));
  }
  if (service === 'ses') {
    const from = String(body['FromEmailAddress']);
    return [{ action, resource: identityArn(from), leadingKeys: [], from }];
  }
  return [{ action, resource: RESOURCES[service](body), leadingKeys: [] }];
}

const RESOURCES: Readonly<Record<Exclude<Service, 'dynamodb' | 'events' | 'ses'>, (body: Body) => string>> = {
  kms: ({ KeyId }) => keyArn(String(KeyId)),
  ssm: ({ Name }) => parameterArn(String(Name)),
  sqs: ({ QueueUrl }) => queueArn(String(QueueUrl).split('/').at(-1) ?? ''),
};

type Attributes = Readonly<Record<string, AttributeValue>>;
type Requests = KeysAndAttributes | readonly WriteRequest[];
type BatchStatement = NonNullable<BatchExecuteStatementInput['Statements']>[number];

type TableCall = Partial<
  Pick<QueryInput, 'TableName' | 'IndexName' | 'KeyConditionExpression' | 'ExpressionAttributeValues'>
> & {
  readonly Key?: Attributes;
  readonly Item?: Attributes;
  readonly RequestItems?: Readonly<Record<string, Requests>>;
  readonly TransactItems?: readonly Readonly<Record<string, TableCall>>[];
  readonly Statements?: readonly BatchStatement[];
};

const keyIn = (item: Attributes = {}): string => item[TABLE.partitionKey]?.S ?? '';

/** Each table of a batch is asked for once; each statement and each part of a transaction on its own. A scan names no key. */
function tableActions(operation: string, call: TableCall): RequestedAction[] {
  const { TableName, IndexName, Key, Item, RequestItems, TransactItems, Statements } = call;
  const on = (action: string, leadingKeys: readonly string[], table = TableName): RequestedAction => ({
    action: `dynamodb:${action}`,
    resource: table === undefined ? '*' : tableArn(table) + (IndexName === undefined ? '' : `/index/${IndexName}`),
    leadingKeys,
  });
  if (RequestItems !== undefined)
    return Object.entries(RequestItems).map(([table, requests]) => on(operation, batchKeys(requests), table));
  if (TransactItems !== undefined)
    return TransactItems.flatMap(Object.entries<TableCall>).flatMap(([kind, each]) =>
      tableActions(`${kind}Item`, each),
    );
  if (Statements !== undefined) return Statements.map((each) => on(...statementAction(each)));
  return [
    on(
      operation,
      operation === 'Query' ? [queriedKey(call)] : [Key, Item].flatMap((each) => (each ? [keyIn(each)] : [])),
    ),
  ];
}

/** The action, the key and the table of a statement as `functions/dynamodb` writes it. */
function statementAction({ Statement = '', Parameters = [] }: BatchStatement) {
  const [, verb = '', table] = STATEMENT.exec(Statement) ?? [];
  const at = Statement.search(PARTITION_PARAMETER);
  const key = at === -1 ? undefined : Parameters[Statement.slice(0, at).split('?').length - 1];
  return [`PartiQL${verb.charAt(0)}${verb.slice(1).toLowerCase()}`, [key?.S ?? ''], table] as const;
}

const queriedKey = ({ KeyConditionExpression = '', ExpressionAttributeValues = {} }: TableCall): string =>
  ExpressionAttributeValues[PARTITION_VALUE.exec(KeyConditionExpression)?.[1] ?? '']?.S ?? '';

function batchKeys(requests: Requests): string[] {
  if ('Keys' in requests) return (requests.Keys ?? []).map(keyIn);
  return requests.map(({ PutRequest, DeleteRequest }) => keyIn(PutRequest?.Item ?? DeleteRequest?.Key));
}

/** The partition comes first in a key condition, and equals a value. */
const PARTITION_VALUE = /^[\w#]+ = (:\w+)/;
const STATEMENT = /^(INSERT|UPDATE|DELETE)(?: INTO| FROM)? "([^"]+)"/;
const PARTITION_PARAMETER = new RegExp(`['"]${TABLE.partitionKey}['"] *[:=] *\\?`);
