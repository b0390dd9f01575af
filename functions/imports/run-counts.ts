/**
 * The counts of a run (§4.9). A reader keeps the sum over first imports that have ended, which never changes. If all have, it notes
 * that the run rests: then the sum is all there is until another import is about to be accepted.
 */
import { map, members, number, packedTexts, storedMembers, text } from '../dynamodb/attributes.ts';
import type { Database, Item } from '../dynamodb/client.ts';
import { packJson } from '../dynamodb/encoding.ts';
import { batchGet, found, getItem, updateItem } from '../dynamodb/items.ts';
import { queryPage } from '../dynamodb/queries.ts';
import { placeOf, positionIn, runCountsKey } from '../dynamodb/table.ts';
import { importWithoutRecords } from './import-item.ts';
import { FIRST, LAST, entryKey, listOf, refreshed, runReader } from './import-lists.ts';
import { instant, latestOf } from '../records/instants.ts';
import type { ImportCounts, ImportSummary, Instant, Run, RunIds } from '../shared/model.ts';

interface CountedPart extends Pick<ImportSummary, 'created_at' | 'completed_at'> {
  readonly counts: ImportCounts & { readonly imports?: number };
}

export interface KeptCounts {
  /** The place in the index up to which the run was read. */
  readonly up_to: string;
  /** The imports up to there that were open. */
  readonly open: readonly string[];
  /** All others up to there. */
  readonly ended: CountedPart;
  /** `BEGUN_AT` of the run and the place, if no import was open or could come: no other reader keeps both. */
  readonly rests?: string | undefined;
}

/** A run as it was read before its imports are. */
type CountedRun = RunIds & { readonly begun_at?: Instant | undefined };

const restOf = ({ begun_at }: CountedRun, up_to: string): string => `${begun_at} ${up_to}`;
const isAtRest = (run: CountedRun, { rests, open, up_to }: KeptCounts): boolean =>
  open.length === 0 && rests === restOf(run, up_to);

/** No older import comes into the index later: acceptance takes a minute, four are left for clocks and the index. */
const SETTLED_MS = 5 * 60_000;
/** A write costs as much as to read so many entries. */
const WORTH_KEEPING = 100;
/** The sum ends before an open import that is one more. Each is read itself. */
const MOST_OPEN = 1_000;

const NOTHING: KeptCounts = { up_to: FIRST, open: [], ended: sumOf([]) };

/** The sum of the parts, of which one may stand for many imports. */
export function countsOfRun(parts: readonly Pick<CountedPart, 'counts'>[]): Run['counts'] {
  const sum = (member: keyof ImportCounts) => parts.reduce((total, { counts }) => total + counts[member], 0);
  return {
    imports: parts.reduce((total, { counts: { imports = 1 } }) => total + imports, 0),
    total: sum('total'),
    processed: sum('processed'),
    succeeded: sum('succeeded'),
    failed: sum('failed'),
    archived: sum('archived'),
    with_warnings: sum('with_warnings'),
  };
}

/** `created_at` of the first, `completed_at` of the last that has ended. */
export function sumOf(parts: readonly CountedPart[]) {
  const created_at = parts.map((each) => each.created_at).reduce((a, b) => (a < b ? a : b), LAST);
  const completed_at = latestOf(parts.map((each) => each.completed_at ?? ''));
  return { counts: countsOfRun(parts), created_at, completed_at };
}

const isOpen = ({ status }: ImportSummary): boolean => status === 'processing';

/** What is kept and what is left of these imports, the next ones of the run; `undefined` if they are not worth it. */
function grown(kept: KeptCounts, next: readonly ImportSummary[], settledBy: Instant) {
  const oneMore = next.filter(isOpen)[MOST_OPEN];
  const isBefore = (each: ImportSummary) =>
    each.created_at < settledBy && (oneMore === undefined || placeOf(each) < placeOf(oneMore));
  const { settled = [], left = [] } = Object.groupBy(next, (each) =>
    !isOpen(each) && isBefore(each) ? 'settled' : 'left',
  );
  if (settled.length < WORTH_KEEPING) return undefined;
  const open = left.filter(isBefore).map(({ import_id }) => import_id);
  const up_to = latestOf([kept.up_to, ...next.filter(isBefore).map(placeOf)]);
  const ended = sumOf([kept.ended, ...settled.filter(({ dry_run }) => !dry_run)]);
  return { kept: { up_to, open, ended }, left };
}

