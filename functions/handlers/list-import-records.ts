import { importOperation } from '../http/operations.ts';
import { pageOf } from '../http/paging.ts';
import { choiceFrom, limitFrom, readAll } from '../http/request.ts';
import type { ImportOperation } from '../http/types.ts';
import { readResults } from '../imports/results.ts';
import { RECORD_INCLUDES, RECORD_STATUSES } from '../shared/codes.ts';
import { PAGE_LIMITS } from '../shared/limits.ts';

/** `GET …/progress/imports/{import_id}/records` (§4.2 operation 9): results in the order sent, `include=record` adds what was sent. */
export const listImportRecords: ImportOperation = async (request, services) => {
  const { import: item, query } = request;
  const { status, include } = readAll({
    status: () => choiceFrom(query, 'status', RECORD_STATUSES),
    include: () => choiceFrom(query, 'include', RECORD_INCLUDES),
    limit: () => limitFrom(query, PAGE_LIMITS.records),
  });
  const { items: records, next_cursor } = await pageOf(request, {
    scope: `records:${item.import_id}:${status ?? ''}:${include ?? ''}`,
    limits: PAGE_LIMITS.records,
    read: async (_limit, after: number | undefined = -1) => {
      const reported = await readResults(item, services);
      return reported
        .filter(({ result }) => result.index > after && (status === undefined || result.status === status))
        .map(({ result, record }) => (include === undefined ? result : { ...result, record }));
    },
    positionOf: ({ index }) => index,
  });
  return { statusCode: 200, body: { import_id: item.import_id, status: item.status, records, next_cursor } };
};

export const handler = importOperation(listImportRecords);
