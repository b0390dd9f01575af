/** The table in memory keeps the contract of the stores, as the real databases do. Costs milliseconds. */
import { everyStore } from '../services.ts';
import { importStoreContract } from '../../dynamodb/contract/imports.ts';
import { platformStoresContract } from '../../dynamodb/contract/platform.ts';
import { progressStoreContract } from '../../dynamodb/contract/progress.ts';
import { revertStoreContract } from '../../dynamodb/contract/reverts.ts';
import { authenticationStoresContract } from '../../dynamodb/contract/sessions.ts';
import { memoryClient } from './memory-client.ts';

const memory = everyStore({ client: memoryClient(), table: 'table' });
const stores = () => memory;

importStoreContract(stores);
progressStoreContract(stores);
revertStoreContract(stores);
platformStoresContract(stores);
authenticationStoresContract(stores);
