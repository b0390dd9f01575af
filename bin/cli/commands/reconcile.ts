import { writeFileSync } from 'node:fs';
import { type Import, type MigrationClient, type RecordAudit, ServiceError } from '../../client/index.ts';
import {
  type CommandContext,
  collected,
  fileCommand,
  type OptionsOf,
  type RunCommand,
  wholeNumber,
} from '../command.ts';
import { EXIT } from '../errors.ts';
import { inputFiles } from '../files/input-files.ts';
import { UsageError } from '../../importer/errors.ts';
import type { Chunk, RecordSet } from '../../importer/records/batches.ts';
import { loadTitles } from '../../importer/records/class-titles.ts';
import { surveyOf } from '../../importer/run/import-run.ts';
import { openSet, type RecordFileOptions } from '../files/records.ts';
import { inParallel } from '../../client/in-parallel.ts';
import { type Connection, connect } from '../session/session.ts';
import { checkWritable, withoutExtension } from '../files/paths.ts';
import { displayOn, OutageNotice } from '../progress/display.ts';
import { Meter } from '../progress/meter.ts';
import { table } from '../terminal.ts';
import { STATES } from '../../importer/reconcile/compare.ts';
import { type Reconciliation, reconciliationPage } from '../../importer/reconcile/page.ts';
import { type Finding, Tally } from '../../importer/reconcile/tally.ts';
import { grouped } from '../../importer/text.ts';

const declared = () =>
  fileCommand('reconcile', 'compare every row with the platform after an import, and write a page to sign', [
    'reconcile history.csv --out signed.html',
  ])
    .argument('<files...>')
    .option('--mapping <file>', 'what the columns mean (default: FILE.mapping.json beside the file)')
    .option('--set <member=value>', 'the same value in every record; may be repeated', collected)
    .option('--parallel <number>', 'number of comparisons at the same time', wholeNumber(1, 32), 4)
    .option('--patience <minutes>', 'how long to wait for an unreachable service', wholeNumber(0, 10_000), 30)
    .option('--out <file>', 'page to write (default: FILE.reconciled.html beside the file); the JSON is beside it');

export const command = (run: RunCommand) =>
  declared().action((names, options) => run(options, (context) => reconcile(names, options, context)));

/** What is stored is read for so many of the rows that differ. */
const MOST_READ = 500;
/** Equal rows that are also read one by one: the comparison is by a dry run, which shares nothing with that read. */
const SAMPLE = 100;

/**
 * `reconcile FILE…`: compares every row with the platform, and writes a page that a person can sign. A dry run of the same
 * records, 500 at a time, says of each whether it is stored and equal; nothing is written but its reports.
 */
async function reconcile(
  names: readonly string[],
  options: OptionsOf<typeof declared, RecordFileOptions>,
  context: CommandContext,
): Promise<number> {
  const { output } = context;
  const display = displayOn(process.stderr);
  const outage = new OutageNotice((text) => display.note(text), Date.now);
  const set = await openSet(await inputFiles(names, context.spool), options);
  const paths = pathsFor(set.sources[0]?.file.path ?? '', options.out);
  const connection = await connect(context, {
    patienceMs: options.patience * 60_000,
    waitsOutThrottles: true,
    onWait: (reason, delayMs) => outage.waiting(reason, delayMs),
  });
  const { client } = connection;
  await loadTitles(set, async () => client);
  const { records } = await surveyOf(set, undefined, display);
  const meter = new Meter('compared', records, Date.now);
  display.show([meter]);
  const compared = await compareAll(set, client, options.parallel, (count) => {
    outage.over();
    meter.add(count);
  }).finally(() => display.end());
  const found = reconciliationOf(set, connection, compared);
  writeFileSync(paths.page, reconciliationPage(found));
  writeFileSync(paths.json, `${JSON.stringify(found, undefined, 2)}\n`);
  if (output.json) output.jsonResult({ ...found, ...paths });
  else for (const line of resultLines(found, paths)) output.result(line);
  return found.counts.different + found.counts.missing === 0 ? EXIT.allApplied : EXIT.someRejected;
}

export interface Compared {
  readonly tally: Tally;
  readonly findings: readonly Finding[];
  readonly readOneByOne: number;
}

/** @throws what the client throws */
export async function compareAll(
  set: RecordSet,
  client: MigrationClient,
  parallel: number,
  onCompared: (count: number) => void = () => {},
): Promise<Compared> {
  const titles = new Map<number, string>();
  for await (const { platform_course_id, title } of client.courses()) titles.set(platform_course_id, title);
  const tally = new Tally(titles);
  const sample = new Sample();
  const validated = inParallel(set.chunks(), parallel, async (chunk) => ({
    chunk,
    results: chunk.records.length === 0 ? [] : await resultsOf(client, chunk),
  }));
  for await (const { chunk, results } of validated) {
    addChunk(tally, sample, chunk, results);
    onCompared(results.length);
  }
  tally.findings.sort((a, b) => a.file.localeCompare(b.file) || a.line - b.line);
  const readOneByOne = await readSample(client, sample.ids, parallel);
  return { tally, findings: await withStored(client, tally.findings, parallel), readOneByOne };
}

