/** The plan of a run as its maker saw it, read from the service, and what happened since. */
import type { ListedResult, Plan } from '../../wire/types.ts';
import { service } from './account.ts';
import { ChangesBuilder } from './changes.ts';
import { RejectedCauses } from './migrations.ts';
import { report } from './protocol.ts';

/** Planned records that are read. */
const MOST_READ = 20_000;
const PAGE = 500;
const MOST_SAMPLES = 8;
/** Runs and addresses that are looked at for changes since. */
const MOST_RUNS = 30;
const MOST_ADDRESSES = 100;

export type PlanPage = Awaited<ReturnType<typeof planPage>>;

type Progress = ListedResult['progress'];

/** The plan of a run as its maker saw it, read from the service. @throws ServiceError `plan_not_found` */
export async function planPage(run_id: string) {
  const plan = await service().getPlan(run_id);
  const builder = new ChangesBuilder(Date.now());
  const causes = new RejectedCauses();
  const samples: { readonly record: unknown; readonly before: Progress | undefined; readonly after: Progress }[] = [];
  let read = 0;
  for await (const { import_id: _, ...result } of service().planRecords(run_id, { limit: PAGE, include: 'record' })) {
    read += 1;
    causes.add(result);
    builder.addResults({ created_at: plan.created_at, records: [result] });
    const { outcome, record, before, progress } = result;
    if (outcome !== 'unchanged' && progress !== null && samples.length < MOST_SAMPLES)
      samples.push({ record, before, after: progress });
    if (read % PAGE === 0) report({ meters: { read } });
    if (read === MOST_READ) break;
  }
  const since = await changesSince(run_id, plan, causes.unknown());
  return { read, changes: builder.changes(), samples, causes: causes.list(), since };
}

/** What happened after the plan was made, which its results do not show. */
async function changesSince(run_id: string, { created_at }: Plan, unknown: readonly string[]) {
  const { runs } = await service().listRuns({ limit: MOST_RUNS });
  const others = runs.filter(
    (run) => run.run_id !== run_id && run.completed_at !== null && run.completed_at > created_at,
  );
  const asked = unknown.slice(0, MOST_ADDRESSES);
  const { users } = asked.length === 0 ? { users: [] } : await service().resolveUsers(asked);
  return { imported: others.length, known: users.filter(({ status }) => status === 'active').length };
}
