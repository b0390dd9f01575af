/** The summary of an import in words. */
import { ownValue } from '../../engine/ground/own-value.ts';
import { countLine, grouped } from '../../engine/ground/text.ts';
import { type Example, type Summary, wouldChange } from '../../engine/run/summary.ts';
import { errorInWords } from '../advice.ts';

const exampleInWords = ({ file, line, error }: Example): string =>
  `${file === undefined ? '' : `${file}, `}line ${line}: ${errorInWords(error)}`;

/** The first record of each reason. */
export const examplesInWords = (examples: Summary['examples']): Record<string, string> =>
  Object.fromEntries(Object.entries(examples).map(([code, example]) => [code, exampleInWords(example)]));

/** Of a second dry run, whether the file and the platform agree. */
function agreement(summary: Summary): string {
  const { rows, rejected, unit } = summary;
  const count = `${grouped(wouldChange(summary))} of ${grouped(rows)} ${unit} would change`;
  if (wouldChange(summary) > 0) return `${count}.`;
  return rejected === 0
    ? `${count}: the file and the platform agree.`
    : `${count}: every ${unit.slice(0, -1)} that was not rejected is already on the platform.`;
}

/** The summary as text. @param skipped what the mapping skips, in the unit of the counts: it was not sent */
export function summaryLines(summary: Summary, dry_run: boolean, skipped = 0): string[] {
  const { unit, rows, applied, updated, unchanged, rejected, archived = 0 } = summary;
  const would = dry_run ? 'would be ' : '';
  return [
    `${grouped(rows + skipped)} ${rows + skipped === 1 ? unit.slice(0, -1) : unit}`,
    ...counted([
      [`${would}applied`, applied],
      [`${would}updated`, updated],
      [dry_run ? 'would stay unchanged' : 'unchanged', unchanged],
      [`${would}rejected`, rejected - archived],
      ...(archived > 0 ? ([[`${would}kept in the archive`, archived]] as const) : []),
      ...(skipped > 0 ? ([['left out, as the mapping says', skipped]] as const) : []),
    ]),
    ...(dry_run ? [agreement(summary)] : []),
    ...section(
      archived > 0 ? 'rejected or kept in the archive, by reason' : 'rejected, by reason',
      summary.rejected_by_reason,
    ),
    ...exampleLines(summary),
    ...section('warnings, by kind', summary.warnings_by_kind),
  ];
}

const MOST_EXAMPLES = 3;

function exampleLines({ rejected_by_reason, examples }: Summary): string[] {
  return Object.keys(rejected_by_reason)
    .slice(0, MOST_EXAMPLES)
    .flatMap((code) => ownValue(examples, code) ?? [])
    .map((example) => `    ${exampleInWords(example)}`);
}

function section(title: string, counts: Readonly<Record<string, number>>): string[] {
  const entries = Object.entries(counts);
  return entries.length === 0 ? [] : [title, ...counted(entries)];
}

const counted = (entries: readonly (readonly [string, number])[]): string[] =>
  entries.map(([name, count]) => countLine(count, name));
