import { lasting, TEXT } from '../texts/index.ts';
import type { Migration } from '../worker/migrations.ts';

/** By run, when it was first seen, and how far it was: the pace since then says how long it still takes. */
const seen = new Map<string, { readonly atMs: number; readonly processed: number }>();

type Run = Pick<Migration, 'run_id' | 'counts' | 'plan'>;

/** `total`: of a plan, all that it will import; else what was sent so far. */
export function progressOf({ run_id, counts, plan }: Run) {
  const total = Math.max(counts.total, plan?.status === 'applying' ? plan.counts.total : 0, 1);
  const { processed } = counts;
  const first = seen.get(run_id) ?? { atMs: Date.now(), processed };
  seen.set(run_id, first);
  const done = processed - first.processed;
  const leftMs = done > 0 ? ((Date.now() - first.atMs) / done) * (total - processed) : undefined;
  return { processed, total, percent: Math.floor((100 * processed) / total), leftMs };
}

/** A bar with the per cent, and how long it still takes once that can be said. */
export function RunProgress({ run, isLong = false }: { readonly run: Run; readonly isLong?: boolean }) {
  const { processed, total, percent, leftMs } = progressOf(run);
  const far = isLong ? TEXT.import.processed(processed, total) : `${percent} %`;
  const said = [far, ...(leftMs === undefined ? [] : [TEXT.import.left(lasting(leftMs))])].join(' · ');
  return (
    <>
      <p class="status processing">{said}</p>
      <progress aria-label={TEXT.import.progress} max={total} value={processed} />
    </>
  );
}
