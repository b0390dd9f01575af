/** Compares one record of the file with the platform. */
import type { RecordResult } from '../../client/types.ts';
import { isObject, type JsonObject } from '../mapping/fields.ts';

/**
 * `equal`: the platform has this record. `higher`: it has it, and more for this learner and course. `different`: under this
 * id it has another content, learner or course. `missing`: it does not have it.
 */
export type State = 'equal' | 'higher' | 'different' | 'missing';
export const STATES: readonly State[] = ['equal', 'higher', 'different', 'missing'];

export interface Comparison {
  readonly state: State;
  /** A sentence; absent for a record that is equal. */
  readonly reason?: string;
}

/** @param result of a dry run of the record: it compares the record with all that is stored under its id */
export function compare(record: unknown, { outcome, errors, warnings, progress }: RecordResult): Comparison {
  if (outcome === 'applied') return { state: 'missing', reason: 'The platform has no record with this id.' };
  if (outcome === 'updated') return { state: 'different', reason: 'The platform has another content under this id.' };
  const [error] = errors;
  if (error !== undefined) {
    const reason = errors.map(({ error_code, message }) => `${error_code}: ${message}`).join('; ');
    // An id that belongs to another learner or course is there; any other rejected record cannot be.
    return { state: error.error_code === 'duplicate_external_record_id' ? 'different' : 'missing', reason };
  }
  if (progress === null) return { state: 'missing', reason: 'The platform gave no result.' };
  const codes = new Set<string>(warnings.map(({ warning_code }) => warning_code));
  const more = surplus(blocksOf(record), progress, codes);
  return more.length === 0 ? { state: 'equal' } : { state: 'higher', reason: `There is more: ${more.join(', ')}.` };
}

interface Blocks {
  readonly progress: Readonly<Record<string, unknown>>;
  readonly assessment: Readonly<Record<string, unknown>>;
}

function blocksOf(record: unknown): Blocks {
  const { progress, assessment } = asObject(record);
  return { progress: asObject(progress), assessment: asObject(assessment) };
}

export const asObject = (value: unknown): JsonObject => (isObject(value) ? value : {});

/** The progress of the learner in this course beyond the record. A percentage that the service raised itself is the record's own. */
function surplus(
  { progress: { completion_pct, classes }, assessment }: Blocks,
  there: NonNullable<RecordResult['progress']>,
  codes: ReadonlySet<string>,
): string[] {
  const sent = codes.has('completion_pct_adjusted') ? undefined : completion_pct;
  const isHigher = typeof sent === 'number' && there.completion_pct > sent + 0.01;
  const listed = classCount(classes);
  const found = [
    ...(isHigher ? [`${there.completion_pct} % instead of ${sent} %`] : []),
    ...(listed > 0 && there.classes_viewed > listed ? [`${there.classes_viewed} classes instead of ${listed}`] : []),
    ...(there.approved_course === 1 && assessment['status'] !== 'passed' ? ['a certificate'] : []),
  ];
  return found.length === 0 && codes.has('native_progress_kept') ? ['progress made on the platform itself'] : found;
}

const classCount = (classes: unknown): number =>
  Array.isArray(classes) ? new Set(classes.map((each) => asObject(each)['platform_class_id'])).size : 0;
