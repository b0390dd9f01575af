import { migrationOperation } from '../http/operations.ts';
import { pageOf } from '../http/paging.ts';
import { choiceFrom, limitFrom, readAll } from '../http/request.ts';
import type { ProtectedOperation } from '../http/types.ts';
import type { ImportStore } from '../imports/import-store.ts';
import { importWithoutRecords } from '../imports/results.ts';
import { IMPORT_STATUSES } from '../shared/codes.ts';
import type { ImportStatus } from '../shared/codes.ts';
import { PAGE_LIMITS } from '../shared/limits.ts';
import type { ImportItem } from '../shared/model.ts';

const READ_AT_ONCE = 100;

type Position = Pick<ImportItem, 'created_at' | 'import_id'>;

/** `GET …/progress/imports`: the company's imports without their records, newest first. */
export const listImports: ProtectedOperation = async (request, { stores }) => {
  const { company_id } = request.caller.company;
  const { status } = readAll({
    status: () => choiceFrom(request.query, 'status', IMPORT_STATUSES),
    limit: () => limitFrom(request.query, PAGE_LIMITS.imports),
  });
  const { items, next_cursor } = await pageOf(request, {
    scope: `imports:${status ?? ''}`,
    limits: PAGE_LIMITS.imports,
    read: (limit, after: Position | undefined) =>
      status === undefined
        ? stores.imports.list(company_id, limit, after)
        : importsOfStatus(stores.imports, { company_id, status, limit, after }),
    positionOf: ({ created_at, import_id }) => ({ created_at, import_id }),
  });
  return { statusCode: 200, body: { imports: items.map(importWithoutRecords), next_cursor } };
};

interface Wanted {
  readonly company_id: string;
  readonly status: ImportStatus;
  readonly limit: number;
  readonly after: Position | undefined;
}

/** Reads until `limit` imports of that status are found: a filtered page is as full as any other. */
async function importsOfStatus(imports: ImportStore, { company_id, status, limit, after }: Wanted) {
  const found: ImportItem[] = [];
  let position = after;
  do {
    const batch = await imports.list(company_id, READ_AT_ONCE, position);
    found.push(...batch.filter((item) => item.status === status));
    position = batch.at(-1);
  } while (found.length < limit && position !== undefined);
  return found;
}

export const handler = migrationOperation(listImports);
