import { migrationOperation } from '../http/operations.ts';
import { pageOf } from '../http/paging.ts';
import { choiceFrom, instantFrom, limitFrom, readAll, runIdFrom } from '../http/request.ts';
import type { ProtectedOperation } from '../http/types.ts';
import type { ImportPosition } from '../imports/import-lists.ts';
import { IMPORT_STATUSES } from '../shared/codes.ts';
import { PAGE_LIMITS } from '../shared/limits.ts';

/** `GET …/progress/imports`: the company's imports without their records, newest first, narrowed by status, run and time (§4.9). */
export const listImports: ProtectedOperation = async (request, { stores }) => {
  const { company_id } = request.caller.company;
  const { query } = request;
  const { limit: _, ...filter } = readAll({
    status: () => choiceFrom(query, 'status', IMPORT_STATUSES),
    run_id: () => runIdFrom(query),
    created_since: () => instantFrom(query, 'created_since'),
    created_before: () => instantFrom(query, 'created_before'),
    limit: () => limitFrom(query, PAGE_LIMITS.imports),
  });
  const { items: imports, next_cursor } = await pageOf(request, {
    scope: `imports:${JSON.stringify(filter)}`,
    limits: PAGE_LIMITS.imports,
    read: (limit, after: ImportPosition | undefined) => stores.imports.list(company_id, limit, filter, after),
    positionOf: ({ created_at, import_id }) => ({ created_at, import_id }),
  });
  return { statusCode: 200, body: { imports, next_cursor } };
};

export const handler = migrationOperation(listImports);
