/** Who did something, in words. */
import { ServiceError } from '../../wire/errors.ts';
import { service, signedIn } from './account.ts';

const names = new Map<number, string | undefined>();

/** The name or the address of an administrator; `undefined` for someone whom the platform no longer has. */
export async function nameOf(user_id: number | undefined): Promise<string | undefined> {
  if (user_id === undefined) return undefined;
  const { id, name } = signedIn();
  if (user_id === id) return name;
  if (!names.has(user_id))
    try {
      names.set(user_id, (await service().getLearner({ user_id }, { limit: 1 })).email ?? undefined);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      names.set(user_id, undefined);
    }
  return names.get(user_id);
}
