import { migrationOperation } from '../http/handler.ts';
import type { ProtectedOperation } from '../http/types.ts';
import { RequestRejected } from '../http/types.ts';
import { RETRY_AFTER, importResource } from '../imports/resource.ts';
import { readResults } from '../imports/results.ts';

/** `GET …/progress/imports/{import_id}` (§4.2 operation 8). While it runs, the item read with the authorisation is all it costs. */
export const getImport: ProtectedOperation = async ({ caller }, services) => {
  const item = caller.import;
  if (item === undefined) throw new RequestRejected('import_not_found', 'this company has no import of that id');
  if (item.status === 'processing') return { statusCode: 200, headers: RETRY_AFTER, body: importResource(item, []) };
  const reported = await readResults(item, services.stores);
  return {
    statusCode: 200,
    body: importResource(
      item,
      reported.map(({ result }) => result),
    ),
  };
};

export const handler = migrationOperation(getImport, { readImport: 'path' });
