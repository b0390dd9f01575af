import { tokenVerifier } from '../auth/verify-token.ts';
import { migrationOperation } from '../http/handler.ts';
import type { ApiRequest, ApiResponse, ProtectedOperation } from '../http/types.ts';
import { RequestRejected } from '../http/types.ts';
import { acceptImport, asAccepted } from '../imports/accept.ts';
import { sqsChunkQueue } from '../imports/chunk-queue.ts';
import { fingerprintOf, importIdForKey, parseIdempotencyKey, randomImportId } from '../imports/identity.ts';
import { planningServices } from '../imports/plan-chunk.ts';
import { RETRY_AFTER, importPath, importResource } from '../imports/resource.ts';
import { readResults } from '../imports/results.ts';
import { METRIC } from '../runtime/metric-names.ts';
import { liveServices } from '../services/services.ts';
import type { Services } from '../services/services.ts';
import { MAX_RECORDS_PER_IMPORT } from '../shared/limits.ts';
import type { ImportItem } from '../shared/model.ts';

/**
 * `POST …/progress/imports` (§4.2 operation 7): 200 with the whole report of a dry run, 202 for a real import.
 * Errors: 413 `batch_too_large`, 400 `invalid_request`, 422 `idempotency_key_reused`.
 */
export const startImport: ProtectedOperation = async (request, services) => {
  const body = request.json();
  const { dry_run, records } = importBody(body);
  const key = idempotencyKey(request);
  const company_id = request.caller.company.company_id;
  const acceptance = await acceptImport(
    {
      company_id,
      import_id: key === undefined ? randomImportId(services.random) : importIdForKey(company_id, key),
      dry_run,
      records,
      fingerprint: fingerprintOf(body),
      attempt_id: request.attemptId,
      ...(request.caller.import === undefined ? {} : { standing: request.caller.import }),
    },
    {
      ...planningServices(services),
      clock: services.clock,
      queue: services.queue,
      ...(services.chunkLimits && { chunkLimits: services.chunkLimits }),
      onUnsent: (error) => services.telemetry.error('chunks could not be sent; the watchdog will', error),
    },
  );
  if (acceptance.kind === 'key_reused') {
    throw new RequestRejected('idempotency_key_reused', 'the Idempotency-Key was used with another payload');
  }
  const replayed = acceptance.kind === 'replayed';
  if (replayed) services.telemetry.count(METRIC.importsReplayed);
  else services.telemetry.count(dry_run ? METRIC.dryRunsAnswered : METRIC.importsAccepted);
  return answer(acceptance.item, replayed, services);
};

async function answer(item: ImportItem, replayed: boolean, services: Services): Promise<ApiResponse> {
  const replayHeader: Record<string, string> = replayed ? { 'idempotent-replayed': 'true' } : {};
  if (item.dry_run) {
    const reported = await readResults(item, services.stores);
    return {
      statusCode: 200,
      headers: replayHeader,
      body: importResource(
        item,
        reported.map(({ result }) => result),
      ),
    };
  }
  const headers = { ...replayHeader, ...RETRY_AFTER, location: importPath(item) };
  return { statusCode: 202, headers, body: importResource(asAccepted(item), []) };
}

function importBody(body: Readonly<Record<string, unknown>>) {
  const { dry_run, records } = body;
  if (Array.isArray(records) && records.length > MAX_RECORDS_PER_IMPORT) {
    throw new RequestRejected('batch_too_large', `records must hold at most ${MAX_RECORDS_PER_IMPORT} items`, {
      field: 'records',
    });
  }
  if (typeof dry_run !== 'boolean') {
    throw new RequestRejected('invalid_request', 'dry_run must be true or false', { field: 'dry_run' });
  }
  if (!Array.isArray(records) || records.length === 0) {
    throw new RequestRejected('invalid_request', `records must hold 1 to ${MAX_RECORDS_PER_IMPORT} items`, {
      field: 'records',
    });
  }
  return { dry_run, records: records as readonly unknown[] };
}

function idempotencyKey({ headers }: Pick<ApiRequest, 'headers'>): string | undefined {
  const key = parseIdempotencyKey(headers['idempotency-key']);
  if (key === null) {
    throw new RequestRejected('invalid_request', 'Idempotency-Key must be 1 to 255 visible ASCII characters', {
      field: 'Idempotency-Key',
    });
  }
  return key;
}

/** The import that the key stands for is read in the same batch as the authorisation. */
export function keyedImport(request: ApiRequest): string | undefined {
  const key = parseIdempotencyKey(request.headers['idempotency-key']);
  return typeof key === 'string' ? importIdForKey(request.path['company_id'] ?? '', key) : undefined;
}

export const handler = migrationOperation(
  startImport,
  { readImport: keyedImport },
  liveServices({ queue: sqsChunkQueue, verifier: tokenVerifier }),
);
