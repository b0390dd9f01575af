import { TABLE } from '../runtime/environment.ts';
import type { ImportStore } from '../workflow/ports.ts';
import { batchGet } from './batch-get.ts';
import type { Database } from './database.ts';
import { unpackImport } from './import-item.ts';
import { importsListPartition, importsListSort, type Key, OPEN_IMPORTS_PARTITION } from './keys.ts';
import { query, queryAll } from './query.ts';

/** The imports of a company, and those that are still open. The indexes hold keys alone; what a list shows is read strongly. */
export function importListStore(database: Database): Pick<ImportStore, 'list' | 'listOpen'> {
  return {
    async list(company_id, limit, after) {
      const entries = await queryAll(database, {
        partition: importsListPartition(company_id),
        index: TABLE.importsByCompany,
        newestFirst: true,
        bound: after && { operator: '<', value: importsListSort(after.created_at, after.import_id) },
        limit,
      });
      const keys = entries.map(({ pk, sk }) => ({ pk, sk }) as Key);
      const items = await batchGet(database, keys, true);
      return items.filter((item) => item !== undefined).map(unpackImport);
    },

    async *listOpen(due_before) {
      const entries = query(database, {
        partition: OPEN_IMPORTS_PARTITION,
        index: TABLE.openImports,
        bound: due_before === undefined ? undefined : { operator: '<=', value: due_before },
      });
      for await (const { pk } of entries) yield idsOf(String(pk));
    },
  };
}

/** The ids in an import's own key; neither can hold a `#`. */
function idsOf(pk: string): { company_id: string; import_id: string } {
  const [company_id = '', , import_id = ''] = pk.split('#');
  return { company_id, import_id };
}
