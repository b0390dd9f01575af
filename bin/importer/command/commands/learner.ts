import { type MigrationClient, ServiceError } from '../../client/index.ts';
import type { LearnerCourse } from '../../wire/types.ts';
import { UsageError } from '../../engine/errors.ts';
import { type RunCommand, serviceCommand } from '../command.ts';
import { EXIT } from '../errors.ts';
import { shortDate } from '../runs.ts';
import { connect } from '../session/session.ts';
import { type Output, printResult, table } from '../terminal.ts';

export const command = (run: RunCommand) =>
  serviceCommand('learner', 'show what a learner has in each course, and every record behind it', [
    'learner ana.lopez@acme.test',
  ])
    .argument('<email>')
    .action((email, options) =>
      run(options, async (context) => showLearner((await connect(context)).client, email, context.output)),
    );

/** `learner EMAIL`: the transcript of a learner (§4.8). A course is a row, with a row below it for each source of its progress. */
export async function showLearner(client: MigrationClient, email: string, output: Output): Promise<number> {
  const learner = await learnerOf(client, email);
  const courses: LearnerCourse[] = [];
  for await (const course of client.learnerCourses({ user_id: learner.user_id })) courses.push(course);
  printResult(output, { ...learner, courses }, [
    `${learner.email}, user ${learner.user_id}, license ${learner.license}`,
    ...(courses.length === 0 ? ['There is no progress in any course.'] : table(HEAD, courses.flatMap(rowsOf))),
  ]);
  return EXIT.allApplied;
}

async function learnerOf(client: MigrationClient, email: string) {
  try {
    const { user_id, license, email: stored } = await client.getLearner({ email }, { limit: 1 });
    return { user_id, email: stored, license };
  } catch (error) {
    if (error instanceof ServiceError && error.has('learner_not_found'))
      throw new UsageError(`There is no user ${email} in this company.`);
    if (error instanceof ServiceError && error.has('invalid_request'))
      throw new UsageError(`${email} is not an e-mail address.`);
    throw error;
  }
}

const HEAD = ['course', 'title or record', '%', 'completed (UTC)', 'certified (UTC)', 'import'];

type Dated = Pick<LearnerCourse['effective'], 'completion_pct' | 'completed_at' | 'certified_at'>;

const rowOf = (course: string, name: string, progress: Dated, from = '') => [
  course,
  name,
  progress.completion_pct,
  shortDate(progress.completed_at),
  shortDate(progress.certified_at),
  from,
];

function rowsOf({ platform_course_id, title, effective, native, contributions }: LearnerCourse) {
  return [
    rowOf(String(platform_course_id), title ?? '(no longer in the catalog)', effective),
    ...(native === null ? [] : [rowOf('', '  on the platform itself', native)]),
    ...contributions.map((each) => rowOf('', `  ${each.external_record_id}`, each, each.import_id)),
  ];
}
