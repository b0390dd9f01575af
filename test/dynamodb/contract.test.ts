/**
 * The contract of the stores on the table in memory, on which most tests run; at length also on the embedded engine,
 * and always on a DynamoDB that DYNAMODB_ENDPOINT names. Costs three seconds; on the engine more.
 */
import { AT_LENGTH } from '../kit/at-length.ts';
import { useDynamoDb } from '../kit/dynamodb.ts';
import { memoryClient } from '../kit/memory-table/memory-client.ts';
import { everyStore } from '../kit/services.ts';
import { archiveStoreContract } from './contract/archive.ts';
import { importStoreContract } from './contract/imports.ts';
import { platformStoresContract } from './contract/platform.ts';
import { progressStoreContract } from './contract/progress.ts';
import { revertStoreContract } from './contract/reverts.ts';
import { authenticationStoresContract } from './contract/sessions.ts';

function contract(stores: () => ReturnType<typeof everyStore>): void {
  importStoreContract(stores);
  archiveStoreContract(stores);
  progressStoreContract(stores);
  revertStoreContract(stores);
  platformStoresContract(stores);
  authenticationStoresContract(stores);
}

if (AT_LENGTH || process.env['DYNAMODB_ENDPOINT'] !== undefined) {
  const database = useDynamoDb();
  contract(() => everyStore(database()));
} else {
  const memory = everyStore({ client: memoryClient(), table: 'table' });
  contract(() => memory);
}
