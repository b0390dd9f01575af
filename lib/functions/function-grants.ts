/** What a function may do: the form of its grants, and the grants that every protected function has. */
import type { ItemKind } from './item-kinds.ts';

/** Calls to DynamoDB, by their names in IAM. */
export type TableAction =
  | 'BatchGetItem'
  | 'BatchWriteItem'
  | 'DeleteItem'
  | 'GetItem'
  | 'PartiQLDelete'
  | 'PartiQLInsert'
  | 'PartiQLUpdate'
  | 'PutItem'
  | 'Query'
  | 'UpdateItem';

/** The kinds of items that each call may name. */
export type TableGrants = Readonly<Partial<Record<TableAction, readonly ItemKind[]>>>;

/** All that a function may do. What is not named here is denied. */
export interface FunctionGrants {
  readonly table?: TableGrants;
  /** The indexes that it queries, and the pattern of the partitions it may read there. */
  readonly indexes?: readonly { readonly name: string; readonly partitions: string }[];
  readonly writesTogether?: readonly TableAction[];
  readonly sendsChunks?: true;
  /** Rejected messages, in a stack with a queue for the platform: `lib/processing/intake.ts` grants it. */
  readonly sendsFacts?: true;
  readonly sendsEvents?: true;
  readonly readsSettings?: true;
  readonly signs?: true;
  readonly attests?: true;
  /** The secret of the client at the identity provider, where the settings name its parameter. */
  readonly readsClientSecret?: true;
  readonly knowsSignIn?: true;
  readonly knowsTokens?: true;
  readonly knowsRetention?: true;
  readonly knowsApproval?: true;
  /** The sender of notices, in a stack that mails them. */
  readonly knowsMail?: true;
}

/** To authorise a caller: read the key that signed the token, then session and user (or client) and company in one call. */
const AUTHORISES: TableGrants = { GetItem: ['signingKeys'], BatchGetItem: ['session', 'user', 'company', 'client'] };
/** The grants of a function that issues tokens. */
export const SIGNS = { signs: true, knowsTokens: true } as const;

/** The grants of a protected function: those for authorising its caller and its own. */
export function authorised(table: TableGrants = {}, more: FunctionGrants = {}): FunctionGrants {
  const actions = [...new Set([...Object.keys(AUTHORISES), ...Object.keys(table)])] as TableAction[];
  const both = (action: TableAction): readonly ItemKind[] => [...(AUTHORISES[action] ?? []), ...(table[action] ?? [])];
  const merged = Object.fromEntries(actions.map((action) => [action, [...new Set(both(action))]]));
  return { ...more, knowsTokens: true, table: merged };
}
/** Also counts the bytes that its caller sends or fetches. */
export const counting = (table: TableGrants, more: FunctionGrants = {}): FunctionGrants =>
  authorised(
    {
      ...table,
      GetItem: [...(table.GetItem ?? []), 'quota'],
      UpdateItem: [...(table.UpdateItem ?? []), 'quota'],
    },
    more,
  );
