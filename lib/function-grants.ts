/** What each function may do: exactly what it was seen to do, no call more, no kind of item more. */
import { TABLE } from '../functions/dynamodb/table.ts';
import { LOAD_SANDBOX_DATA, PROCESS_CHUNK, WATCHDOG } from './function-sources.ts';
import { ROUTES } from './routes.ts';

/**
 * The kinds of items, by the pattern of their partition keys. A company's keys begin with its id, so that no pattern of
 * one kind lets a function reach the sessions, the logins or the signing keys, which begin with a word of ours.
 */
export const ITEMS = {
  company: '*#company',
  user: '*#user#*',
  catalog: '*#catalog',
  userMappings: '*#user-mappings',
  courseMappings: '*#course-mappings',
  identity: '*#record#*',
  progress: '*#learner#*',
  import: '*#import#*',
  login: 'login#*',
  session: 'session#*',
  throttle: 'throttle#*',
  signingKeys: 'signing-keys',
  dataFile: 'data-file#*',
} as const;

export type ItemKind = keyof typeof ITEMS;

export type TableAction =
  | 'BatchGetItem'
  | 'BatchWriteItem'
  | 'DeleteItem'
  | 'GetItem'
  | 'PartiQLInsert'
  | 'PartiQLUpdate'
  | 'PutItem'
  | 'Query'
  | 'UpdateItem';

type TableGrants = Readonly<Partial<Record<TableAction, readonly ItemKind[]>>>;

export interface FunctionGrants {
  readonly table?: TableGrants;
  /** The index that it queries, and the partitions it may ask for there. */
  readonly index?: { readonly name: string; readonly partitions: string };
  readonly sendsChunks?: true;
  readonly signs?: true;
  /** Whether it is told whose tokens are valid. */
  readonly knowsTokens?: true;
}

/** Whoever verifies a caller reads the key that signed the token, then session, user and company in one call. */
const AUTHORISES = { GetItem: ['signingKeys'], BatchGetItem: ['session', 'user', 'company'] } as const;
const SIGNS = { signs: true, knowsTokens: true } as const;

/** A protected function: what it does beside authorising its caller. */
function authorised(table: TableGrants = {}, more: FunctionGrants = {}): FunctionGrants {
  const actions = [...new Set([...Object.keys(AUTHORISES), ...Object.keys(table)])] as TableAction[];
  const both = (action: TableAction): readonly ItemKind[] => [
    ...((AUTHORISES as TableGrants)[action] ?? []),
    ...(table[action] ?? []),
  ];
  const merged = Object.fromEntries(actions.map((action) => [action, [...new Set(both(action))]]));
  return { ...more, knowsTokens: true, table: merged };
}

const FACTS_OF_RECORDS = ['catalog', 'userMappings', 'courseMappings', 'progress', 'identity'] as const;

const GRANTS: Readonly<Record<string, FunctionGrants>> = {
  login: {
    ...SIGNS,
    table: {
      GetItem: ['login', 'throttle'],
      BatchGetItem: ['user', 'throttle'],
      PutItem: ['session', 'throttle'],
      // A user's: the password's hash, once its cost is no longer what it should be.
      UpdateItem: ['throttle', 'signingKeys', 'user'],
      DeleteItem: ['throttle'],
    },
  },
  'refresh-token': authorised({ PutItem: ['session'], UpdateItem: ['session', 'signingKeys'] }, SIGNS),
  'get-jwks': { table: { Query: ['signingKeys'] } },
  'list-courses': authorised({ Query: ['catalog'] }),
  'register-user-mappings': authorised({ BatchGetItem: ['userMappings'], BatchWriteItem: ['userMappings'] }),
  'list-user-mappings': authorised({ Query: ['userMappings'] }),
  'register-course-mappings': authorised({
    BatchGetItem: ['catalog', 'courseMappings'],
    BatchWriteItem: ['courseMappings'],
  }),
  'list-course-mappings': authorised({ Query: ['courseMappings'] }),
  'start-import': authorised(
    {
      BatchGetItem: ['import', ...FACTS_OF_RECORDS],
      BatchWriteItem: ['import'],
      GetItem: ['import'],
      PutItem: ['import'],
    },
    { sendsChunks: true },
  ),
  'list-imports': authorised(
    { BatchGetItem: ['import'] },
    { index: { name: TABLE.importsByCompany.name, partitions: '*#imports' } },
  ),
  'get-import': authorised({ BatchGetItem: ['import'] }),
  'list-import-records': authorised({ BatchGetItem: ['import'] }),
  'get-record': authorised({ BatchGetItem: ['identity', 'progress'] }),
  [PROCESS_CHUNK]: {
    table: {
      BatchGetItem: ['import', 'user', ...FACTS_OF_RECORDS],
      GetItem: ['import'],
      PutItem: ['import'],
      UpdateItem: ['import', 'progress'],
      PartiQLInsert: ['identity', 'progress'],
      PartiQLUpdate: ['progress'],
    },
  },
  [WATCHDOG]: {
    table: { GetItem: ['import'], BatchGetItem: ['import', 'progress'], PutItem: ['import'], UpdateItem: ['import'] },
    index: { name: TABLE.openImports.name, partitions: 'open' },
    sendsChunks: true,
  },
  [LOAD_SANDBOX_DATA]: {
    table: {
      GetItem: ['dataFile', 'login'],
      BatchGetItem: ['company', 'user', 'catalog'],
      BatchWriteItem: ['user', 'login', 'catalog'],
      UpdateItem: ['company', 'progress'],
      PutItem: ['dataFile'],
    },
  },
};

/** A protected route that is not named above does no more than authorise its caller. */
export function grantsOf(name: string): FunctionGrants {
  const access = ROUTES.find((route) => route.name === name)?.access ?? 'public';
  return GRANTS[name] ?? (access === 'public' ? {} : authorised());
}
