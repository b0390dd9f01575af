/** The migrations of the company: what waits, what runs, what is done; and one of them from any machine. */
import type { ImportSummary, ListedResult, Run } from '../../wire/types.ts';
import { type RunState, shownRun } from '../../client/runs.ts';
import { valueAt } from '../../engine/ground/fields.ts';
import { isOpenPlan } from '../../engine/run/plan-run.ts';
import { service } from './account.ts';
import { nameOf } from './names.ts';
import { type Open, openIn } from './open.ts';

/** Runs in one page of the list. */
const PAGE = 30;
/** Calls at a time. */
const AT_ONCE = 6;
/** Pages of a bounded search for drafts, or for runs under way. */
const MOST_PAGES = 4;
/** Rejected records of a run that are read. */
const MOST_READ = 20_000;

export interface Migration extends Omit<Run, 'document'> {
  readonly state: RunState | 'planned' | 'approved' | (typeof ARCHIVED)[keyof typeof ARCHIVED];
  readonly reverted_at: string | null;
  /** What is left to decide of a draft, if its title says so. */
  readonly open: Open | undefined;
  /** Who made it: a name, an address, or the id of a machine; `undefined` for someone whom the platform no longer has. */
  readonly by: string | undefined;
}

/** What is not on the platform is in the archive, and nothing is rejected. */
const ARCHIVED = { partial_success: 'partly_archived', error: 'archived' } as const;

export type MigrationPage = Awaited<ReturnType<typeof migrationPage>>;
export type RejectedCause = ReturnType<RejectedCauses['list']>[number];

async function shownMigration(run: Run, imports: readonly ImportSummary[]): Promise<Migration> {
  const { state: ended, reverted_at } = shownRun(run, imports);
  const { plan } = run;
  const state = endOf(ended, run.counts);
  const planned = plan?.status === 'approved' ? 'approved' : 'planned';
  const by = run.created_by_client ?? (await nameOf(run.created_by ?? undefined));
  // What the archive keeps is planned after the import, too.
  const isPlanned = state !== 'processing' && plan !== null && isOpenPlan(plan);
  return { ...run, state: isPlanned ? planned : state, reverted_at, by, ...openIn(run.title) };
}

function endOf(state: RunState, { failed, archived }: Run['counts']): Migration['state'] {
  if (state !== 'partial_success' && state !== 'error') return state;
  return failed > archived ? state : ARCHIVED[state];
}

/** Whether a run was taken back or cancelled stands in its imports: the newest say so. */
async function migrationOf(run: Run): Promise<Migration> {
  if (run.counts.imports === 0 || run.status === 'processing') return shownMigration(run, []);
  const { imports } = await service().listImports({ run_id: run.run_id, limit: 100 });
  return shownMigration(
    run,
    imports.filter(({ dry_run }) => !dry_run),
  );
}

async function migrationsOf(runs: readonly Run[]): Promise<Migration[]> {
  const all: Migration[] = [];
  for (let from = 0; from < runs.length; from += AT_ONCE)
    all.push(...(await Promise.all(runs.slice(from, from + AT_ONCE).map((run) => migrationOf(run)))));
  return all;
}

async function runsWith(status: 'draft' | 'processing'): Promise<Run[]> {
  const runs: Run[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const found = await service().listRuns({ status, limit: 100, ...(cursor !== undefined && { cursor }) });
    runs.push(...found.runs);
    if (found.next_cursor === null) break;
    cursor = found.next_cursor;
  }
  return runs;
}

/** Of dry runs alone, as the command makes them, nobody has decided anything: no person has to go on with them. */
const isPrepared = ({ status, version, plan }: Run): boolean => status !== 'draft' || version > 0 || plan !== null;

/** The newest, and with them every draft and every run under way that a bounded search finds. @param cursor of older ones */
export async function listMigrations(cursor?: string) {
  const { runs, next_cursor } = await service().listRuns({ limit: PAGE, ...(cursor !== undefined && { cursor }) });
  const isNewest = cursor === undefined && next_cursor !== null;
  const others = isNewest ? (await Promise.all([runsWith('draft'), runsWith('processing')])).flat() : [];
  const each = new Map([...runs, ...others].filter(isPrepared).map((run) => [run.run_id, run]));
  const migrations = await migrationsOf([...each.values()]);
  return { migrations, next: next_cursor ?? undefined };
}

