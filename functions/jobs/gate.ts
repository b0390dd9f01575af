/**
 * The gate of a company (§4.9): a revert or an erasure holds it; a chunk starts only if it is not closed. `epoch` counts the
 * reverts that opened it: a plan of an earlier one may rely on removed items.
 */
import { number, packedTexts, storedMembers, text } from '../dynamodb/attributes.ts';
import type { Database, Item } from '../dynamodb/client.ts';
import { allOf, equals, isAbsent, type Change } from '../dynamodb/expressions.ts';
import { getItem, updateItem } from '../dynamodb/items.ts';
import { gateKey } from '../dynamodb/table.ts';
import { isErasure } from './work.ts';
import type { Instant } from '../shared/model.ts';

interface Gate {
  readonly epoch: number;
  readonly by?: string;
  readonly waiting?: readonly string[];
  /** The last holder that let chunks pass. A later holder has another name. */
  readonly admits?: string;
  /** Imports that replace (rule 12) and may be open, each with the moment that its acceptance began; absent if there are none. */
  readonly replacing?: ReadonlyMap<string, Instant>;
}

const REPLACING = 'replacing#';

/** The attribute of the gate that notes an open import which replaces (rule 12). */
export const replacingName = (import_id: string): string => `${REPLACING}${import_id}`;

/** A company that never had a revert or an erasure has no item. */
export function unpackGate(item: Item = {}): Gate {
  const held = storedMembers(item, { epoch: number, by: text, waiting: packedTexts, admits: text });
  const names = Object.keys(item).filter((name) => name.startsWith(REPLACING));
  const replacing = new Map(names.map((name) => [name.slice(REPLACING.length), text(item, name)]));
  return { epoch: 0, ...held, ...(replacing.size > 0 && { replacing }) };
}

/** Whether chunks wait: for the holder, unless it lets them pass, and for a revert that waits, from its request on. */
export const isClosed = ({ by, admits, waiting = [] }: Gate): boolean =>
  by !== undefined && (by !== admits || waiting.some((name) => !isErasure(name)));

/** Strongly consistent. */
export const gateOf = async (database: Database, company_id: string): Promise<Gate> =>
  unpackGate(await getItem(database, gateKey(company_id)));

/** The names of those that wait, as they are stored: one text, so that a change can be conditional on it. */
const packed = (names: readonly string[]): string => JSON.stringify(names);
/** Chunks read the names with the gate. The watchdog starts those that wait beside them. */
const MOST_WAITING = 200;
/** How often another one may change the gate first. */
const ATTEMPTS = 8;

export type GateStore = ReturnType<typeof gateStore>;

/** Takes and passes the gate by compare-and-set: of two that come at once, one holds it and the other waits. */
export function gateStore(database: Database) {
  const readGate = (company_id: string): Promise<Gate> => gateOf(database, company_id);

  return {
    readGate,

    /** Closes the gate, or notes that this holder waits for it to be passed on. Returns whether it holds it. */
    async takeGate(company_id: string, by: string): Promise<boolean> {
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        const gate = await readGate(company_id);
        const change = closing(gate, by);
        if (change === undefined) return gate.by === by;
        if (await updateItem(database, gateKey(company_id), change)) return gate.by === undefined;
      }
      return false;
    },

    /** Lets chunks pass, if this holder still has the gate. Reverts still wait. */
    async admitChunks(company_id: string, by: string): Promise<void> {
      await updateItem(database, gateKey(company_id), { set: { admits: by }, when: equals('by', by) });
    },

    /** Passes the gate on, or opens it, if this holder has it. `removed`: a new epoch begins. Returns the holder. */
    async passGate(company_id: string, by: string, removed: boolean): Promise<string | undefined> {
      const epochs = removed ? { add: { epoch: 1 } } : {};
      for (;;) {
        const gate = await readGate(company_id);
        if (gate.by !== by) return undefined;
        const [next, ...rest] = (gate.waiting ?? []).filter((name) => name !== by);
        const isOurs = equals('by', by);
        const change = { ...epochs, when: allOf(isOurs, isStill(gate.waiting)), ...heldBy(next, rest) };
        if (await updateItem(database, gateKey(company_id), change)) return next;
      }
    },
  };
}

/** The change by which this holder takes an open gate, or waits; `undefined` if it holds or waits already, or too many wait. */
export function closing({ by, waiting }: Gate, name: string): Change | undefined {
  // No revert waits at an open gate.
  if (by === undefined) return { set: { by: name }, when: isAbsent('by') };
  const names = waiting ?? [];
  if (by === name || names.includes(name) || names.length >= MOST_WAITING) return undefined;
  return { set: { waiting: packed([...names, name]) }, when: allOf(equals('by', by), isStill(waiting)) };
}

const isStill = (waiting: readonly string[] | undefined) =>
  waiting === undefined ? isAbsent('waiting') : equals('waiting', packed(waiting));

function heldBy(by: string | undefined, waiting: readonly string[]) {
  if (by === undefined) return { remove: ['by', 'waiting', 'admits'] };
  if (waiting.length === 0) return { set: { by }, remove: ['waiting', 'admits'] };
  return { set: { by, waiting: packed(waiting) }, remove: ['admits'] };
}

/** Returns a function that reports whether the gate of a company is closed. It reads each gate once. */
export function gateReader({ readGate }: Pick<GateStore, 'readGate'>): (company_id: string) => Promise<boolean> {
  const known = new Map<string, Promise<Gate>>();
  return async (company_id) => {
    const gate = known.get(company_id) ?? readGate(company_id);
    known.set(company_id, gate);
    return isClosed(await gate);
  };
}
