import { MAX_MAPPINGS_PER_REQUEST } from '../../../functions/shared/limits.ts';
import type { CourseMappingReport, MigrationClient, UserMappingReport } from '../../client/index.ts';
import { EXIT } from '../errors.ts';
import { connect } from '../login/session.ts';
import { openSource, type SourceOptions } from '../source/open-source.ts';
import type { Output } from '../terminal.ts';
import { batches, type ListedRow, listedRows, type WantedField } from './listed-rows.ts';

export interface MapIdsOptions extends SourceOptions {
  readonly idColumn?: string;
  readonly emailColumn?: string;
  readonly courseColumn?: string;
}

type Report = UserMappingReport | CourseMappingReport;
type Rejected = { line: number; error_codes: string[]; messages: string[] };

interface Registration {
  readonly wanted: readonly WantedField[];
  readonly register: (client: MigrationClient, rows: readonly ListedRow[]) => Promise<Report>;
}

const PATIENCE_MS = 5 * 60_000;

/** `map-users FILE`: registers user ids of the old system (§4.2 operation 3). */
export function mapUsers(file: string, options: MapIdsOptions, output: Output): Promise<number> {
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

/** `map-courses FILE`: registers course ids of the old system (§4.2 operation 5). */
export function mapCourses(file: string, options: MapIdsOptions, output: Output): Promise<number> {
  return registerAll(file, options, output, {
    wanted: [
      { field: 'content.external_course_id', column: options.idColumn, option: '--id-column' },
      { field: 'content.platform_course_id', column: options.courseColumn, option: '--course-column' },
    ],
    register: (client, rows) =>
      client.registerCourseMappings(
        rows.map(({ texts: [external_course_id = '', id = ''] }) => ({
          external_course_id,
          // The service rejects what is not a number, and the report names the line.
          platform_course_id: /^\d{1,16}$/.test(id) ? Number(id) : (id as unknown as number),
        })),
      ),
  });
}

async function registerAll(
  file: string,
  options: SourceOptions,
  output: Output,
  { wanted, register }: Registration,
): Promise<number> {
  const source = await openSource(file, options);
  // Nothing is registered unless the whole file can be read.
  for await (const row of listedRows(source, wanted)) void row;
  const { client } = await connect(output, { patienceMs: PATIENCE_MS });
  const counts = { created: 0, updated: 0, unchanged: 0, failed: 0 };
  const rejected: Rejected[] = [];
  for await (const rows of batches(listedRows(source, wanted), MAX_MAPPINGS_PER_REQUEST)) {
    const report = await register(client, rows);
    for (const name of ['created', 'updated', 'unchanged', 'failed'] as const) counts[name] += report.counts[name];
    rejected.push(...rejectedIn(report, rows));
  }
  if (output.json) output.jsonResult({ ...counts, rejected });
  else for (const line of reportLines(file, counts, rejected)) output.result(line);
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

function reportLines(file: string, counts: Report['counts'], rejected: readonly Rejected[]): string[] {
  const { created, updated, unchanged, failed } = counts;
  return [
    ...rejected.map(
      ({ line, error_codes, messages }) => `${file}, line ${line}: ${error_codes.join(' ')}: ${messages.join('; ')}`,
    ),
    `${created} created, ${updated} updated, ${unchanged} unchanged, ${failed} rejected.`,
  ];
}