interface RejectedRecord {
  readonly code: string;
  readonly field: string | undefined;
  /** The first of the cause. */
  readonly record: unknown;
  count: number;
  readonly isArchived: boolean;
}

/** Rejected records by their cause. */
export class RejectedCauses {
  readonly #causes = new Map<string, RejectedRecord>();
  count = 0;

  add({ status, errors: [first], record, archived }: ListedResult): void {
    if (status !== 'error' || first === undefined) return;
    const isArchived = archived === true;
    this.count += 1;
    const { error_code: code, field } = first;
    const value = field === undefined ? undefined : valueAt(record, field);
    const key = JSON.stringify([isArchived, code, field, value ?? valueAt(record, 'user.email')]);
    const known = this.#causes.get(key);
    if (known === undefined) this.#causes.set(key, { code, field, record: record ?? null, count: 1, isArchived });
    else known.count += 1;
  }

  /** The most records first. */
  list() {
    return [...this.#causes.values()].toSorted((a, b) => b.count - a.count);
  }

  /** Addresses that the platform did not know. */
  unknown(): string[] {
    return this.list().flatMap(({ code, record }) => {
      const address = valueAt(record, 'user.email');
      return code === 'user_not_found' && typeof address === 'string' ? [address] : [];
    });
  }
}

/** A run from any machine, with why records were rejected. @throws ServiceError `run_not_found` */
export async function migrationPage(run_id: string) {
  const run = await service().getRun(run_id);
  const migration = await migrationOf(run);
  const { plan } = run;
  const names = {
    updated: await nameOf(run.updated_by ?? undefined),
    planned: await nameOf(plan?.created_by ?? undefined),
    approved: await nameOf(plan?.approved_by ?? undefined),
    applied: await nameOf(plan?.applied_by ?? undefined),
  };
  return { migration, names, ...(run.status === 'processing' ? NONE_REJECTED : await rejectedOf(run)) };
}

const NONE_REJECTED = { rejected: [], isExpired: false };

async function rejectedOf({ run_id, counts }: Run) {
  if (counts.failed === 0) return NONE_REJECTED;
  const causes = new RejectedCauses();
  let isExpired = false;
  for (let cursor: string | null | undefined; cursor !== null && causes.count < MOST_READ;) {
    const query = { status: 'error', include: 'record', ...(cursor !== undefined && { cursor }) } as const;
    const page = await service().listRunRecords(run_id, query);
    isExpired ||= page.report_expired === true;
    for (const result of page.records) causes.add(result);
    cursor = page.next_cursor;
  }
  return { rejected: causes.list(), isExpired };
}

/** Its status and counts alone, while it is applied. */
export const readRun = (run_id: string): Promise<Run> => service().getRun(run_id);

/** What was seen, by its digest. @throws ServiceError `plan_digest_differs`, `approval_by_another`, `plan_closed` */
export async function approvePlan(run_id: string, plan_digest: string, comment: string): Promise<void> {
  await service().approvePlan(run_id, { plan_digest, comment: comment === '' ? null : comment });
}

/** What is planned can be planned anew. @throws ServiceError `plan_closed` */
export const withdrawPlan = (run_id: string): Promise<void> => service().withdrawPlan(run_id);

/** The service goes on alone. @throws ServiceError `approval_required`, `plan_digest_differs`, `plan_closed` */
export async function applyPlan(run_id: string, plan_digest: string): Promise<void> {
  await service().applyPlan(run_id, plan_digest);
}

/** Nothing that was not begun is imported. */
export const cancelRun = (run_id: string): Promise<Run> => service().cancelRun(run_id);

/** A draft, with its plan. @throws ServiceError `plan_closed` */
export const removeDraft = (run_id: string): Promise<void> => service().deleteRun(run_id);
