import type { Service } from '../../wire/types.ts';
import { isObject } from '../mapping/fields.ts';
import type { GuessedMapping } from '../mapping/guess-mapping.ts';
import { shapedSource } from '../shape/shaped-rows.ts';
import type { Source } from '../source/open-source.ts';
import { catalogOf } from './catalog.ts';
import { type CountedCourse, oldCourses } from './old-courses.ts';
import type { Match } from './match.ts';

const MOST_NAMED = 10;

/**
 * `init-mapping --match-courses`: the draft with the courses of the export translated to those of the catalog, where there is
 * one certain counterpart. Each other course is a doubt, and its records would be rejected.
 */
export async function withCourses(source: Source, draft: GuessedMapping, client: Service): Promise<GuessedMapping> {
  const { mapping, doubts } = draft;
  const { 'content.external_course_id': from, ...record } = mapping.record;
  const column = typeof from === 'string' ? from : columnOf(from);
  if (column === undefined || source.format !== 'csv')
    return {
      ...draft,
      doubts: [...doubts, 'Courses were not matched: the draft takes them from no column of the file.'],
    };
  const catalog = await catalogOf(client);
  const courses = await oldCourses(shapedSource(source, mapping), { idColumn: column });
  const matched = courses.map((each) => ({
    ...each,
    ...catalog.match({ ...each, title: each.title ?? titleIn(each) }),
  }));
  // A text that ends with an asterisk would be a pattern.
  const certain = matched.filter(({ id, course }) => course !== undefined && !id.endsWith('*'));
  const open = matched.filter((each) => !certain.includes(each));
  const more =
    open.length > MOST_NAMED ? [`… and ${open.length - MOST_NAMED} more courses. match-courses lists all.`] : [];
  const others = doubts.filter((doubt) => certain.length === 0 || !doubt.startsWith('content.external_course_id'));
  const found = [...others, ...open.slice(0, MOST_NAMED).map(doubtOf), ...more];
  if (certain.length === 0) return { ...draft, doubts: found };
  const guesses = [
    ...(mapping.guesses ?? []),
    ...certain.filter(({ kind, title }) => kind === 'same id' && title === undefined).map(sameIdGuess),
  ];
  const values = Object.fromEntries(certain.map(({ id, course }) => [id, course?.platform_course_id ?? null]));
  return {
    ...draft,
    mapping: {
      ...mapping,
      ...(guesses.length === 0 ? {} : { guesses }),
      record: { ...record, 'content.platform_course_id': { column, values } },
    },
    doubts: [...found, ...certain.filter(({ kind }) => kind === 'similar').map(similarDoubt)],
  };
}

/** Recognises the title of a course of the catalog: a column with such a header is one of a course. */
export async function courseTitles(client: Service): Promise<(title: string) => boolean> {
  const catalog = await catalogOf(client);
  return (title) => title !== '' && catalog.match({ id: title, title }).course !== undefined;
}

const columnOf = (from: unknown): string | undefined =>
  isObject(from) && Object.keys(from).join() === 'column' ? String(from['column']) : undefined;

type Matched = CountedCourse & Match;

function doubtOf({ id, title, rows, candidates: [nearest] }: Matched): string {
  const name = title === undefined || title === id ? `"${id}"` : `"${id}" (${title})`;
  const hint =
    nearest === undefined ? '' : ` The nearest is ${nearest.course.platform_course_id} ${nearest.course.title}.`;
  return `Course ${name} has no certain counterpart; its ${rows} rows would be rejected.${hint} Add it to "values" of content.platform_course_id.`;
}

/** If a file has no title for a course, a text as its id may be the title; a number is not. */
const titleIn = ({ id }: CountedCourse): string | undefined => (/^\d+$/.test(id) ? undefined : id);

/** Two systems number their courses from 1, so the same number may be chance. */
const sameIdGuess = ({ id, rows, course }: Matched): string =>
  `Course "${id}" (${rows} ${rows === 1 ? 'row' : 'rows'}) is taken for ${course?.platform_course_id} ${course?.title}, whose number is the same.`;

const similarDoubt = ({ id, title, course }: Matched): string =>
  `Course "${title ?? id}" is taken for ${course?.platform_course_id} ${course?.title}, which has a similar title.`;
