/**
 * The SDK commands of the store as effects on a memory table. A command has a part for each item it touches, since
 * DynamoDB promises nothing about a batch as a whole: a fault may fall between any two parts.
 */
import * as sdk from '@aws-sdk/lib-dynamodb';
import { type Bindings, conditionOf, updateOf } from './expressions.ts';
import { type Attributes, DatabaseError, type Key, type MemoryTable } from './memory-table.ts';
import { queryPage } from './query-page.ts';
import { readStatement } from './statements.ts';

export type PartResult = { readonly value?: unknown; readonly error?: DatabaseError };

export interface CommandPlan {
  readonly name: string;
  /** Keys touched, for the trace. */
  readonly keys: readonly Key[];
  readonly writes: boolean;
  /** May see the past. */
  readonly eventual: boolean;
  /** Returns no result if the part was left undone. */
  readonly parts: readonly ((asOfMs?: number) => PartResult | undefined)[];
  /** The output of the command; a part without a result is reported as unprocessed if the command can do so. */
  readonly response: (results: readonly (PartResult | undefined)[]) => unknown;
  readonly partial: boolean;
}

type Input = Readonly<Record<string, unknown>>;

export function planCommand(command: object, table: MemoryTable): CommandPlan {
  const input = (command as { input: Input }).input;
  if (command instanceof sdk.GetCommand) return get(input, table);
  if (command instanceof sdk.PutCommand) return single('Put', input['Item'] as Key & Attributes, input, table, putItem);
  if (command instanceof sdk.UpdateCommand) return single('Update', input['Key'] as Key, input, table, updateItem);
  if (command instanceof sdk.DeleteCommand) return single('Delete', input['Key'] as Key, input, table, deleteItem);
  if (command instanceof sdk.QueryCommand) return queryCommand(input, table);
  if (command instanceof sdk.BatchGetCommand) return batchGet(input, table);
  if (command instanceof sdk.BatchWriteCommand) return batchWrite(input, table);
  if (command instanceof sdk.BatchExecuteStatementCommand) return statements(input, table);
  if (command instanceof sdk.TransactWriteCommand) return transaction(input, table);
  throw new Error(`the memory engine does not know ${command.constructor.name}`);
}

/** Executes a command at once, without faults. */
export function execute(command: object, table: MemoryTable): unknown {
  const { parts, response } = planCommand(command, table);
  return response(parts.map((part) => part()));
}

const onlyKey = ({ pk, sk }: Key): Key => ({ pk, sk });

function get(input: Input, table: MemoryTable): CommandPlan {
  const key = input['Key'] as Key;
  return {
    name: 'Get',
    keys: [key],
    writes: false,
    eventual: input['ConsistentRead'] !== true,
    parts: [(asOfMs) => ({ value: table.read(key, asOfMs) })],
    response: ([result]) => (result?.value === undefined ? {} : { Item: result.value }),
    partial: false,
  };
}

type Change = (table: MemoryTable, key: Key, input: Input) => unknown;

function single(name: string, key: Key, input: Input, table: MemoryTable, change: Change): CommandPlan {
  const part = () =>
    attempted(() => {
      refuseUnlessHolds(table, key, input);
      return change(table, onlyKey(key), input);
    });
  return { name, keys: [key], writes: true, eventual: false, parts: [part], response: valueOf, partial: false };
}

function attempted(run: () => unknown): PartResult {
  try {
    return { value: run() };
  } catch (error) {
    if (error instanceof DatabaseError) return { error };
    throw error;
  }
}

function valueOf([result]: readonly (PartResult | undefined)[]): unknown {
  if (result?.error !== undefined) throw result.error;
  return result?.value;
}

function bindingsOf(input: Input): Bindings {
  return {
    names: (input['ExpressionAttributeNames'] ?? {}) as Bindings['names'],
    values: (input['ExpressionAttributeValues'] ?? {}) as Bindings['values'],
  };
}

function refuseUnlessHolds(table: MemoryTable, key: Key, input: Input): void {
  const condition = input['ConditionExpression'] as string | undefined;
  if (condition === undefined) return;
  if (conditionOf(condition)(table.read(key) ?? {}, bindingsOf(input))) return;
  throw new DatabaseError('ConditionalCheckFailedException', 'The conditional request failed');
}

function putItem(table: MemoryTable, key: Key, input: Input): unknown {
  table.write(key, defined(input['Item'] as Attributes));
  return {};
}

function deleteItem(table: MemoryTable, key: Key): unknown {
  if (table.read(key) !== undefined) table.write(key, undefined);
  return {};
}

function updateItem(table: MemoryTable, key: Key, input: Input): unknown {
  const before = table.read(key) ?? { ...key };
  const after = defined(updateOf(String(input['UpdateExpression']))(before, bindingsOf(input)));
  table.write(key, after);
  return input['ReturnValues'] === 'ALL_NEW' ? { Attributes: after } : {};
}

/** As the document client is configured: `undefined` is no value. */
function defined(item: Attributes): Attributes {
  return Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined));
}

function queryCommand(input: Input, table: MemoryTable): CommandPlan {
  return {
    name: `Query ${(input['IndexName'] as string | undefined) ?? ''}`,
    keys: [],
    writes: false,
    eventual: input['ConsistentRead'] !== true,
    parts: [(asOfMs) => ({ value: queryPage(input, table, asOfMs) })],
    response: ([result]) => result?.value,
    partial: false,
  };
}

