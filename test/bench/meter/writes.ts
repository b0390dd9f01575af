/** Which items a DynamoDB call writes, and which of those writes failed their condition. */

export interface ItemKey {
  readonly pk: string;
  readonly sk: string;
}

interface WriteRequest {
  readonly PutRequest?: { readonly Item: ItemKey };
  readonly DeleteRequest?: { readonly Key: ItemKey };
}

interface Statement {
  readonly Statement: string;
  readonly Parameters: readonly unknown[];
}

/** The members of a call's input that name the written items. */
export interface WriteInput {
  readonly Item?: ItemKey;
  readonly Key?: ItemKey;
  readonly RequestItems?: Readonly<Record<string, readonly WriteRequest[]>>;
  readonly Statements?: readonly Statement[];
}

export const keyText = ({ pk, sk }: ItemKey): string => JSON.stringify([pk, sk]);
const keyOf = ({ pk, sk }: ItemKey): ItemKey => ({ pk, sk });

/** In the order of the call; of calls that write nothing, none. */
export function writtenKeys(call: string, input: WriteInput): ItemKey[] {
  if (call === 'PutItem' && input.Item) return [keyOf(input.Item)];
  if ((call === 'UpdateItem' || call === 'DeleteItem') && input.Key) return [keyOf(input.Key)];
  if (call === 'BatchWriteItem')
    return Object.values(input.RequestItems ?? {})
      .flat()
      .map(requestKey);
  if (call === 'BatchExecuteStatement') return (input.Statements ?? []).map(statementKey);
  return [];
}

/** Positions in `writtenKeys` whose write was refused, by the output of a batch of statements. */
export function refusedWrites(responses: readonly { readonly Error?: unknown }[] = []): Set<number> {
  return new Set([...responses.entries()].flatMap(([position, { Error: error }]) => (error ? [position] : [])));
}

function requestKey({ PutRequest, DeleteRequest }: WriteRequest): ItemKey {
  const item = PutRequest?.Item ?? DeleteRequest?.Key;
  if (item === undefined) throw new Error('a batch write that neither puts nor deletes');
  return keyOf(item);
}

/** An INSERT gives its key first, an UPDATE first in its condition. */
function statementKey({ Statement: text, Parameters }: Statement): ItemKey {
  const before = text.startsWith('INSERT') ? '' : text.slice(0, text.indexOf(' WHERE '));
  const [pk, sk] = Parameters.slice(before.split('?').length - 1);
  if (typeof pk !== 'string' || typeof sk !== 'string') throw new Error('a statement without a key');
  return { pk, sk };
}
