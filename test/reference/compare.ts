/** Results of the service and of the reference as texts, which are equal where the two agree. */
import type { ReferenceResult } from './record.ts';

interface Fault {
  readonly error_code: string;
  readonly field?: string | undefined;
}

export interface ComparedResult {
  readonly status: string;
  readonly errors: readonly Fault[];
  readonly warnings: readonly { readonly warning_code: string }[];
}

/** Status, error codes with their fields, and warnings. */
export function verdictOf({ status, errors, warnings }: ComparedResult, ignored?: Ignored): string {
  const codes = warnings.map(({ warning_code }) => warning_code);
  return textOf(status, errors, codes, ignored);
}

export function referenceVerdict({ status, codes, warnings }: ReferenceResult, ignored?: Ignored): string {
  return textOf(status, codes, warnings, ignored);
}

/** Warnings to leave out, because they depend on what else is stored. */
type Ignored = readonly string[];

function textOf(status: string, faults: readonly Fault[], warnings: readonly string[], ignored: Ignored = []): string {
  const shown = warnings.filter((code) => !ignored.includes(code)).toSorted();
  return JSON.stringify([status, faultNames(faults), shown]);
}

function faultNames(faults: readonly Fault[]): string[] {
  return faults.map(({ error_code, field }) => `${error_code} at ${field ?? 'the record'}`).toSorted();
}
