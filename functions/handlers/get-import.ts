import { importOperation } from '../http/operations.ts';
import { revalidated } from '../http/response.ts';
import type { ImportOperation } from '../http/types.ts';
import { importWithoutRecords } from '../imports/import-item.ts';
import { importResource, readResults, retryAfter } from '../imports/results.ts';

/**
 * `GET …/progress/imports/{import_id}` (§4.2 operation 8). While it runs, and where the client
 * has the current copy of one that has ended, the item read with the authorisation is all it costs.
 */
export const getImport: ImportOperation = async (request, services) => {
  const { import: item } = request;
  if (item.status === 'processing') {
    const headers = retryAfter(item, services.clock.nowMs());
    return { statusCode: 200, headers, body: importResource(item, []) };
  }
  return revalidated(request, {
    from: importWithoutRecords(item),
    body: async () => {
      const reported = await readResults(item, services);
      return importResource(
        item,
        reported?.map(({ result }) => result),
      );
    },
  });
};

export const handler = importOperation(getImport);
