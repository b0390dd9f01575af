/** The learner and the course of a row: without either it is not sent, and while one of their rows is undecided, the others wait. */
import { say } from '../ground/codes.ts';
import { type Field, type JsonObject, memberOf, NAMED_BY } from '../ground/fields.ts';
import { RecordIdSet, type RowPlace, TextNumbers } from '../ground/record-ids.ts';
import { columnOf } from '../language/named-columns.ts';
import type { Mapping } from '../language/schema.ts';
import type { Decision, LocalRejection } from './kinds.ts';

/** The learners and courses of undecided rows, of all files: each with the first of its rows. */
export class UndecidedPairs {
  readonly #undecided = new RecordIdSet();
  /** Of rows that would be written. */
  #others = new TextNumbers();
  /** Some learner and course has rows of both. */
  isAnyWaiting = false;

  /** Notes each row that is not left out. */
  note(record: unknown, place: RowPlace, isUndecided: boolean): void {
    const pair = pairOf(record);
    if (pair === undefined) return;
    if (isUndecided) this.#undecided.add(pair, place);
    // The undecided pairs alone say which rows wait: further pairs are needed only until the first one waits.
    if (this.isAnyWaiting) return;
    if (!isUndecided) this.#others.of(pair);
    this.isAnyWaiting = (isUndecided ? this.#others.known(pair) : this.#undecided.placeOf(pair)) !== undefined;
  }

  /** After the last row: `undefined` if none waits. */
  ended(): UndecidedPairs | undefined {
    this.#others = new TextNumbers();
    return this.isAnyWaiting ? this : undefined;
  }

  /** Why the row of a record waits; `undefined` if nothing of its learner and course is undecided. */
  rejectionOf(record: unknown, path: string): LocalRejection | undefined {
    const pair = pairOf(record);
    const place = pair === undefined ? undefined : this.#undecided.placeOf(pair);
    if (place === undefined) return undefined;
    const { line, file } = place;
    const other = file === path ? {} : { file };
    return { error_code: 'unconfirmed_kind', said: say('pair_undecided', { line, ...other }) };
  }
}

/** What a reading knows of undecided learners and courses. */
export interface PairContext {
  /** Takes the learner and course of each row that is not left out. */
  readonly undecided?: UndecidedPairs | undefined;
  /** The rows of these learners and courses wait. */
  readonly waiting?: UndecidedPairs | undefined;
}

/** Ids compare as addresses do, without regard to letter case; `undefined` for a row that lacks its learner or course. */
function pairOf(record: unknown): string | undefined {
  const learner = memberOf(record, 'user.email') ?? memberOf(record, 'user.external_user_id');
  const course = memberOf(record, 'content.platform_course_id') ?? memberOf(record, 'content.external_course_id');
  if (learner === undefined || course === undefined) return undefined;
  return `${textOf(learner)}\n${textOf(course)}`.toLowerCase();
}

/** Keeps an id 7 of the platform apart from an id `7` of an old system. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : `\0${JSON.stringify(value)}`);

/** Why a row is not sent by itself; also one without a text in the column of the learner, or of the course. */
function lackReader({ record: sources, kinds }: Mapping) {
  // A course that is not translated is in another member than its source.
  const all = (['learner', 'course'] as const).flatMap((what) => {
    const fields: readonly [Field, Field] = NAMED_BY[what];
    const own = kinds && fields.find((field) => sources[field] !== undefined);
    return own === undefined ? [] : [{ what, fields, own }];
  });
  return (decision: Decision | undefined, record: JsonObject): LocalRejection | undefined => {
    const lacking = all.find(
      ({ fields: [one, other] }) => memberOf(record, one) === undefined && memberOf(record, other) === undefined,
    );
    if (lacking === undefined) return decision?.is === 'rejected' ? decision.rejection : undefined;
    const { what, own } = lacking;
    const column = columnOf([sources[own]].flat()[0]);
    return { error_code: 'invalid_record', said: say('row_incomplete', { what, column }), field: own };
  };
}

/** Why a row is not sent, or waits for another one of its learner and course. */
export function rejectionReader(mapping: Mapping, path: string, { undecided, waiting }: PairContext) {
  const rejectionOf = lackReader(mapping);
  if (mapping.kinds === undefined) return rejectionOf;
  return (decision: Decision | undefined, record: JsonObject, line: number): LocalRejection | undefined => {
    const rejection = rejectionOf(decision, record) ?? waiting?.rejectionOf(record, path);
    undecided?.note(record, { file: path, line }, rejection !== undefined);
    return rejection;
  };
}
