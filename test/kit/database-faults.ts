/** Makes the table in memory throttle, fail and count, below the stores. */
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { execute } from './memory-table/commands.ts';
import { clientOf } from './memory-table/memory-client.ts';
import { MemoryTable } from './memory-table/memory-table.ts';

type Members = Record<string, unknown>;
type Command = { readonly input: Members; readonly constructor: Function };

/** Sees every call by its name and input, and may return a result in the table's place. */
export type Interceptor = (
  call: string,
  input: Members,
  next: (input?: Members) => Promise<Members>,
) => Promise<Members>;

export function intercepted(interceptor: Interceptor): DynamoDBDocumentClient {
  const table = new MemoryTable();
  return clientOf(async (sent) => {
    const { input, constructor } = sent as Command;
    const next = async (changed = input) => execute(Reflect.construct(constructor, [changed]), table) as Members;
    return interceptor(constructor.name.replace('Command', ''), input, next);
  });
}

export function serviceError(name: string, httpStatusCode = 400): Error {
  return Object.assign(new Error(name), { name, $metadata: { httpStatusCode } });
}
