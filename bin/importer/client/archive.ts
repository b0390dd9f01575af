/** Records of the archive, tried again (§4.12): what the platform knows by now can be imported by a plan of the run. */
import { isOpenPlan } from '../engine/run/plan-run.ts';
import { increment } from '../engine/run/summary.ts';
import type { ArchivedRecord, ImportRecord, Plan } from '../wire/types.ts';
import type { MigrationClient } from './client.ts';

/** Records of a page of the archive. */
export const ARCHIVE_PAGE = 500;
const PARALLEL = 4;

export type TriedArchive = Awaited<ReturnType<typeof tryArchive>>;

/** A record counts once for each code. */
export function countCauses(causes: Map<string, number>, errors: ArchivedRecord['errors']): void {
  for (const code of new Set(errors.map(({ error_code }) => error_code))) increment(causes, code);
}

/** A new plan would withdraw it, also if it is approved. */
export const isAhead = (plan: Plan | null): plan is Plan =>
  plan !== null && (isOpenPlan(plan) || plan.status === 'applying');

/** Dry runs of what a run keeps. Only those of `import_ids` are for a plan: they have no other records than those that can be imported. */
export async function tryArchive(client: MigrationClient, run_id: string) {
  const records = await newestRecords(client, run_id);
  const options = { dry_run: true, run_id, parallel: PARALLEL };
  const all = await client.importAll(records, options);
  const alive = records.filter((_, index) => all.records[index]?.status === 'success');
  const causes = new Map<string, number>();
  for (const { errors } of all.records) countCauses(causes, errors);
  const isWhole = alive.length === records.length || alive.length === 0;
  const { import_ids } = isWhole ? all : await client.importAll(alive, options);
  return { import_ids, archived: records.length, importable: alive.length, by_cause: Object.fromEntries(causes) };
}

/** A record that several imports of the run have archived is sent once, as the newest has it. */
async function newestRecords(client: MigrationClient, run_id: string): Promise<ImportRecord[]> {
  const newest = new Map<string, ImportRecord>();
  for await (const each of client.archive({ run_id, limit: ARCHIVE_PAGE, include: 'record' })) {
    const id = each.external_record_id ?? `${each.import_id} ${each.index}`;
    // As it was sent: the service decides what it is worth.
    if (!newest.has(id)) newest.set(id, each.record as ImportRecord);
  }
  return [...newest.values()];
}
