import { type CommandContext, fileCommand, type OptionsOf, type RunCommand } from '../command.ts';
import { UsageError } from '../../engine/errors.ts';
import { connect } from '../session/session.ts';
import { openSourceFile } from '../files/records.ts';
import { showMatches, tableFor } from '../match-table.ts';
import type { SourceOptions } from '../../engine/source/open-source.ts';
import { catalogOf } from '../../engine/match/catalog.ts';
import type { Match } from '../../engine/match/match.ts';
import type { MatchHeaders, MatchLine } from '../../engine/match/match-table.ts';
import { type CountedCourse, type CourseColumns, oldCourses } from '../../engine/match/old-courses.ts';

const declared = () =>
  fileCommand('match-courses', 'find the courses of an export in the catalog; writes a table for map-courses', [
    'match-courses history.xlsx --sheet Export',
  ])
    .argument('<file>')
    .option('--id-column <name>', 'column with the course ids of the old system')
    .option('--title-column <name>', 'column with the course titles of the old system')
    .option('--out <file>', 'table to write (default: FILE.courses.csv beside the file)')
    .option('--force', 'overwrite an existing table');

export const command = (run: RunCommand) =>
  declared().action((file, options) => run(options, (context) => matchCourses(file, options, context)));

interface MatchedCourse extends CountedCourse, Match {}

/** The headers of the table, which `map-courses` reads. */
export const HEADERS: MatchHeaders = {
  id: 'external_course_id',
  name: 'old_title',
  targetId: 'platform_course_id',
  targetName: 'platform_title',
};

/**
 * `match-courses FILE`: finds the courses of an export in the catalog, and writes a table to look over, which `map-courses`
 * registers. Nothing is registered here, and a course that is not certain gets no id.
 */
async function matchCourses(
  file: string,
  options: OptionsOf<typeof declared, SourceOptions & CourseColumns>,
  context: CommandContext,
): Promise<number> {
  const source = await openSourceFile(file, options);
  const path = tableFor(file, 'courses', options);
  const courses = await oldCourses(source, options);
  if (courses.length === 0) throw new UsageError(`${file} names no courses.`);
  const { client } = await connect(context);
  const catalog = await catalogOf(client);
  const matched = courses.map((course): MatchedCourse => ({ ...course, ...catalog.match(course) }));
  const lines = matched.map(courseLine);
  return showMatches(
    path,
    { headers: HEADERS, lines, registeredBy: 'map-courses', found: { courses: matched } },
    context.output,
  );
}

export const courseLine = ({ id, title, rows, kind, course, candidates }: MatchedCourse): MatchLine => ({
  id,
  name: title,
  rows,
  kind,
  target: course && { id: String(course.platform_course_id), name: course.title },
  candidates: candidates.map(
    ({ course: each, score }) => `${each.platform_course_id} ${each.title} (${score.toFixed(2)})`,
  ),
});
