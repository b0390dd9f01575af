/** What the files say: their kinds, columns and courses, and what a person decides of them. */
import {
  choicesOf,
  confirmSuggestions,
  isDecided,
  mappingOf,
  openQuestions,
  withOutcome,
} from '../../engine/decide/confirm.ts';
import { openChoices, withChoices, withProposals } from '../../engine/decide/proposed.ts';
import { findKinds } from '../../engine/decide/find.ts';
import { knownSystems } from '../../engine/decide/system.ts';
import type { Choices, ChosenOutcome, Findings, KindValues, KnownKind } from '../../engine/language/findings.ts';
import { columnOf } from '../../engine/language/named-columns.ts';
import type { Mapping } from '../../engine/language/schema.ts';
import { platformOf } from '../../engine/match/platform.ts';
import { service } from './account.ts';
import {
  courseColumn,
  forgetCourses,
  knownCourses,
  matchedCourses,
  ofOneCourse,
  withCourses,
  withPeople,
} from './matches.ts';
import { correctionsOf } from './corrections.ts';
import { type DraftDocument, draftOf, draftProposal, keep, mailNotices } from './draft.ts';
import type { Open } from './open.ts';
import { sentenceOf } from '../texts/index.ts';
import { type CourseChoices, type PeopleChoices, useMapping, withHeader, work } from './files.ts';
import { metered, Problem } from './protocol.ts';

type Review = Awaited<ReturnType<typeof find>>;

let review: Review | undefined;
/** What was reviewed counts, and not what the mapping says that was opened. */
let isAccepted = false;

function current(): Review {
  if (review === undefined) throw new Problem('needs_file');
  return review;
}

/** Reads the files, unless names or a complete mapping say all. `isKnown`: nothing is left to ask. @throws EngineError */
export async function startReview() {
  const { mapping, isPlain } = work;
  const { addresses, keepsArchive } = work;
  const kept = { addresses, keepsArchive };
  isAccepted = false;
  if (review !== undefined && work.isRead) return { isKnown: false, mapping, kept, review: shownReview(review) };
  forgetCourses();
  review = undefined;
  const isWhole = mapping !== undefined && mapping.kinds === undefined;
  if (isPlain || isWhole) return { isKnown: true, mapping, kept, review: undefined };
  const found = await find(choicesIn(mapping), mapping?.kinds?.confirmed);
  work.isRead = true;
  const isKnown = isConfirmedBy(mapping, found.findings);
  return { isKnown, mapping: isKnown ? mapping : undefined, kept, review: shownReview(found) };
}

/** A draft is reviewed, whatever it says: that is where a person goes on. */
const isConfirmedBy = (mapping: Mapping | undefined, findings: Findings): boolean =>
  !work.isDraft && mapping !== undefined && isDecided(mapping) && isConfirmed(findings);

const shownReview = (found: Review) => ({ ...found, choices: work.courses, oneCourse: work.oneCourse });

