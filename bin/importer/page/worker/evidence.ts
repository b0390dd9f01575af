/** Evidence of a run: signed by the service, verified here, and summed up for a page to print. */
import * as v from 'valibot';
import { fetchEvidenceKeys } from '../../client/evidence-keys.ts';
import { readEvidence, readKeys } from '../../engine/evidence/given.ts';
import { evidenceName, makeEvidence, resultLinesOf } from '../../engine/evidence/make.ts';
import { verifyEvidence } from '../../engine/evidence/verify.ts';
import { increment } from '../../engine/run/summary.ts';
import { ServiceError, ServiceUnreachable } from '../../wire/errors.ts';
import { jsonFile } from '../../engine/ground/text.ts';
import { baseUrl, service } from './account.ts';
import { plainCode } from './causes.ts';
import { statementOfRun } from './run.ts';

export type EvidenceReport = Awaited<ReturnType<typeof reportOf>>;
export type NotMoved = EvidenceReport['notMoved'][number];

const resultSchema = v.object({
  progress: v.nullable(
    v.object({
      platform_course_id: v.number(),
      completion_pct: v.number(),
      completed_at: v.nullable(v.string()),
      approved_course: v.number(),
    }),
  ),
  errors: v.array(v.object({ error_code: v.string(), field: v.optional(v.string()) })),
});

const counts = v.optional(v.record(v.string(), v.number()), {});
/** The statement of the importer; any other has none of these. */
const statementSchema = v.fallback(
  v.object({
    left_out: counts,
    rejected_by_reason: counts,
    counts: v.optional(v.object({ skipped: v.number(), rows: v.optional(v.number()) })),
    files: v.fallback(v.array(v.object({ name: v.string() })), []),
    mappings: v.fallback(v.array(v.object({ time_zone: v.string() })), []),
    second_dry_run: v.optional(v.object({ would_change: v.number() })),
  }),
  { left_out: {}, rejected_by_reason: {}, files: [], mappings: [] },
);

/** In words of people: the files, the zone of their times, and whether they and the platform agreed afterwards. */
function statedFacts(statement: unknown) {
  const { files, mappings, counts, second_dry_run } = v.parse(statementSchema, statement);
  return {
    files: files.map(({ name }) => name),
    zones: [...new Set(mappings.map(({ time_zone }) => time_zone))],
    rows: counts?.rows ?? 0,
    isAgreed: second_dry_run?.would_change === 0,
  };
}

const mostFirst = (counts: Map<string, number>) => [...counts].toSorted(([, a], [, b]) => b - a);

const stated = (code: string, count: number, reason?: string) => ({ code, reason, count, isStated: true });

class Tally {
  readonly #courses = new Map<number, { course: number; records: number; completed: number; certified: number }>();
  readonly #years = new Map<string, number>();
  /** Records by their first reason, in the words of the page; and by every one, as a statement counts them. */
  readonly #reasons = new Map<string, number>();
  readonly #codes = new Map<string, number>();

  add(value: unknown): void {
    const { success, output } = v.safeParse(resultSchema, value);
    if (!success) return;
    const [first] = output.errors;
    if (first !== undefined) increment(this.#reasons, plainCode(first.error_code, first.field));
    for (const code of new Set(output.errors.map(({ error_code }) => error_code))) increment(this.#codes, code);
    if (output.progress === null) return;
    const { platform_course_id: course, completion_pct, completed_at, approved_course } = output.progress;
    const sum = this.#courses.get(course) ?? { course, records: 0, completed: 0, certified: 0 };
    this.#courses.set(course, sum);
    sum.records += 1;
    if (approved_course === 1) sum.certified += 1;
    if (completion_pct < 100) return;
    sum.completed += 1;
    if (completed_at !== null) increment(this.#years, completed_at.slice(0, 4));
  }

  moved() {
    return {
      courses: [...this.#courses.values()].toSorted((a, b) => b.records - a.records || a.course - b.course),
      years: [...this.#years].toSorted(([a], [b]) => (a < b ? -1 : 1)),
    };
  }

  /**
   * What the results say, and what was rejected or left out before it was sent, which only the statement says. `left out`: as
   * confirmed, for that reason; any other code is one that the page has words for.
   */
  notMoved(statement: unknown) {
    const { left_out, rejected_by_reason, counts } = v.parse(statementSchema, statement);
    const leftOut = Object.entries(left_out).map(([reason, count]) => stated('left out', count, reason));
    const skipped = (counts?.skipped ?? 0) - leftOut.reduce((sum, { count }) => sum + count, 0);
    const unsent = Object.entries(rejected_by_reason).map(([code, count]) =>
      stated(code, count - (this.#codes.get(code) ?? 0)),
    );
    return [
      ...mostFirst(this.#reasons).map(([code, count]) => ({ ...stated(code, count), isStated: false })),
      ...[...unsent, ...leftOut, stated('left out', skipped)].filter(({ count }) => count > 0),
    ];
  }
}

/** The keys of the platform that this page is of; `undefined` where it is out of reach, or signs no evidence. */
async function platformKeys(): Promise<readonly unknown[] | undefined> {
  try {
    return await fetchEvidenceKeys(baseUrl);
  } catch (error) {
    if (error instanceof ServiceError || error instanceof ServiceUnreachable) return undefined;
    throw error;
  }
}

/** @param isMade a moment ago: these files can be kept */
async function reportOf(files: readonly File[], keys: readonly unknown[] | undefined, isMade: boolean) {
  const given = await readEvidence(files);
  const tally = new Tally();
  const verification = await verifyEvidence({ ...given, keys }, (result) => tally.add(result));
  const { imports = [], payload } = verification;
  const moved = given.results && tally.moved();
  const notMoved = tally.notMoved(payload?.statement);
  return {
    ...verification,
    imports,
    hasKeys: given.hasKeys,
    moved,
    notMoved,
    stated: statedFacts(payload?.statement),
    files: isMade ? files : [],
  };
}

/** Nothing leaves the browser. @param keyFile keys of another platform than this one. @throws EngineError */
export const verifyEvidenceFiles = async (files: readonly File[], keyFile?: File): Promise<EvidenceReport> =>
  reportOf(files, await (keyFile === undefined ? platformKeys() : readKeys(keyFile)), false);

/** @returns `undefined` where the platform signs no evidence. @throws ServiceError */
export async function signRun(run_id: string, reason: string): Promise<EvidenceReport | undefined> {
  const statement = await statementOfRun(run_id);
  const made = await makeEvidence(service(), run_id, { reason, ...(statement && { statement }) });
  if (made === undefined) return undefined;
  const lines: string[] = [];
  for await (const line of resultLinesOf(service(), run_id)) lines.push(line);
  const name = evidenceName(run_id);
  const evidence = new File([jsonFile(made)], `${name}.json`);
  // Results that have expired are not there; their digests stay.
  const files = lines.length === 0 ? [evidence] : [evidence, new File(lines, `${name}.records.jsonl`)];
  return reportOf(files, await platformKeys(), true);
}
