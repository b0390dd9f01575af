/** What needs no engine: the migrations of the company, reverts, and what a learner has. */
import type { RunRevert } from '../../wire/types.ts';
import { service } from './account.ts';
import { report } from './protocol.ts';

export * from './archive.ts';
export * from './learners.ts';
export * from './migrations.ts';

export type ShownLearner = Awaited<ReturnType<typeof learnerOf>>;
export type ShownCourse = ShownLearner['courses'][number];

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

/** What a learner has, course by course, and from which runs; and what the archive has, also of someone unknown. @throws ServiceError `learner_not_found` */
export async function learnerOf(email: string) {
  const runs = new Map<string, string | null>();
  const courses = [];
  const { user_id, archived } = await service().getLearner({ email }, { limit: 1 });
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
  return { isKnown: user_id !== null, courses, archived };
}
