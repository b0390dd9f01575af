/** The runs of a company, with what became of them. */
import type { ImportSummary, Run } from '../wire/types.ts';
import { groupedBy } from '../wire/values.ts';
import type { MigrationClient } from './client.ts';

const MOST_RUNS = 100;
const MOST_IMPORTS = 2000;

export type RunState = Run['status'] | 'cancelled' | 'reverted' | 'partly_reverted';

export interface ShownRun extends Omit<Run, 'created_by' | 'created_by_client'> {
  readonly state: RunState;
  /** User id of the administrator who sent it; `undefined` for a run whose imports are further back. */
  readonly created_by: number | undefined;
  /** Id of the client that sent it, if a machine did. */
  readonly created_by_client: string | undefined;
  readonly reverted_at: string | null;
}

export function shownRun(run: Run, imports: readonly ImportSummary[]): ShownRun {
  const reverted = imports.filter(({ reverted_at }) => reverted_at !== null);
  const state = (): RunState => {
    if (run.status === 'processing') return 'processing';
    if (reverted.length > 0) return reverted.length === imports.length ? 'reverted' : 'partly_reverted';
    return imports.some(({ cancelled_at }) => cancelled_at !== null) ? 'cancelled' : run.status;
  };
  const { created_by, created_by_client } = imports[0] ?? {};
  return {
    ...run,
    state: state(),
    created_by: created_by ?? undefined,
    created_by_client: created_by_client ?? undefined,
    reverted_at: reverted[0]?.reverted_at ?? null,
  };
}

/** The newest runs: a hundred at most. */
export async function listRuns(client: MigrationClient): Promise<ShownRun[]> {
  const runs: Run[] = [];
  for await (const run of client.runs()) if (runs.push(run) === MOST_RUNS) break;
  const imports: ImportSummary[] = [];
  for await (const each of client.imports({ limit: 100 })) if (imports.push(each) === MOST_IMPORTS) break;
  const byRun = groupedBy(
    imports.filter(({ dry_run }) => !dry_run),
    ({ run_id }) => run_id ?? '',
  );
  return runs.map((run) => shownRun(run, byRun.get(run.run_id) ?? []));
}

/** The real imports of a run, oldest first. */
export async function importsOfRun(client: MigrationClient, run_id: string): Promise<ImportSummary[]> {
  const imports: ImportSummary[] = [];
  for await (const each of client.imports({ run_id, limit: 100 })) if (!each.dry_run) imports.push(each);
  return imports.toReversed();
}
