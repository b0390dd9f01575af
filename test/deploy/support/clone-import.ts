/** Imports between two steps: reopened copies of a settled one, which a test passes to a function itself. */
import { type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { LocalStack } from '../../../bin/local/stack.ts';
import { sqsEvent } from '../../kit/sqs-event.ts';

type Item = Readonly<Record<string, unknown>>;

export interface Clone {
  /** Replaces the first letters of the import's id. */
  readonly name: string;
  readonly members: Item;
  readonly withPlan: boolean;
}

/** An open copy of a settled import of `acme`, with its payload and, on request, its plans. */
export async function cloneImport(
  client: DynamoDBDocumentClient,
  TableName: string,
  import_id: string,
  { name, members, withPlan }: Clone,
): Promise<Item> {
  const copyId = `${name}${import_id}`.slice(0, import_id.length);
  const read = async (sk: string): Promise<Item> => {
    const { Item = {} } = await client.send(new GetCommand({ TableName, Key: { pk: `acme#import#${import_id}`, sk } }));
    return Item;
  };
  const write = (item: Item) =>
    client.send(new PutCommand({ TableName, Item: { ...item, pk: `acme#import#${copyId}` } }));
  const settled = await read('import');
  const open = Object.entries(settled).filter(([member]) => !member.startsWith('summary#'));
  const copy = { ...Object.fromEntries(open), import_id: copyId, status: 'processing', completed_at: null, ...members };
  for (const [chunk, hash] of hashesOf(settled).entries()) {
    await write(await read(`payload#${hash}`));
    if (withPlan) await write(await read(`plan#${String(chunk).padStart(4, '0')}`));
  }
  await write(copy);
  return copy;
}

const hashesOf = (item: Item): string[] =>
  String(item['chunks'])
    .split(' ')
    .map((chunk) => chunk.split(':')[1] ?? '');

export const chunkMessagesOf = (item: Item): string[] =>
  hashesOf(item).map((payload_hash, chunk) =>
    JSON.stringify({ kind: 'chunk', company_id: 'acme', import_id: item['import_id'], chunk, payload_hash, hops: 0 }),
  );

export const deliveryOf = (bodies: readonly (string | undefined)[]) =>
  sqsEvent(bodies.map((body = '', at) => ({ messageId: String(at), body })));

export function functionOf({ functions }: LocalStack, name: string) {
  const found = [...functions.values()].find(({ spec }) => spec.name.includes(name));
  if (found === undefined) throw new Error(`no function ${name}`);
  return found;
}
