import { migrationOperation } from '../http/handler.ts';
import { cursorFrom, pageOf, sealCursor } from '../http/paging.ts';
import { choiceFrom, limitFrom } from '../http/request.ts';
import type { ProtectedOperation } from '../http/types.ts';
import { RequestRejected } from '../http/types.ts';
import { readResults } from '../imports/results.ts';
import { RECORD_INCLUDES, RECORD_STATUSES } from '../shared/codes.ts';
import { PAGE_LIMITS } from '../shared/limits.ts';

/** `GET …/progress/imports/{import_id}/records` (§4.2 operation 9): results in the order sent, `include=record` adds what was sent. */
export const listImportRecords: ProtectedOperation = async ({ caller, path, query }, services) => {
  const status = choiceFrom(query, 'status', RECORD_STATUSES);
  const include = choiceFrom(query, 'include', RECORD_INCLUDES);
  const limit = limitFrom(query, PAGE_LIMITS.records);
  const scope = `records:${path['import_id'] ?? ''}:${status ?? ''}:${include ?? ''}`;
  const last = cursorFrom<number>(query, caller.company, scope) ?? -1;
  const item = caller.import;
  if (item === undefined) throw new RequestRejected('import_not_found', 'this company has no import of that id');
  const reported = await readResults(item, services.stores);
  const wanted = reported.filter(
    ({ result }) => result.index > last && (status === undefined || result.status === status),
  );
  const page = pageOf(
    wanted.map(({ result, record }) => (include === undefined ? result : { ...result, record })),
    limit,
  );
  return {
    statusCode: 200,
    body: {
      import_id: item.import_id,
      status: item.status,
      records: page.items,
      next_cursor: page.last && sealCursor(caller.company, scope, page.last.index),
    },
  };
};

export const handler = migrationOperation(listImportRecords, { readImport: 'path' });
