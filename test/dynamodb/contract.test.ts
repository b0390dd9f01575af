/**
 * The contract of the stores, on the embedded engine or on any DynamoDB that DYNAMODB_ENDPOINT names. Takes a few seconds.
 */
import { cases } from '../kit/at-length.ts';
import { useDynamoDb } from '../kit/dynamodb.ts';
import { everyStore } from '../kit/services.ts';
import { importStoreContract } from './contract/imports.ts';
import { platformStoresContract } from './contract/platform.ts';
import { progressStoreContract } from './contract/progress.ts';
import { revertStoreContract } from './contract/reverts.ts';
import { authenticationStoresContract } from './contract/sessions.ts';

const database = useDynamoDb();
/** The engine repeats at length what it shows with a share; a DynamoDB that is named shows the whole. */
const share = process.env['DYNAMODB_ENDPOINT'] === undefined ? cases : (whole: number) => whole;
const stores = () => everyStore(database());

importStoreContract(stores);
progressStoreContract(stores, share(40, 16));
revertStoreContract(stores);
platformStoresContract(stores, share(60, 15));
authenticationStoresContract(stores);
