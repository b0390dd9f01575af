/** The runs of the service. A run is one migration: the files of one command and their corrections. */
import { type ImportSummary, type MigrationClient, ServiceError } from '../client/index.ts';
import { UsageError } from '../engine/errors.ts';

/** Runs a call on a run. @throws UsageError if there is no such run */
export async function withRun<T>(run_id: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof ServiceError && error.has('run_not_found')) throw noSuchRun(run_id);
    throw error;
  }
}

/** The real imports of a run, newest first. @throws UsageError if there is no such run */
export async function importsOfRun(client: MigrationClient, run_id: string): Promise<ImportSummary[]> {
  const found: ImportSummary[] = [];
  for await (const each of client.imports({ run_id, limit: 100 })) if (!each.dry_run) found.push(each);
  if (found.length === 0) throw noSuchRun(run_id);
  return found;
}

const noSuchRun = (run_id: string): UsageError =>
  new UsageError(`There is no run ${run_id}. "runs" lists the runs of this company.`);

/** `2026-11-21 18:04`, UTC. */
export const shortDate = (instant: string | null): string => instant?.slice(0, 16).replace('T', ' ') ?? '';
