/**
 * What is answered about a run: counts between those of its imports before the read, and after it; in the end those of all, also
 * from what readers keep.
 */
import { countsOf } from '../../../functions/imports/import-item.ts';
import { readRun } from '../../../functions/runs/read.ts';
import type { ImportItem, Run } from '../../../functions/shared/model.ts';
import type { RunRead, Written } from '../history.ts';
import { COMPANY } from '../world.ts';
import type { Finished, FinishedImport } from './finished.ts';

export async function checkRuns(run: Finished, imports: readonly FinishedImport[]): Promise<void> {
  const real = imports.map(({ item }) => item).filter(({ dry_run, run_id }) => !dry_run && run_id !== null);
  for (const [run_id, own] of Map.groupBy(real, (item) => item.run_id ?? '')) await checkEnd(run, run_id, own);
  for (const read of run.stack.history.reads) checkRead(run, read);
}

/** So long after the end, the run is at rest: the first reader keeps that, and the next one relies on it. */
const LATER_MS = 6 * 60_000;

async function checkEnd({ services, simulation, stack }: Finished, run_id: string, own: ImportItem[]): Promise<void> {
  const due = JSON.stringify([
    summed(own),
    own
      .map((item) => item.completed_at ?? '')
      .toSorted()
      .at(-1),
  ]);
  for (const later of [0, LATER_MS, LATER_MS]) {
    const clock = { nowMs: () => simulation.nowMs + later };
    const shown = await readRun({ company_id: COMPANY, run_id }, { ...services, clock });
    const is = JSON.stringify([shown && inOrder(shown.counts), shown?.completed_at]);
    if (is !== due) stack.history.violate(`the run ${run_id} is ${is}, its imports ${due}`);
  }
}

type Counts = Run['counts'];

const MEMBERS = ['imports', 'total', 'processed', 'succeeded', 'failed', 'archived', 'with_warnings'] as const;
const inOrder = (counts: Counts) => MEMBERS.map((member) => counts[member]);

function summed(items: readonly ImportItem[]): number[] {
  const each = items.map((item) => inOrder({ imports: 1, ...countsOf(item) }));
  return MEMBERS.map((_, at) => each.reduce((sum, counts) => sum + (counts[at] ?? 0), 0));
}

/** An index may be so far behind. */
const LAG_MS = 1_000;
const STALE_MS = 20_000;

function checkRead({ simulation, stack: { history } }: Finished, { run_id, body, fromMs, toMs }: RunRead): void {
  const isOf = ({ what }: Written<ImportItem>) => what.run_id === run_id && !what.dry_run;
  const lagMs = simulation.suffered.some(({ kind }) => kind === 'stale read') ? STALE_MS : LAG_MS;
  const until = (written: ReadonlyMap<string, Written<ImportItem>>, ms: number) =>
    [...written.values()].filter((one) => isOf(one) && one.at <= ms).map(({ what }) => what);
  const [stored, ended] = [history.commits, history.terminals].map((all) => until(all, fromMs - lagMs));
  const known = new Set(until(history.commits, toMs).map(({ import_id }) => import_id));
  const ends = until(history.terminals, Infinity).filter(({ import_id }) => known.has(import_id));
  const [atLeast, ofEnded, atMost] = [stored, ended, ends].map((items) => summed(items ?? [])) as [
    number[],
    number[],
    number[],
  ];
  const is = body === undefined ? summed([]) : inOrder(body.counts);
  const least = atLeast.map((count, at) => Math.max(count, ofEnded[at] ?? 0));
  if (is.some((count, at) => count < (least[at] ?? 0) || count > (atMost[at] ?? 0)))
    history.violate(
      `the run ${run_id} is ${is.join(' ')}, its imports were ${least.join(' ')}, then ${atMost.join(' ')}`,
    );
}
