/** Writes the table of matches and shows what a person has to choose: the end of `match-courses` and `match-users`. */
import { existsSync } from 'node:fs';
import { UsageError } from '../engine/errors.ts';
import { countsByKind, type MatchHeaders, type MatchLine, tableText } from '../engine/match/match-table.ts';
import { grouped } from '../engine/text.ts';
import { EXIT } from './errors.ts';
import { OUT_ADVICE, withoutExtension } from './files/paths.ts';
import { writeWhole } from './files/whole-file.ts';
import { type Output, ownCommand, printResult, table } from './terminal.ts';

export interface TableOptions {
  readonly out?: string;
  readonly force?: boolean;
}

/** `history.csv` → `history.courses.csv`. @throws UsageError if it exists, unless it may be overwritten */
export function tableFor(file: string, kind: 'courses' | 'users', { out, force }: TableOptions): string {
  const path = out ?? `${withoutExtension(file)}.${kind}.csv`;
  if (existsSync(path) && force !== true)
    throw new UsageError(`${path} exists. Name another file with --out, or overwrite it with --force.`);
  return path;
}

interface Matches {
  readonly headers: MatchHeaders;
  readonly lines: readonly MatchLine[];
  /** The command that registers the table. */
  readonly registeredBy: 'map-courses' | 'map-users';
  /** Sentences that follow. */
  readonly advice?: readonly string[];
  /** The matches for the result as JSON. */
  readonly found: { readonly courses: readonly unknown[] } | { readonly users: readonly unknown[] };
}

const MOST_SHOWN = 30;

/** Writes the table, shows the lines that are open, and returns the exit code. @throws UsageError */
export function showMatches(
  path: string,
  { headers, lines, registeredBy, advice = [], found }: Matches,
  output: Output,
): number {
  // Excel reads accents wrong without a byte-order mark.
  writeWhole(path, `\u{feff}${tableText(headers, lines)}`, OUT_ADVICE);
  const open = lines.filter(({ target }) => target === undefined);
  const counts = countsByKind(lines);
  const rows = open
    .slice(0, MOST_SHOWN)
    .map(({ id, name = '', kind, candidates: [best = ''] }) => [id, name, kind, best]);
  printResult(output, { table: path, counts, ...found }, [
    ...Object.entries(counts).map(([kind, count]) => `  ${grouped(count).padStart(9)}  ${kind}`),
    ...(rows.length === 0 ? [] : table(['old id', headers.name.replace('_', ' '), 'match', 'nearest'], rows)),
    ...(open.length > MOST_SHOWN ? [`… and ${open.length - MOST_SHOWN} more in the table`] : []),
    `Look over ${path}: fill in ${headers.targetId} where it is empty, or delete the line. Then run:`,
    `  ${ownCommand(registeredBy, path)}`,
    ...advice,
  ]);
  return open.length === 0 ? EXIT.allApplied : EXIT.someRejected;
}
