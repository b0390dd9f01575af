/**
 * Tenancy by construction: once a caller is authorised for a company, or a chunk of its import is being processed, no command
 * leaves that names a key of anybody else. Every key of a company begins with its id (keys.ts), so this can be seen by looking.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Database } from './client.ts';
import { TABLE } from './table.ts';

const { partitionKey } = TABLE;
const company = new AsyncLocalStorage<string>();

/** Whatever `run` asks the stores for, and all that follows from it, stays within the company. */
export function withinCompany<Result>(company_id: string, run: () => Promise<Result>): Promise<Result> {
  return company.run(company_id, run);
}

/** A key of another company, or of none, was about to be touched: a fault of ours, and the call was not made. */
export class TenancyViolation extends Error {
  override readonly name = 'TenancyViolation';
}

type Client = Database['client'];

/** The client, made to refuse every command that leaves the company at hand; where there is none, it refuses nothing. */
export function keptWithin(client: Client): Client {
  const send = (command: { readonly input: Input }) => {
    const company_id = company.getStore();
    if (company_id !== undefined) refuseStrangers(command.input, company_id);
    return client.send(command as Parameters<Client['send']>[0]);
  };
  return { send: send as Client['send'] };
}

function refuseStrangers(input: Input, company_id: string): void {
  const isOwn = (partition: unknown) => typeof partition === 'string' && partition.startsWith(`${company_id}#`);
  const partitions = partitionsOf(input);
  if (partitions.length > 0 && partitions.every(isOwn)) return;
  // Names no key: keys hold what people sent.
  throw new TenancyViolation(`a command would have left the company ${company_id}`);
}

type Members = Readonly<Record<string, unknown>>;
interface Write {
  readonly PutRequest?: { readonly Item: Members };
  readonly DeleteRequest?: { readonly Key: Members };
}

/** What the commands of the document client that the store uses name keys in. */
interface Input {
  readonly Key?: Members;
  readonly Item?: Members;
  readonly RequestItems?: Readonly<Record<string, { readonly Keys: readonly Members[] } | readonly Write[]>>;
  readonly Statements?: readonly { readonly Statement: string; readonly Parameters: readonly unknown[] }[];
  readonly KeyConditionExpression?: string;
  readonly ExpressionAttributeValues?: Members;
}

/** The partition keys a command names, `undefined` among them where one cannot be told; none for a command without keys. */
function partitionsOf({ Key, Item, RequestItems, Statements, ...query }: Input): readonly unknown[] {
  if (Key !== undefined) return [Key[partitionKey]];
  if (Item !== undefined) return [Item[partitionKey]];
  if (RequestItems !== undefined) return Object.values(RequestItems).flatMap(requestPartitions);
  if (Statements !== undefined) return Statements.map(statementPartition);
  return [query.ExpressionAttributeValues?.[PARTITION_VALUE.exec(query.KeyConditionExpression ?? '')?.[0] ?? '']];
}

function requestPartitions(requests: { readonly Keys: readonly Members[] } | readonly Write[]): readonly unknown[] {
  if ('Keys' in requests) return requests.Keys.map((key) => key[partitionKey]);
  return requests.map(({ PutRequest, DeleteRequest }) => (PutRequest?.Item ?? DeleteRequest?.Key)?.[partitionKey]);
}

/** The partition comes first in a key condition. */
const PARTITION_VALUE = /:\w+/;
const PARTITION_PARAMETER = new RegExp(`['"]${partitionKey}['"] *[:=] *\\?`);

/** The parameter that stands at the partition key's question mark. */
function statementPartition({ Statement, Parameters }: NonNullable<Input['Statements']>[number]): unknown {
  const at = Statement.search(PARTITION_PARAMETER);
  return at === -1 ? undefined : Parameters[Statement.slice(0, at).split('?').length - 1];
}
