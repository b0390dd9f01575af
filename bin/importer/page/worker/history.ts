/** The runs of the company, reverts, and what a learner has. */
import { ServiceError } from '../../wire/errors.ts';
import type { ListedResult, Run, RunRevert } from '../../wire/types.ts';
import { importsOfRun, listRuns as runsOf, type ShownRun, shownRun } from '../../client/runs.ts';
import { service, signedIn } from './account.ts';
import { report } from './protocol.ts';

/** Rejected records that the page of a run shows. */
const MOST_REJECTED = 1000;

export type RunPage = Awaited<ReturnType<typeof runPage>>;
export type ShownCourse = Awaited<ReturnType<typeof learnerOf>>[number];

export const listRuns = (): Promise<ShownRun[]> => runsOf(service());

/** A run from any machine: the service has what was sent. @throws ServiceError `run_not_found` */
export async function runPage(run_id: string) {
  const [run, imports] = await Promise.all([service().getRun(run_id), importsOfRun(service(), run_id)]);
  const shown = shownRun(run, imports);
  const results: ListedResult[] = [];
  let isExpired = false;
  for (const { import_id, counts } of imports) {
    if (counts.failed === 0 || results.length >= MOST_REJECTED) continue;
    const list = await service().listRecords(import_id, { status: 'error', include: 'record' });
    isExpired ||= list.report_expired === true;
    results.push(...list.records);
  }
  const rejected = results.slice(0, MOST_REJECTED).map(({ record, errors: [first] }) => ({
    record: record ?? null,
    code: first?.error_code ?? '',
    field: first?.field,
  }));
  return { run: shown, by: shown.created_by_client ?? (await nameOf(shown.created_by)), rejected, isExpired };
}

const names = new Map<number, string | undefined>();

/** The name or the address of an administrator; `undefined` for someone whom the platform no longer has. */
export async function nameOf(user_id: number | undefined): Promise<string | undefined> {
  if (user_id === undefined) return undefined;
  const { id, name } = signedIn();
  if (user_id === id) return name;
  if (!names.has(user_id))
    try {
      names.set(user_id, (await service().getLearner({ user_id }, { limit: 1 })).email);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      names.set(user_id, undefined);
    }
  return names.get(user_id);
}

export const cancelRun = (run_id: string): Promise<Run> => service().cancelRun(run_id);

/** What a revert would take back; the report of a revert that was requested before. A dry run of many imports takes a while. */
export async function planRevert(run_id: string): Promise<RunRevert> {
  const found = await service().revertRun(run_id, { dry_run: true });
  const isRunning = found.dry_run && found.status === 'processing';
  return isRunning ? service().waitForRunRevert(run_id, { dry_run: true }) : found;
}

export async function revertRun(run_id: string): Promise<RunRevert> {
  await service().revertRun(run_id, { dry_run: false });
  return service().waitForRunRevert(run_id, {
    onProgress: ({ counts }) => report({ meters: { revert: counts.reverted } }),
  });
}

/** What a learner has, course by course, and from which runs. @throws ServiceError `learner_not_found` */
export async function learnerOf(email: string) {
  const runs = new Map<string, string | null>();
  const courses = [];
  for await (const course of service().learnerCourses({ email })) {
    const contributions = [];
    for (const { import_id, ...contribution } of course.contributions) {
      const run_id = runs.get(import_id) ?? (await service().getImport(import_id)).run_id;
      runs.set(import_id, run_id);
      contributions.push({ ...contribution, import_id, run_id });
    }
    // A run may have brought one thing in many records, as of lessons.
    const each = new Map(
      contributions.map((one) => [
        JSON.stringify([one.run_id ?? one.import_id, one.completed_at, one.replaced_by]),
        one,
      ]),
    );
    courses.push({ ...course, contributions: [...each.values()] });
  }
  return courses;
}
