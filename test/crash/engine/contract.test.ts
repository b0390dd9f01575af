/** The simulator's database keeps the same contract as the real ones. Milliseconds. */
import { dynamoStores } from '../../../functions/store/stores.ts';
import { importStoreContract } from '../../store/contract/imports.ts';
import { platformStoresContract } from '../../store/contract/platform.ts';
import { progressStoreContract } from '../../store/contract/progress.ts';
import { authenticationStoresContract } from '../../store/contract/sessions.ts';
import { memoryClient } from './memory-client.ts';

const memory = dynamoStores({ client: memoryClient(), table: 'table' });
const stores = () => memory;

importStoreContract(stores);
progressStoreContract(stores);
platformStoresContract(stores);
authenticationStoresContract(stores);
