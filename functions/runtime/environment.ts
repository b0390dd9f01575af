/**
 * Names of the environment variables that the stack sets and the functions read: one constant, shared by both.
 * Nothing is read at import.
 */
export const ENV = {
  table: 'TABLE_NAME',
  chunkQueueUrl: 'CHUNK_QUEUE_URL',
  signingKeyId: 'SIGNING_KEY_ID',
  issuer: 'TOKEN_ISSUER',
  audience: 'TOKEN_AUDIENCE',
  sandboxDataFile: 'SANDBOX_DATA_FILE',
  /** Name of the deployed stack in its logs and metrics. */
  service: 'POWERTOOLS_SERVICE_NAME',
} as const;

/** Names of the table's keys and indexes, shared by the stack and the store. */
export const TABLE = {
  partitionKey: 'pk',
  sortKey: 'sk',
  expiresAt: 'expires_at_seconds',
  /** Imports of a company by creation: `list_pk`, `list_sk`; keys only. */
  importsByCompany: { name: 'imports-by-company', partitionKey: 'list_pk', sortKey: 'list_sk' },
  /** Open imports by due time, sparse: `open_pk`, `due_at`; keys only. */
  openImports: { name: 'open-imports', partitionKey: 'open_pk', sortKey: 'due_at' },
} as const;
