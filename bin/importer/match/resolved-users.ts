import { MAX_EMAILS_PER_RESOLVE } from '../../../functions/shared/limits.ts';
import type { MigrationClient } from '../../client/client.ts';
import type { ResolvedUser } from '../../client/types.ts';
import { batches } from '../records/listed-rows.ts';

/** Each item with what the platform says of its address (§4.2 operation 2), in as many requests as it takes. */
export async function* resolvedUsers<Item>(
  client: Pick<MigrationClient, 'resolveUsers'>,
  items: Iterable<Item>,
  emailOf: (item: Item) => string,
): AsyncGenerator<[Item, ResolvedUser]> {
  for await (const some of batches(items, MAX_EMAILS_PER_RESOLVE)) {
    const { users } = await client.resolveUsers(some.map(emailOf));
    for (const [index, item] of some.entries()) {
      const user = users[index];
      if (user !== undefined) yield [item, user];
    }
  }
}