/** A person goes on with the choices of a draft; of an earlier migration, its columns are taken. */
function choicesIn(mapping: Mapping | undefined): Choices {
  if (mapping === undefined) return {};
  return work.isDraft ? choicesOf(mapping) : givenChoices(mapping);
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
export async function changeChoices(choices: Choices): Promise<Review> {
  const { kinds, earlier } = current().findings;
  const confirmed = kinds.flatMap((kind): KnownKind[] =>
    kind.confirmed && kind.outcome !== null ? [{ ...kind, outcome: kind.outcome }] : [],
  );
  const found = await find(choices, [...confirmed, ...earlier]);
  keepDecisions();
  return found;
}

async function find(choices: Choices, confirmed: readonly KnownKind[] = []) {
  const known = await knownCourses();
  const platform = await platformOf(service(), known);
  const { SYSTEMS } = await import('./systems.ts');
  const proposal = draftProposal();
  const found = await metered(['read'], (onProgress) =>
    findKinds(work.sources, {
      platform,
      choices,
      confirmed,
      systems: knownSystems(SYSTEMS),
      onRow: () => onProgress({ step: 'read', records: 1, isResumed: false }),
    }),
  );
  const findings = proposal === undefined ? found : withProposals(found, proposal, true);
  const asked = proposal === undefined || work.hasLeft ? [] : openChoices(proposal, choices);
  const courses = await matchedCourses(findings.base);
  const result = { findings, proposed: { by: proposal?.by ?? '', asked }, courses, catalog: known.courses };
  review = result;
  return result;
}

/** Takes what is proposed about the whole file, or leaves it. */
export async function takeProposed(isTaken: boolean): Promise<Review> {
  const proposal = draftProposal();
  work.hasLeft = !isTaken;
  const { choices } = current().findings;
  return changeChoices(isTaken && proposal !== undefined ? withChoices(choices, proposal) : choices);
}

export const findingsNow = (): Findings => current().findings;

function decided(findings: Findings): Findings {
  review = { ...current(), findings };
  keepDecisions();
  return findings;
}

/** All that a person has decided. */
function decisions(): DraftDocument {
  const { files, sources, options, courses, oneCourse, addresses, corrections, keepsArchive } = work;
  return {
    files: sources.map(({ path: name, sha256 }, index) => ({ name, size: files[index]?.size ?? 0, sha256 })),
    reading: { ...options },
    mapping: review === undefined ? work.mapping : mappingNow(),
    courses,
    one_course: oneCourse ?? null,
    addresses,
    corrections: correctionsOf(corrections),
    archive: keepsArchive,
  };
}

/** What is left to decide. A course of all rows takes the place of a column. */
function openNow(): Open {
  const { courses, oneCourse, addresses, unknown } = work;
  const { findings, courses: found } = review ?? { findings: undefined, courses: [] };
  const asked = findings === undefined ? [] : openQuestions(findings);
  const ofCourse = findings?.course.column === null || asked.some(({ about }) => about === 'course');
  const others = asked.filter(({ about }) => about !== 'kind' && about !== 'course');
  return [
    ['columns', others.length + Number(ofCourse && oneCourse === undefined)],
    ['kinds', asked.filter(({ about }) => about === 'kind').length],
    ['courses', found.filter(({ id, course }) => course === undefined && !Object.hasOwn(courses, id)).length],
    ['people', unknown.filter((name) => !Object.hasOwn(addresses, name)).length],
  ];
}

/** The service has them soon. @param isPlanned what is open does not matter any more */
export function keepDecisions(isPlanned = false): void {
  draftOf(work.sources);
  keep(() => ({ document: decisions(), open: isPlanned ? undefined : openNow() }));
}

/** @param outcome `null`: not decided */
export const choose = (values: KindValues, outcome: ChosenOutcome | null): Findings =>
  decided(withOutcome(current().findings, values, outcome ?? undefined));

export const confirmAll = (): Findings => decided(confirmSuggestions(current().findings));

/** @param oneCourse of all rows, where no column names courses */
export function chooseCourses(courses: CourseChoices, oneCourse: number | undefined): void {
  Object.assign(work, { courses, oneCourse });
  keepDecisions();
}

/** Addresses in place of those of the file, and people who are left out. */
export function choosePeople(addresses: PeopleChoices): void {
  work.addresses = addresses;
  keepDecisions();
}

/** What nobody or no course answers to is kept. */
export function keepInArchive(keepsArchive: boolean): void {
  work.keepsArchive = keepsArchive;
  keepDecisions();
}

/** The person who is signed in gets the notices of the migration by mail. */
export function mailMe(isWanted: boolean): void {
  draftOf(work.sources);
  mailNotices(isWanted);
  keepDecisions();
}

/** @throws EngineError for what a kind cannot become */
export async function acceptReview(): Promise<Mapping> {
  isAccepted = true;
  return useMapping(mappingNow());
}

/** The mapping with all that is decided by now; none for records of the interface. @throws EngineError */
export async function decidedMapping(): Promise<Mapping | undefined> {
  if (isAccepted || (review !== undefined && Object.keys(work.courses).length > 0)) return acceptReview();
  return work.mapping && withPeople(work.mapping, work.addresses);
}

function mappingNow(): Mapping {
  const { findings, courses } = current();
  const { column, isUndecided } = findings.course;
  const { oneCourse } = work;
  const confirmed = withHeader(mappingOf(findings, sentenceOf));
  const isOfOne = oneCourse !== undefined && (column === null || isUndecided);
  const mapping = isOfOne ? ofOneCourse(confirmed, oneCourse) : withCourses(confirmed, courses, work.courses);
  return withPeople(mapping, work.addresses);
}