async function resultsOf(client: MigrationClient, { records }: Chunk): Promise<Import['records']> {
  const { import: report } = await client.startImport({ dry_run: true, records });
  if (report.records.length !== records.length)
    throw new UsageError(
      `The service compared ${report.records.length} of ${records.length} records. Run the command again.`,
    );
  return report.records;
}

function addChunk(tally: Tally, sample: Sample, chunk: Chunk, results: Import['records']): void {
  const file = chunk.source.file.path;
  for (const [position, result] of results.entries()) {
    const { record, row } = chunk.entries[position] ?? { record: undefined, row: { line: 0 } };
    const state = tally.add(record, result, { file, line: row.line });
    if (state === 'equal' && result.external_record_id !== null) sample.add(result.external_record_id);
  }
  for (const { entry, id, first } of chunk.repeats)
    tally.addRepeat(entry.record, id, { file, line: entry.row.line }, first);
}

/** Some of many ids, each as likely as another. */
class Sample {
  readonly ids: string[] = [];
  #seen = 0;

  add(id: string): void {
    this.#seen += 1;
    const place = Math.floor(Math.random() * this.#seen);
    if (this.ids.length < SAMPLE) this.ids.push(id);
    else if (place < SAMPLE) this.ids[place] = id;
  }
}

/** @throws UsageError where the read of a record contradicts the comparison */
async function readSample(client: MigrationClient, ids: readonly string[], parallel: number): Promise<number> {
  for await (const { id, audit } of inParallel(each(ids), parallel, async (id) => ({
    id,
    audit: await stored(client, id),
  }))) {
    if (audit === undefined || audit.contributions.length === 0)
      throw new UsageError(
        `The comparison says that record ${id} is stored, but the platform has none. Report this to its operator.`,
      );
  }
  return ids.length;
}

/** Adds what is stored to the first findings that differ. */
async function withStored(client: MigrationClient, findings: readonly Finding[], parallel: number): Promise<Finding[]> {
  const differing = findings.filter(({ state }) => state === 'different').slice(0, MOST_READ);
  const there = new Map<string, string>();
  const ids = differing.flatMap(({ external_record_id }) => external_record_id ?? []);
  for await (const { id, audit } of inParallel(each(ids), parallel, async (id) => ({
    id,
    audit: await stored(client, id),
  })))
    if (audit !== undefined) there.set(id, storedText(audit));
  return findings.map((finding) => {
    const text = finding.state === 'different' ? there.get(finding.external_record_id ?? '') : undefined;
    return text === undefined ? finding : { ...finding, there: text };
  });
}

function storedText({ user_id, platform_course_id, contributions, effective }: RecordAudit): string {
  const own = contributions.at(-1);
  const certificate = own?.approved_course === 1 ? ', certified' : '';
  return `Stored: user ${user_id}, course ${platform_course_id}, ${own?.completion_pct ?? 0} %${certificate}; the learner has ${effective.completion_pct} %.`;
}

async function stored(client: MigrationClient, id: string): Promise<RecordAudit | undefined> {
  try {
    return await client.getRecord(id);
  } catch (error) {
    if (error instanceof ServiceError && error.has('record_not_found')) return undefined;
    throw error;
  }
}

async function* each<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items;
}

function reconciliationOf(
  set: RecordSet,
  { login }: Connection,
  { tally, findings, readOneByOne }: Compared,
): Reconciliation {
  return {
    checked_at: new Date().toISOString(),
    base_url: login.base_url,
    company_id: login.company_id,
    checked_by: login.email,
    files: set.sources.map(({ file: { path, hash } }) => ({ path, sha256: hash })),
    rows: tally.rows,
    counts: tally.counts,
    courses: tally.courses(),
    read_one_by_one: readOneByOne,
    findings,
  };
}

interface Paths {
  readonly page: string;
  readonly json: string;
}

/**
 * `history.csv` → `history.reconciled.html` and `history.reconciled.json`, beside it.
 *
 * @throws UsageError if no file can be written there; found before anything is sent
 */
function pathsFor(input: string, asked: string | undefined): Paths {
  const stem = asked === undefined ? `${withoutExtension(input)}.reconciled` : asked.replace(/\.(html?|json)$/i, '');
  checkWritable(stem, 'The page', '--out');
  return { page: `${stem}.html`, json: `${stem}.json` };
}

function resultLines({ rows, counts, courses }: Reconciliation, { page, json }: Paths): string[] {
  const open = courses.filter(({ different, missing }) => different + missing > 0);
  return [
    `${grouped(rows)} rows`,
    ...STATES.map((state) => `  ${grouped(counts[state]).padStart(9)}  ${state}`),
    ...(open.length === 0
      ? []
      : table(
          ['course', 'title', 'rows', 'different', 'missing'],
          open.map((course) => [
            String(course.course),
            course.title ?? '',
            course.rows,
            course.different,
            course.missing,
          ]),
        )),
    `The page to sign is ${page}, and the same as JSON ${json}.`,
  ];
}
