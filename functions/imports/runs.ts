import { endCancelled, markCancelled } from './cancel.ts';
import type { PlanReader } from './chunk-store.ts';
import type { RunReader } from './import-lists.ts';
import { readResults } from './results.ts';
import type { ImportServices } from './services.ts';
import { inParallel } from '../runtime/batching.ts';
import type { Clock } from '../runtime/system.ts';
import type {
  ImportCounts,
  ImportIds,
  ImportItem,
  ImportSummary,
  RunIds,
  RecordStatus,
  ImportPosition,
} from '../shared/model.ts';

const IMPORTS_AT_ONCE = 16;

/** Cancels open imports, all marked before the first is ended. */
export async function cancelOpen(open: readonly ImportIds[], services: ImportServices<'imports'>): Promise<void> {
  services.telemetry.count('ImportsCancelled', open.length);
  const marked = await inParallel(open, IMPORTS_AT_ONCE, async (each) => markCancelled(each, services));
  await inParallel(marked, IMPORTS_AT_ONCE, async (each) => endCancelled(each, services));
}

/** A place in the list: after the record with this index of this import. */
export type RunPosition = ImportPosition & { readonly index: number };

interface WantedResults {
  readonly status?: RecordStatus | undefined;
  readonly limit: number;
  readonly after?: RunPosition | undefined;
}

interface ResultServices {
  readonly clock: Clock;
  readonly stores: { readonly imports: RunReader & Pick<PlanReader, 'readPlans' | 'readPayloads'> };
}

/** Imports that one page reads: with fewer results in each, a page is shorter than its limit. */
const IMPORTS_ON_A_PAGE = 100;

/**
 * At least `limit` results after the position, if a bounded search finds them. Reads the imports and chunks whose counts have this
 * status. `isExpired`: results of an import that was passed have expired.
 */
export async function readRunResults(run: RunIds, { status, limit, after }: WantedResults, services: ResultServices) {
  const { imports } = services.stores;
  const listed = await imports.importsOfRunFrom(run, after);
  const mayHave = (each: ImportSummary) => countIn(each.counts, status) > 0 || each.status === 'processing';
  const sure = (each: ImportSummary) => (each.import_id === after?.import_id ? 0 : countIn(each.counts, status));
  const candidates = listed.items.filter(mayHave);
  const chosen = enoughOf(candidates.slice(0, IMPORTS_ON_A_PAGE), sure, limit);
  const ids = chosen.map(({ import_id }) => import_id);
  const items = await imports.readAll(run.company_id, ids);
  const chunks = items.flatMap((item) =>
    chunksOf(item, status, item.import_id === after?.import_id ? after.index : -1),
  );
  const read = enoughOf(chunks, ({ count }) => count, limit);
  const groups = [...Map.groupBy(read, ({ item }) => item)];
  const results = await inParallel(groups, IMPORTS_AT_ONCE, async ([item, group]) => {
    const numbers = group.map(({ chunk }) => chunk);
    return { item, reported: await readResults(item, services, numbers) };
  });
  const isNext = ({ import_id }: ImportItem, index: number) => import_id !== after?.import_id || index > after.index;
  const found = results.flatMap(({ item, reported = [] }) =>
    reported
      .filter(({ result }) => isNext(item, result.index) && (status === undefined || result.status === status))
      .map((each) => ({ ...each, position: placeIn(item, each.result.index) })),
  );
  const [lastRead, lastChosen] = [read.at(-1), chosen.at(-1)];
  const lastImport = chosen.length < candidates.length ? lastChosen : listed.searchedTo;
  const end = lastImport && placeIn(lastImport, Number.MAX_SAFE_INTEGER);
  return {
    found,
    searchedTo: lastRead !== undefined && read.length < chunks.length ? placeIn(lastRead.item, lastRead.last) : end,
    isExpired: results.some(({ reported }) => reported === undefined),
  };
}

const placeIn = ({ created_at, import_id }: ImportPosition, index: number): RunPosition => ({
  created_at,
  import_id,
  index,
});

type Counts = Pick<ImportCounts, 'total' | 'processed' | 'succeeded' | 'failed'>;

function countIn({ total, processed, succeeded, failed }: Counts, status: RecordStatus | undefined): number {
  if (status === undefined) return total;
  return { success: succeeded, error: failed, pending: total - processed }[status];
}

/** The chunks of an import with results after `after`; `count`: how many, as far as the summaries say. */
function chunksOf(item: ImportItem, status: RecordStatus | undefined, after: number) {
  return item.chunks.flatMap(({ first_index, size }, chunk) => {
    const { succeeded = 0, failed = 0 } = item.summaries[chunk] ?? {};
    const last = first_index + size - 1;
    const count = countIn({ total: size, processed: succeeded + failed, succeeded, failed }, status);
    if (last <= after || count === 0) return [];
    return [{ item, chunk, last, count: first_index <= after ? 0 : count }];
  });
}

function enoughOf<T>(all: readonly T[], countOf: (each: T) => number, enough: number): readonly T[] {
  let sum = 0;
  const end = all.findIndex((each) => (sum += countOf(each)) >= enough);
  return end === -1 ? all : all.slice(0, end + 1);
}
