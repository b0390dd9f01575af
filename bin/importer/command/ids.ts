/** The ids of an old system: finds their counterparts, writes a table for a person to look over, and registers it. */
import { existsSync } from 'node:fs';
import type { CourseMappingReport, MigrationClient, UserMappingReport } from '../client/index.ts';
import { countsByKind, type MatchHeaders, type MatchLine, tableText } from '../engine/match/match-table.ts';
import { batches, chosenColumns, type ListedRow, listedRows, type WantedField } from '../engine/match/listed-rows.ts';
import type { Source, SourceOptions } from '../engine/read/open-source.ts';
import { countLine } from '../engine/ground/text.ts';
import { MAX_MAPPINGS_PER_REQUEST } from '../wire/values.ts';
import { type CommandContext, fileCommand } from './command.ts';
import { EXIT, UsageError } from './errors.ts';
import { openSourceFile } from './files/records.ts';
import { OUT_ADVICE, PRIVATE_MODE, withoutExtension, writeWhole } from './files/whole-file.ts';
import { displayOn, Meter } from './progress.ts';
import { connect, PATIENCE_MS } from './session/session.ts';
import { type Output, ownCommand, printResult, refusalOf, table } from './terminal.ts';

/** A command about ids of the old system; its options include all of `IdOptions`. */
export const idCommand = (name: string, description: string, examples: readonly string[]) =>
  fileCommand(name, description, examples)
    .option('--id-column <name>', 'column with the ids of the old system')
    .option('--out <file>', 'table to write (default: FILE.courses.csv or FILE.users.csv beside the file)')
    .option('--force', 'overwrite an existing table')
    .option('--register', 'register the ids of a table with their counterparts')
    .option('--yes', 'register without asking');

export interface IdOptions extends SourceOptions {
  readonly idColumn?: string;
  readonly out?: string;
  readonly force?: boolean;
  readonly yes?: boolean;
}

/** `history.csv` → `history.courses.csv`. @throws UsageError if it exists, unless it may be overwritten */
export function tableFor(file: string, kind: 'courses' | 'users', { out, force }: IdOptions): string {
  const path = out ?? `${withoutExtension(file)}.${kind}.csv`;
  if (existsSync(path) && force !== true)
    throw new UsageError(`${path} exists. Name another file with --out, or overwrite it with --force.`);
  return path;
}

interface Matches {
  readonly headers: MatchHeaders;
  readonly lines: readonly MatchLine[];
  readonly command: 'courses' | 'people';
  readonly advice?: readonly string[];
  readonly found: readonly unknown[];
}

const MOST_SHOWN = 30;

/** Writes the table, shows the lines that are open, and returns the exit code. @throws UsageError */
export function showMatches(
  path: string,
  { headers, lines, command, advice = [], found }: Matches,
  output: Output,
): number {
  // Excel reads accents wrong without a byte-order mark.
  const text = `\u{feff}${tableText(headers, lines)}`;
  writeWhole(path, text, OUT_ADVICE, command === 'people' ? PRIVATE_MODE : undefined);
  const open = lines.filter(({ target }) => target === undefined);
  const counts = countsByKind(lines);
  const rows = open
    .slice(0, MOST_SHOWN)
    .map(({ id, name = '', kind, candidates: [best = ''] }) => [id, name, kind, best]);
  printResult(output, { table: path, counts, [command]: found }, [
    ...Object.entries(counts).map(([kind, count]) => countLine(count, kind)),
    ...(rows.length === 0 ? [] : table(['old id', headers.name.replace('_', ' '), 'match', 'nearest'], rows)),
    ...(open.length > MOST_SHOWN ? [`… and ${open.length - MOST_SHOWN} more in the table`] : []),
    `Look over ${path}: fill in ${headers.targetId} where it is empty, or delete the line. Then run:`,
    `  ${ownCommand(command, path, '--register')}`,
    ...advice,
  ]);
  return open.length === 0 ? EXIT.allApplied : EXIT.someRejected;
}

type Report = UserMappingReport | CourseMappingReport;

interface Registration {
  readonly wanted: readonly WantedField[];
  readonly register: (client: MigrationClient, rows: readonly ListedRow[]) => Promise<Report>;
}

/** `--register`: shows how the table is read, asks, and registers (§4.2 operations 3 and 5). */
export async function registerTable(
  file: string,
  options: IdOptions,
  context: CommandContext,
  { wanted, register }: Registration,
): Promise<number> {
  const { output } = context;
  const source = await openSourceFile(file, options);
  const columns = chosenColumns(source, wanted);
  const { ids, examples } = await surveyOf(source, wanted);
  const { client } = await connect(context, { patienceMs: PATIENCE_MS, waitsOutThrottles: true });
  const read = Object.entries(columns).map(([field, column]) => `${field} from column "${column}"`);
  output.note([...read, ...examples].join(', '));
  const refused = { nothing: 'Nothing registered', unasked: 'Use --yes to register.', code: EXIT.usage };
  const refusal = options.yes === true ? undefined : await refusalOf(output, `Register ${ids} ids?`, refused);
  if (refusal !== undefined) return refusal;
  const counts = { created: 0, updated: 0, unchanged: 0, failed: 0 };
  const rejected: { line: number; error_codes: string[]; messages: string[] }[] = [];
  const meter = new Meter('ids', ids);
  await displayOn(process.stderr).during([meter], async () => {
    for await (const rows of batches(listedRows(source, wanted), MAX_MAPPINGS_PER_REQUEST)) {
      const done = await register(client, rows);
      for (const name of ['created', 'updated', 'unchanged', 'failed'] as const) counts[name] += done.counts[name];
      for (const { index, errors } of done.mappings)
        if (errors.length > 0)
          rejected.push({
            line: rows[index]?.line ?? 0,
            error_codes: errors.map(({ error_code }) => error_code),
            messages: errors.map(({ message }) => message),
          });
      meter.add(rows.length);
    }
  });
  const { created, updated, unchanged, failed } = counts;
  printResult(output, { columns, ...counts, rejected }, [
    ...rejected.map(
      ({ line, error_codes, messages }) => `${file}, line ${line}: ${error_codes.join(' ')}: ${messages.join('; ')}`,
    ),
    `${created} created, ${updated} updated, ${unchanged} unchanged, ${failed} rejected.`,
  ]);
  return failed === 0 ? EXIT.allApplied : EXIT.someRejected;
}

/** Reads the whole table before anything of it is registered. @throws UsageError if it gives an id two counterparts */
async function surveyOf(source: Source, wanted: readonly WantedField[]): Promise<{ ids: number; examples: string[] }> {
  const targets = new Map<string, { target: string; line: number }>();
  const contradictions: string[] = [];
  for await (const {
    line,
    texts: [id = '', target = ''],
  } of listedRows(source, wanted)) {
    const known = targets.get(id);
    if (known === undefined) targets.set(id, { target, line });
    else if (known.target.toLowerCase() !== target.toLowerCase())
      contradictions.push(
        `  line ${known.line} gives ${JSON.stringify(id)} ${JSON.stringify(known.target)}, line ${line} gives it ${JSON.stringify(target)}`,
      );
  }
  if (contradictions.length > 0)
    throw new UsageError(
      [`${source.path} gives an id more than one meaning. Nothing was registered.`, ...contradictions.slice(0, 5)].join(
        '\n',
      ),
    );
  const first = [...targets].slice(0, 3);
  return {
    ids: targets.size,
    examples: first.map(([id, { target }]) => `${JSON.stringify(id)} is ${JSON.stringify(target)}`),
  };
}
