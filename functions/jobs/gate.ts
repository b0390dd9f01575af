/**
 * The gate of a company (§4.9). A revert, or an erasure (§13.2), holds it while it works. A chunk reads it before it starts, and starts only if it
 * is open. `epoch` counts the reverts that have opened it again: a plan of an earlier epoch may rely on items that a revert removed.
 */
import { ifStored, number, text } from '../dynamodb/attributes.ts';
import type { Database, Item } from '../dynamodb/client.ts';
import { anyOf, equals, isAbsent } from '../dynamodb/expressions.ts';
import { getItem, updateItem } from '../dynamodb/items.ts';
import { gateKey } from '../dynamodb/table.ts';

export interface Gate {
  readonly epoch: number;
  /** Name of the revert or erasure that holds it; absent while it is open. */
  readonly by?: string;
}

/** A company that never had a revert or an erasure has no item. */
export function unpackGate(item: Item = {}): Gate {
  return { epoch: 0, ...ifStored(item, 'epoch', number), ...ifStored(item, 'by', text) };
}

export type GateStore = ReturnType<typeof gateStore>;

export function gateStore(database: Database) {
  return {
    /** Strongly consistent. */
    readGate: async (company_id: string): Promise<Gate> => unpackGate(await getItem(database, gateKey(company_id))),

    /** Closes the gate for this holder. Returns whether it holds the gate then: another one may. */
    takeGate(company_id: string, by: string): Promise<boolean> {
      const isOpen = isAbsent('by');
      const isOurs = equals('by', by);
      return updateItem(database, gateKey(company_id), { set: { by }, when: anyOf(isOpen, isOurs) });
    },

    /**
     * Opens the gate, if this holder still has it.
     *
     * @param removed whether something was removed that an earlier plan may rely on: then a new epoch begins
     */
    async openGate(company_id: string, by: string, removed: boolean): Promise<void> {
      const isOurs = equals('by', by);
      const epochs = removed ? { add: { epoch: 1 } } : {};
      await updateItem(database, gateKey(company_id), { ...epochs, remove: ['by'], when: isOurs });
    },
  };
}

/** Returns a function that reports whether the gate of a company is closed. It reads each gate once. */
export function gateReader({ readGate }: Pick<GateStore, 'readGate'>): (company_id: string) => Promise<boolean> {
  const known = new Map<string, Promise<Gate>>();
  return async (company_id) => {
    const gate = known.get(company_id) ?? readGate(company_id);
    known.set(company_id, gate);
    return (await gate).by !== undefined;
  };
}
