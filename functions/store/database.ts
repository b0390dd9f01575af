import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** An item as the document client gives and takes it. */
export type Item = Readonly<Record<string, unknown>>;

/** The table, and what a retry needs: everything the store reaches the outside with. */
export interface Database {
  readonly client: Pick<DynamoDBDocumentClient, 'send'>;
  readonly table: string;
  readonly sleep: (ms: number) => Promise<void>;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly nowMs: () => number;
}
