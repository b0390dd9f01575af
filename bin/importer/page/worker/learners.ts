/** Who is meant by a part of an address. The service has no list of people: it is looked for where some are named. */
import { memberOf } from '../../engine/ground/fields.ts';
import { service } from './account.ts';
import { Problem } from './protocol.ts';

const MOST_REGISTERED = 2000;
const MOST_RUNS = 5;
const MOST_RECORDS = 1000;
const MOST_FOUND = 20;

/** The address itself, or those that have this part. @throws Problem where none is found */
export async function peopleLike(text: string): Promise<readonly string[]> {
  const wanted = text.trim().toLowerCase();
  if (/^[^@]+@[^@]+\.[^@]/.test(wanted)) return [wanted];
  const found = new Set<string>();
  for await (const email of knownPeople()) {
    if (email.includes(wanted)) found.add(email);
    if (found.size === MOST_FOUND) break;
  }
  if (found.size === 0) throw new Problem('nobody_found', text.trim());
  return [...found].toSorted();
}

/** Those who are registered by another system's id, and those of the newest migrations. */
async function* knownPeople(): AsyncGenerator<string> {
  for await (const { email } of first(MOST_REGISTERED, service().userMappings())) yield email.toLowerCase();
  const { runs } = await service().listRuns({ limit: 100 });
  const imported = runs.filter(({ counts }) => counts.succeeded > 0).slice(0, MOST_RUNS);
  for (const { run_id } of imported)
    for await (const { record } of first(MOST_RECORDS, service().runRecords(run_id, IMPORTED))) {
      const email = memberOf(record, 'user.email');
      if (typeof email === 'string') yield email.toLowerCase();
    }
}

const IMPORTED = { status: 'success', include: 'record' } as const;

async function* first<Item>(most: number, items: AsyncIterable<Item>): AsyncGenerator<Item> {
  let taken = 0;
  for await (const item of items) {
    yield item;
    taken += 1;
    if (taken === most) return;
  }
}
