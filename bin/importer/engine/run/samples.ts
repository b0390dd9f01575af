/** Some rows from all over the files: what they become, and what their learners have before and after. */
import type { RecordResult } from '../../wire/types.ts';
import { externalRecordIdOf } from '../../wire/values.ts';
import { isObject } from '../mapping/fields.ts';
import type { Row } from '../source/open-source.ts';

type Progress = RecordResult['progress'];

/** A row and its record. `before` and `after` are the learner's progress in the course; `undefined` until a dry run has shown it. */
export interface Sample {
  readonly line: number;
  readonly cells: readonly string[];
  readonly record: unknown;
  readonly before?: Progress;
  readonly after?: Progress;
}

const SAMPLES = 20;

/** Every n-th row, with n doubled whenever there are too many. */
export class Samples {
  #every = 1;
  #met = 0;
  #kept: Sample[] = [];

  add(record: unknown, { line, cells, value }: Row): void {
    if (this.#met % this.#every === 0)
      this.#kept.push({ line, cells: cells ?? (isObject(value) ? [JSON.stringify(value)] : []), record });
    this.#met += 1;
    if (this.#kept.length < 2 * SAMPLES) return;
    this.#kept = this.#kept.filter((_, index) => index % 2 === 0);
    this.#every *= 2;
  }

  addResults(results: readonly Pick<RecordResult, 'external_record_id' | 'progress' | 'before'>[]): void {
    const byId = new Map(results.map((result) => [result.external_record_id, result]));
    this.#kept = this.#kept.map((sample) => {
      const id = externalRecordIdOf(sample.record);
      const result = id === null ? undefined : byId.get(id);
      if (result === undefined) return sample;
      // Without `before` nothing would change.
      const { progress: after, before = after } = result;
      return { ...sample, before, after };
    });
  }

  list(): Sample[] {
    return this.#kept.slice(0, SAMPLES);
  }
}
