/** For every function, an event that takes the function's usual path to AWS once. */
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROUTES } from '../../functions/shared/routes.ts';
import { LOAD_SANDBOX_DATA, PROCESS_CHUNK, ROUTE_NOT_FOUND, WATCHDOG } from '../../lib/function-sources.ts';
import { apiEvent, posted } from '../kit/api-event.ts';
import { eventOf } from './cloud.ts';
import { COMPANY_ID, importOf } from './workload.ts';

export interface ColdCase {
  readonly event: unknown;
  /** The expected HTTP status; `null` for functions that return none. */
  readonly status: number | null;
}

/** Bodies of the routes that take one. */
const BODIES: Readonly<Record<string, unknown>> = {
  // Without a password: the hash would be most of the time, and it is meant to be slow.
  login: { email: 'admin@bench.example' },
  'resolve-users': { emails: ['learner-000001@bench.example'] },
  'register-user-mappings': { mappings: [{ external_user_id: 'u-1', email: 'learner-000001@bench.example' }] },
  'register-course-mappings': { mappings: [{ external_course_id: 'c-1', platform_course_id: 100 }] },
  'start-import': { dry_run: false, records: importOf({ learners: 1, courses: 1 }, { courses: 3 }) },
};
/** A refresh token is spent once, so the one that is sent again and again belongs to a session that has ended. */
const STATUSES: Readonly<Record<string, number>> = { login: 400, 'refresh-token': 401, 'start-import': 202 };

export interface ColdContext {
  readonly accessToken: string;
  /** Of a session that was revoked. */
  readonly refreshToken: string;
  /** A finished import: reading it returns its report, and its messages change nothing. */
  readonly importId: string;
  readonly recordId: string;
}

export function coldCases(context: ColdContext): ReadonlyMap<string, ColdCase> {
  const message = { company_id: COMPANY_ID, import_id: context.importId, chunk: 0, payload_hash: 'none' };
  const dataFile = join(tmpdir(), 'course-progress-migration-bench-data.json');
  writeFileSync(dataFile, JSON.stringify({ companies: [] }));
  return new Map<string, ColdCase>([
    ...ROUTES.map(({ name, method, path }) => [name, routeCase(name, method, path, context)] as const),
    [ROUTE_NOT_FOUND, { event: apiEvent({ rawPath: '/nowhere' }), status: 404 }],
    [PROCESS_CHUNK, { event: eventOf([{ MessageId: 'm', Body: JSON.stringify(message) }]), status: null }],
    [WATCHDOG, { event: {}, status: null }],
    [LOAD_SANDBOX_DATA, { event: { RequestType: 'Update', dataFile }, status: null }],
  ]);
}

function routeCase(name: string, method: string, path: string, context: ColdContext): ColdCase {
  const body = name === 'refresh-token' ? { refreshToken: context.refreshToken } : BODIES[name];
  const authorization = { authorization: `Bearer ${context.accessToken}` };
  const parts = body === undefined ? { method, headers: authorization } : posted(body, authorization);
  const event = apiEvent({
    ...parts,
    rawPath: path,
    path: { company_id: COMPANY_ID, import_id: context.importId },
    ...(name === 'get-record' && { query: { external_record_id: context.recordId } }),
  });
  return { event, status: STATUSES[name] ?? 200 };
}
