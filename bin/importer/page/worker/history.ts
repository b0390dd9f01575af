/** The runs of the company, reverts, and what a learner has. */
import type { LearnerCourse, Run, RunRevert } from '../../wire/types.ts';
import { service } from './account.ts';

const MOST_RUNS = 200;

export async function listRuns(): Promise<Run[]> {
  const runs: Run[] = [];
  for await (const run of service().runs()) if (runs.push(run) === MOST_RUNS) break;
  return runs;
}

export const runOf = (run_id: string): Promise<Run> => service().getRun(run_id);

export const cancelRun = (run_id: string): Promise<Run> => service().cancelRun(run_id);

/** What a revert would take back; the report of a revert that was requested before. */
export const planRevert = (run_id: string): Promise<RunRevert> => service().revertRun(run_id, { dry_run: true });

/** Takes back a run, and waits for its end. */
export async function revertRun(run_id: string): Promise<RunRevert> {
  await service().revertRun(run_id, { dry_run: false });
  return service().waitForRunRevert(run_id);
}

/** What a learner has, course by course. @throws ServiceError `learner_not_found` */
export async function learnerOf(email: string): Promise<LearnerCourse[]> {
  const courses: LearnerCourse[] = [];
  for await (const course of service().learnerCourses({ email })) courses.push(course);
  return courses;
}
