export const n = (count: number): string => Math.round(count).toLocaleString('en-US');
export const counted = (count: number, one: string, many: string): string => `${n(count)} ${count === 1 ? one : many}`;
export const rows = (count: number): string => counted(count, 'row', 'rows');
export const records = (count: number): string => counted(count, 'record', 'records');
export const people = (count: number): string => counted(count, 'person', 'people');
export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** What a summary counts: rows, or records that several rows were joined to. */
export type Unit = 'rows' | 'records';
/** @param all rows of the files */
export const of = (count: number, all: number, unit: Unit): string =>
  `${unit === 'rows' ? n(count) : records(count)} of ${rows(all)}`;
