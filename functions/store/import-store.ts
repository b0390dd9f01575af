import type { ImportItem } from '../domain/model.ts';
import { TABLE } from '../runtime/environment.ts';
import type { ImportStore } from '../workflow/ports.ts';
import { allOf, equals, isAbsent } from './conditions.ts';
import type { Database, Item } from './database.ts';
import { packImport, packSummary, summaryName, unpackImport } from './import-item.ts';
import { importKey } from './keys.ts';
import { getItem, itemIsAbsent, putItem, updateAndRead, updateItem } from './single-item.ts';

type StatusItem = Pick<ImportStore, 'read' | 'commit' | 'setSummary' | 'settle' | 'countResend' | 'startClosing'>;

const { openImports } = TABLE;
const stillOpen = equals('status', 'processing');

/** The status item of an import (§3): created once, each summary set once, terminal set once. */
export function importStatusStore(database: Database): StatusItem {
  const read = async (company_id: string, import_id: string) =>
    optionalImport(await getItem(database, importKey(company_id, import_id)));

  return {
    read,

    async commit(item) {
      if (await putItem(database, packImport(item), itemIsAbsent)) return item;
      const standing = await read(item.company_id, item.import_id);
      return expected(standing);
    },

    async setSummary(company_id, import_id, chunk, summary, due_at) {
      const notYetSummarised = isAbsent(summaryName(chunk));
      const { item } = await updateAndRead(database, importKey(company_id, import_id), {
        set: {
          [summaryName(chunk)]: packSummary(summary),
          ...(due_at !== undefined && { [openImports.sortKey]: due_at }),
        },
        when: allOf(notYetSummarised, stillOpen),
      });
      return optionalImport(item);
    },

    async settle(company_id, import_id, status, completed_at) {
      const { changed, item } = await updateAndRead(database, importKey(company_id, import_id), {
        set: { status, completed_at },
        remove: [openImports.partitionKey, openImports.sortKey],
        when: stillOpen,
      });
      return { item: expected(optionalImport(item)), settled: changed };
    },

    countResend({ company_id, import_id, resends }, due_at) {
      const nobodyElseCounted = equals('resends', resends);
      return updateItem(database, importKey(company_id, import_id), {
        set: { resends: resends + 1, [openImports.sortKey]: due_at },
        when: allOf(stillOpen, nobodyElseCounted),
      });
    },

    async startClosing({ company_id, import_id }, closing_at, due_at) {
      const notYetClosing = isAbsent('closing_at');
      const { item } = await updateAndRead(database, importKey(company_id, import_id), {
        set: { closing_at, [openImports.sortKey]: due_at },
        when: allOf(stillOpen, notYetClosing),
      });
      return optionalImport(item);
    },
  };
}

export function optionalImport(item: Item | undefined): ImportItem | undefined {
  return item === undefined ? undefined : unpackImport(item);
}

/** Import items are never removed: one that a write met is there. */
function expected(item: ImportItem | undefined): ImportItem {
  if (item === undefined) throw new Error('an import item is missing');
  return item;
}