/** The sum of all imports of a run that rests: no other was about to be accepted for so long that each is listed. */
function resting(run: CountedRun, kept: KeptCounts, left: readonly ImportSummary[], settledBy: Instant) {
  const { begun_at = LAST } = run;
  const real = left.filter(({ dry_run }) => !dry_run);
  const isSettled = begun_at < settledBy && real.every((each) => !isOpen(each) && each.created_at < settledBy);
  if (!isSettled) return undefined;
  const up_to = latestOf([kept.up_to, ...real.map(placeOf)]);
  return { up_to, open: [], ended: sumOf([kept.ended, ...real]), rests: restOf(run, up_to) };
}

/** Counts a run of any size: the sum over its first imports is kept, because they have ended. */
export function runCounts(database: Database) {
  const readKept = async (run: RunIds): Promise<KeptCounts | undefined> => {
    const stored = await getItem(database, runCountsKey(run));
    return stored && unpack(stored);
  };

  return {
    /** What is kept of these runs, by their ids; in one call for a hundred. Strongly consistent. */
    async readKept(company_id: string, ids: readonly string[]): Promise<Map<string, KeptCounts>> {
      const keys = ids.map((run_id) => runCountsKey({ company_id, run_id }));
      return found(ids, await batchGet(database, keys, true), unpack);
    },

    /**
     * The parts that the counts of a run are the sum of, its open imports among them, and what may be kept of it, if that is worth a
     * write. Of a run that rests, it reads what is kept. Else it reads 1 MB, about 2,500 imports, a request, from where the last
     * reader kept the sum; and open imports themselves.
     *
     * @param known what was kept of this run and others, if it was read before
     */
    async readParts(run: CountedRun, nowMs: number, known?: ReadonlyMap<string, KeptCounts>) {
      const { company_id, run_id } = run;
      const { index, partition } = listOf(company_id, run);
      let kept = (known === undefined ? await readKept(run) : known.get(run_id)) ?? NOTHING;
      if (isAtRest(run, kept)) return { parts: [kept.ended], open: [] };
      // Another reader, whose clock was ahead, may have kept later ones: they stay.
      const settledBy = latestOf([instant(nowMs - SETTLED_MS), kept.up_to]);
      let left: readonly ImportSummary[] = [];
      if (kept.open.length > 0)
        left = (await runReader(database).readAll(company_id, kept.open)).map(importWithoutRecords);
      let after = kept === NOTHING ? undefined : entryKey(company_id, positionIn(kept.up_to), { index, partition });
      const readBefore = kept;
      do {
        const { items, last } = await queryPage(database, { index, partition, after });
        left = [...left, ...(await refreshed(database, items))];
        ({ kept, left } = grown(kept, left, settledBy) ?? { kept, left });
        after = last;
      } while (after !== undefined);
      const rest = resting(run, kept, left, settledBy);
      if (rest !== undefined) return { parts: [rest.ended], open: [], keep: rest };
      const real = left.filter(({ dry_run }) => !dry_run);
      return { parts: [kept.ended, ...real], open: real.filter(isOpen), ...(kept !== readBefore && { keep: kept }) };
    },

    async keepParts(run: RunIds, { open, ended: { counts, ...times }, ...others }: KeptCounts): Promise<void> {
      const set = { ...others, open: packJson(open), counts, ...times };
      await updateItem(database, runCountsKey(run), { set });
    },
  };
}

const COUNTS = {
  imports: number,
  total: number,
  processed: number,
  succeeded: number,
  failed: number,
  with_warnings: number,
};

function unpack(item: Item): KeptCounts {
  const ended = members(item, { created_at: text, completed_at: text });
  const counts = members(map(item, 'counts'), COUNTS);
  const { archived = 0 } = storedMembers(map(item, 'counts'), { archived: number });
  return {
    ...members(item, { up_to: text, open: packedTexts }),
    ...storedMembers(item, { rests: text }),
    ended: { ...ended, counts: { ...counts, archived } },
  };
}
