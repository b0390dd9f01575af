import { MAX_MAPPINGS_PER_REQUEST } from '../../../functions/shared/limits.ts';
import { batches } from '../batches.ts';
import { connect } from '../connect.ts';
import { EXIT } from '../faults.ts';
import type { MigrationClient } from '../../client/index.ts';
import type { Output } from '../output.ts';
import { openSource, type Source, type SourceOptions } from '../source/open-source.ts';
import { type ListedRow, listedRows, type Wanted } from './lists.ts';

export interface RegisterOptions extends SourceOptions {
  readonly idColumn?: string;
  readonly emailColumn?: string;
  readonly courseColumn?: string;
}

interface Report {
  readonly mappings: readonly {
    readonly index: number;
    readonly errors: readonly { error_code: string; message: string }[];
  }[];
  readonly counts: Readonly<Record<'created' | 'updated' | 'unchanged' | 'failed', number>>;
}

interface Registration {
  readonly wanted: readonly Wanted[];
  readonly register: (client: MigrationClient, rows: readonly ListedRow[]) => Promise<Report>;
}

const PATIENCE_MS = 5 * 60_000;

/** `map-users FILE`: registers ids of the old system for users (§4.2 operation 3). */
export function mapUsers(file: string, options: RegisterOptions, output: Output): Promise<number> {
  return registerAll(file, options, output, {
    wanted: [
      { field: 'user.external_user_id', column: options.idColumn, option: '--id-column' },
      { field: 'user.email', column: options.emailColumn, option: '--email-column' },
    ],
    register: (client, rows) =>
      client.registerUserMappings(
        rows.map(({ texts: [external_user_id = '', email = ''] }) => ({ external_user_id, email })),
      ),
  });
}

/** `map-courses FILE`: registers ids of the old system for courses (§4.2 operation 5). */
export function mapCourses(file: string, options: RegisterOptions, output: Output): Promise<number> {
  return registerAll(file, options, output, {
    wanted: [
      { field: 'content.external_course_id', column: options.idColumn, option: '--id-column' },
      { field: 'content.platform_course_id', column: options.courseColumn, option: '--course-column' },
    ],
    register: (client, rows) =>
      client.registerCourseMappings(
        rows.map(({ texts: [external_course_id = '', id = ''] }) => ({
          external_course_id,
          // What is no number is the service's to reject, by its line.
          platform_course_id: /^\d{1,16}$/.test(id) ? Number(id) : (id as unknown as number),
        })),
      ),
  });
}

type Rejected = { line: number; error_codes: string[]; messages: string[] };

async function registerAll(
  file: string,
  options: SourceOptions,
  output: Output,
  { wanted, register }: Registration,
): Promise<number> {
  const source = await openSource(file, options);
  await readThrough(source, wanted);
  const { client } = await connect(output, { patienceMs: PATIENCE_MS });
  const counts = { created: 0, updated: 0, unchanged: 0, failed: 0 };
  const rejected: Rejected[] = [];
  for await (const rows of batches(listedRows(source, wanted), MAX_MAPPINGS_PER_REQUEST)) {
    const report = await register(client, rows);
    for (const name of ['created', 'updated', 'unchanged', 'failed'] as const) counts[name] += report.counts[name];
    rejected.push(...rejectedIn(report, rows));
  }
  if (output.json) output.jsonResult({ ...counts, rejected });
  else tell(file, counts, rejected, output);
  return counts.failed === 0 ? EXIT.allApplied : EXIT.someRejected;
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

function tell(file: string, counts: Report['counts'], rejected: readonly Rejected[], output: Output): void {
  for (const { line, error_codes, messages } of rejected) {
    output.result(`${file}, line ${line}: ${error_codes.join(' ')}: ${messages.join('; ')}`);
  }
  const { created, updated, unchanged, failed } = counts;
  output.result(`${created} created, ${updated} updated, ${unchanged} unchanged, ${failed} rejected.`);
}

/** Nothing of a file is registered before all of it could be read. */
async function readThrough(source: Source, wanted: readonly Wanted[]): Promise<void> {
  for await (const row of listedRows(source, wanted)) void row;
}
