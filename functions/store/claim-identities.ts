import { pairKey } from '../domain/join.ts';
import type { Pair } from '../domain/model.ts';
import type { Deadline } from '../workflow/ports.ts';
import { batchGet } from './batch-get.ts';
import type { Database, Item } from './database.ts';
import { found } from './found.ts';
import { identityKey } from './keys.ts';
import { runStatements } from './run-statements.ts';

type Claim = Pair & { readonly external_record_id: string };

/** Strongly consistent; an id that is bound to nothing is left out. */
export async function readIdentities(
  database: Database,
  company_id: string,
  ids: readonly string[],
): Promise<Map<string, Pair>> {
  return found(
    ids,
    await batchGet(
      database,
      ids.map((id) => identityKey(company_id, id)),
      true,
    ),
    unpackIdentity,
  );
}

/**
 * Binds each `external_record_id` to its pair, for good (§2.7): an INSERT goes through only where nothing is there yet.
 * Where something is, it is read back: held by this pair, all is well, by another, the id and that pair are answered.
 * Of an id claimed twice in one call the first claim counts.
 */
export async function claimIdentities(
  database: Database,
  company_id: string,
  claims: readonly Claim[],
  deadline: Deadline,
): Promise<Map<string, Pair>> {
  const distinct = new Map(claims.toReversed().map((claim) => [claim.external_record_id, claim]));
  const wanted = [...distinct.values()];
  const outcomes = await runStatements(
    database,
    wanted.map((claim) => insertion(database.table, company_id, claim)),
    deadline,
  );
  const met = wanted.filter((_, position) => outcomes[position] !== 'done').map((claim) => claim.external_record_id);
  const holders = met.length === 0 ? new Map<string, Pair>() : await readIdentities(database, company_id, met);
  if (holders.size < met.length) throw new Error('an identity that is bound cannot be read');
  return new Map(
    claims.flatMap(({ external_record_id, ...pair }) => {
      const holder = holders.get(external_record_id);
      const claimedByThisPair = holder !== undefined && pairKey(holder) === pairKey(pair);
      return holder === undefined || claimedByThisPair ? [] : [[external_record_id, holder] as const];
    }),
  );
}

function insertion(table: string, company_id: string, { external_record_id, user_id, platform_course_id }: Claim) {
  const { pk, sk } = identityKey(company_id, external_record_id);
  return {
    Statement: `INSERT INTO "${table}" VALUE {'pk': ?, 'sk': ?, 'user_id': ?, 'platform_course_id': ?}`,
    Parameters: [pk, sk, user_id, platform_course_id],
  };
}

function unpackIdentity(item: Item): Pair {
  const { user_id, platform_course_id } = item as unknown as Pair;
  return { user_id, platform_course_id };
}
