import type { Course } from '../../client/index.ts';
import { catalogOf } from '../../engine/match/platform.ts';
import type { Match } from '../../engine/match/match.ts';
import type { MatchHeaders, MatchLine } from '../../engine/match/match-table.ts';
import { type CountedCourse, type CourseColumns, oldCourses } from '../../engine/match/old-courses.ts';
import type { CommandContext, OptionsOf, RunCommand } from '../command.ts';
import { EXIT, UsageError } from '../errors.ts';
import { openSourceFile } from '../files/records.ts';
import { idCommand, type IdOptions, registerTable, showMatches, tableFor } from '../ids.ts';
import { connect } from '../session/session.ts';
import { printResult, table } from '../terminal.ts';

const declared = () =>
  idCommand(
    'courses',
    'list the courses of the platform, find those of an export among them, or register a table of course ids',
    [
      'courses --search "data protection" --classes',
      'courses history.xlsx --sheet Export',
      'courses history.courses.csv --register',
    ],
  )
    .argument('[file]')
    .option('--search <words>', 'without a file: only courses with these words in a title or id')
    .option('--classes', 'without a file: also list the classes')
    .option('--title-column <name>', 'column with the course titles of the old system')
    .option('--course-column <name>', 'with --register: column with the platform_course_id');

type CourseOptions = OptionsOf<typeof declared, IdOptions & CourseColumns>;

export const command = (run: RunCommand) =>
  declared().action((file, options) =>
    run(options, (context) => {
      if (file === undefined) return listCourses(options, context);
      return options.register === true ? registerCourses(file, options, context) : matchCourses(file, options, context);
    }),
  );

/** `courses`: the catalog (§4.2 operation 1), which gives the `platform_course_id` that mappings need. */
async function listCourses({ search, classes }: CourseOptions, context: CommandContext): Promise<number> {
  const { client } = await connect(context);
  const courses: Course[] = [];
  for await (const course of client.courses())
    if (search === undefined || matches(course, search)) courses.push(course);
  printResult(context.output, { courses }, classes === true ? classTable(courses) : courseTable(courses));
  return EXIT.allApplied;
}

/** Every word must occur in an id or a title, of the course or of one of its classes. */
function matches({ platform_course_id, title, classes }: Course, search: string): boolean {
  const text = [platform_course_id, title, ...classes.flatMap((each) => [each.platform_class_id, each.title])]
    .join('\n')
    .toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

const courseTable = (courses: readonly Course[]): string[] =>
  table(
    ['platform_course_id', 'title', 'exam', 'classes'],
    courses.map(({ platform_course_id, title, has_exam, classes }) => [
      platform_course_id,
      title,
      has_exam ? 'yes' : 'no',
      classes.length,
    ]),
  );

const classTable = (courses: readonly Course[]): string[] =>
  table(
    ['platform_course_id', 'course', 'platform_class_id', 'class'],
    courses.flatMap(({ platform_course_id, title, classes }) =>
      classes.map((each) => [platform_course_id, title, each.platform_class_id, each.title]),
    ),
  );

interface MatchedCourse extends CountedCourse, Match {}

/** The headers of the table, by which `--register` finds its columns. */
export const HEADERS: MatchHeaders = {
  id: 'external_course_id',
  name: 'old_title',
  targetId: 'platform_course_id',
  targetName: 'platform_title',
};

/** `courses FILE`: finds the courses of an export in the catalog. Nothing is registered; one that is not certain gets no id. */
async function matchCourses(file: string, options: CourseOptions, context: CommandContext): Promise<number> {
  const source = await openSourceFile(file, options);
  const path = tableFor(file, 'courses', options);
  const courses = await oldCourses(source, options);
  if (courses.length === 0) throw new UsageError(`${file} names no courses.`);
  const catalog = await catalogOf((await connect(context)).client);
  const found = courses.map((course): MatchedCourse => ({ ...course, ...catalog.match(course) }));
  const lines = found.map(courseLine);
  return showMatches(path, { headers: HEADERS, lines, command: 'courses', found }, context.output);
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

export const registerCourses = (file: string, options: CourseOptions, context: CommandContext): Promise<number> =>
  registerTable(file, options, context, {
    wanted: [
      { field: 'content.external_course_id', column: options.idColumn },
      { field: 'content.platform_course_id', column: options.courseColumn },
    ],
    register: (client, rows) =>
      client.registerCourseMappings(
        rows.map(({ texts: [external_course_id = '', id = ''] }) => ({
          external_course_id,
          // A text that is not a number is sent as `null`: the service rejects it, and the report names the line.
          platform_course_id: /^\d{1,16}$/.test(id) ? Number(id) : Number.NaN,
        })),
      ),
  });
