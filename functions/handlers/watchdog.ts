import { sqsChunkQueue } from '../imports/chunk-queue.ts';
import { accountEventBus } from '../imports/event-bus.ts';
import { reportSettled } from '../imports/chunk-report.ts';
import { watchImports } from '../imports/watch.ts';
import type { WatchAction } from '../imports/watch.ts';
import { METRIC } from '../runtime/metric-names.ts';
import { liveServices } from '../services/services.ts';
import type { ServicesWith } from '../services/services.ts';
import type { ImportItem } from '../shared/model.ts';

/** So many resends without effect are more than a passing backlog. */
const RESENDS_WITHOUT_EFFECT = 2;

/** A scheduled event; with `open: 'all'` every open import counts as due (the queue is known to be lost). */
export interface WatchEvent {
  readonly detail?: { readonly open?: string };
}

export type WatchdogServices = Pick<
  ServicesWith<'queue' | 'events'>,
  'clock' | 'stores' | 'queue' | 'events' | 'telemetry'
>;

/** Every minute: sends the missing chunks of stalled imports again, and ends imports that stay stalled. */
export async function watch(event: WatchEvent, services: WatchdogServices): Promise<void> {
  const { telemetry } = services;
  const tally: Record<WatchAction, number> = { none: 0, settled: 0, resent: 0, abandoning: 0, abandoned: 0 };
  let stuck = 0;
  for await (const { item, action } of watchImports(services, event.detail?.open === 'all')) {
    tally[action] += 1;
    if (isStuck(item, action)) stuck += 1;
    if (item.status !== 'processing' && action !== 'none') reportSettled(telemetry, item);
  }
  if (tally.resent > 0) telemetry.count(METRIC.chunksResent, tally.resent);
  if (tally.abandoned > 0) telemetry.count(METRIC.importsAbandoned, tally.abandoned);
  // Zero is counted too: the absence of this metric means that the watchdog does not run.
  telemetry.count(METRIC.importsPastDue, tally.resent + tally.abandoning + tally.abandoned);
  if (stuck > 0) telemetry.count(METRIC.importsStuck, stuck);
  if (tally.resent + tally.abandoning + tally.abandoned + tally.settled > 0) telemetry.info('watchdog', tally);
  telemetry.flush();
}

/** Resends had no effect, or the import is so old that it is being abandoned. */
function isStuck({ resends }: ImportItem, action: WatchAction): boolean {
  return (
    action === 'abandoning' || action === 'abandoned' || (action === 'resent' && resends >= RESENDS_WITHOUT_EFFECT)
  );
}

const services = liveServices({ queue: sqsChunkQueue, events: accountEventBus });
export const handler = (event: WatchEvent) => watch(event, services());
