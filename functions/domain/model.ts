/**
 * The nouns of the service, named as the interface names them. Dates are UTC instants with milliseconds
 * (`2026-01-02T03:04:05.678Z`) once they are inside the domain.
 */
export type * from './model/import.ts';
export type * from './model/platform.ts';
export type * from './model/progress.ts';
export type * from './model/result.ts';
