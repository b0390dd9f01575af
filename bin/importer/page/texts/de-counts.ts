import type { Unit } from './en-counts.ts';

export const n = (count: number): string => Math.round(count).toLocaleString('de-DE');
export const counted = (count: number, one: string, many: string): string => `${n(count)} ${count === 1 ? one : many}`;
export const rows = (count: number): string => counted(count, 'Zeile', 'Zeilen');
export const records = (count: number): string => counted(count, 'Datensatz', 'Datensätze');
export const people = (count: number): string => counted(count, 'Person', 'Personen');
export const seconds = (count: number): string => counted(count, 'Sekunde', 'Sekunden');

export const of = (count: number, all: number, unit: Unit): string =>
  `${unit === 'rows' ? n(count) : records(count)} von ${counted(all, 'Zeile', 'Zeilen')}`;
