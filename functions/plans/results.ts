/** What a plan shows (§4.11): the results of its dry runs as one list, in its order. */
import type { PlanReader } from '../imports/chunk-store.ts';
import type { RunReader } from '../imports/import-lists.ts';
import { readResults } from '../imports/results.ts';
import { inParallel } from '../runtime/batching.ts';
import type { Clock } from '../runtime/system.ts';
import type { Outcome, RecordStatus } from '../shared/codes.ts';
import type { ChunkSummary, ImportItem } from '../shared/model.ts';
import type { RunPlanItem } from './plan-item.ts';
import type { PlanStore } from './store.ts';

/** A place in the list: after the record with this index of the dry run with this ordinal. */
export interface PlanPosition {
  readonly place: number;
  readonly index: number;
}

interface Wanted {
  readonly status?: RecordStatus | undefined;
  readonly outcome?: Outcome | undefined;
  readonly limit: number;
  readonly after?: PlanPosition | undefined;
}

interface Services {
  readonly clock: Clock;
  readonly stores: {
    readonly plans: Pick<PlanStore, 'listedFrom'>;
    readonly imports: Pick<RunReader, 'readAll'> & Pick<PlanReader, 'readPlans' | 'readPayloads'>;
  };
}

/** Dry runs that one request looks at. */
const SEARCHED = 400;
const READ_AT_ONCE = 16;

/** At least `limit` results after the position, if a bounded search finds them. `isExpired`: a report that was passed is gone. */
export async function readPlanResults(
  plan: RunPlanItem,
  { status, outcome, limit, after = { place: 0, index: -1 } }: Wanted,
  services: Services,
) {
  const { plans, imports } = services.stores;
  const ids = await plans.listedFrom(plan, after.place, SEARCHED);
  const items = new Map((await imports.readAll(plan.company_id, ids)).map((item) => [item.import_id, item]));
  const chunks = ids.flatMap((import_id, at) => {
    const item = items.get(import_id);
    const place = after.place + at;
    return item === undefined ? [] : chunksWith(item, place, { status, outcome }, at === 0 ? after.index : -1);
  });
  let sum = 0;
  const end = chunks.findIndex(({ count }) => (sum += count) >= limit);
  const read = end === -1 ? chunks : chunks.slice(0, end + 1);
  const groups = [...Map.groupBy(read, ({ place }) => place).values()];
  const results = await inParallel(groups, READ_AT_ONCE, async (group) => {
    const [{ item, place } = groupIsEmpty()] = group;
    const reported = await readResults(
      item,
      services,
      group.map(({ chunk }) => chunk),
    );
    return { item, place, reported };
  });
  const isWanted = (result: { readonly status: string; readonly outcome: string | null }) =>
    (status === undefined || result.status === status) && (outcome === undefined || result.outcome === outcome);
  const found = results.flatMap(({ item: { import_id }, place, reported = [] }) =>
    reported
      .filter(({ result }) => isWanted(result) && (place > after.place || result.index > after.index))
      .map((each) => ({ ...each, import_id, position: { place, index: each.result.index } })),
  );
  const lastRead = read.at(-1);
  const isCut = lastRead !== undefined && read.length < chunks.length;
  const searched = after.place + ids.length;
  const searchedTo = searched < plan.counts.imports ? { place: searched, index: -1 } : undefined;
  return {
    found,
    searchedTo: isCut ? { place: lastRead.place, index: lastRead.last } : searchedTo,
    isExpired: results.some(({ reported }) => reported === undefined),
  };
}

function groupIsEmpty(): never {
  throw new Error('A group has a member.');
}

type Filter = Pick<Wanted, 'status' | 'outcome'>;

/** The chunks of a dry run with wanted results after `after`; `count`: how many. */
function chunksWith(item: ImportItem, place: number, filter: Filter, after: number) {
  return item.chunks.flatMap(({ first_index, size }, chunk) => {
    const summary = item.summaries[chunk];
    const count = summary === undefined ? 0 : countIn(summary, filter);
    const last = first_index + size - 1;
    if (last <= after || count === 0) return [];
    return [{ item, place, chunk, last, count: first_index <= after ? 0 : count }];
  });
}

/** A dry run has no result that is pending. */
function countIn({ succeeded, failed, updated = 0, unchanged = 0 }: ChunkSummary, { status, outcome }: Filter): number {
  if (status === 'pending' || (status === 'error' && outcome !== undefined)) return 0;
  if (outcome !== undefined) return { applied: succeeded - updated - unchanged, updated, unchanged }[outcome];
  if (status === undefined) return succeeded + failed;
  return status === 'error' ? failed : succeeded;
}
