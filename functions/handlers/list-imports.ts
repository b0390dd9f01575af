import { migrationOperation } from '../http/operations.ts';
import { pageOf } from '../http/paging.ts';
import { choiceFrom, instantFrom, limitFrom, runIdFrom } from '../http/parameters.ts';
import { checkAll } from '../http/request.ts';
import { importLists } from '../imports/import-lists.ts';
import { IMPORT_STATUSES } from '../shared/codes.ts';
import { PAGE_LIMITS } from '../shared/limits.ts';
import type { ImportPosition } from '../shared/model.ts';
import { listImports as route } from '../shared/routes.ts';

/** `GET …/progress/imports`: the company's imports without their records, newest first, narrowed by status, run and time (§4.9). */
export const handler = migrationOperation(
  route,
  (database) => ({ stores: { imports: importLists(database) } }),
  async (request, { stores }) => {
    const { company_id } = request.caller.company;
    const { query } = request;
    const [status, run_id, created_since, created_before] = checkAll(
      request,
      () => choiceFrom(query, 'status', IMPORT_STATUSES),
      () => runIdFrom(query),
      () => instantFrom(query, 'created_since'),
      () => instantFrom(query, 'created_before'),
      () => limitFrom(query, PAGE_LIMITS.imports),
    );
    const filter = { status, run_id, created_since, created_before };
    const { items: imports, next_cursor } = await pageOf(request, {
      scope: `imports:${JSON.stringify(filter)}`,
      limits: PAGE_LIMITS.imports,
      read: (limit, after: ImportPosition | undefined) => stores.imports.list(company_id, limit, filter, after),
      positionOf: ({ created_at, import_id }) => ({ created_at, import_id }),
    });
    return { statusCode: 200, body: { imports, next_cursor } };
  },
);
