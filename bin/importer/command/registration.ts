import { MAX_MAPPINGS_PER_REQUEST } from '../wire/values.ts';
import type { CourseMappingReport, MigrationClient, UserMappingReport } from '../client/index.ts';
import { type CommandContext, fileCommand } from './command.ts';
import { EXIT } from './errors.ts';
import { UsageError } from '../engine/errors.ts';
import { connect, PATIENCE_MS } from './session/session.ts';
import { displayOn, whileShown } from './progress/display.ts';
import { Meter } from './progress/meter.ts';
import { openSourceFile } from './files/records.ts';
import type { Source, SourceOptions } from '../engine/source/open-source.ts';
import { askToConfirm, type Output, printResult } from './terminal.ts';
import { batches, chosenColumns, type ListedRow, listedRows, type WantedField } from '../engine/records/listed-rows.ts';

/** A command that registers ids of the old system; it declares the column of what they stand for. */
export const registrationCommand = (name: string, description: string, examples: readonly string[]) =>
  fileCommand(name, description, examples)
    .argument('<file>')
    .option('--id-column <name>', 'column with the ids of the old system')
    .option('--dry-run', 'check only; nothing is registered')
    .option('--yes', 'register without asking');

export interface RegistrationOptions extends SourceOptions {
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

type Report = UserMappingReport | CourseMappingReport;
type Rejected = { line: number; error_codes: string[]; messages: string[] };

/** Registers rows, or reports the result of a registration. */
export type Step<Reported> = (rows: readonly ListedRow[]) => Promise<Reported>;

interface Registration {
  readonly wanted: readonly WantedField[];
  readonly registration: (client: MigrationClient) => Step<Report>;
  /** Returns the step that makes the report of a registration without registering. */
  readonly dryRun: (client: MigrationClient) => Promise<Step<Report>>;
}

/** Shows the result of a dry run, asks for confirmation, and registers. */
export async function registerAll(
  file: string,
  options: RegistrationOptions,
  context: CommandContext,
  { wanted, registration, dryRun }: Registration,
): Promise<number> {
  const { output } = context;
  const source = await openSourceFile(file, options);
  const columns = chosenColumns(source, wanted);
  // The whole file is read first, so that nothing is registered from a file that is damaged or contradicts itself.
  const found = await surveyOf(source, wanted);
  const { client } = await connect(context, { patienceMs: PATIENCE_MS, waitsOutThrottles: true });
  if (options.dryRun === true || options.yes !== true) {
    const planned = await inBatches(source, wanted, await dryRun(client));
    if (options.dryRun === true) return report(file, { columns, ...found, ...planned, dry_run: true }, output);
    for (const line of reportLines(file, { columns, ...found, ...planned, dry_run: true })) output.note(line);
    if (!output.interactive) {
      output.note(
        'Nothing registered: cannot ask for confirmation (no terminal). Use --yes to register or --dry-run to check only.',
      );
      return EXIT.usage;
    }
    if (!(await askToConfirm(`Register ${found.ids} ids?`))) return EXIT.usage;
  }
  const done = await inBatches(source, wanted, registration(client));
  return report(file, { columns, ...found, ...done, dry_run: false }, output);
}

interface Outcome {
  readonly counts: Report['counts'];
  readonly rejected: Rejected[];
}

async function inBatches(source: Source, wanted: readonly WantedField[], step: Step<Report>): Promise<Outcome> {
  const counts = { created: 0, updated: 0, unchanged: 0, failed: 0 };
  const rejected: Rejected[] = [];
  const meter = new Meter('ids', undefined, Date.now);
  await whileShown(displayOn(process.stderr), meter, async () => {
    for await (const rows of batches(listedRows(source, wanted), MAX_MAPPINGS_PER_REQUEST)) {
      const done = await step(rows);
      for (const name of ['created', 'updated', 'unchanged', 'failed'] as const) counts[name] += done.counts[name];
      rejected.push(...rejectedIn(done, rows));
      meter.add(rows.length);
    }
  });
  return { counts, rejected };
}

/** @throws UsageError if the file gives an id two users or courses */
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
  if (contradictions.length > 0) {
    const more = contradictions.length > 5 ? [`  … and ${contradictions.length - 5} more`] : [];
    throw new UsageError(
      [
        `${source.path} gives an id more than one meaning. Nothing was registered.`,
        ...contradictions.slice(0, 5),
        ...more,
      ].join('\n'),
    );
  }
  const examples = [...targets]
    .slice(0, 3)
    .map(([id, { target }]) => `${JSON.stringify(id)} is ${JSON.stringify(target)}`);
  return { ids: targets.size, examples };
}

function rejectedIn({ mappings }: Report, rows: readonly ListedRow[]): Rejected[] {
  return mappings
    .filter(({ errors }) => errors.length > 0)
    .map(({ index, errors }) => ({
      line: rows[index]?.line ?? 0,
      error_codes: errors.map(({ error_code }) => error_code),
      messages: errors.map(({ message }) => message),
    }));
}

interface Reported extends Outcome {
  readonly columns: Readonly<Record<string, string>>;
  readonly ids: number;
  readonly examples: readonly string[];
  readonly dry_run: boolean;
}

function report(file: string, reported: Reported, output: Output): number {
  const { counts, rejected, columns, dry_run } = reported;
  printResult(output, { dry_run, columns, ...counts, rejected }, reportLines(file, reported));
  return counts.failed === 0 ? EXIT.allApplied : EXIT.someRejected;
}

function reportLines(file: string, { counts, rejected, columns, examples, dry_run }: Reported): string[] {
  const { created, updated, unchanged, failed } = counts;
  const names = Object.entries(columns).map(([field, column]) => `${field} from column "${column}"`);
  return [
    ...(names.length === 0 ? [] : [`${names.join(', ')}: ${examples.join(', ')}`]),
    ...rejected.map(
      ({ line, error_codes, messages }) => `${file}, line ${line}: ${error_codes.join(' ')}: ${messages.join('; ')}`,
    ),
    `${dry_run ? 'Would be: ' : ''}${created} created, ${updated} updated, ${unchanged} unchanged, ${failed} rejected.`,
  ];
}

export const NO_ID = { error_code: 'invalid_record' as const, message: 'the id of the old system is empty' };

type Status = 'created' | 'updated' | 'unchanged' | 'error';

/** @param current the target that is registered for the id */
export function statusOf(errors: readonly unknown[], current: string | undefined, wanted: string): Status {
  if (errors.length > 0) return 'error';
  if (current === undefined) return 'created';
  return current === wanted ? 'unchanged' : 'updated';
}

export function countsOf(mappings: readonly { readonly status: Status }[]): Report['counts'] {
  const count = (status: Status): number => mappings.filter((each) => each.status === status).length;
  return {
    created: count('created'),
    updated: count('updated'),
    unchanged: count('unchanged'),
    failed: count('error'),
  };
}
