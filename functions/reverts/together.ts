/** The imports that are reverted together (§4.9). None of their contributions counts, whichever of them is looked at. */
import type { RunReader } from '../imports/import-lists.ts';
import type { CourseHistory, ImportItem, ImportSummary, Instant, RunIds, ImportPosition } from '../shared/model.ts';

type Member = Omit<ImportSummary, 'counts'>;

/** The imports that one revert takes back, so that none of them counts for another. */
export interface Together {
  readonly has: (item: Member) => boolean;
  /** The imports of the revert that these histories or `named` mention. */
  readonly among: (
    histories: ReadonlyMap<string, CourseHistory>,
    named?: readonly string[],
  ) => Promise<ReadonlySet<string>>;
}

export function these(import_ids: readonly string[]): Together {
  const ids = new Set(import_ids);
  return { has: ({ import_id }) => ids.has(import_id), among: async () => ids };
}

/** Those accepted, and ended, by a moment: that never changes, so no list is stored and a run may have any number. */
export interface RunPart extends RunIds {
  readonly accepted_by: Instant;
  readonly ended_by: Instant;
}

/** Reads whether an import is one of them once, however many histories name it, and however many ask at once. */
export function partOfRun(part: RunPart, imports: RunReader): Together {
  const known = new Map<string, Promise<boolean>>();
  const has = (item: Member) => isPartOf(part, item);
  const read = async (ids: readonly string[]): Promise<ReadonlySet<string>> => {
    const items = await imports.readAll(part.company_id, ids);
    return new Set(items.filter(has).map(idOf));
  };
  return {
    has,
    async among(histories, named = []) {
      const ids = new Set([
        ...named,
        ...[...histories.values()].flatMap(({ contributions }) => contributions.map(idOf)),
      ]);
      const unknown = [...ids].filter((id) => !known.has(id));
      const found = read(unknown);
      for (const id of unknown)
        known.set(
          id,
          found.then((of) => of.has(id)),
        );
      const answers = await Promise.all([...ids].map(async (id) => ((await known.get(id)) === true ? [id] : [])));
      return new Set(answers.flat());
    },
  };
}

const idOf = ({ import_id }: { readonly import_id: string }): string => import_id;

/** False for an import that was reverted before. */
export function isPartOf({ run_id, accepted_by, ended_by }: RunPart, item: Member): boolean {
  const { completed_at, reverted_at } = item;
  const isOfRun = item.run_id === run_id && !item.dry_run && item.created_at <= accepted_by;
  const hasEnded = completed_at !== null && completed_at <= ended_by;
  return isOfRun && hasEnded && (reverted_at === null || reverted_at > ended_by);
}

/** The next of them after this position, oldest first, up to `most`; none if there are no more. */
export function nextOfRun(
  part: RunPart,
  after: ImportPosition | undefined,
  imports: RunReader,
  most: number,
): Promise<ImportItem[]> {
  const has = (item: Member) => isPartOf(part, item);
  // The index may show an import that has just ended as it was before.
  const mayBe = (entry: Member) => has(entry) || (entry.completed_at === null && !entry.dry_run);
  return search(part, { after, most, accepted_by: part.accepted_by, mayBe, has }, imports);
}

/** One of the imports of the run accepted by then that is not reverted; it may still be processing. `undefined` if there is none. */
export async function firstLeftOfRun(
  run: RunIds,
  accepted_by: Instant,
  imports: RunReader,
): Promise<ImportItem | undefined> {
  const wanted = { after: undefined, most: 1, accepted_by, mayBe: isNotReverted, has: isNotReverted };
  const [left] = await search(run, wanted, imports);
  return left;
}

const isNotReverted = ({ dry_run, reverted_at }: Member): boolean => !dry_run && reverted_at === null;

interface Wanted {
  readonly after: ImportPosition | undefined;
  readonly most: number;
  readonly accepted_by: Instant;
  /** Whether an entry of the index may be wanted, and whether the import itself is. */
  readonly mayBe: (entry: Member) => boolean;
  readonly has: (item: Member) => boolean;
}

/** Entries of the first page: the next import is mostly wanted. Where it is not, as many are read as one request can. */
const FIRST_PAGE = 25;

async function search(
  run: RunIds,
  { after, most, accepted_by, mayBe, has }: Wanted,
  imports: RunReader,
): Promise<ImportItem[]> {
  const isNext = (entry: Member) => entry.created_at <= accepted_by && mayBe(entry);
  let from = after;
  for (let limit = Math.max(FIRST_PAGE, most + 1); ; limit = 1_000) {
    const { items, searchedTo } = await imports.readOfRun(run, { after: from, most, limit, mayBe: isNext });
    const found = items.filter(has);
    if (found.length > 0 || searchedTo === undefined || searchedTo.created_at > accepted_by) return found;
    from = searchedTo;
  }
}
