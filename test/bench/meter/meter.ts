/**
 * Counts the units that AWS would bill, in the SDK's own middleware stack: every call that the code under measurement makes passes
 * here, with its input and output. Item sizes before and after a write are looked up beside the
 * measured client, so that updates and statements, which do not carry their item, are counted by the same rules.
 */
import { INDEXES } from '../../../functions/dynamodb/table.ts';
import { itemBytes, type StoredItem } from './attribute-bytes.ts';
import { countJson } from './json-text.ts';
import { latencyOf } from './latency.ts';
import { countReads, type ReadInput, type ReadOutput } from './reads.ts';
import { divertOutput } from './standard-output.ts';
import type { StoredItems } from './stored-items.ts';
import { emptyTally, kindOf, type Tally } from './tally.ts';
import { failedWriteUnits, indexUnits, writeUnits } from './units.ts';
import { VirtualTime } from './virtual-time.ts';
import { type ItemKey, refusedWrites, writtenKeys, type WriteInput } from './writes.ts';

type Members = Record<string, unknown>;
/** The part of an SDK client that a meter needs. */
export interface Metered {
  // oxlint-disable-next-line typescript/no-explicit-any -- every client has a stack of its own type
  readonly middlewareStack: { add(middleware: any, options: any): void };
}

export class Meter {
  #tally: Tally | undefined;
  #time = new VirtualTime();
  readonly #stored: StoredItems;
  readonly #kindOfKey: (pk: string, sk: string) => string;

  constructor(stored: StoredItems, kindOfKey: (pk: string, sk: string) => string) {
    this.#stored = stored;
    this.#kindOfKey = kindOfKey;
  }

  destroy(): void {
    this.#stored.destroy();
  }

  attach(client: Metered): void {
    client.middlewareStack.add(
      (next: (args: { input: unknown }) => Promise<{ output: unknown }>, context: Members) =>
        async (args: { input: unknown }) => {
          const call = String(context['commandName']).replace(/Command$/, '');
          if (this.#tally === undefined) return next(args);
          return this.#time.call(latencyOf(call), () => this.#counted(call, args, next));
        },
      { step: 'initialize', priority: 'low', name: 'meter' },
    );
  }

  /** Counts the calls during a run. Only one measurement runs at a time. */
  async measure<T>(run: () => Promise<T>): Promise<{ tally: Tally; value: T }> {
    const tally = emptyTally();
    this.#tally = tally;
    this.#time = new VirtualTime();
    // Log lines go to standard output; while something is measured they are counted and not shown.
    const restoreOutput = divertOutput((text) => countOutput(tally, String(text)));
    const stopCountingJson = countJson((bytes) => {
      tally.json_calls += 1;
      tally.json_bytes += bytes;
    });
    try {
      const value = await run();
      return { tally: Object.assign(tally, { ms: this.#time.nowMs, depth: this.#time.depth }), value };
    } finally {
      stopCountingJson();
      restoreOutput();
      this.#tally = undefined;
    }
  }

  async #counted(
    call: string,
    args: { input: unknown },
    next: (args: { input: unknown }) => Promise<{ output: unknown }>,
  ): Promise<unknown> {
    const tally = this.#tally as Tally;
    tally.calls[call] = (tally.calls[call] ?? 0) + 1;
    if (call === 'SendMessageBatch') countMessages(tally, args.input as { Entries: { MessageBody: string }[] });
    if (!isDatabaseCall(call)) return next(args);
    const keys = writtenKeys(call, args.input as WriteInput);
    const before = await this.#stored.read(keys);
    const metered = { ...args, input: { ...(args.input as Members), ReturnConsumedCapacity: 'TOTAL' } };
    try {
      const result = await next(metered);
      const output = result.output as ReadOutput & { Responses?: { Error?: unknown }[] };
      countEngine(tally, call, output);
      if (keys.length === 0) countReads(tally, this.#kindOfKey, call, args.input as ReadInput, output);
      const refused = call === 'BatchExecuteStatement' ? refusedWrites(output.Responses) : new Set<number>();
      this.#countWrites(tally, keys, before, await this.#stored.read(keys), refused);
      return result;
    } catch (error) {
      this.#countWrites(tally, keys, before, before, new Set(keys.keys()));
      throw error;
    }
  }

  #countWrites(
    tally: Tally,
    keys: readonly ItemKey[],
    before: readonly (StoredItem | undefined)[],
    after: readonly (StoredItem | undefined)[],
    refused: ReadonlySet<number>,
  ): void {
    for (const [position, key] of keys.entries()) {
      const kind = kindOf(tally, this.#kindOfKey(key.pk, key.sk));
      const [was, is] = [before[position], after[position]];
      kind.writes += 1;
      kind.write_units += refused.has(position) ? failedWriteUnits(was) : writeUnits(was, is);
      if (refused.has(position)) continue;
      kind.written_bytes += itemBytes(is);
      const index = indexUnits(was, is, INDEXES);
      if (index > 0) kindOf(tally, 'index').write_units += index;
    }
  }
}

const isDatabaseCall = (call: string): boolean => /Item|Query|Statement/.test(call);

function countMessages(tally: Tally, { Entries }: { Entries: { MessageBody: string }[] }): void {
  tally.messages += Entries.length;
  for (const { MessageBody } of Entries) tally.message_bytes += Buffer.byteLength(MessageBody);
}

/** The engine reports one figure a call, or one a table. */
function countEngine(tally: Tally, call: string, { ConsumedCapacity }: ReadOutput): void {
  const reported = [ConsumedCapacity ?? []].flat();
  const units = reported.reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
  if (/Get|Query/.test(call)) tally.engine_read_units += units;
  else tally.engine_write_units += units;
}

interface EmbeddedMetrics {
  readonly _aws?: { readonly CloudWatchMetrics: readonly { readonly Metrics: readonly { readonly Name: string }[] }[] };
}

/** The bytes of the log, and the metrics that are embedded in it. */
function countOutput(tally: Tally, text: string): void {
  tally.log_bytes += Buffer.byteLength(text);
  for (const line of text.split('\n').filter((each) => each.includes('"_aws"'))) {
    const { _aws } = JSON.parse(line) as EmbeddedMetrics;
    for (const { Name } of _aws?.CloudWatchMetrics.flatMap(({ Metrics }) => Metrics) ?? [])
      tally.metrics[Name] = (tally.metrics[Name] ?? 0) + 1;
  }
}
