/** What a DynamoDB request asks for, as IAM checks it: one entry for each key it touches. */
export interface RecordedCall {
  /** Logical id of the calling function. */
  readonly caller: string;
  /** As IAM names it: `dynamodb:GetItem`. */
  readonly action: string;
  /** `table`, an index of it by name, `queue` or `key`. */
  readonly on: string;
  readonly leadingKey?: string;
}

type Call = Omit<RecordedCall, 'caller'>;
type Key = { readonly pk: { readonly S: string } };
type Body = Record<string, unknown>;

const leadingKey = (item: unknown): string => (item as Key).pk.S;

const onTable = (action: string, keys: readonly string[]): Call[] =>
  keys.map((key) => ({ action: `dynamodb:${action}`, on: 'table', leadingKey: key }));

const READERS: Readonly<Record<string, (body: Body) => Call[]>> = {
  GetItem: ({ Key }) => onTable('GetItem', [leadingKey(Key)]),
  UpdateItem: ({ Key }) => onTable('UpdateItem', [leadingKey(Key)]),
  DeleteItem: ({ Key }) => onTable('DeleteItem', [leadingKey(Key)]),
  PutItem: ({ Item }) => onTable('PutItem', [leadingKey(Item)]),
  Query: ({ IndexName, ExpressionAttributeValues }) => [queried(IndexName, ExpressionAttributeValues as Body)],
  BatchGetItem: ({ RequestItems }) =>
    onTable(
      'BatchGetItem',
      requested(RequestItems).flatMap(({ Keys }) => (Keys as Key[]).map(leadingKey)),
    ),
  BatchWriteItem: ({ RequestItems }) =>
    onTable(
      'BatchWriteItem',
      requested(RequestItems).flatMap((requests) => (requests as unknown as Body[]).map(written)),
    ),
  // IAM knows no action of transactions: each write in one is checked as what it is.
  TransactWriteItems: ({ TransactItems }) => (TransactItems as Body[]).flatMap(transacted),
  BatchExecuteStatement: ({ Statements }) => (Statements as Statement[]).flatMap(executed),
};

export function tableCalls(operation: string, body: Body): Call[] {
  // A call that is not known here must not go unnoticed: it is compared as it is.
  return READERS[operation]?.(body) ?? [{ action: `dynamodb:${operation}`, on: 'table', leadingKey: '?' }];
}

const requested = (items: unknown): Body[] => Object.values(items as Record<string, Body>);

function written({ PutRequest, DeleteRequest }: Body): string {
  return PutRequest === undefined
    ? leadingKey((DeleteRequest as { Key: unknown }).Key)
    : leadingKey((PutRequest as { Item: unknown }).Item);
}

function transacted({ Put, Delete, ...others }: Body): Call[] {
  if (Put !== undefined) return onTable('PutItem', [leadingKey((Put as Body)['Item'])]);
  if (Delete !== undefined) return onTable('DeleteItem', [leadingKey((Delete as Body)['Key'])]);
  return [{ action: `dynamodb:${Object.keys(others).join()} in a transaction`, on: 'table', leadingKey: '?' }];
}

function queried(index: unknown, values: Body): Call {
  return {
    action: 'dynamodb:Query',
    on: typeof index === 'string' ? index : 'table',
    leadingKey: (values[':partition'] as { S: string }).S,
  };
}

interface Statement {
  readonly Statement: string;
  readonly Parameters: readonly { readonly S: string }[];
}

/** An INSERT names its key first, an UPDATE last: pk, then sk. */
function executed({ Statement, Parameters }: Statement): Call[] {
  if (Statement.startsWith('INSERT')) return onTable('PartiQLInsert', [Parameters[0]?.S ?? '?']);
  return [{ action: `dynamodb:PartiQL ${Statement.split(' ')[0]}`, on: 'table', leadingKey: '?' }];
}
