/** What the files say: their kinds, columns and courses, and what a person decides of them. */
import { choicesOf, confirmSuggestions, isDecided, mappingOf, withOutcome } from '../../engine/decide/confirm.ts';
import { findKinds } from '../../engine/decide/find.ts';
import { knownSystems } from '../../engine/decide/system.ts';
import type { Choices, ChosenOutcome, Findings, KindValues, KnownKind } from '../../engine/language/findings.ts';
import { columnOf } from '../../engine/language/named-columns.ts';
import type { Mapping } from '../../engine/language/schema.ts';
import { platformOf } from '../../engine/match/platform.ts';
import { service } from './account.ts';
import {
  courseColumn,
  type CourseChoices,
  forgetCourses,
  knownCourses,
  matchedCourses,
  ofOneCourse,
  withCourses,
} from './matches.ts';
import { sentenceOf } from '../texts/index.ts';
import { useMapping, withHeader, work } from './files.ts';
import { metered, Problem } from './protocol.ts';

type Review = Awaited<ReturnType<typeof find>>;

let review: Review | undefined;

function current(): Review {
  if (review === undefined) throw new Problem('needs_file');
  return review;
}

/** Reads the files, unless names or a complete mapping say all. `isKnown`: nothing is left to ask. @throws EngineError */
export async function startReview() {
  const { mapping, isPlain } = work;
  forgetCourses();
  if (isPlain || (mapping !== undefined && mapping.kinds === undefined))
    return { isKnown: true, mapping, review: undefined };
  const found = await find(mapping === undefined ? {} : givenChoices(mapping), mapping?.kinds?.confirmed);
  const isKnown = mapping !== undefined && isDecided(mapping) && isConfirmed(found.findings);
  return { isKnown, mapping: isKnown ? mapping : undefined, review: found };
}

const isConfirmed = ({ shared, dates, kinds }: Findings): boolean =>
  shared.length === 0 && dates.every(({ format }) => format !== null) && kinds.every(({ confirmed }) => confirmed);

/** The columns and the shape that a mapping has, and no others. */
function givenChoices(mapping: Mapping): Choices {
  const { record, fill_down, repeat, headings, choices } = mapping;
  return {
    ...choicesOf(mapping),
    learner: columnOf(record['user.email'] ?? record['user.external_user_id']),
    course: courseColumn(mapping),
    onlyState: true,
    shape: choices?.shape === true || [fill_down, repeat, headings].some((each) => each !== undefined),
    whole_course: true,
  };
}

/** Other columns, formats or state columns: the file is read again, and what was confirmed stays where it still fits. */
export function changeChoices(choices: Choices): Promise<Review> {
  const { kinds, earlier } = current().findings;
  const confirmed = kinds.flatMap((kind): KnownKind[] =>
    kind.confirmed && kind.outcome !== null ? [{ ...kind, outcome: kind.outcome }] : [],
  );
  return find(choices, [...confirmed, ...earlier]);
}

async function find(choices: Choices, confirmed: readonly KnownKind[] = []) {
  const known = await knownCourses();
  const platform = await platformOf(service(), known);
  const { SYSTEMS } = await import('./systems.ts');
  const findings = await metered(['read'], (onProgress) =>
    findKinds(work.sources, {
      platform,
      choices,
      confirmed,
      systems: knownSystems(SYSTEMS),
      onRow: () => onProgress({ step: 'read', records: 1, isResumed: false }),
    }),
  );
  const found = { findings, courses: await matchedCourses(findings.base), catalog: known.courses };
  review = found;
  return found;
}

export const findingsNow = (): Findings => current().findings;

function decided(findings: Findings): Findings {
  review = { ...current(), findings };
  return findings;
}

/** @param outcome `null`: not decided */
export const choose = (values: KindValues, outcome: ChosenOutcome | null): Findings =>
  decided(withOutcome(current().findings, values, outcome ?? undefined));

export const confirmAll = (): Findings => decided(confirmSuggestions(current().findings));

/** @param oneCourse of all rows, where no column names courses */
export async function acceptReview(chosen: CourseChoices, oneCourse: number | undefined): Promise<Mapping> {
  const { findings, courses } = current();
  const confirmed = withHeader(mappingOf(findings, sentenceOf));
  const mapping = oneCourse === undefined ? withCourses(confirmed, courses, chosen) : ofOneCourse(confirmed, oneCourse);
  return useMapping(mapping);
}
