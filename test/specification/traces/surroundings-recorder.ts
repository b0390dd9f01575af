/** Records what happens beside the protocol, in the actions of the module `Surroundings`. */
import { importIdForKey } from '../../../functions/imports/idempotency-key.ts';
import { unpackImport } from '../../../functions/imports/import-item.ts';
import type { ImportItem, ImportSummary } from '../../../functions/shared/model.ts';
import type { Attributes, Key } from '../../kit/memory-table/memory-table.ts';
import type { Effect } from '../../simulation/services.ts';
import { COMPANY } from '../../simulation/world.ts';
import type { Action, Add } from './seen.ts';
import type { SpokenState } from './spoken-state.ts';

/** The key of the dry run of which a plan makes this import; without one, of a dry run that is no part of the protocol. */
export const dryRunOf = (i = ''): string => `D${i}`;
const DRY_RUNS = new Map(['', 'A', 'B', 'C'].map((i) => [importIdForKey(COMPANY, dryRunOf(i)), i]));
/** What a plan makes of the dry run that has the item, if anything; `undefined` if it is none of a dry run. */
export const dryRunIn = ({ pk }: Key): string | undefined => DRY_RUNS.get(pk.split('#')[2] ?? '');

const EVENTS: Readonly<Record<string, string>> = { 'Import Ended': 'ended', 'Import Reverted': 'reverted' };

const isOwed = (item: Attributes | undefined): boolean => item?.['open_pk'] !== undefined;
const optional = (item: unknown): ImportItem | undefined =>
  item === undefined ? undefined : unpackImport(item as Attributes);

export class SurroundingsRecorder {
  readonly #state: SpokenState;
  readonly #add: Add;

  constructor(state: SpokenState, add: Add) {
    this.#state = state;
    this.#add = add;
  }

  /** Returns whether the protocol does not concern the call. */
  see(effect: Effect): boolean {
    const { pk, sk } = effect.key;
    if (dryRunIn(effect.key) !== undefined) {
      this.#seeDryRun(effect);
      return true;
    }
    if (sk === 'import') this.#seeImport(effect);
    else if (sk.startsWith('payload#')) this.#seePayload(effect);
    else if (pk.startsWith('session#')) this.#seeName(effect, 'session');
    else if (pk.includes('#user-mappings#')) this.#seeName(effect, 'mapping');
    return false;
  }

  /** Notices of a run are no part of the specification. */
  readonly seeEvent = (type: string, detail: string): void => {
    const what = EVENTS[type];
    if (what === undefined) return;
    const { import_id } = JSON.parse(detail) as ImportSummary;
    const i = this.#state.importOf({ pk: `##${import_id}`, sk: '' });
    this.#note({ a: 'SendEvent', i, what });
  };

  /** Records an action that is no step of an invocation. */
  #note(seen: Action): void {
    this.#add({ by: 0 }, seen);
  }

  #seeImport({ key, kind, before, after, shown, writes }: Effect): void {
    const i = this.#state.importOf(key);
    if (kind === 'poll' && !writes) this.#seePoll(i, optional(shown));
    if (before === undefined || after === undefined || before === after) return;
    if (before['resends'] !== after['resends']) this.#note({ a: 'Resend', i });
    if (isOwed(before) && !isOwed(after)) this.#note({ a: 'Close', i });
  }

  #seePoll(i: string, item: ImportItem | undefined): void {
    const status = item === undefined ? 'none' : item.status === 'processing' ? 'open' : 'ended';
    const chunks = Object.keys(item?.summaries ?? {}).map((chunk) => `${i}${chunk}`);
    this.#note({ a: 'Poll', i, status, chunks });
  }

  #seePayload({ kind, after }: Effect): void {
    const { c } = this.#state.payloadIn(after);
    if (kind === 'accept' && c !== '') this.#note({ a: 'Stage', c });
  }

  #seeName({ before, after }: Effect, name: string): void {
    if (before !== undefined && after === undefined) this.#note({ a: 'EraseName', name });
  }

  #seeDryRun({ key: { sk }, before, after, writes }: Effect): void {
    if (!writes || before === after) return;
    const [kind, attempt = '', chunk] = sk.split('#');
    if (kind === 'import' && before === undefined)
      this.#note({ a: 'AcceptDryRun', attempt: optional(after)?.attempt_id ?? '' });
    if (kind !== 'report') return;
    const part = { attempt, chunk: String(Number(chunk)) };
    this.#note(after === undefined ? { a: 'DropDryReport', ...part } : { a: 'PutDryReport', ...part });
  }
}
