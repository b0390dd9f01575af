/** The memory engine as a document client, without faults and without time. */
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { execute } from './commands.ts';
import { MemoryTable } from './memory-table.ts';

export function memoryClient(table = new MemoryTable()): DynamoDBDocumentClient {
  return { send: async (command: object) => execute(command, table) } as unknown as DynamoDBDocumentClient;
}
