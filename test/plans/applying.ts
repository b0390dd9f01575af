/** Applications of plans over the real stores: made, begun, and carried out by messages and the watchdog on the test's clock. */
import { continueApplication } from '../../functions/plans/steps.ts';
import { newPlanId, type RunPlanItem } from '../../functions/plans/plan-item.ts';
import { plannedImportId } from '../../functions/records/expected.ts';
import { instant } from '../../functions/records/instants.ts';
import { COMPANY_ID, MINUTE, RUN, SECOND, importWorld, record, type ImportWorld } from '../imports/world.ts';
import { waitingPlan } from './plans.ts';

/** Batches of a record each, every one about Ann. */
export const batches = (count: number): unknown[][] => Array.from({ length: count }, (_, at) => [record(`r${at}`)]);

let drawn = 0;
const drawnId = () => {
  drawn += 1;
  return newPlanId({ hex: () => drawn.toString(16).padStart(32, '0') });
};

export type ApplyingWorld = Awaited<ReturnType<typeof applyingWorld>>;

/** A plan of a dry run for each batch, whose application begins now. No message has been sent. */
export async function applyingWorld(
  batched: readonly (readonly unknown[])[],
  { replace = false, world }: { readonly replace?: boolean; readonly world?: ImportWorld } = {},
) {
  const its = world ?? (await importWorld());
  const { clock, stores, services } = its;
  const dryRuns: string[] = [];
  for (const [at, records] of batched.entries()) {
    const import_id = `dry-run-${drawn}-${at}`.padStart(26, '0').replaceAll('-', '0');
    await its.accept(records, { import_id, dry_run: true, replace, run_id: RUN.run_id });
    dryRuns.push(import_id);
  }
  await stores.imports.putRun(RUN, { created_at: instant(clock.now), by: 1, dry_run: true });
  const plan_id = drawnId();
  const waiting = waitingPlan(plan_id);
  const counts = { ...waiting.counts, imports: batched.length };
  const made = { ...waiting, counts };
  const former = await stores.plans.newest(RUN);
  if (!(await stores.plans.make(made, dryRuns, former))) throw new Error('The plan was not made.');
  const applied_at = instant(clock.now);
  const begun = { status: 'applying', phase: 'applying', applied_by: 1, applied_at, due_at: applied_at } as const;
  await stores.plans.beginApplying(made, begun);

  const ids = { company_id: COMPANY_ID, plan_id };
  const plan = async (): Promise<RunPlanItem> => {
    const stored = await stores.plans.read(ids);
    if (stored === undefined) throw new Error('There is no plan.');
    return stored;
  };
  const at = (place: number) => plannedImportId(plan_id, place);
  /** One invocation. */
  const go = (hops = 0) => continueApplication({ kind: 'application', ...ids, hops }, services);

  return {
    ...its,
    its,
    ids,
    dryRuns,
    plan,
    at,
    go,
    /** The imports of the plan, by place; up to the first one that does not exist. */
    async imports() {
      const places = dryRuns.map((_, place) => at(place));
      return stores.imports.readAll(COMPANY_ID, places);
    },
    /** Lets time pass until the application has ended: messages, chunks, and the watchdog every minute. Returns the status. */
    async toEnd(minutes = 30): Promise<string> {
      for (let minute = 0; minute < minutes && (await plan()).phase !== 'done'; minute += 1) {
        await its.watch();
        const endMs = clock.now + MINUTE;
        while (clock.now < endMs && its.applicationMessages.length > 0) {
          const [message] = its.applicationMessages.splice(0, 1);
          clock.now += (message?.delaySeconds ?? 0) * SECOND;
          await go(message?.hops);
          await its.deliver();
        }
        clock.now = Math.max(clock.now, endMs);
        await its.deliver();
      }
      return (await plan()).status;
    },
  };
}
