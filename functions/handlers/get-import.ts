import { importOperation } from '../http/operations.ts';
import type { ImportOperation } from '../http/types.ts';
import { importResource, readResults, retryAfter } from '../imports/results.ts';

/** `GET …/progress/imports/{import_id}` (§4.2 operation 8). While it runs, the item read with the authorisation is all it costs. */
export const getImport: ImportOperation = async ({ import: item }, services) => {
  if (item.status === 'processing') {
    const headers = retryAfter(item, services.clock.nowMs());
    return { statusCode: 200, headers, body: importResource(item, []) };
  }
  const reported = await readResults(item, services);
  return {
    statusCode: 200,
    body: importResource(
      item,
      reported.map(({ result }) => result),
    ),
  };
};

export const handler = importOperation(getImport);
