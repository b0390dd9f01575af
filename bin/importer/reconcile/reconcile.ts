/**
 * Compares files with the platform. A dry run of the same records, 500 at a time, compares each with the stored one;
 * only its reports are written.
 */
import { ServiceError } from '../../client/errors.ts';
import type { MigrationClient } from '../../client/client.ts';
import type { Import, RecordAudit } from '../../client/types.ts';
import { UsageError } from '../errors.ts';
import type { Chunk, RecordSet } from '../records/record-set.ts';
import { asCompleted } from '../run/as-completed.ts';
import type { OnProgress } from '../run/send.ts';
import { type Beyond, Compared } from './beyond.ts';
import type { Reconciliation } from './page.ts';
import { type Finding, Tally } from './tally.ts';

/** The stored progress is read for this many of the rows that differ. */
const MOST_READ = 500;
/** Equal rows that are also read one by one: that read is independent of the dry run, which compares the rows. */
const SAMPLE = 100;

type Client = Pick<MigrationClient, 'courses' | 'getLearner' | 'getRecord' | 'learnerCourses' | 'startImport'>;

export interface Comparing {
  readonly client: Client;
  readonly set: RecordSet;
  /** Dry runs at once. */
  readonly parallel: number;
  /** Returns 0 to below 1; chooses the equal rows that are read one by one. */
  readonly random: () => number;
  readonly onProgress?: OnProgress;
}

type Outcome = Omit<Reconciliation, 'checked_at' | 'base_url' | 'company_id' | 'checked_by'>;

/** @throws UsageError if the service contradicts itself; errors of the client pass through */
export async function compareAll(comparing: Comparing): Promise<Outcome> {
  const { client, set, parallel, random, onProgress } = comparing;
  const titles = new Map<number, string>();
  for await (const { platform_course_id, title } of client.courses()) titles.set(platform_course_id, title);
  const tally = new Tally(titles);
  const sample = new Sample(random);
  const learners = new Compared();
  const validated = asCompleted(set.chunks(), parallel, async (chunk) => ({
    chunk,
    results: chunk.records.length === 0 ? [] : await resultsOf(client, chunk),
  }));
  for await (const { chunk, results } of validated) {
    addChunk(tally, sample, chunk, results);
    for (const result of results) learners.add(result);
    onProgress?.({ step: 'process', records: results.length, isResumed: false });
  }
  tally.findings.sort((a, b) => a.file.localeCompare(b.file) || a.line - b.line);
  await readSample(comparing, sample.ids);
  return {
    files: set.sources.map(({ file: { path, hash } }) => ({ path, sha256: hash })),
    rows: tally.rows,
    counts: tally.counts,
    courses: tally.courses(),
    read_one_by_one: sample.ids.length,
    findings: await withStored(comparing, tally.findings),
    beyond: await beyondFiles(comparing, learners),
  };
}

/** One read for each learner, in the order of their ids. */
async function beyondFiles({ client, parallel, onProgress }: Comparing, learners: Compared): Promise<Beyond[]> {
  const beyond: Beyond[] = [];
  for await (const found of asCompleted(learners.learners, parallel, (id) => learners.beyond(client, id))) {
    beyond.push(...found);
    onProgress?.({ step: 'read', records: 1, isResumed: false });
  }
  return beyond.toSorted((a, b) => a.user_id - b.user_id || a.course - b.course);
}

async function resultsOf(client: Client, { records }: Chunk): Promise<Import['records']> {
  const { import: report } = await client.startImport({ dry_run: true, records });
  if (report.records.length !== records.length)
    throw new UsageError(
      `The service compared ${report.records.length} of ${records.length} records. Run the command again.`,
    );
  return report.records;
}

function addChunk(tally: Tally, sample: Sample, { file, entries, repeats }: Chunk, results: Import['records']): void {
  for (const [position, result] of results.entries()) {
    const { record, row } = entries[position] ?? { record: undefined, row: { line: 0 } };
    const state = tally.add(record, result, { file, line: row.line });
    if (state === 'equal' && result.external_record_id !== null) sample.add(result.external_record_id);
  }
  for (const { entry, id, first } of repeats) tally.addRepeat(entry.record, id, { file, line: entry.row.line }, first);
}

/** Some of many ids; each is as likely as any other. */
class Sample {
  readonly ids: string[] = [];
  readonly #random: () => number;
  #seen = 0;

  constructor(random: () => number) {
    this.#random = random;
  }

  add(id: string): void {
    this.#seen += 1;
    const place = Math.floor(this.#random() * this.#seen);
    if (this.ids.length < SAMPLE) this.ids.push(id);
    else if (place < SAMPLE) this.ids[place] = id;
  }
}

/** @throws UsageError if the read of a record contradicts the comparison */
async function readSample(comparing: Comparing, ids: readonly string[]): Promise<void> {
  for await (const { id, audit } of audits(comparing, ids))
    if (audit === undefined || audit.contributions.length === 0)
      throw new UsageError(
        `The comparison says that record ${id} is stored, but the platform has none. Report this to its operator.`,
      );
}

/** Adds the stored progress to the first findings that differ. */
async function withStored(comparing: Comparing, findings: readonly Finding[]): Promise<Finding[]> {
  const differing = findings.filter(({ state }) => state === 'different').slice(0, MOST_READ);
  const there = new Map<string, string>();
  const ids = differing.flatMap(({ external_record_id }) => external_record_id ?? []);
  for await (const { id, audit } of audits(comparing, ids)) if (audit !== undefined) there.set(id, storedText(audit));
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

async function* audits({ client, parallel }: Comparing, ids: readonly string[]) {
  yield* asCompleted(ids, parallel, async (id) => ({ id, audit: await stored(client, id) }));
}

async function stored(client: Client, id: string): Promise<RecordAudit | undefined> {
  try {
    return await client.getRecord(id);
  } catch (error) {
    if (error instanceof ServiceError && error.has('record_not_found')) return undefined;
    throw error;
  }
}
