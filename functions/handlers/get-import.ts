import { importDownload } from '../http/operations.ts';
import { revalidated } from '../http/response.ts';
import type { ImportOperation } from '../http/types.ts';
import { importWithoutRecords } from '../imports/import-item.ts';
import { bytesRead, importResource, importWithResults, retryAfter } from '../imports/results.ts';
import { COUNTED_REPORT_BYTES } from '../shared/limits.ts';

/**
 * `GET …/progress/imports/{import_id}` (§4.2 operation 8). While it runs, and where the client
 * has the current copy of one that has ended, the item read with the authorisation is all it costs. A report that is not
 * ordinary counts as a download. Errors: 429 beyond the quota of an hour.
 */
export const getImport: ImportOperation = async (request, services) => {
  const { import: item } = request;
  if (item.status === 'processing') {
    const headers = retryAfter(item, services.clock.nowMs());
    return { statusCode: 200, headers, body: importResource(item, []) };
  }
  const response = await revalidated(request, {
    from: importWithoutRecords(item),
    body: () => {
      const { company_id } = item;
      if (bytesRead(item) > 0) services.stores.quotas.check(company_id, { download_bytes: 1 }, services.clock.nowMs());
      return importWithResults(item, services);
    },
  });
  return { ...response, readBytes: bytesRead(item) };
};

export const handler = importDownload(getImport, COUNTED_REPORT_BYTES);
