import { tableArn } from '../template.ts';
import { type PartiqlStatement, partiqlRequest } from './partiql.ts';
import type { RequestedAction } from './policy.ts';

export type Body = Readonly<Record<string, unknown>>;
/** Names of partition keys: of a table, and of its indexes by name. */
export interface TableKeys {
  readonly partitionKey: string;
  readonly indexes: ReadonlyMap<string, string>;
}

export type Tables = ReadonlyMap<string, TableKeys>;

type Reader = (body: Body, tables: Tables) => RequestedAction[];
type Item = Readonly<Record<string, { readonly S?: string }>>;

const indexArn = (table: string, index?: unknown): string =>
  typeof index === 'string' ? `${tableArn(table)}/index/${index}` : tableArn(table);

const partitionKey = (tables: Tables, table: string, index?: string): string | undefined =>
  index === undefined ? tables.get(table)?.partitionKey : tables.get(table)?.indexes.get(index);

function on(tables: Tables, action: string, table: unknown, items: readonly unknown[]): RequestedAction {
  const name = partitionKey(tables, String(table)) ?? '';
  const leadingKeys = items.map((item) => (item as Item)[name]?.S ?? '');
  return { action: `dynamodb:${action}`, resource: tableArn(String(table)), leadingKeys };
}

/** The operations of a transaction, each with the member that holds its key. */
const TRANSACTED: Readonly<Record<string, readonly [action: string, key: string]>> = {
  ConditionCheck: ['ConditionCheckItem', 'Key'],
  Delete: ['DeleteItem', 'Key'],
  Get: ['GetItem', 'Key'],
  Put: ['PutItem', 'Item'],
  Update: ['UpdateItem', 'Key'],
};

const transacted: Reader = ({ TransactItems }, tables) =>
  (TransactItems as readonly Readonly<Record<string, Body>>[]).flatMap((item) =>
    Object.entries(item).map(([operation, body]) => {
      const [action, key] = TRANSACTED[operation] ?? [operation, 'Key'];
      return on(tables, action, body['TableName'], [body[key]]);
    }),
  );

/** Each table of a batch is asked for once, with all its keys. */
const batched =
  (action: string, items: (request: Body) => readonly unknown[]): Reader =>
  ({ RequestItems }, tables) =>
    Object.entries(RequestItems as Readonly<Record<string, Body>>).map(([table, request]) =>
      on(tables, action, table, items(request)),
    );

interface WriteRequest {
  readonly PutRequest?: { readonly Item: unknown };
  readonly DeleteRequest?: { readonly Key: unknown };
}

/** Each statement is asked for on its own. On AWS, a denied one of a batch fails alone; here the whole call does. */
const executed = (statements: readonly PartiqlStatement[], tables: Tables): RequestedAction[] =>
  statements.map((statement) => {
    const request = partiqlRequest(statement, (table, index) => partitionKey(tables, table, index));
    if (request === undefined) return { action: 'dynamodb:PartiQL', resource: '*', leadingKeys: [] };
    const { action, table, index, leadingKeys } = request;
    return { action: `dynamodb:${action}`, resource: indexArn(table, index), leadingKeys };
  });

const READERS: Readonly<Record<string, Reader>> = {
  GetItem: ({ TableName, Key }, tables) => [on(tables, 'GetItem', TableName, [Key])],
  UpdateItem: ({ TableName, Key }, tables) => [on(tables, 'UpdateItem', TableName, [Key])],
  DeleteItem: ({ TableName, Key }, tables) => [on(tables, 'DeleteItem', TableName, [Key])],
  PutItem: ({ TableName, Item }, tables) => [on(tables, 'PutItem', TableName, [Item])],
  Query: (body, tables) => [queried(body, tables)],
  BatchGetItem: batched('BatchGetItem', ({ Keys }) => Keys as readonly unknown[]),
  BatchWriteItem: batched('BatchWriteItem', (requests) =>
    (requests as unknown as readonly WriteRequest[]).map(
      ({ PutRequest, DeleteRequest }) => PutRequest?.Item ?? DeleteRequest?.Key,
    ),
  ),
  TransactGetItems: transacted,
  TransactWriteItems: transacted,
  BatchExecuteStatement: ({ Statements }, tables) => executed(Statements as PartiqlStatement[], tables),
  ExecuteStatement: (body, tables) => executed([body as unknown as PartiqlStatement], tables),
  ExecuteTransaction: ({ TransactStatements }, tables) => executed(TransactStatements as PartiqlStatement[], tables),
};

/** Any other operation, such as `Scan`, is asked for under its own name, without keys. */
export function tableActions(operation: string, body: Body, tables: Tables): RequestedAction[] {
  const read = READERS[operation];
  if (read !== undefined) return read(body, tables);
  const { TableName, IndexName } = body;
  const resource = typeof TableName === 'string' ? indexArn(TableName, IndexName) : '*';
  return [{ action: `dynamodb:${operation}`, resource, leadingKeys: [] }];
}

const EQUATION = /([\w.#-]+)\s*=\s*(:\w+)/g;

/** The leading key of an index is its own partition key. */
function queried(body: Body, tables: Tables): RequestedAction {
  const { TableName, IndexName, KeyConditionExpression } = body;
  const names = (body['ExpressionAttributeNames'] ?? {}) as Readonly<Record<string, string>>;
  const values = (body['ExpressionAttributeValues'] ?? {}) as Item;
  const wanted = partitionKey(tables, String(TableName), IndexName as string | undefined);
  const leadingKeys = [...String(KeyConditionExpression).matchAll(EQUATION)].flatMap(([, name = '', value = '']) =>
    (names[name] ?? name) === wanted ? [values[value]?.S ?? ''] : [],
  );
  return { action: 'dynamodb:Query', resource: indexArn(String(TableName), IndexName), leadingKeys };
}
