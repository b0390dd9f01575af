import { grouped } from '../progress/words.ts';
import type { Tally } from './tally.ts';

/** The figures of a run for people to read. */
export function summaryLines(tally: Tally, dry_run: boolean): string[] {
  const { rows, applied, updated, unchanged, rejected } = tally;
  const would = dry_run ? 'would be ' : '';
  return [
    `${grouped(rows)} rows`,
    ...counted([
      [`${would}applied`, applied],
      [`${would}updated`, updated],
      [dry_run ? 'would stay unchanged' : 'unchanged', unchanged],
      [`${would}rejected`, rejected],
    ]),
    ...section('rejected, by reason', tally.rejected_by_reason),
    ...section('warnings, by kind', tally.warnings_by_kind),
  ];
}

function section(title: string, counts: Readonly<Record<string, number>>): string[] {
  const entries = Object.entries(counts);
  return entries.length === 0 ? [] : [title, ...counted(entries)];
}

const counted = (entries: readonly (readonly [string, number])[]): string[] =>
  entries.map(([name, count]) => `  ${grouped(count).padStart(9)}  ${name}`);
