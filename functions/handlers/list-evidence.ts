import { entriesOfRun } from '../evidence/evidence.ts';
import { migrationOperation } from '../http/operations.ts';
import { pageOf } from '../http/paging.ts';
import { runOf, runNotFound } from '../http/parameters.ts';
import { importLists, runReader } from '../imports/import-lists.ts';
import { PAGE_LIMITS } from '../shared/limits.ts';
import type { ImportPosition } from '../shared/model.ts';
import { listEvidence as route } from '../shared/routes.ts';

/** `GET …/runs/{run_id}/evidence` (§4.10): each import with its digests, by acceptance. Errors: 404 `run_not_found`. */
export const handler = migrationOperation(
  route,
  (database) => ({ stores: { imports: { ...importLists(database), ...runReader(database) } } }),
  async (request, services) => {
    const { items, next_cursor } = await pageOf(request, {
      scope: `evidence:${request.path['run_id']}`,
      limits: PAGE_LIMITS.evidence,
      read: async (limit, after: ImportPosition | undefined) => {
        const run = runOf(request);
        const { entries, searchedTo } = await entriesOfRun(run, { limit, after }, services);
        if (entries.length === 0 && after === undefined) throw runNotFound(run.run_id);
        return { items: entries, ...(searchedTo && { searchedTo: positionOf(searchedTo) }) };
      },
      positionOf,
    });
    return { statusCode: 200, body: { imports: items, next_cursor } };
  },
);

const positionOf = ({ created_at, import_id }: ImportPosition): ImportPosition => ({ created_at, import_id });
