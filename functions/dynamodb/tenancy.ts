/**
 * Once a caller is authorised for a company, or a chunk of its import is processed, a command with a key of any other company is
 * refused. So is work that might not end within the invocation, so that the queue redelivers it at once.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { TABLE } from './table.ts';
import { TemporarilyUnavailable } from '../runtime/faults.ts';

const { partitionKey } = TABLE;
const company = new AsyncLocalStorage<string>();

/** Keeps every command that `run` sends, directly or later, within the company. */
export function withinCompany<Result>(company_id: string, run: () => Promise<Result>): Promise<Result> {
  return company.run(company_id, run);
}

/** Lets `run` read a list that spans companies, which has no partition of its own for each. The caller must filter the results. */
export function acrossCompanies<Result>(run: () => Promise<Result>): Promise<Result> {
  return company.exit(run);
}

/** A command named a key of another company, or of none. This is a fault of the service. The command was not sent. */
export class TenancyViolation extends Error {
  override readonly name = 'TenancyViolation';
}

type Client = Pick<DynamoDBDocumentClient, 'send'>;

/** Refuses commands that leave the company (`withinCompany`), or might not end within the time (`withinTime`). */
export function keptWithin(client: Client): Client {
  const send = (command: { readonly input: Input }) => {
    refuseLateCall();
    const company_id = company.getStore();
    if (company_id !== undefined) refuseStrangers(command.input, company_id);
    return client.send(command as Parameters<Client['send']>[0]);
  };
  return { send: send as Client['send'] };
}

const remaining = new AsyncLocalStorage<() => number>();

/** A throttled call, with the retries of its client, ends within this time. */
const LONGEST_CALL_MS = 7_000;

/** Keeps all calls that `run` makes, directly or later, within the remaining time of the invocation. */
export function withinTime<Result>(remainingMs: () => number, run: () => Promise<Result>): Promise<Result> {
  return remaining.run(remainingMs, run);
}

/** Throws `TemporarilyUnavailable` where a call that starts now might not end within the time. */
function refuseLateCall(): void {
  const remainingMs = remaining.getStore();
  if (remainingMs !== undefined && remainingMs() < LONGEST_CALL_MS) {
    throw new TemporarilyUnavailable('The time of this invocation is used up.');
  }
}

function refuseStrangers(input: Input, company_id: string): void {
  const isOwn = (partition: unknown) => typeof partition === 'string' && partition.startsWith(`${company_id}#`);
  const partitions = partitionsOf(input);
  if (partitions.length > 0 && partitions.every(isOwn)) return;
  // The message names no key: keys contain values of clients.
  throw new TenancyViolation(`A command would have left the company ${company_id}.`);
}

type Attributes = Readonly<Record<string, unknown>>;
interface Write {
  readonly PutRequest?: { readonly Item: Attributes };
  readonly DeleteRequest?: { readonly Key: Attributes };
}

/** The members in which the commands of the document client name keys. */
interface Input {
  readonly Key?: Attributes;
  readonly Item?: Attributes;
  readonly RequestItems?: Readonly<Record<string, { readonly Keys: readonly Attributes[] } | readonly Write[]>>;
  readonly TransactItems?: readonly Readonly<Record<string, Input>>[];
  readonly Statements?: readonly { readonly Statement: string; readonly Parameters: readonly unknown[] }[];
  readonly KeyConditionExpression?: string;
  readonly ExpressionAttributeValues?: Attributes;
}

/** The partition keys that a command names, `undefined` for one that cannot be found; empty for a command without keys. */
function partitionsOf({ Key, Item, RequestItems, TransactItems, Statements, ...query }: Input): readonly unknown[] {
  if (Key !== undefined) return [Key[partitionKey]];
  if (Item !== undefined) return [Item[partitionKey]];
  if (RequestItems !== undefined) return Object.values(RequestItems).flatMap(requestPartitions);
  if (TransactItems !== undefined) return TransactItems.flatMap((item) => Object.values(item).flatMap(partitionsOf));
  if (Statements !== undefined) return Statements.map(statementPartition);
  return [query.ExpressionAttributeValues?.[PARTITION_VALUE.exec(query.KeyConditionExpression ?? '')?.[0] ?? '']];
}

function requestPartitions(requests: { readonly Keys: readonly Attributes[] } | readonly Write[]): readonly unknown[] {
  if ('Keys' in requests) return requests.Keys.map((key) => key[partitionKey]);
  return requests.map(({ PutRequest, DeleteRequest }) => (PutRequest?.Item ?? DeleteRequest?.Key)?.[partitionKey]);
}

/** The partition comes first in a key condition. */
const PARTITION_VALUE = /:\w+/;
const PARTITION_PARAMETER = new RegExp(`['"]${partitionKey}['"] *[:=] *\\?`);

/** The parameter at the question mark of the partition key. */
function statementPartition({ Statement, Parameters }: NonNullable<Input['Statements']>[number]): unknown {
  const at = Statement.search(PARTITION_PARAMETER);
  return at === -1 ? undefined : Parameters[Statement.slice(0, at).split('?').length - 1];
}
