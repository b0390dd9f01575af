/** The memory table as a document client, without faults and without time. */
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { execute } from './commands.ts';
import { MemoryTable } from './memory-table.ts';

/** Sees a command before it is executed. */
export type Observer = (command: object, table: MemoryTable) => void;

export function memoryClient(table = new MemoryTable(), observe: Observer = () => {}): DynamoDBDocumentClient {
  return clientOf(async (command) => {
    observe(command, table);
    return execute(command, table);
  });
}

/** A document client of which only `send` is used. */
export function clientOf(send: (command: object) => Promise<unknown>): DynamoDBDocumentClient {
  return { send } as unknown as DynamoDBDocumentClient;
}
