import { importDownload, importOf } from '../http/operations.ts';
import { revalidated } from '../http/response.ts';
import { planReader } from '../imports/chunk-store.ts';
import { bytesRead, importResource, importWithResults, resultsVersion, retryAfter } from '../imports/results.ts';
import type { ImportItem } from '../shared/model.ts';
import { COUNTED_REPORT_BYTES } from '../shared/limits.ts';
import { getImport as route } from '../shared/routes.ts';

/**
 * `GET …/progress/imports/{import_id}` (§4.2 operation 8). While it is processing, or if the client's copy is current, nothing else
 * is read. An extraordinary report, or one of an import that ended a while ago, counts as a download: 429 beyond the quota.
 */
export const handler = importDownload(
  route,
  (database) => ({ stores: { imports: planReader(database) } }),
  async (request, services) => {
    const item = importOf(request);
    const nowMs = services.clock.nowMs();
    if (item.status === 'processing')
      return { statusCode: 200, headers: retryAfter(item, nowMs), body: importResource(item, []) };
    const readBytes = Math.max(bytesRead(item), endedLongAgo(item, nowMs) ? 1 : 0);
    const response = await revalidated(request, {
      from: resultsVersion(item, nowMs),
      body: () => {
        const { company_id } = item;
        if (readBytes > 0) services.stores.quotas.check(company_id, { download_bytes: 1 }, nowMs);
        return importWithResults(item, services);
      },
    });
    return { ...response, readBytes };
  },
  COUNTED_REPORT_BYTES,
);

const WHILE_MS = 10 * 60_000;
const endedLongAgo = ({ completed_at }: ImportItem, nowMs: number): boolean =>
  completed_at !== null && nowMs - Date.parse(completed_at) > WHILE_MS;
