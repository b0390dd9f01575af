/** The courses that an export names, each once. */
import { say } from '../ground/codes.ts';
import { refusal } from '../ground/errors.ts';
import { columnsByHeader } from '../profile/roles.ts';
import { saysTopic } from '../lexicon/topics.ts';
import { plainText } from '../lexicon/words.ts';
import { each } from '../read/pieces.ts';
import type { Source } from '../read/open-source.ts';
import type { OldCourse } from './match.ts';
import { rowTexts } from './row-texts.ts';

export interface CourseColumns {
  /** Column, or member of a JSON object, with the ids of the old system. */
  readonly idColumn?: string | undefined;
  readonly titleColumn?: string | undefined;
}

export interface CountedCourse extends OldCourse {
  rows: number;
}

/** More than any catalog has; a column with more is not one of courses. */
const MAX_COURSES = 20_000;

/** @throws EngineError if no column can be found, or it does not name courses */
export async function oldCourses(source: Source, columns: CourseColumns): Promise<CountedCourse[]> {
  const read = readerOf(source, columns);
  const found = new Map<string, CountedCourse>();
  for await (const row of each(source.rows())) {
    const [id, text] = read(row);
    // A number is no title: compared as one, it would hide the course that has it for its id.
    const title = text !== undefined && /\p{L}/u.test(text) ? text : undefined;
    const key = id ?? text;
    if (key === undefined) continue;
    const known = found.get(key);
    if (known === undefined) found.set(key, { id: key, title, rows: 1 });
    else known.rows += 1;
    if (found.size > MAX_COURSES) throw refusal('too_many_courses', { path: source.path, most: MAX_COURSES });
  }
  return [...found.values()].toSorted((a, b) => b.rows - a.rows);
}

function readerOf(source: Source, { idColumn, titleColumn }: CourseColumns) {
  const wanted = [
    { asked: idColumn, guessed: columnsByHeader(source.columns).get('content.external_course_id') },
    { asked: titleColumn, guessed: titleColumnIn(source.columns) },
  ];
  return rowTexts(source, wanted, say('no_column_of_courses', {}));
}

function titleColumnIn(columns: readonly string[]): string | undefined {
  const plain = columns.map((name) => ({ name, header: plainText(name) }));
  // A mere name may be of a course or of a learner.
  const own = plain.find(({ header }) => saysTopic(header, 'course_title'));
  const isOfLearners = plain.some(({ header }) => saysTopic(header, 'learner'));
  return (own ?? (isOfLearners ? undefined : plain.find(({ header }) => saysTopic(header, 'title'))))?.name;
}
