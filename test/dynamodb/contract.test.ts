/**
 * The contract of the stores, on the embedded engine or on any DynamoDB that DYNAMODB_ENDPOINT names. Takes a few seconds.
 */
import { useDynamoDb } from '../kit/dynamodb.ts';
import { everyStore } from '../../functions/services/services.ts';
import { importStoreContract } from './contract/imports.ts';
import { platformStoresContract } from './contract/platform.ts';
import { progressStoreContract } from './contract/progress.ts';
import { revertStoreContract } from './contract/reverts.ts';
import { authenticationStoresContract } from './contract/sessions.ts';

const database = useDynamoDb();
const stores = () => everyStore(database());

importStoreContract(stores);
progressStoreContract(stores);
revertStoreContract(stores);
platformStoresContract(stores);
authenticationStoresContract(stores);