function batchGet(input: Input, table: MemoryTable): CommandPlan {
  const [[name, request] = ['', {}]] = Object.entries(input['RequestItems'] as Record<string, Input>);
  const keys = request['Keys'] as readonly Key[];
  refuseRepeats(keys);
  return {
    name: 'BatchGet',
    keys,
    writes: false,
    eventual: request['ConsistentRead'] !== true,
    parts: keys.map((key) => (asOfMs?: number) => ({ value: table.read(key, asOfMs) })),
    response: (results) => {
      const left = keys.filter((_, position) => results[position] === undefined);
      return {
        Responses: { [name]: results.flatMap((result) => (result?.value === undefined ? [] : [result.value])) },
        UnprocessedKeys: left.length === 0 ? {} : { [name]: { ...request, Keys: left } },
      };
    },
    partial: true,
  };
}

interface WriteRequest {
  readonly PutRequest?: { readonly Item: Key & Attributes };
  readonly DeleteRequest?: { readonly Key: Key };
}

function batchWrite(input: Input, table: MemoryTable): CommandPlan {
  const [[name, requests] = ['', []]] = Object.entries(input['RequestItems'] as Record<string, WriteRequest[]>);
  const keyOf = ({ PutRequest, DeleteRequest }: WriteRequest) => PutRequest?.Item ?? (DeleteRequest?.Key as Key);
  const keys = requests.map((request) => onlyKey(keyOf(request)));
  refuseRepeats(keys);
  const part = (request: WriteRequest) => (): PartResult => {
    const key = onlyKey(keyOf(request));
    if (request.PutRequest) table.write(key, defined(request.PutRequest.Item));
    else deleteItem(table, key);
    return {};
  };
  return {
    name: 'BatchWrite',
    keys,
    writes: true,
    eventual: false,
    parts: requests.map(part),
    response: (results) => {
      const left = requests.filter((_, position) => results[position] === undefined);
      return { UnprocessedItems: left.length === 0 ? {} : { [name]: left } };
    },
    partial: true,
  };
}

function statements(input: Input, table: MemoryTable): CommandPlan {
  const sent = input['Statements'] as readonly { Statement: string; Parameters: readonly unknown[] }[];
  const read = sent.map(({ Statement, Parameters }) => readStatement(Statement, Parameters));
  refuseRepeats(read.map(({ key }) => key));
  return {
    name: 'Statements',
    keys: read.map(({ key }) => key),
    writes: true,
    eventual: false,
    parts: read.map(
      ({ key, changed }) =>
        () =>
          attempted(() => table.write(key, changed(table.read(key)))),
    ),
    response: (results) => ({ Responses: results.map(statementAnswer) }),
    partial: true,
  };
}

interface TransactItem {
  readonly Put?: Input & { readonly Item: Key & Attributes };
  readonly Update?: Input & { readonly Key: Key };
  readonly Delete?: Input & { readonly Key: Key };
}

/** One part: all of it happens or none. */
function transaction(input: Input, table: MemoryTable): CommandPlan {
  const items = input['TransactItems'] as readonly TransactItem[];
  const keyOf = ({ Put, Update, Delete }: TransactItem) => onlyKey(Put?.Item ?? ((Update ?? Delete)?.Key as Key));
  const keys = items.map(keyOf);
  refuseRepeats(keys);
  const part = (): PartResult => {
    const reasons = items.map((item) => ({
      Code: codeOf(() => refuseUnlessHolds(table, keyOf(item), item.Put ?? item.Update ?? item.Delete ?? {})),
    }));
    if (reasons.some(({ Code }) => Code !== 'None')) return { error: new TransactionCancelled(reasons) };
    for (const item of items) {
      if (item.Put) putItem(table, keyOf(item), item.Put);
      else if (item.Update) updateItem(table, keyOf(item), item.Update);
      else deleteItem(table, keyOf(item));
    }
    return { value: {} };
  };
  return { name: 'Transaction', keys, writes: true, eventual: false, parts: [part], response: valueOf, partial: false };
}

class TransactionCancelled extends DatabaseError {
  readonly CancellationReasons: readonly { readonly Code: string }[];

  constructor(reasons: readonly { readonly Code: string }[]) {
    super('TransactionCanceledException', 'Transaction cancelled');
    this.CancellationReasons = reasons;
  }
}

function codeOf(check: () => void): string {
  try {
    check();
    return 'None';
  } catch {
    return 'ConditionalCheckFailed';
  }
}

/** In the response to statements, codes have no `Exception` at their end. */
function statementAnswer(result: PartResult | undefined) {
  if (result === undefined) return { Error: { Code: 'ThrottlingError', Message: 'throttled' } };
  if (result.error === undefined) return {};
  const { name, message } = result.error;
  return { Error: { Code: name.replace('Exception', 'Error'), Message: message } };
}

function refuseRepeats(keys: readonly Key[]): void {
  if (new Set(keys.map(({ pk, sk }) => `${pk}\u0000${sk}`)).size === keys.length) return;
  throw new DatabaseError('ValidationException', 'Provided list of item keys contains duplicates');
}
