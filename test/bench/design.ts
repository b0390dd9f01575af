/** What the benchmark drives: one way of building this service. */
import type { SQSEvent, SQSBatchResponse } from 'aws-lambda';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { SQSClient } from '@aws-sdk/client-sqs';

/** What a design is given; it makes its own way from there. */
export interface Cloud {
  readonly client: DynamoDBDocumentClient;
  readonly table: string;
  readonly sqs: SQSClient;
  readonly queueUrl: string;
}

export interface Answer {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- read member by member
  readonly body: any;
  readonly bytes: number;
  /** Names the copy that the caller now has; absent if the design gives no such name. */
  readonly etag?: string | undefined;
}

export interface Design {
  readonly name: string;
  /** Messages that one invocation of the processor is given. */
  readonly batchSize: number;
  startImport(body: unknown, idempotencyKey: string): Promise<Answer>;
  process(event: SQSEvent): Promise<SQSBatchResponse | undefined>;
  /** `copy` is the tag of the copy that the caller has. */
  getImport(import_id: string, copy?: string): Promise<Answer>;
  /** What else a client may have a copy of: the records of an import, the catalog, the document. */
  readonly reads?: Readonly<Record<string, (import_id: string, copy?: string) => Promise<Answer>>>;
  /** Kind of the item that a key names, for the table of units. */
  readonly kindOfKey: (pk: string, sk: string) => string;
}
