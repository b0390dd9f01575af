/**
 * The gate of a company (§4.9). A revert, or an erasure (§7), holds it while it works. A chunk reads it before it begins, and begins only where it
 * is open. `epoch` counts how often it was opened again: a plan of an earlier epoch may rely on what a revert removed.
 */
import type { Database, Item } from '../dynamodb/client.ts';
import { anyOf, equals, isAbsent } from '../dynamodb/expressions.ts';
import { getItem, updateItem } from '../dynamodb/items.ts';
import { gateKey } from '../dynamodb/table.ts';

export interface Gate {
  readonly epoch: number;
  /** Name of the revert or erasure that holds it; absent while it is open. */
  readonly by?: string;
}

export function unpackGate(item: Item | undefined): Gate {
  const { epoch = 0, by } = (item ?? {}) as Partial<Gate>;
  return { epoch, ...(by !== undefined && { by }) };
}

export function gateStore(database: Database) {
  return {
    /** Strongly consistent. */
    readGate: async (company_id: string): Promise<Gate> => unpackGate(await getItem(database, gateKey(company_id))),

    /** Closes the gate for this revert. Returns whether it holds it then: another one may. */
    takeGate(company_id: string, by: string): Promise<boolean> {
      const isOpen = isAbsent('by');
      const isOurs = equals('by', by);
      return updateItem(database, gateKey(company_id), { set: { by }, when: anyOf(isOpen, isOurs) });
    },

    /** Opens the gate, if this erasure still holds it. It leaves nothing that a plan of before relies on. */
    async releaseGate(company_id: string, by: string): Promise<void> {
      await updateItem(database, gateKey(company_id), { remove: ['by'], when: equals('by', by) });
    },

    /** Opens the gate, if this revert still holds it. */
    async openGate(company_id: string, by: string): Promise<void> {
      const isOurs = equals('by', by);
      await updateItem(database, gateKey(company_id), { add: { epoch: 1 }, remove: ['by'], when: isOurs });
    },
  };
}
