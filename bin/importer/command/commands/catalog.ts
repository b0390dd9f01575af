import type { Course } from '../../client/index.ts';
import { type CommandContext, type OptionsOf, type RunCommand, serviceCommand } from '../command.ts';
import { EXIT } from '../errors.ts';
import { connect } from '../session/session.ts';
import { table, printResult } from '../terminal.ts';

const declared = () =>
  serviceCommand('catalog', 'list the courses of the platform', ['catalog --search "data protection" --classes'])
    .option('--search <words>', 'only courses with these words in a title or id')
    .option('--classes', 'also list the classes');

export const command = (run: RunCommand) =>
  declared().action((options) => run(options, (context) => catalog(options, context)));

const PATIENCE_MS = 60_000;

/** `catalog`: lists the company's courses (§4.2 operation 1), which gives the `platform_course_id` that mappings need. */
async function catalog({ search, classes }: OptionsOf<typeof declared>, context: CommandContext): Promise<number> {
  const { output } = context;
  const { client } = await connect(context, { patienceMs: PATIENCE_MS });
  const courses: Course[] = [];
  for await (const course of client.courses())
    if (search === undefined || matches(course, search)) courses.push(course);
  printResult(output, { courses }, classes === true ? classTable(courses) : courseTable(courses));
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

function courseTable(courses: readonly Course[]): string[] {
  const rows = courses.map(({ platform_course_id, title, has_exam, classes }) => [
    platform_course_id,
    title,
    has_exam ? 'yes' : 'no',
    classes.length,
  ]);
  return table(['platform_course_id', 'title', 'exam', 'classes'], rows);
}

function classTable(courses: readonly Course[]): string[] {
  const rows = courses.flatMap(({ platform_course_id, title, classes }) =>
    classes.map((each) => [platform_course_id, title, each.platform_class_id, each.title]),
  );
  return table(['platform_course_id', 'course', 'platform_class_id', 'class'], rows);
}
