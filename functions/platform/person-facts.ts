/** Erases, or exports, someone without an account, who is known by names alone (§13.2). */
import type { ErasePersonFact, ExportPersonFact, FactOutcome, FactServices } from './facts.ts';
import { exportedBy, receiptOf } from './user-facts.ts';
import { startedErasure } from '../erasure/store.ts';
import { instant } from '../records/instants.ts';
import { NO_ACCOUNT } from '../records/person.ts';

const rejected = (path: string, rule: string): FactOutcome => ({ status: 'rejected', problems: [{ path, rule }] });

/** Stores the erasure. The same names again are `stale` until it is done, then `erased`: the receipt. */
export async function erasePerson(
  fact: ErasePersonFact,
  { stores, random, clock }: FactServices,
): Promise<FactOutcome> {
  const { of, version, force, erases: names } = fact;
  const { platform } = stores;
  const id = await platform.personId(of.company_id, names);
  if (id === undefined) return rejected('company_id', 'names no company of this stack');
  const users = await platform.accountsOf(of.company_id, names);
  if (users.length > 0) return rejected('names', `belong to user ${users.join(', ')}: send a fact of kind user`);
  const known = await platform.knownPerson(id);
  const { receipt_id } = id;
  const pending = { erased_at: null, receipt_id };
  if (known !== undefined && known.erased_at === undefined) return { status: 'stale', ...pending };
  const done = { status: 'erased', ...receiptOf(known), receipt_id } as const;
  if (known !== undefined && !force && known.version >= version) return done;
  const erasure_id = random.hex(16);
  const due_at = instant(clock.nowMs());
  const erasure = startedErasure({ ...id, erasure_id, user_id: NO_ACCOUNT, names, due_at });
  const isSaved = await platform.savePerson(id, { version, erasure_id }, { force, erasure });
  if (isSaved) return { status: 'applied', ...pending };
  return force ? done : { status: 'stale', ...pending };
}

/** One page of all that the stack holds under the names. It changes nothing. */
export function exportNamed({ of, exports }: ExportPersonFact, services: FactServices): Promise<FactOutcome> {
  const { cursor, ...names } = exports;
  return exportedBy({ ...of, user_id: NO_ACCOUNT, names }, cursor, services);
}
