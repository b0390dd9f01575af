/** Sends records at a rate, by the engine of imports, and notes what the client saw. */
import { setTimeout as pause } from 'node:timers/promises';
import type { HttpRequest, HttpResponse, MigrationClient, Transport } from '../client/index.ts';
import { ServiceError } from '../client/index.ts';
import type { Import, ImportRecord } from '../client/types.ts';
import { MAX_RECORDS_PER_IMPORT } from '../../functions/shared/limits.ts';
import type { Targets } from './people.ts';
import type { Call } from './report.ts';

export interface Pace {
  /** Records a second. */
  readonly rate: number;
  readonly records: number;
}

/** Uploads at once: each takes a fraction of a second, and a rate of 10,000 sends 20 imports a second. */
const PARALLEL = 20;

/** A transport that notes each request, also those that the client repeats. */
export function noting(transport: Transport, calls: Call[]): Transport {
  return async <Body>(request: HttpRequest): Promise<HttpResponse<Body>> => {
    const started = performance.now();
    const note = (status: number) =>
      calls.push({ kind: kindOf(request.method, request.url), status, ms: performance.now() - started });
    try {
      const response = await transport<Body>(request);
      note(response.status);
      return response;
    } catch (error) {
      note(error instanceof ServiceError ? error.status : 0);
      throw error;
    }
  };
}

/** `POST imports` of `https://…/migrations/acme/progress/imports`; ids and queries are left out. */
function kindOf(method: string, url: string): string {
  const [, name = 'other'] = /\/migrations\/[^/]+\/(?:\w+\/)?(imports|courses)/.exec(url) ?? [];
  return `${method} ${name}`;
}

/** Records of another learner each, then of the next course; due at the rate, a batch at a time. */
export async function* pacedRecords(
  { rate, records }: Pace,
  { emails, courses }: Targets,
  run: string,
  sleep: (ms: number) => Promise<unknown> = pause,
): AsyncGenerator<ImportRecord> {
  const started = performance.now();
  for (let at = 0; at < records; at += 1) {
    if (at % MAX_RECORDS_PER_IMPORT === 0) await sleep(Math.max(0, started + (1000 * at) / rate - performance.now()));
    yield {
      external_record_id: `load ${run} ${at}`,
      user: { email: emails[at % emails.length] ?? '' },
      content: {
        type: 'course',
        platform_course_id: courses[Math.floor(at / emails.length) % courses.length] ?? 0,
      },
      progress: { completion_pct: 1 + (at % 99) },
    };
  }
}

/** @returns the imports, as they ended */
export async function sendLoad(client: MigrationClient, pace: Pace, targets: Targets, run: string): Promise<Import[]> {
  const imports: Import[] = [];
  await client.importAll(pacedRecords(pace, targets, run), {
    run_id: `load-${run}`,
    key: `load-${run}`,
    parallel: PARALLEL,
    onImport: (ended) => void imports.push(ended),
  });
  return imports;
}
