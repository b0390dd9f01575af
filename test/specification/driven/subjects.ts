/** The imports and reverts of the behaviours: their names in the specification, their keys and their messages in the code. */
import { importRevertKey, runRevertKey } from '../../../functions/dynamodb/table.ts';
import { importIdForKey } from '../../../functions/imports/idempotency-key.ts';
import type { Message, RevertWork } from '../../../functions/jobs/work.ts';
import type { Key } from '../../kit/memory-table/memory-table.ts';
import { COMPANY } from '../../simulation/world.ts';
import { ERASURE } from '../traces/spoken-state.ts';

export const RUN_ID = 'run-bc';
const RUN = 'run BC';

/** In the order of their acceptance, which each has its time for. The name is the idempotency key. */
export const IMPORTS: Readonly<Record<string, { readonly chunks: readonly string[]; readonly run_id?: string }>> = {
  A: { chunks: ['A0', 'A1'] },
  B: { chunks: ['B0'], run_id: RUN_ID },
  C: { chunks: ['C0'], run_id: RUN_ID },
};

export const importIdOf = (i: string): string => importIdForKey(COMPANY, i);
export const isChunk = (job: string): boolean => Object.values(IMPORTS).some(({ chunks }) => chunks.includes(job));
export const importOf = (chunk: string): string => chunk.slice(0, 1);
/** Of its record. */
export const idOf = (chunk: string): string => `r-${chunk.slice(1)}`;
/** By their ids. */
export const NAMES: ReadonlyMap<string, string> = new Map(Object.keys(IMPORTS).map((i) => [importIdOf(i), i]));
/** The learner of each pair, where nobody is erased. */
export const USER_OF_PAIR: Readonly<Record<string, number>> = { p: 1, q: 2 };
/** The import that a revert is of; `undefined` for that of the run. */
export const importReverted = (revert: string): string | undefined =>
  revert === RUN ? undefined : revert.slice('revert '.length);

export function revertKeyOf(revert: string): Key {
  const i = importReverted(revert);
  return i === undefined ? runRevertKey(COMPANY, RUN_ID) : importRevertKey(COMPANY, importIdOf(i));
}

export function revertWorkOf(revert: string): RevertWork {
  const i = importReverted(revert);
  const company_id = COMPANY;
  if (i === undefined) return { kind: 'revert', subject: { kind: 'run', company_id, run_id: RUN_ID } };
  return { kind: 'revert', subject: { kind: 'import', company_id, import_id: importIdOf(i) } };
}

/** The chunk or the revert that a message is about. */
export function jobOf(message: Message): string {
  if (message.kind === 'chunk') return `${NAMES.get(message.import_id)}${message.chunk}`;
  if (message.kind === 'erasure') return ERASURE;
  return message.subject.kind === 'run' ? RUN : `revert ${NAMES.get(message.subject.import_id)}`;
}

/** The revert that a call reads the item of. */
export function revertReadBy(call: string): string | undefined {
  const [, pk] = /^Get (\S+) revert$/.exec(call) ?? [];
  const reverts = [...Object.keys(IMPORTS).map((i) => `revert ${i}`), RUN];
  return reverts.find((revert) => revertKeyOf(revert).pk === pk);
}
