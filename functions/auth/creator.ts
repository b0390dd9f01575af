/** Who made something: a person, or a client (§5.3). */
import type { Client } from './clients.ts';
import { number, text, type Read } from '../dynamodb/attributes.ts';
import type { User } from '../shared/model.ts';

/** As resources show it. */
export interface Creator {
  readonly created_by: number | null;
  readonly created_by_client: string | null;
}

/** As one attribute has it, so that it needs no further place in an index. */
export type StoredCreator = number | `client#${string}`;

type Bearer = { readonly user: Pick<User, 'user_id'> } | { readonly client: Pick<Client, 'client_id'> };

export const creatorOf = (caller: Bearer): StoredCreator =>
  'client' in caller ? `client#${caller.client.client_id}` : caller.user.user_id;

export const shownCreator = (by: StoredCreator): Creator =>
  typeof by === 'number'
    ? { created_by: by, created_by_client: null }
    : { created_by: null, created_by_client: by.slice('client#'.length) };

/** The user; `null` of a client. */
export const userOf = (by: StoredCreator): number | null => shownCreator(by).created_by;

export const packCreator = ({ created_by, created_by_client }: Creator): StoredCreator =>
  created_by ?? `client#${created_by_client ?? ''}`;

export const storedCreator: Read<StoredCreator> = (item, name) =>
  typeof item[name] === 'string' ? `client#${text(item, name).slice('client#'.length)}` : number(item, name);
