/** The courses that an export names, each once. */
import { UsageError } from '../errors.ts';
import { columnsAre, memberText } from '../mapping/columns.ts';
import { columnsByHeader } from '../mapping/guess-columns.ts';
import type { Source } from '../source/open-source.ts';
import type { OldCourse } from './match.ts';

export interface CourseColumns {
  /** Column, or member of a JSON object, with the ids of the old system. */
  readonly idColumn?: string;
  readonly titleColumn?: string;
}

export interface CountedCourse extends OldCourse {
  rows: number;
}

/** More than any catalog has; a column with more is not one of courses. */
const MAX_COURSES = 20_000;

/** Headers of titles, in the languages that presets know. */
const TITLE =
  /^(?:course|training|curriculum|item|kurs|curso|cours|corso|cursus|szkolenie)?[ _-]?(?:full ?)?(?:name|title|titel|titre|título|titulo|titolo|nombre|nom|nome|bezeichnung)$|^(?:course|kurs|curso|cours|corso|コース名|课程名称|название курса)$|^(?:nombre|título|nom|nome|titre|titolo) (?:del|du|de|do|della?) (?:curso|cours|corso|formation)$|^(?:kursname|kurstitel|coursename|coursetitle|course[ _]?fullname)$/iu;

const COURSE = /course|training|curriculum|item|kurs|curso|cours|corso|cursus|szkolenie|コース|课程/iu;

/** @throws UsageError if no column can be found, or it does not name courses */
export async function oldCourses(source: Source, columns: CourseColumns): Promise<CountedCourse[]> {
  const read = readerOf(source, columns);
  const found = new Map<string, CountedCourse>();
  for await (const { cells = [], value } of source.rows()) {
    const { id, title } = read(cells, value);
    const key = id ?? title;
    if (key === undefined) continue;
    const known = found.get(key);
    if (known === undefined) found.set(key, { id: key, title, rows: 1 });
    else known.rows += 1;
    if (found.size > MAX_COURSES)
      throw new UsageError(
        `${source.path} names more than ${MAX_COURSES} courses. Name the column of course ids with --id-column, and that of titles with --title-column.`,
      );
  }
  return [...found.values()].toSorted((a, b) => b.rows - a.rows);
}

type Read = (cells: readonly string[], value: unknown) => { id: string | undefined; title: string | undefined };

function readerOf(source: Source, { idColumn, titleColumn }: CourseColumns): Read {
  if (source.format !== 'csv') {
    if (idColumn === undefined && titleColumn === undefined)
      throw new UsageError('Name the members of a JSON file with --id-column and --title-column.');
    return (_, value) => ({ id: memberOf(value, idColumn), title: memberOf(value, titleColumn) });
  }
  const id = indexIn(source, idColumn ?? columnsByHeader(source.columns).get('content.external_course_id'), idColumn);
  const title = indexIn(source, titleColumn ?? titleColumnIn(source.columns), titleColumn);
  if (id === -1 && title === -1)
    throw new UsageError(
      `${source.path}, line ${source.headerLine}: no column of courses was recognised. Name it with --id-column or --title-column. ${columnsAre(source.columns)}`,
    );
  return (cells) => ({ id: filled(cells[id]), title: filled(cells[title]) });
}

/** A plain `name` may be that of a learner. */
function titleColumnIn(columns: readonly string[]): string | undefined {
  const titles = columns.filter((name) => TITLE.test(name));
  return titles.find((name) => COURSE.test(name)) ?? titles[0];
}

const filled = (text: string | undefined): string | undefined => text?.trim() || undefined;

const memberOf = (value: unknown, name: string | undefined): string | undefined =>
  name === undefined ? undefined : filled(memberText(value, name));

function indexIn(source: Source, name: string | undefined, asked: string | undefined): number {
  const index = name === undefined ? -1 : source.columns.indexOf(name);
  if (asked !== undefined && index === -1)
    throw new UsageError(
      `${source.path}, line ${source.headerLine}: there is no column "${asked}". ${columnsAre(source.columns)}`,
    );
  return index;
}
