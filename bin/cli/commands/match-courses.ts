import { existsSync } from 'node:fs';
import { type CommandContext, fileCommand, type OptionsOf, type RunCommand } from '../command.ts';
import { EXIT } from '../errors.ts';
import { UsageError } from '../../importer/errors.ts';
import { connect } from '../session/session.ts';
import { OUT_ADVICE, withoutExtension } from '../files/paths.ts';
import { writeWhole } from '../files/whole-file.ts';
import { csvLine, defused } from '../../importer/source/csv-text.ts';
import { openSourceFile } from '../files/records.ts';
import type { SourceOptions } from '../../importer/source/open-source.ts';
import { ownCommand, table } from '../terminal.ts';
import { catalogOf } from '../../importer/match/catalog.ts';
import type { Match, MatchKind } from '../../importer/match/match.ts';
import { type CountedCourse, type CourseColumns, oldCourses } from '../../importer/match/old-courses.ts';
import { grouped } from '../../importer/text.ts';

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

const MOST_SHOWN = 30;

/**
 * `match-courses FILE`: finds the courses of an export in the catalog, and writes a table to look over, which `map-courses`
 * registers. Nothing is registered here, and a course that is not certain gets no id.
 */
async function matchCourses(
  file: string,
  options: OptionsOf<typeof declared, SourceOptions & CourseColumns>,
  context: CommandContext,
): Promise<number> {
  const { output } = context;
  const source = await openSourceFile(file, options);
  const path = options.out ?? `${withoutExtension(file)}.courses.csv`;
  if (existsSync(path) && options.force !== true)
    throw new UsageError(`${path} exists. Name another file with --out, or overwrite it with --force.`);
  const courses = await oldCourses(source, options);
  if (courses.length === 0) throw new UsageError(`${file} names no courses.`);
  const { client } = await connect(context);
  const catalog = await catalogOf(client);
  const matched = courses.map((course): MatchedCourse => ({ ...course, ...catalog.match(course) }));
  write(path, matched);
  if (output.json) output.jsonResult({ table: path, counts: countsOf(matched), courses: matched });
  else for (const line of resultLines(matched, path)) output.result(line);
  return matched.every(({ course }) => course !== undefined) ? EXIT.allApplied : EXIT.someRejected;
}

const HEADER = [
  'external_course_id',
  'old_title',
  'rows',
  'platform_course_id',
  'platform_title',
  'match',
  'candidate_1',
  'candidate_2',
];

/** The table as CSV. Courses without a certain match come first, with their candidates and without an id. */
export function tableText(matched: readonly MatchedCourse[]): string {
  const ordered = matched.toSorted((a, b) => Number(a.course !== undefined) - Number(b.course !== undefined));
  const lines = ordered.map(({ id, title, rows, course, kind, candidates }) => {
    const [first, second] = candidates.map(
      ({ course: each, score }) => `${each.platform_course_id} ${each.title} (${score.toFixed(2)})`,
    );
    const [theirs = '', best = '', next = ''] = [course?.title, first, second].map((text = '') => defused(text));
    return [
      id ?? '',
      defused(title ?? ''),
      String(rows),
      String(course?.platform_course_id ?? ''),
      theirs,
      kind,
      best,
      next,
    ];
  });
  return [HEADER, ...lines].map((cells) => `${csvLine(cells, ',')}\n`).join('');
}

function write(path: string, matched: readonly MatchedCourse[]): void {
  // Excel reads accents wrong without a byte-order mark.
  writeWhole(path, `\u{feff}${tableText(matched)}`, OUT_ADVICE);
}

function countsOf(matched: readonly MatchedCourse[]): Partial<Record<MatchKind, number>> {
  const counts: Partial<Record<MatchKind, number>> = {};
  for (const { kind } of matched) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

function resultLines(matched: readonly MatchedCourse[], path: string): string[] {
  const open = matched.filter(({ course }) => course === undefined);
  const rows = open
    .slice(0, MOST_SHOWN)
    .map(({ id, title = '', kind, candidates: [best] }) => [
      id,
      title,
      kind,
      best === undefined ? '' : `${best.course.platform_course_id} ${best.course.title}`,
    ]);
  return [
    ...Object.entries(countsOf(matched)).map(([kind, count]) => `  ${grouped(count).padStart(9)}  ${kind}`),
    ...(rows.length === 0 ? [] : table(['old id', 'old title', 'match', 'nearest'], rows)),
    ...(open.length > MOST_SHOWN ? [`… and ${open.length - MOST_SHOWN} more in the table`] : []),
    `Look over ${path}: fill in platform_course_id where it is empty, or delete the line. Then run:`,
    `  ${ownCommand('map-courses', path)}`,
  ];
}
