import * as v from 'valibot';
import { creatorOf } from '../auth/creator.ts';
import { deployedQuotas } from '../auth/quotas.ts';
import { directoryStore } from '../catalog/directory-store.ts';
import { mappingStore } from '../catalog/mapping-store.ts';
import { requireScope } from '../http/authorise.ts';
import { importRequest } from '../http/bodies.ts';
import { jsonBody } from '../http/json-body.ts';
import { importOperation } from '../http/operations.ts';
import { approvalRequired } from '../http/plan-requests.ts';
import { checkAll, membersOf } from '../http/request.ts';
import { RequestRejected, malformed, type ApiRequest, type ApiResponse, type CompanyRequest } from '../http/types.ts';
import { acceptImport, asAccepted, type AcceptingServices, type Acceptance } from '../imports/accept.ts';
import { sqsJobQueue } from '../jobs/queue.ts';
import { fingerprintOf, idempotencyKey, importIdForKey, randomImportId } from '../imports/idempotency-key.ts';
import { IDEMPOTENCY_KEY_RULE } from '../records/identifiers.ts';
import { importStore } from '../imports/import-store.ts';
import { broken } from '../records/text.ts';
import { approvalIn, type Approval } from '../plans/approval.ts';
import { progressReader } from '../imports/progress-store.ts';
import { keepingIn } from '../imports/import-item.ts';
import { importPath, importResource, importWithResults, retryAfter } from '../imports/results.ts';
import type { MetricName } from '../runtime/metrics.ts';
import { startImport as route } from '../shared/routes.ts';

const KEY_HEADER = 'idempotency-key';
const requestBody = importRequest(v.unknown());

/** `POST …/progress/imports` (§4.2 operation 7): a dry run 200, an import 202. Errors: 400, 413, 422, 429. */
export const handler = importOperation(
  route,
  (database, environment) => ({
    approval: approvalIn(environment),
    queue: sqsJobQueue(environment),
    ...keepingIn(environment),
    stores: {
      imports: importStore(database),
      progress: progressReader(database),
      directory: directoryStore(database),
      mappings: mappingStore(database),
      quotas: deployedQuotas(database, environment),
    },
  }),
  async (request, services) => {
    const [{ body, members }, keyedId] = checkAll(
      request,
      () => {
        const body = jsonBody(request.body);
        return { body, members: membersOf(requestBody, body) };
      },
      () => importIdOf(request),
    );
    requireScope(members.dry_run ? 'dry-run' : 'import', request.caller);
    const { records, dry_run, replace = false, archive = false, run_id = null } = members;
    if (!dry_run) refuseUnapproved(request, services);
    const acceptance = await acceptImport(
      {
        company_id: request.caller.company.company_id,
        import_id: keyedId ?? randomImportId(services.random),
        dry_run,
        replace,
        archive,
        by: creatorOf(request.caller),
        run_id,
        records,
        fingerprint: fingerprintOf(withoutDefaults(body)),
        attempt_id: request.attemptId,
        ...(request.import && { existing: request.import }),
      },
      services,
    );
    if (acceptance.kind === 'key_reused') {
      throw new RequestRejected(
        'idempotency_key_reused',
        `This Idempotency-Key belongs to import ${acceptance.item.import_id}, accepted at ${acceptance.item.created_at} with another payload. Use a new key.`,
      );
    }
    services.telemetry.count(metricOf(acceptance, dry_run));
    return respond(acceptance, request.basePath, services);
  },
  keyedImport,
);

/** What was accepted before may be asked for again. */
function refuseUnapproved(request: CompanyRequest, { approval }: { readonly approval: Approval }): void {
  if (approval === 'second' && request.import === undefined) throw approvalRequired();
}

function metricOf({ kind }: Acceptance, dry_run: boolean): MetricName {
  if (kind === 'replayed') return 'ImportsReplayed';
  return dry_run ? 'DryRunsAnswered' : 'ImportsAccepted';
}

async function respond(
  { kind, item, results, headers: rateLimit }: Exclude<Acceptance, { kind: 'key_reused' }>,
  basePath: string,
  services: AcceptingServices,
): Promise<ApiResponse> {
  const replayHeader: Record<string, string> = kind === 'replayed' ? { 'idempotent-replayed': 'true' } : {};
  const nowMs = services.clock.nowMs();
  if (item.dry_run) {
    const body = results === undefined ? await importWithResults(item, services) : importResource(item, results);
    return { statusCode: 200, headers: { ...replayHeader, ...rateLimit }, body };
  }
  const headers = { ...replayHeader, ...rateLimit, ...retryAfter(item, nowMs), location: basePath + importPath(item) };
  return { statusCode: 202, headers, body: importResource(asAccepted(item), []) };
}

const DEFAULTS: Readonly<Record<string, unknown>> = { run_id: null, replace: false, archive: false };

/** Two payloads are compared after their defaults. */
function withoutDefaults(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(body).filter(([name, value]) => value !== DEFAULTS[name]));
}

/** `undefined` if no key was sent. A key that names no import is malformed. */
function importIdOf({ headerValues, importId }: CompanyRequest): string | undefined {
  const [sent, ...others] = headerValues(KEY_HEADER);
  if (importId !== undefined || sent === undefined) return importId;
  const message =
    others.length > 0
      ? `Idempotency-Key must be sent once, not ${others.length + 1} times. Put a key that contains a comma in quotes.`
      : `Idempotency-Key ${broken(`must be ${IDEMPOTENCY_KEY_RULE}`, sent)}.`;
  throw malformed(message, 'Idempotency-Key');
}

/** The import that a well-formed Idempotency-Key names, read in the same batch as the authorisation. */
export function keyedImport({ headerValues, path }: ApiRequest): string | undefined {
  const key = idempotencyKey(headerValues(KEY_HEADER));
  return typeof key === 'string' ? importIdForKey(path['company_id'] ?? '', key) : undefined;
}
