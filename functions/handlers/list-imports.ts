import { migrationOperation } from '../http/handler.ts';
import { cursorFrom, pageOf, sealCursor } from '../http/paging.ts';
import { choiceFrom, limitFrom } from '../http/request.ts';
import type { ProtectedOperation } from '../http/types.ts';
import type { ImportStore } from '../imports/import-store.ts';
import { importWithoutRecords } from '../imports/resource.ts';
import { IMPORT_STATUSES } from '../shared/codes.ts';
import { PAGE_LIMITS } from '../shared/limits.ts';
import type { ImportItem } from '../shared/model.ts';

const READ_AT_ONCE = 100;

type Position = Pick<ImportItem, 'created_at' | 'import_id'>;

/** `GET …/progress/imports`: the company's imports without their records, newest first. */
export const listImports: ProtectedOperation = async ({ caller, query }, services) => {
  const status = choiceFrom(query, 'status', IMPORT_STATUSES);
  const limit = limitFrom(query, PAGE_LIMITS.imports);
  const scope = `imports:${status ?? ''}`;
  const after = cursorFrom<Position>(query, caller.company, scope);
  const found = await matching(services.stores.imports, caller.company.company_id, limit + 1, status, after);
  const { items, last } = pageOf(found, limit);
  const next_cursor =
    last && sealCursor(caller.company, scope, { created_at: last.created_at, import_id: last.import_id });
  return { statusCode: 200, body: { imports: items.map(importWithoutRecords), next_cursor } };
};

/** Reads on until `wanted` imports of that status are found: a filtered page is as full as any other. */
async function matching(
  imports: ImportStore,
  company_id: string,
  wanted: number,
  status: ImportItem['status'] | undefined,
  after: Position | undefined,
): Promise<ImportItem[]> {
  const found: ImportItem[] = [];
  let position = after;
  for (;;) {
    const batch = await imports.list(company_id, status === undefined ? wanted : READ_AT_ONCE, position);
    found.push(...batch.filter((item) => status === undefined || item.status === status));
    position = batch.at(-1);
    if (found.length >= wanted || position === undefined || status === undefined) return found.slice(0, wanted);
  }
}

export const handler = migrationOperation(listImports);
