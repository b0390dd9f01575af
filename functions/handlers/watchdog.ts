import type { Context } from 'aws-lambda';
import { deployed } from '../dynamodb/client.ts';
import { sqsJobQueue } from '../jobs/queue.ts';
import { watchErasure } from '../erasure/steps.ts';
import { accountEventBus, accountRunEventBus } from '../runtime/event-bus.ts';
import { missingChunks, reportSettled } from '../imports/lifecycle.ts';
import { archiveStore } from '../imports/archive.ts';
import { importStore } from '../imports/import-store.ts';
import { progressStore } from '../imports/progress-store.ts';
import type { ImportServices } from '../imports/services.ts';
import { watchImport, type WatchAction } from '../imports/watch.ts';
import { gateReader, gateStore } from '../jobs/gate.ts';
import { openWorkList, watchOpen, type OpenWork } from '../jobs/open-work.ts';
import { runNotices } from '../notices/run-notices.ts';
import { watchApplication } from '../plans/steps.ts';
import { applicationStore } from '../plans/store.ts';
import { watchRevert } from '../reverts/steps.ts';
import { runItemReader } from '../runs/store.ts';
import { revertStore } from '../reverts/store.ts';
import { countWithPoints } from '../runtime/metrics.ts';
import { systemClock } from '../runtime/system.ts';
import { powertoolsTelemetry, type Telemetry } from '../runtime/telemetry.ts';
import type { ImportItem } from '../shared/model.ts';

/** This many resends without effect are more than a passing backlog. */
const RESENDS_WITHOUT_EFFECT = 2;
/** With less time left no further import is started: the next run is a minute later anyway. */
const STOP_BEFORE_TIMEOUT_MS = 5_000;
const MISSING_SHOWN = 20;

/** A scheduled event; with `open: 'all'` every open import counts as due (the queue is known to be lost). */
interface WatchEvent {
  readonly detail?: { readonly open?: string };
}

type WatchdogServices = ImportServices<'imports' | 'archive' | 'progress' | 'jobs'> &
  Parameters<typeof watchRevert>[1] &
  Parameters<typeof watchApplication>[1];

/** Every minute: sends the missing chunks of stalled imports again, and ends imports that stay stalled. */
export async function watch(
  event: WatchEvent,
  { getRemainingTimeInMillis }: Pick<Context, 'getRemainingTimeInMillis'>,
  services: WatchdogServices,
): Promise<void> {
  const { telemetry, stores } = services;
  const tally: Record<WatchAction, number> = {
    none: 0,
    settled: 0,
    resent: 0,
    postponed: 0,
    abandoning: 0,
    abandoned: 0,
  };
  try {
    const open = await stores.jobs.listOpen();
    countOpen(open, telemetry);
    const everyOpen = event.detail?.open === 'all';
    for await (const together of watchOpen(open, watcherOf(services, everyOpen), services, everyOpen)) {
      for (const { item, action } of together) {
        tally[action] += 1;
        report(item, action, telemetry);
      }
      if (getRemainingTimeInMillis() < STOP_BEFORE_TIMEOUT_MS) break;
    }
  } finally {
    reportTally(tally, telemetry);
    telemetry.flush();
  }
}

/** Continues one piece of open work, whatever its kind. Each gate is read once in a run. */
export function watcherOf(services: WatchdogServices, everyOpen = false) {
  const isClosed = gateReader(services.stores.jobs);
  return async (work: OpenWork) => {
    if (work.kind === 'import') return watchImport(work, isClosed, services, everyOpen);
    if (work.kind === 'application') return watchApplication(work, services);
    return work.kind === 'revert' ? watchRevert(work, services) : watchErasure(work, services);
  };
}

/** Written before the work, which may take longer than the time left: alarms depend on these counts. */
function countOpen(open: readonly OpenWork[], telemetry: Telemetry): void {
  const stuck = open.filter(({ resends, isClosing }) => isClosing || resends > RESENDS_WITHOUT_EFFECT).length;
  // Zero is not counted: a metric has a price for each hour in which it is written, in every idle stack.
  if (open.length > 0) telemetry.count('ImportsOpen', open.length);
  if (stuck > 0) countWithPoints(telemetry, 'ImportsStuck', stuck);
  telemetry.flush();
}

function isStuck({ resends }: ImportItem, action: WatchAction): boolean {
  return (
    action === 'abandoning' || action === 'abandoned' || (action === 'resent' && resends >= RESENDS_WITHOUT_EFFECT)
  );
}

/** A stuck import is logged each time that the watchdog acts on it, so at least every four hours. */
function report(item: ImportItem, action: WatchAction, telemetry: Telemetry): void {
  if (item.status !== 'processing' && action !== 'none') reportSettled(telemetry, item);
  if (!isStuck(item, action)) return;
  const missing = missingChunks(item);
  telemetry.info('An import is stuck.', {
    company_id: item.company_id,
    import_id: item.import_id,
    action,
    resends: item.resends,
    missing: missing.length,
    missing_chunks: missing.slice(0, MISSING_SHOWN).join(' '),
  });
}

function reportTally(tally: Record<WatchAction, number>, telemetry: Telemetry): void {
  const { resent, abandoning, abandoned, settled } = tally;
  const pastDue = resent + abandoning + abandoned;
  if (resent > 0) telemetry.count('ChunksResent', resent);
  if (abandoned > 0) telemetry.count('ImportsAbandoned', abandoned);
  if (pastDue > 0) telemetry.count('ImportsPastDue', pastDue);
  if (pastDue + settled > 0) telemetry.info('watchdog', tally);
}

const services = deployed((database, environment) => {
  const telemetry = powertoolsTelemetry();
  const stores = {
    imports: importStore(database),
    archive: archiveStore(database),
    progress: progressStore(database),
    jobs: { ...gateStore(database), ...openWorkList(database) },
    reverts: revertStore(database),
    plans: applicationStore(database),
    runs: runItemReader(database),
  };
  return {
    clock: systemClock,
    telemetry,
    queue: sqsJobQueue(environment),
    events: accountEventBus(environment),
    notices: runNotices({ clock: systemClock, telemetry, events: accountRunEventBus(environment), stores }),
    stores,
  };
});
export const handler = (event: WatchEvent, context: Context) => watch(event, context, services());
