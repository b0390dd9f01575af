/** The import that a plan makes of one of its dry runs (§4.11). Each step may be repeated: the id is that of the plan and the place. */
import { shownCreator } from '../auth/creator.ts';
import type { ChunkText } from '../imports/chunk-store.ts';
import { UNTOUCHED, keptUntil, type Keeping } from '../imports/import-item.ts';
import type { ImportStore } from '../imports/import-store.ts';
import { FIRST_DUE_MS } from '../imports/lifecycle.ts';
import { plannedImportId, stagedAsPlanned } from '../records/expected.ts';
import { instant } from '../records/instants.ts';
import { jsonText } from '../records/json.ts';
import { contentHash, recordHash } from '../runtime/content-hash.ts';
import type { ImportItem, Instant } from '../shared/model.ts';
import type { RunPlanItem } from './plan-item.ts';

/** A dry run at its place in a plan. */
export interface PlannedDryRun {
  readonly plan: Pick<RunPlanItem, 'plan_id' | 'applied_by'>;
  readonly place: number;
  readonly dryRun: ImportItem;
}

interface Stores {
  readonly imports: Pick<ImportStore, 'commit' | 'noteReplacing' | 'readPlans' | 'stage'>;
}

const idsOf = ({ plan, place, dryRun: { company_id } }: PlannedDryRun) => ({
  company_id,
  import_id: plannedImportId(plan.plan_id, place),
});

/**
 * Copies the report of the dry run into payloads of the import: anew at each attempt, because an erasure may have changed it. An
 * import that replaces is noted beside the gate, before `created_at` is taken: each chunk of an import that is accepted later finds
 * the note until this one has ended. `undefined` if the report is gone.
 */
export async function stagePlanned(
  planned: PlannedDryRun,
  { imports }: Stores,
  nowMs: number,
): Promise<ChunkText[] | undefined> {
  const { dryRun } = planned;
  const report = await imports.readPlans(dryRun, [...dryRun.chunks.keys()], 'strongly');
  const chunks = dryRun.chunks.flatMap(({ first_index }, chunk) => {
    const decided = report[chunk];
    if (decided === undefined) return [];
    const text = jsonText(stagedAsPlanned(decided, first_index, recordHash));
    return [{ text, hash: contentHash(text) }];
  });
  if (chunks.length < dryRun.chunks.length) return undefined;
  await imports.stage(idsOf(planned), chunks);
  if (dryRun.replace === true) await imports.noteReplacing(idsOf(planned), instant(nowMs));
  return chunks;
}

/** Commits the import with these payloads. Returns the stored one: that of an earlier attempt, if there was one. */
export async function commitPlanned(
  planned: PlannedDryRun,
  staged: readonly ChunkText[],
  { created_at, ...keeping }: Keeping & { readonly created_at: Instant },
  { imports }: Stores,
): Promise<ImportItem> {
  const { plan, place, dryRun } = planned;
  if (plan.applied_by === null) throw new Error('Nobody applied this plan.');
  const ids = idsOf(planned);
  const chunks = dryRun.chunks.map((ref, chunk) => ({ ...ref, payload_hash: staged[chunk]?.hash ?? '' }));
  return imports.commit({
    ...ids,
    ...UNTOUCHED,
    dry_run: false,
    run_id: dryRun.run_id,
    created_at,
    ...shownCreator(plan.applied_by),
    planned_by: dryRun.import_id,
    total: dryRun.total,
    ...(dryRun.replace === true && { replace: true }),
    ...(dryRun.archive === true && { archive: true }),
    fingerprint: `${plan.plan_id} ${place}`,
    attempt_id: ids.import_id,
    resends: 0,
    chunks,
    ...keptUntil(created_at, dryRun, keeping),
    due_at: instant(Date.parse(created_at) + FIRST_DUE_MS),
  });
}
